//! Whose answer is played when several threads searched the same position.
//!
//! The threads of Lazy SMP end at different depths with different moves. Each outcome
//! votes for its move with a weight that grows with its depth and with its score above
//! the worst score, so that a move found by many deep threads wins even if the main
//! thread was about to change its mind. The idea of letting the threads vote is that of
//! Stockfish (2018, after experiments by Joost `VandeVondele` and others with "best thread"
//! selection). A proven mate needs no votes: the quickest one is played.

use crate::{search::Outcome, types::Score};

/// What the worst outcome's score is raised to: a vote is never worthless.
const BASE: i32 = 43;

/// The outcome to play; the first one, which is the main thread's, wins ties. `None`
/// only if no outcome has a move.
pub(super) fn choose(outcomes: &[Outcome]) -> Option<&Outcome> {
    let has_score = |outcome: &&Outcome| outcome.score > -Score::INFINITE;
    let any_score = outcomes.iter().any(|outcome| has_score(&outcome));
    let candidates = || {
        let movers = outcomes.iter().filter(|outcome| outcome.best.is_some());
        movers.filter(move |outcome| has_score(outcome) || !any_score)
    };
    let worst = candidates().map(|outcome| outcome.score.units()).min()?;
    let weight = |outcome: &Outcome| {
        let height = outcome.score.units() - worst + BASE;
        i64::from(height) * i64::from(outcome.depth.plies().max(1))
    };
    let votes = |outcome: &Outcome| -> i64 {
        candidates()
            .filter(|other| other.best == outcome.best)
            .map(weight)
            .sum()
    };
    let rank = |outcome: &Outcome| {
        let proven = outcome.score.is_win().then_some(outcome.score);
        (proven, votes(outcome), weight(outcome))
    };
    candidates().reduce(|best, other| {
        if rank(other) > rank(best) {
            other
        } else {
            best
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::{Move, Role, Square};

    use super::*;
    use crate::{
        search::Cutoffs,
        types::{Bound, Depth, Ply},
    };

    fn outcome(to: Option<Square>, depth: i32, score: Score) -> Outcome {
        let best = to.map(|to| Move::Normal {
            role: Role::King,
            from: Square::E1,
            capture: None,
            to,
            promotion: None,
        });
        Outcome {
            best,
            ponder: None,
            pv: best.into_iter().collect(),
            score,
            bound: Bound::Exact,
            depth: Depth::new(depth),
            nodes: 0,
            time: Duration::ZERO,
            cutoffs: Cutoffs::default(),
            quiet_cutoffs: Cutoffs::default(),
            choices: Vec::new(),
        }
    }

    fn chosen(outcomes: &[Outcome]) -> Option<Square> {
        choose(outcomes)?.best.map(Move::to)
    }

    #[test]
    fn many_deep_threads_outvote_the_main_thread() {
        let main = outcome(Some(Square::E2), 10, Score::new(20));
        let other = outcome(Some(Square::D1), 10, Score::new(18));
        assert_eq!(chosen(&[main.clone(), other.clone()]), Some(Square::E2));
        assert_eq!(chosen(&[main, other.clone(), other]), Some(Square::D1));
    }

    #[test]
    fn the_quickest_mate_wins() {
        let many = outcome(Some(Square::E2), 30, Score::new(900));
        let slow = outcome(Some(Square::D1), 9, Score::mate_in(Ply::new(7)));
        let quick = outcome(Some(Square::D2), 5, Score::mate_in(Ply::new(3)));
        let outcomes = [many.clone(), many.clone(), many, slow, quick];
        assert_eq!(chosen(&outcomes), Some(Square::D2));
    }

    #[test]
    fn no_move_is_never_preferred_to_a_move() {
        let none = outcome(None, 99, Score::new(500));
        let lost = outcome(Some(Square::D1), 1, Score::mated_in(Ply::new(2)));
        assert_eq!(chosen(&[none.clone(), lost]), Some(Square::D1));
        assert_eq!(chosen(&[none]), None);
        assert_eq!(chosen(&[]), None);
    }
}
