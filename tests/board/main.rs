//! The board room against `shakmaty` and against slow, obvious recomputation, over
//! every position of some thousand random games.

mod corpus;
mod exchange;
mod fen;
mod generation;
mod state;
