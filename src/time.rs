//! Limits of a search, and the arithmetic that turns a clock into a budget.
//!
//! Nothing here reads a clock: times come in as arguments, so that tests can play
//! whole games with a clock of their own.

use std::{num::NonZeroU64, ops::RangeInclusive, time::Duration};

use crate::{
    params,
    types::{Depth, Score},
};

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left before this move; a negative clock arrives here as zero.
    pub remaining: Duration,
    /// Time added after this move.
    pub increment: Duration,
    /// Moves until the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// Everything that may end a search. Several may be set; the first one reached counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Last iteration to complete.
    pub depth: Option<Depth>,
    /// Nodes to visit, over all threads.
    pub nodes: Option<u64>,
    /// Stop at a proven mate in so many moves, for or against the side to move.
    pub mate: Option<u32>,
    /// Time for exactly this move.
    pub move_time: Option<Duration>,
    /// Clock from which the time for this move is computed.
    pub clock: Option<Clock>,
    /// Do not finish before being told to.
    pub infinite: bool,
    /// The opponent is still to move: no limit counts before `ponderhit`.
    pub ponder: bool,
    /// Time for thinking is also to be had while the opponent thinks (`Ponder`).
    pub may_ponder: bool,
    /// Time lost between the clock and us on every move (`Move Overhead`).
    pub overhead: Duration,
    /// Nodes that count as a millisecond (`nodestime`), to make games repeatable; `None`
    /// when the clock counts.
    pub nodes_per_ms: Option<NonZeroU64>,
}

/// A time control further away than this many moves is treated as sudden death.
const FAR_CONTROL: u32 = 50;
/// The hard limit is never more than this share of what is left.
const HARD_SHARE: f64 = 0.7;
/// Even on the last move before a control some time is kept back.
const LAST_MOVE_SHARE: f64 = 0.85;
/// Who may ponder spends this much more on a move: the clock stands still for some of it, when
/// the opponent plays what was expected. The hard limit stays.
const PONDER_FACTOR: f64 = 1.25;
/// The least time a move is given, however low the clock.
const LEAST: Duration = Duration::from_millis(1);
/// A fixed move time is undercut by this much, for the way of the answer.
const MOVE_TIME_MARGIN: Duration = Duration::from_millis(2);

/// Share of the time for a move to which there is no alternative.
const FORCED_FACTOR: f64 = 0.1;
/// Share of the time where a mate or a result from tables is known.
const DECIDED_FACTOR: f64 = 0.5;
/// The falls of the score that count: beyond these they are taken for the nearest.
const SCORE_DROPS: RangeInclusive<i32> = -57..=171;
/// Bounds of the factor by the share of nodes that went to the best move.
const SHARE_FACTORS: RangeInclusive<f64> = 0.55..=2.0;
/// Bounds of all factors together.
const FACTORS: RangeInclusive<f64> = 0.2..=3.0;

/// How the iterations of this search went so far, as far as it matters for time.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Completed iterations since the best move last changed.
    pub stable_iterations: u32,
    /// How much the score fell since the iteration before, in units of [`Score`]; negative for a rise.
    pub score_drop: i32,
    /// Share of the nodes spent on the best move, `0.0..=1.0`.
    pub best_move_share: f64,
    /// The root has a single legal move, or a single one that tables do not put below another.
    pub forced: bool,
    /// The score of the last iteration.
    pub score: Score,
}

/// The time one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Budget {
    /// The budget that follows from `limits`; without a clock and a move time, no limit.
    pub fn new(limits: &Limits) -> Self {
        let mut budget = limits.clock.map_or(
            Self {
                soft: None,
                hard: None,
            },
            |clock| Self::from_clock(clock, limits.overhead),
        );
        if limits.may_ponder {
            budget.soft = budget.soft.map(|soft| soft.mul_f64(PONDER_FACTOR));
        }
        if let Some(time) = limits.move_time {
            let limit = time.saturating_sub(MOVE_TIME_MARGIN.min(time / 4));
            budget.hard = Some(budget.hard.map_or(limit, |hard| hard.min(limit)));
        }
        budget
    }

    fn from_clock(clock: Clock, overhead: Duration) -> Self {
        let moves = clock
            .moves_to_go
            .map(|moves| moves.max(1))
            .filter(|&moves| moves <= FAR_CONTROL);
        // Every move up to the control, or to the horizon, will lose the overhead again.
        let horizon = params::time_horizon();
        let lost = overhead * moves.unwrap_or(horizon.unsigned_abs());
        let usable = clock
            .remaining
            .saturating_sub(lost)
            .max(clock.remaining / 8)
            .max(LEAST);
        let horizon = f64::from(horizon);
        let increment = clock.increment.mul_f64(percent(params::time_increment()));
        let (soft, ceiling) = match moves {
            Some(1) => (
                usable.mul_f64(LAST_MOVE_SHARE),
                usable.mul_f64(LAST_MOVE_SHARE),
            ),
            Some(moves) => {
                let share = usable.mul_f64(1.0 / (f64::from(moves) + 0.5).min(horizon));
                (share + increment, usable.mul_f64(HARD_SHARE))
            }
            None => (
                usable.mul_f64(1.0 / horizon) + increment,
                usable.mul_f64(HARD_SHARE),
            ),
        };
        let hard = soft
            .mul_f64(percent(params::time_hard()))
            .min(ceiling)
            .max(LEAST);
        Self {
            soft: Some(soft.min(hard)),
            hard: Some(hard),
        }
    }

    /// The time at which the search is cut off wherever it is.
    pub const fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// Whether, `elapsed` after the beginning, no further iteration should be started.
    pub fn is_spent(&self, elapsed: Duration, course: &Course) -> bool {
        let Some(soft) = self.soft else { return false };
        elapsed >= soft.mul_f64(scale(course))
    }
}

