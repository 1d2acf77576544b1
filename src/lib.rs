//! Arborist, a UCI chess engine.

pub mod engine;
pub mod history;
pub mod learn;
pub mod movepick;
pub mod nnue;
pub mod params;
pub mod position;
pub mod search;
pub mod tapered;
pub mod time;
pub mod tools;
pub mod tt;
pub mod types;
pub mod uci;
