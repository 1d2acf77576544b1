//! Repetition: the keys of the positions that led here.
//!
//! A stack that starts with the game's reversible history and grows and shrinks with
//! the line being searched. Whoever searches a node pushes its key before going to a
//! child, and pops it after.
//!
//! Invariant: at a node `ply` plies below the root, the `ply` topmost keys are those of
//! the line from the root to the node's parent.

use super::Game;
use crate::types::Ply;

/// Earlier occurrences are at least this many plies away.
const SHORTEST_CYCLE: usize = 4;

/// The keys of the earlier positions, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    keys: Vec<u64>,
}

impl Trail {
    /// The positions before the root of `game`; the root itself is pushed by the search.
    pub fn new(game: &Game) -> Self {
        Self {
            keys: game.earlier_keys().to_vec(),
        }
    }

    /// Enters a child of the position with this key.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Comes back from the child.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Whether the position with `key`, `ply` plies below the root, is to be scored as a
    /// draw: it occurred before within the tree, after the root, so that either side could
    /// force it again; or it occurred twice before in the whole game, which is the rule.
    #[inline]
    pub fn is_repetition(&self, key: u64, halfmoves: u32, ply: Ply) -> bool {
        let reversible = usize::try_from(halfmoves).unwrap_or(usize::MAX);
        let mut seen = 0;
        let mut back = SHORTEST_CYCLE;
        while back <= reversible.min(self.keys.len()) {
            if self.keys[self.keys.len() - back] == key {
                seen += 1;
                if back < ply.index() || seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }
}
