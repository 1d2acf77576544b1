//! Correction history: how far the static evaluation was off where this was seen before
//! (Caissa, Witek 2023, for pawn structures; other keys since).
//!
//! The network errs alike in positions that share a feature: the pawns, the minor pieces,
//! either side's pieces, or the last two moves. The error found by search is remembered
//! under each, and their weighted sum is added to the evaluation.

use shakmaty::Color;

use super::{Cell, ContinuationKey, KEYS};
use crate::{params, position::Position, types::convert};

/// Largest absolute error remembered.
const LIMIT: i32 = 1024;
/// Entries for each side to move, a power of two.
const ENTRIES: usize = 1 << 14;

/// Both sides to move, one after the other.
type Table = Box<[Cell<LIMIT>]>;

/// What of a position the errors are remembered under.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionKey {
    pawns: usize,
    minors: usize,
    pieces: [usize; 2],
    moves: Option<(ContinuationKey, ContinuationKey)>,
}

impl CorrectionKey {
    /// The keys of `position`, reached by the moves `earlier` (last first), where known.
    #[inline]
    pub fn new(position: &Position, earlier: [Option<ContinuationKey>; 2]) -> Self {
        let side = usize::from(position.turn().is_white());
        Self {
            pawns: slot(side, position.pawn_key()),
            minors: slot(side, position.minor_key()),
            pieces: [
                slot(side, position.non_pawn_key(Color::White)),
                slot(side, position.non_pawn_key(Color::Black)),
            ],
            moves: earlier[0].zip(earlier[1]),
        }
    }
}

/// Errors of the static evaluation.
#[derive(Clone)]
pub struct CorrectionHistory {
    pawns: Table,
    minors: Table,
    pieces: [Table; 2],
    moves: Box<[[Cell<LIMIT>; KEYS]]>,
}

impl Default for CorrectionHistory {
    fn default() -> Self {
        let table = || vec![Cell::ZERO; 2 * ENTRIES].into_boxed_slice();
        Self {
            pawns: table(),
            minors: table(),
            pieces: [table(), table()],
            moves: vec![[Cell::ZERO; KEYS]; KEYS].into_boxed_slice(),
        }
    }
}

impl CorrectionHistory {
    /// What is to be added to the evaluation, in units of `Score`.
    #[inline]
    pub fn get(&self, key: CorrectionKey) -> i32 {
        let pieces: i32 = (self.pieces.iter().zip(key.pieces))
            .map(|(table, index)| table[index].get())
            .sum();
        let moves = (key.moves).map_or(0, |(last, before)| {
            self.moves[before.index()][last.index()].get()
        });
        let sum = params::correction_pawns() * self.pawns[key.pawns].get()
            + params::correction_minors() * self.minors[key.minors].get()
            + params::correction_pieces() * pieces
            + params::correction_moves() * moves;
        sum / LIMIT
    }

    /// Learns that the evaluation was `error` units too low, the more firmly the deeper
    /// (`depth` plies) the search that found it.
    pub fn learn(&mut self, key: CorrectionKey, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        self.pawns[key.pawns].add(bonus);
        self.minors[key.minors].add(bonus);
        for (table, index) in self.pieces.iter_mut().zip(key.pieces) {
            table[index].add(bonus);
        }
        if let Some((last, before)) = key.moves {
            self.moves[before.index()][last.index()].add(bonus);
        }
    }
}

/// The entry of a key: its low bits, in the half of the side to move.
const fn slot(side: usize, key: u64) -> usize {
    side * ENTRIES + convert::low_u16(key) as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn errors_of_one_sign_correct_in_their_direction_and_stay_bounded() {
        let position = Position::new(Chess::default());
        let key = CorrectionKey::new(&position, [None; 2]);
        let mut history = CorrectionHistory::default();
        assert_eq!(history.get(key), 0);
        for _ in 0..1000 {
            history.learn(key, 80, 10);
        }
        let most = params::correction_pawns()
            + params::correction_minors()
            + 2 * params::correction_pieces();
        assert!((most / 2..=most).contains(&history.get(key)));
        for _ in 0..1000 {
            history.learn(key, -80, 10);
        }
        assert!(history.get(key) < 0);
    }
}
