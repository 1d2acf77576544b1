//! Learning: from games on disk to a network that plays.
//!
//! [`datagen`] plays games and judges them again, [`games`] reads them from viriformat files,
//! [`convert`] writes them for others, [`distil`] has a teacher judge what could have happened
//! in them, [`sampler`] picks and mixes the positions worth learning from, [`trainer`] fits a
//! [`model`] to them, and [`quantise`] turns the result into the integers that the engine
//! computes with. [`tune`] learns something else from games: the numbers of the search. [`output`]
//! writes a file whole or not at all. Nothing here is used while playing.

mod adam;
mod batch;
pub mod census;
mod checkpoint;
pub mod convert;
pub(crate) mod crew;
pub mod datagen;
mod deal;
pub mod distil;
pub mod draft;
mod family;
mod file;
pub mod fit;
pub mod games;
mod kernels;
pub mod model;
pub mod output;
pub mod plot;
mod program;
pub mod quantise;
pub mod sample;
pub mod sampler;
pub mod schedule;
mod team;
pub mod trainer;
pub mod tune;
