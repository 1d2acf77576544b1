//! A list of moves that are taken best first, for the few that are wanted of many.
//!
//! Invariant: every move is taken once, and of equals the one that was listed first.

use arrayvec::ArrayVec;

use crate::types::{MAX_MOVES, MoveList, PackedMove, convert};

/// A power of two beyond every place in the list. Scores are far below what is left of 32 bits.
const PLACES: i32 = 512;
/// The key of a move that has been taken.
const TAKEN: i32 = i32::MIN;

/// Moves with scores.
///
/// Score and place of a move share a number, so that the best one is the largest of a list of
/// integers, of which the compiler compares several at a time.
#[derive(Default)]
pub(super) struct BestFirst {
    moves: MoveList,
    /// For each move its score times [`PLACES`] less its place, or [`TAKEN`].
    keys: ArrayVec<i32, MAX_MOVES>,
}

impl BestFirst {
    /// Forgets what is left, and takes in what `generate` lists, each move worth its `score`.
    #[inline]
    pub(super) fn fill(
        &mut self,
        generate: impl FnOnce(&mut MoveList),
        score: impl Fn(PackedMove) -> i32,
    ) {
        self.moves.clear();
        self.keys.clear();
        generate(&mut self.moves);
        for (&mv, place) in self.moves.iter().zip(0..) {
            self.keys.push(score(mv) * PLACES - place);
        }
    }

    /// The best move that has not been taken yet (selection sort, one step a call).
    #[inline]
    pub(super) fn take(&mut self) -> Option<PackedMove> {
        let best = self.keys.iter().fold(TAKEN, |best, &key| best.max(key));
        if best == TAKEN {
            return None;
        }
        let place = convert::index(-best & (PLACES - 1));
        self.keys[place] = TAKEN;
        self.moves.get(place).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first_and_of_equals_the_first() {
        const SCORES: [i32; 6] = [-70_000, 5, 171_000, 5, 0, -70_000];
        let moves = (1..).map_while(PackedMove::from_bits).take(SCORES.len());
        let moves: MoveList = moves.collect();
        let place = |wanted| moves.iter().position(|&mv| mv == wanted);
        let mut list = BestFirst::default();
        for _ in 0..2 {
            let score = |mv| place(mv).map_or(0, |place| SCORES[place]);
            list.fill(|listed| listed.extend(moves.iter().copied()), score);
            let taken: Vec<_> = std::iter::from_fn(|| list.take()).map(place).collect();
            assert_eq!(taken, [2, 1, 3, 4, 0, 5].map(Some));
        }
    }
}
