//! Endgame tablebases by the scheme of Syzygy (Ronald de Man, 2013), read by the crate
//! `shakmaty-syzygy`.
//!
//! WDL tables tell who wins a position in which a capture or pawn move has just been made;
//! DTZ tables tell after how many plies the winner can make the next one. [`Tables`] are
//! the files; an [`Adviser`] is what a search gets: tables and the rules of their use.
//! [`rank`] says what follows for the moves of a root.
//!
//! Invariant: a missing or damaged file costs what it holds and nothing else. Each fault
//! is remembered until somebody [takes](Tables::take_fault) it, and comes once.

mod files;
pub mod rank;

use std::sync::Arc;

pub use files::{OpenError, Tables};
use shakmaty::Position as _;
pub use shakmaty_syzygy::Wdl;

use crate::{
    position::Position,
    types::{Depth, Ply, Score},
};

/// Tables, and the rules of their use in one search.
#[derive(Clone, Debug)]
pub struct Adviser {
    tables: Arc<Tables>,
    /// Positions with more pieces are not looked up.
    pieces: usize,
    /// Positions with exactly so many pieces are looked up only at this depth or more.
    depth: Depth,
    /// Whether a win that takes too long is a draw.
    fifty_moves: bool,
}

impl Adviser {
    /// An adviser for positions of at most `limit` pieces; the largest tables are used
    /// from `depth` on. `None` when there is nothing to look up.
    pub fn new(
        tables: &Arc<Tables>,
        limit: usize,
        depth: Depth,
        fifty_moves: bool,
    ) -> Option<Self> {
        let pieces = limit.min(tables.max_pieces());
        (pieces > 0).then(|| Self {
            tables: Arc::clone(tables),
            pieces,
            depth,
            fifty_moves,
        })
    }

    /// The files behind it.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Whether a win that takes more than fifty moves counts as a draw.
    pub fn fifty_moves(&self) -> bool {
        self.fifty_moves
    }

    /// Whether the tables hold positions such as this one.
    pub fn covers(&self, position: &Position) -> bool {
        position.board().occupied().count() <= self.pieces && position.chess().castles().is_empty()
    }

    /// What the tables say about a position within the search, with `depth` plies left to
    /// search; `None` where they are not asked or do not know. They are asked right after
    /// a capture or pawn move only: what they say holds for a counter of zero.
    #[inline]
    pub fn judge(&self, position: &Position, depth: Depth) -> Option<Wdl> {
        if position.halfmoves() != 0 || !self.covers(position) {
            return None;
        }
        let largest = position.board().occupied().count() == self.pieces;
        if largest && depth < self.depth {
            return None;
        }
        self.tables.wdl(position)
    }

    /// The score of a position reached at `ply` of which the tables say `wdl`.
    pub fn score(&self, wdl: Wdl, ply: Ply) -> Score {
        match wdl {
            Wdl::Draw => Score::DRAW,
            Wdl::CursedWin if self.fifty_moves => FRUSTRATED,
            Wdl::BlessedLoss if self.fifty_moves => -FRUSTRATED,
            Wdl::Win | Wdl::CursedWin => Score::tablebase_win(ply),
            Wdl::Loss | Wdl::BlessedLoss => -Score::tablebase_win(ply),
        }
    }
}

/// A win but for the fifty-move rule: a draw in which the opponent may still go wrong.
const FRUSTRATED: Score = Score::new(1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    fn adviser(fifty_moves: bool) -> Adviser {
        Adviser {
            tables: Arc::new(Tables::none()),
            pieces: 4,
            depth: Depth::new(5),
            fifty_moves,
        }
    }

    fn covers(fen: &str) -> bool {
        adviser(true).covers(&Game::from_fen(fen, false).unwrap().position())
    }

    #[test]
    fn without_tables_there_is_no_advice() {
        let none = Arc::new(Tables::none());
        assert!(Adviser::new(&none, 7, Depth::ONE, true).is_none());
    }

    #[test]
    fn few_pieces_without_castling_rights_are_covered() {
        assert!(covers("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1"));
        assert!(!covers("4k3/8/8/8/8/8/8/RR2K2R w - - 0 1"));
        assert!(!covers("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"));
    }

    #[test]
    fn wins_by_table_lie_between_evaluations_and_mates() {
        let (strict, lenient) = (adviser(true), adviser(false));
        let ply = Ply::new(7);
        let win = strict.score(Wdl::Win, ply);
        assert!(win.is_win() && !win.is_mate() && win > Score::MAX_EVALUATION);
        assert!(win < Score::mate_in(Ply::new(239)));
        assert_eq!(strict.score(Wdl::Loss, ply), -win);
        assert!(strict.score(Wdl::Win, Ply::new(6)) > win);
        let cursed = strict.score(Wdl::CursedWin, ply);
        assert!(cursed > Score::DRAW && cursed < Score::new(5));
        assert_eq!(lenient.score(Wdl::CursedWin, ply), win);
        assert_eq!(lenient.score(Wdl::BlessedLoss, ply), -win);
    }
}
