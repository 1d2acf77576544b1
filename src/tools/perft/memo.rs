//! What perft has counted already, shared by its threads.
//!
//! A count must be exact, so unlike the transposition table of the search this is a true
//! map: it never overwrites, and its key is the whole Zobrist key with the depth. When
//! it has grown to its limit it takes nothing more and answers with what it has.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::position::Position;

/// Bytes an entry takes at worst, just after the map has doubled: 25 bytes for each
/// place, of which 7 in 16 are in use.
const ENTRY_BYTES: usize = 58;

/// Zobrist key and depth.
type Key = (u64, u32);

/// A bounded map from positions to counts. Its keys are random already: any quick hash will do.
pub(super) struct Memo {
    counts: DashMap<Key, u64, FxBuildHasher>,
    len: AtomicUsize,
    limit: usize,
}

impl Memo {
    /// An empty map that will not take more than `mebibytes` MiB.
    pub(super) fn new(mebibytes: usize) -> Self {
        Self {
            counts: DashMap::default(),
            len: AtomicUsize::new(0),
            limit: mebibytes.saturating_mul(1 << 20) / ENTRY_BYTES,
        }
    }

    /// The count `depth` plies below `position`, if known.
    pub(super) fn get(&self, position: &Position, depth: u32) -> Option<u64> {
        self.counts
            .get(&(position.key(), depth))
            .map(|count| *count)
    }

    /// Remembers a count, as long as there is room.
    pub(super) fn insert(&self, position: &Position, depth: u32, count: u64) {
        if self.len.load(Relaxed) < self.limit
            && self.counts.insert((position.key(), depth), count).is_none()
        {
            self.len.fetch_add(1, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    #[test]
    fn a_full_map_takes_nothing_more() {
        let position = Game::start().position();
        let memo = Memo::new(0);
        memo.insert(&position, 3, 8902);
        assert_eq!(memo.get(&position, 3), None);
        let memo = Memo::new(1);
        memo.insert(&position, 3, 8902);
        assert_eq!(memo.get(&position, 3), Some(8902));
        assert_eq!(memo.get(&position, 2), None);
    }
}
