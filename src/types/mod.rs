//! The vocabulary: scores, depths, windows, bounds and packed moves.
//!
//! These types carry their unit in their name and know no rule of chess. Every
//! other room imports from here; this room imports from nobody.

mod bound;
pub mod convert;
mod depth;
pub mod movetext;
mod packed_move;
mod quoted;
mod score;
pub mod win_rate;
mod window;

pub use bound::Bound;
pub use depth::{Depth, MAX_PLY, Ply, Reduction};
pub use packed_move::{MAX_MOVES, MoveKind, MoveList, PackedMove};
pub use quoted::Quoted;
pub use score::Score;
pub use window::Window;
