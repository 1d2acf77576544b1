//! The staged move picker: yields legal moves, likeliest cut-off first, and generates
//! and scores as late as it can, because most nodes are cut after a move or two.
//!
//! Order: the table's move, captures that lose little or nothing (by victim and capture
//! history), killer moves (Akl & Newborn 1977), quiet moves by history, checks before their
//! equals, and last the captures that lose more. Every legal move comes exactly once,
//! unless quiet moves are skipped on request.

mod best_first;

use shakmaty::{Bitboard, Role};

use crate::{
    history::{CaptureKey, ContinuationKey, Histories},
    params,
    position::{CheckSquares, Position, see},
    types::{MoveList, PackedMove},
};

use best_first::BestFirst;

/// Killer moves kept for each ply.
pub const KILLERS: usize = 2;

/// What earlier search knows about the moves of this node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The table's move, not yet checked for legality.
    pub hash_move: Option<PackedMove>,
    /// Quiet moves that caused a cut-off at a sibling, not yet checked for legality.
    pub killers: [Option<PackedMove>; KILLERS],
    /// The moves one and two plies back.
    pub earlier: [Option<ContinuationKey>; 2],
    /// The squares that the opponent attacks.
    pub threats: Bitboard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    Killers(usize),
    GenerateQuiets,
    Quiets,
    BadNoisy,
    Done,
}

/// The picker of one node.
pub struct MovePicker<'p> {
    position: &'p Position,
    hints: Hints,
    stage: Stage,
    /// Moves of the current stage.
    moves: BestFirst,
    bad_noisy: MoveList,
    next_bad: usize,
    with_quiets: bool,
    with_bad_noisy: bool,
    good_margin: i32,
}

impl<'p> MovePicker<'p> {
    /// All legal moves.
    pub fn new(position: &'p Position, hints: Hints) -> Self {
        let hash_move = hints.hash_move.filter(|&mv| position.is_legal(mv));
        Self {
            position,
            hints: Hints { hash_move, ..hints },
            stage: if hash_move.is_some() {
                Stage::HashMove
            } else {
                Stage::GenerateNoisy
            },
            moves: BestFirst::default(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
            with_quiets: true,
            with_bad_noisy: true,
            good_margin: params::good_capture_margin(),
        }
    }

    /// Only captures and queen promotions that do not lose material by exchange, and the table's
    /// move if it is one whatever it loses, for the quiescence search.
    pub fn new_noisy(position: &'p Position, hash_move: Option<PackedMove>) -> Self {
        let hash_move = hash_move.filter(|&mv| position.is_noisy(mv));
        let hints = Hints {
            hash_move,
            ..Hints::default()
        };
        let all = Self::new(position, hints);
        Self {
            with_quiets: false,
            with_bad_noisy: false,
            good_margin: 0,
            ..all
        }
    }

    /// Yields no further quiet move.
    pub const fn skip_quiets(&mut self) {
        self.with_quiets = false;
    }

    /// Whether `mv` is one of the killer moves of this node.
    fn is_killer(&self, mv: PackedMove) -> bool {
        self.hints.killers.contains(&Some(mv))
    }

    /// The next move, best first.
    pub fn next(&mut self, histories: &Histories) -> Option<PackedMove> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    return self.hints.hash_move;
                }
                Stage::GenerateNoisy => self.generate_noisy(histories),
                Stage::GoodNoisy => match self.next_good_noisy() {
                    Some(mv) => return Some(mv),
                    None => self.stage = self.after_good_noisy(),
                },
                Stage::Killers(index) => {
                    self.stage = match index + 1 {
                        KILLERS => Stage::GenerateQuiets,
                        next => Stage::Killers(next),
                    };
                    if let Some(mv) = self.killer(index) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => self.generate_quiets(histories),
                Stage::Quiets => match self.next_quiet() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.next_bad_noisy() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn after_good_noisy(&self) -> Stage {
        match (self.with_quiets, self.with_bad_noisy) {
            (true, _) => Stage::Killers(0),
            (false, true) => Stage::BadNoisy,
            (false, false) => Stage::Done,
        }
    }

    fn generate_noisy(&mut self, histories: &Histories) {
        let position = self.position;
        self.moves.fill(
            |list| position.generate_noisy(list),
            |mv| capture_score(position, mv, histories),
        );
        self.stage = Stage::GoodNoisy;
    }

    fn generate_quiets(&mut self, histories: &Histories) {
        if self.with_quiets {
            let (position, hints) = (self.position, &self.hints);
            let checks = position.check_squares();
            self.moves.fill(
                |list| position.generate_quiets(list),
                |mv| {
                    quiet_score(position, mv, hints, histories) + check_bonus(position, mv, &checks)
                },
            );
        }
        self.stage = Stage::Quiets;
    }

    fn next_good_noisy(&mut self) -> Option<PackedMove> {
        while let Some(mv) = self.moves.take() {
            if Some(mv) == self.hints.hash_move {
                continue;
            }
            if self.position.see_reaches(mv, self.good_margin) {
                return Some(mv);
            }
            self.bad_noisy.push(mv);
        }
        None
    }

    fn killer(&self, index: usize) -> Option<PackedMove> {
        self.hints.killers[index].filter(|&mv| {
            self.with_quiets
                && Some(mv) != self.hints.hash_move
                && self.position.is_legal(mv)
                && !self.position.is_noisy(mv)
        })
    }

    fn next_quiet(&mut self) -> Option<PackedMove> {
        while self.with_quiets {
            let mv = self.moves.take()?;
            if Some(mv) != self.hints.hash_move && !self.is_killer(mv) {
                return Some(mv);
            }
        }
        None
    }

    fn next_bad_noisy(&mut self) -> Option<PackedMove> {
        let mv = self.bad_noisy.get(self.next_bad).copied();
        self.next_bad += 1;
        mv
    }
}

/// What a piece counts in an exchange, in centipawns.
#[inline]
pub fn exchange_value(role: Role) -> i32 {
    *see::VALUES.get(role)
}

/// The capture history's key for a noisy move.
#[inline]
pub fn capture_key(position: &Position, mv: PackedMove) -> CaptureKey {
    let victim = position.captured_role(mv);
    CaptureKey::new(position.turn(), position.moved_role(mv), mv.to(), victim)
}

/// The continuation history's key for a move.
#[inline]
pub fn continuation_key(position: &Position, mv: PackedMove) -> ContinuationKey {
    ContinuationKey::new(
        position.turn(),
        position.moved_role(mv),
        position.destination(mv),
    )
}

/// Most valuable victim first, refined by what captures like this one achieved.
fn capture_score(position: &Position, mv: PackedMove, histories: &Histories) -> i32 {
    let victim = position.captured_role(mv).map_or(0, exchange_value);
    let promotion = mv.promoted().map_or(0, exchange_value);
    16 * (victim + promotion) + histories.capture.get(capture_key(position, mv))
}

/// What it counts that a quiet move gives check without losing much: it forces. Uncovered
/// checks, which are few, are left to the histories.
fn check_bonus(position: &Position, mv: PackedMove, checks: &CheckSquares) -> i32 {
    if checks.contains(position.moved_role(mv), mv.to())
        && position.see_reaches(mv, params::check_exchange())
    {
        params::check_order()
    } else {
        0
    }
}

/// What the histories say about a quiet move.
pub fn quiet_score(
    position: &Position,
    mv: PackedMove,
    hints: &Hints,
    histories: &Histories,
) -> i32 {
    let key = continuation_key(position, mv);
    let continuation: i32 = hints
        .earlier
        .iter()
        .flatten()
        .map(|&earlier| histories.continuation.get(earlier, key))
        .sum();
    let butterfly = histories.quiet.get(position.turn(), hints.threats, mv);
    (params::butterfly_weight() * butterfly + params::continuation_weight() * continuation) / 64
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::SmallRng};
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::position::Game;

