//! Perft as the UCI loop runs it: one thread, one line a root move, and it ends early
//! when told to, which the tool of the command line need not.
//!
//! Invariant: a count that is shown without a remark is complete.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use shakmaty::{CastlingMode, Move};

use super::perft;
use crate::{
    position::{Game, Position},
    types::MoveList,
};

/// Deeper than any count that ends, and shallow enough to recurse.
pub const DEEPEST: u32 = 20;

/// Plies that are counted without a look at the flag: some milliseconds at most.
const AT_A_STRETCH: u32 = 3;

/// Leaves below each root move.
#[derive(Clone, Debug)]
pub struct Counts {
    mode: CastlingMode,
    moves: Vec<(Move, u64)>,
    all: u64,
    complete: bool,
}

/// Counts the leaves `depth` plies below the root of `game`, until `stop` is set.
pub fn count(game: &Game, depth: u32, stop: &AtomicBool) -> Counts {
    let root = game.position();
    let mut list = MoveList::new();
    if depth > 0 {
        root.generate_all(&mut list);
    }
    let branches = list.into_iter().map_while(|mv| {
        let leaves = leaves(&root.play(mv), depth - 1, stop)?;
        Some((root.unpack(mv), leaves))
    });
    let moves: Vec<_> = branches.collect();
    let below = moves.iter().map(|(_, leaves)| leaves).sum();
    Counts {
        mode: game.mode(),
        moves,
        all: if depth == 0 { 1 } else { below },
        complete: !stop.load(Relaxed),
    }
}

/// `None` when told to stop.
fn leaves(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= AT_A_STRETCH {
        return Some(perft::count(position, depth));
    }
    let mut list = MoveList::new();
    position.generate_all(&mut list);
    list.into_iter()
        .map(|mv| leaves(&position.play(mv), depth - 1, stop))
        .sum()
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mv, leaves) in &self.moves {
            writeln!(f, "{}: {leaves}", mv.to_uci(self.mode))?;
        }
        let remark = if self.complete { "" } else { " (stopped)" };
        write!(f, "\nNodes searched: {}{remark}", self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_root_move_is_counted() {
        let shown = count(&Game::start(), 5, &AtomicBool::new(false)).to_string();
        assert!(shown.contains("e2e4: 405385\n"), "{shown}");
        assert!(shown.ends_with("\n\nNodes searched: 4865609"));
    }

    #[test]
    fn no_plies_away_is_the_position_itself() {
        let shown = count(&Game::start(), 0, &AtomicBool::new(false)).to_string();
        assert_eq!(shown, "\nNodes searched: 1");
    }

    #[test]
    fn a_stopped_count_says_so() {
        let shown = count(&Game::start(), 5, &AtomicBool::new(true)).to_string();
        assert!(shown.ends_with("Nodes searched: 0 (stopped)"));
    }
}