/// How much more or less than the plain share of the clock this move deserves.
fn scale(course: &Course) -> f64 {
    if course.forced {
        return FORCED_FACTOR;
    }
    let stable = course
        .stable_iterations
        .min(params::time_stable_max().unsigned_abs());
    let stability =
        percent(params::time_unstable()) - percent(params::time_stable()) * f64::from(stable);
    let drop = course.score_drop;
    let drop = drop.clamp(*SCORE_DROPS.start(), *SCORE_DROPS.end());
    let drop = 1.0 + f64::from(drop) / f64::from(params::time_score_drop());
    let share = percent(params::time_share_base())
        - percent(params::time_share_slope()) * course.best_move_share;
    let share = share.clamp(*SHARE_FACTORS.start(), *SHARE_FACTORS.end());
    let decided = if course.score.is_decisive() {
        DECIDED_FACTOR
    } else {
        1.0
    };
    (stability * drop * share * decided).clamp(*FACTORS.start(), *FACTORS.end())
}

/// A parameter in percent as a factor.
fn percent(parameter: i32) -> f64 {
    f64::from(parameter) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Course = Course {
        stable_iterations: 4,
        score_drop: 0,
        best_move_share: 0.6,
        forced: false,
        score: Score::DRAW,
    };

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            overhead: Duration::from_millis(10),
            ..Limits::default()
        }
    }

    /// Plays `moves` moves in which every search runs into its hard limit and
    /// `lag` is lost on the way; returns the lowest clock seen.
    fn worst_game(base: u64, increment: u64, control: Option<u32>, lag: u64) -> i64 {
        let (mut clock, mut lowest) = (base, i64::MAX);
        for number in 0..300 {
            let to_go = control.map(|moves| moves - number % moves);
            let hard = Budget::new(&limits(clock, increment, to_go))
                .hard()
                .expect("a clock is set");
            let used = u64::try_from(hard.as_millis()).expect("small") + lag;
            lowest = lowest.min(clock.cast_signed() - used.cast_signed());
            clock = clock.saturating_sub(used) + increment;
            if to_go == Some(1) {
                clock += base;
            }
        }
        lowest
    }

    #[test]
    fn the_worst_game_is_never_lost_on_time() {
        for (base, increment, control) in [
            (1000, 10, None),
            (1000, 10, Some(1)),
            (60_000, 0, Some(40)),
            (5000, 50, None),
            (100, 10, None),
            (180_000, 2000, None),
        ] {
            let lowest = worst_game(base, increment, control, 2);
            assert!(lowest > 0, "{base}+{increment}/{control:?}: {lowest} ms");
        }
    }

    #[test]
    fn an_empty_clock_still_gets_a_moment() {
        for remaining in [0, 1, 5, 10] {
            let budget = Budget::new(&limits(remaining, 0, None));
            let hard = budget.hard().expect("a clock is set");
            assert!(hard >= LEAST && hard <= Duration::from_millis(remaining.max(1)));
        }
    }

    #[test]
    fn trouble_takes_more_time_than_calm_and_a_forced_move_hardly_any() {
        let trouble = Course {
            stable_iterations: 0,
            score_drop: 143,
            best_move_share: 0.3,
            ..CALM
        };
        let forced = Course {
            forced: true,
            ..CALM
        };
        assert!(scale(&trouble) > 1.5 * scale(&CALM));
        assert!(scale(&forced) < 0.3 * scale(&CALM));
    }

    #[test]
    fn who_may_ponder_plans_more_and_risks_no_more() {
        let alone = limits(60_000, 500, None);
        let pondering = Limits {
            may_ponder: true,
            ..alone.clone()
        };
        let [alone, pondering] = [alone, pondering].map(|limits| Budget::new(&limits));
        assert!(pondering.soft > alone.soft);
        assert_eq!(pondering.hard, alone.hard);
    }

    #[test]
    fn a_move_time_is_undercut_by_little() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(100)),
            ..Limits::default()
        };
        assert_eq!(Budget::new(&limits).hard(), Some(Duration::from_millis(98)));
        assert!(!Budget::new(&limits).is_spent(Duration::from_millis(97), &CALM));
    }

    #[test]
    fn without_a_clock_nothing_is_ever_spent() {
        let budget = Budget::new(&Limits::default());
        assert_eq!(budget.hard(), None);
        assert!(!budget.is_spent(Duration::from_secs(10_000), &CALM));
    }

    #[test]
    fn more_moves_to_go_means_less_for_each() {
        let soft = |moves| {
            Budget::new(&limits(60_000, 0, Some(moves)))
                .soft
                .expect("a clock is set")
        };
        assert!(soft(2) > soft(10) && soft(10) > soft(25));
    }
}
