//! The evaluation: an efficiently updatable neural network (Nasu 2018).
//!
//! [`arch`] fixes the sizes, [`inputs`] says what the network is told of a position and
//! [`condition`] what of each piece besides its place, [`features`] which of its inputs that
//! switches on as one side sees it, [`weights`] reads and writes network files, and [`Network`]
//! holds one for use. An [`Evaluator`] follows the search along its line of moves and gives the
//! value of the position at its end; its inner loops are in [`simd`], its bookkeeping in
//! `accumulator`. [`anatomy`] takes one value apart for people to read.

mod accumulator;
pub mod anatomy;
pub mod arch;
pub mod condition;
pub mod features;
mod forward;
pub mod inputs;
mod network;
pub mod simd;
pub mod weights;

pub use forward::Evaluator;
pub use network::{InputRow, Network, Row};