    fn sorted(moves: impl IntoIterator<Item = PackedMove>) -> Vec<u16> {
        let mut bits: Vec<u16> = moves.into_iter().map(PackedMove::bits).collect();
        bits.sort_unstable();
        bits
    }

    fn picked(mut picker: MovePicker<'_>, histories: &Histories) -> Vec<u16> {
        sorted(std::iter::from_fn(|| picker.next(histories)))
    }

    /// Any sixteen bits, often of a legal move: hints come from tables that may be wrong.
    fn hint(rng: &mut SmallRng, legal: &MoveList) -> Option<PackedMove> {
        if rng.random_bool(0.5) {
            return legal.get(rng.random_range(0..legal.len())).copied();
        }
        PackedMove::from_bits(rng.random())
    }

    fn random_hints(rng: &mut SmallRng, legal: &MoveList) -> Hints {
        let first = hint(rng, legal);
        let second = hint(rng, legal).filter(|&mv| Some(mv) != first);
        Hints {
            hash_move: hint(rng, legal),
            killers: [first, second],
            ..Hints::default()
        }
    }

    fn check(position: &Position, legal: &MoveList, hints: Hints, histories: &Histories) {
        let picker = MovePicker::new(position, hints);
        assert_eq!(picked(picker, histories), sorted(legal.iter().copied()));
        let picker = MovePicker::new_noisy(position, hints.hash_move);
        let winning = |&&mv: &&PackedMove| {
            let known = hints.hash_move == Some(mv);
            position.is_noisy(mv) && (known || position.see_reaches(mv, 0))
        };
        let expected = sorted(legal.iter().filter(winning).copied());
        assert_eq!(picked(picker, histories), expected);
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let mut rng = SmallRng::seed_from_u64(11);
        let mut histories = Histories::default();
        for _ in 0..200 {
            let mut position = Position::new(Chess::default());
            for _ in 0..120 {
                let mut legal = MoveList::new();
                position.generate_all(&mut legal);
                if legal.is_empty() {
                    break;
                }
                let hints = random_hints(&mut rng, &legal);
                check(&position, &legal, hints, &histories);
                let mv = legal[rng.random_range(0..legal.len())];
                let (side, bonus) = (position.turn(), rng.random_range(-900..900));
                histories.quiet.add(side, Bitboard::EMPTY, mv, bonus);
                position = position.play(mv);
            }
        }
    }

    #[test]
    fn a_check_that_loses_nothing_comes_before_other_quiet_moves() {
        let first = |fen: &str| {
            let position = Game::from_fen(fen, false).expect("legal").position();
            let mut picker = MovePicker::new(&position, Hints::default());
            let mv = picker.next(&Histories::default()).expect("there is one");
            position
                .unpack(mv)
                .to_uci(CastlingMode::Standard)
                .to_string()
        };
        assert_eq!(first("4k3/8/8/8/8/8/7P/R3K3 w - -"), "a1a8");
        // The king would take the rook there.
        assert_ne!(first("1k6/8/8/8/8/8/7P/R3K3 w - -"), "a1a8");
    }

    #[test]
    fn skipped_quiets_leave_the_captures() {
        let position = Position::new(Chess::default());
        let histories = Histories::default();
        let mut picker = MovePicker::new(&position, Hints::default());
        assert!(picker.next(&histories).is_some());
        picker.skip_quiets();
        assert_eq!(picker.next(&histories), None);
    }
}
