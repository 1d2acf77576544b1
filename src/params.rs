//! Every tunable number of the search and its clock: name, meaning, default and range, one line each.
//!
//! Margins are in units of [`Score`](crate::types::Score), depths in plies, reductions in 1/1024 ply, history
//! values in the units of [`crate::history`]. Defaults outside their range do not
//! compile.

use std::fmt;
#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering};

/// One line of the table, for listings and tuners.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name, in lower case.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The value in use.
    pub value: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
}

/// As `OpenBench` reads it: name, kind, value, bounds, step of the last game, learning rate.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            value,
            min,
            max,
            ..
        } = self;
        let step = f64::from(max - min) / 20.0;
        write!(
            f,
            "{name}, int, {value}, {min}, {max}, {:.2}, 0.002",
            step.max(0.5)
        )
    }
}

/// The whole table, one parameter a line, as input of a tuner by simultaneous perturbation
/// (SPSA, Spall 1992).
pub fn spsa_input() -> String {
    let lines: Vec<_> = TABLE.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

macro_rules! parameters {
    ($($(#[doc = $help:literal])+ $name:ident = $value:literal in $min:literal ..= $max:literal;)+) => {
        $(
            $(#[doc = $help])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                const { assert!($min <= $value && $value <= $max) };
                $value
            }

            $(#[doc = $help])+
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                cells::$name.load(Ordering::Relaxed)
            }
        )+

        /// The values in use while tuning.
        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "each is named as its parameter")]
        mod cells {
            use super::AtomicI32;
            $( pub(super) static $name: AtomicI32 = AtomicI32::new($value); )+
        }

        /// Gives a parameter another value for the searches to come.
        ///
        /// # Errors
        /// An unknown name, or a value outside the range.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> Result<(), String> {
            match name {
                $( stringify!($name) if ($min..=$max).contains(&value) => {
                    cells::$name.store(value, Ordering::Relaxed);
                    Ok(())
                } )+
                _ => Err(format!("{name}: {value} is outside its range, or nothing is called so")),
            }
        }

        /// The whole table.
        pub const TABLE: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                help: concat!($($help),+),
                value: $value,
                min: $min,
                max: $max,
            }),+
        ];
    };
}

parameters! {
    /// First iteration that uses an aspiration window.
    aspiration_depth = 4 in 1..=10;
    /// Half width of the first aspiration window.
    aspiration_delta = 32 in 4..=60;
    /// Percent by which the window grows after each failure.
    aspiration_growth = 45 in 10..=200;

    /// Deepest node at which reverse futility pruning applies.
    reverse_futility_depth = 8 in 2..=14;
    /// Reverse futility margin per ply of depth.
    reverse_futility_margin = 67 in 30..=150;
    /// Reverse futility margin taken off when the side to move is improving.
    reverse_futility_improving = 46 in 0..=150;
    /// Reverse futility margin taken off when the opponent's last move made things worse
    /// for the opponent.
    reverse_futility_worsening = 43 in 0..=100;

    /// Shallowest node at which a null move is tried.
    null_move_depth = 3 in 2..=6;
    /// Null move reduction in plies, constant term.
    null_move_base = 4 in 2..=6;
    /// One more ply of null move reduction for every so many plies of depth.
    null_move_divisor = 4 in 2..=8;
    /// One more ply of null move reduction for every so much above beta.
    null_move_excess = 130 in 80..=400;
    /// At most so many plies of null move reduction for the excess above beta.
    null_move_excess_max = 3 in 1..=6;
    /// From this depth on a null move cut-off is verified by a search without null moves.
    null_move_verify_depth = 14 in 6..=20;

    /// Weight of the correction by pawn structure: the most it can give.
    correction_pawns = 90 in 0..=200;
    /// Weight of the correction by minor pieces.
    correction_minors = 63 in 0..=200;
    /// Weight of the correction by either side's pieces, for each side.
    correction_pieces = 90 in 0..=200;
    /// Weight of the correction by the last two moves.
    correction_moves = 85 in 0..=200;

    /// Shallowest node at which the table's move is tested for being singular.
    singular_depth = 6 in 4..=12;
    /// How far all other moves must fall short, per ply of depth, in sixteenths.
    singular_margin = 20 in 4..=64;
    /// Falling short by this much more extends by two plies.
    singular_double = 20 in 0..=80;
    /// Falling short by this much more extends by three plies.
    singular_triple = 90 in 20..=300;

    /// Share of the evaluation that is believed without pieces, in 1024ths.
    material_base = 765 in 500..=1100;
    /// What a pawn's worth of pieces adds to that share, in 16384ths.
    material_weight = 51 in 0..=140;

    /// Shallowest node at which `ProbCut` is tried.
    probcut_depth = 5 in 4..=8;
    /// How far above beta a capture must come out for `ProbCut`.
    probcut_margin = 300 in 80..=500;

    /// Weight of the butterfly history of a quiet move, in 64ths.
    butterfly_weight = 64 in 32..=256;
    /// Weight of the continuation histories of a quiet move, in 64ths.
    continuation_weight = 96 in 16..=192;

    /// What a quiet check that is worth trying counts in the order of quiet moves.
    check_order = 10000 in 0..=40000;
    /// Quiet checks that lose more than this by exchange are not.
    check_exchange = -65 in -200..=0;

    /// Shallowest node that is reduced when no hash move is known.
    missing_move_depth = 4 in 2..=8;

    /// Deepest node at which late quiet moves are skipped by count.
    late_move_depth = 8 in 2..=14;
    /// Quiet moves looked at before late move pruning, constant term.
    late_move_base = 7 in 1..=10;
    /// Deepest reduced depth at which quiet moves are pruned by futility.
    futility_depth = 8 in 2..=14;
    /// Futility margin, constant term.
    futility_base = 150 in 20..=400;
    /// Futility margin per ply of reduced depth.
    futility_margin = 120 in 30..=200;
    /// Deepest reduced depth at which quiet moves are pruned by their history.
    history_pruning_depth = 4 in 1..=8;
    /// Quiet moves with a history below this, times the depth, are pruned.
    history_pruning_margin = -6900 in -8000..=-500;
    /// Deepest node at which losing moves are pruned by static exchange evaluation.
    see_pruning_depth = 9 in 2..=14;
    /// Exchange loss per ply of reduced depth squared that prunes a quiet move.
    see_quiet_margin = -30 in -80..=-5;
    /// Exchange loss per ply of depth that prunes a capture.
    see_capture_margin = -102 in -200..=-20;

    /// Shallowest node with late move reductions.
    reduction_depth = 2 in 1..=5;
    /// Late move reduction of quiet moves, constant term.
    reduction_quiet_base = 620 in 0..=2000;
    /// Late move reduction of quiet moves: divisor of ln(depth) x ln(number), in hundredths.
    reduction_quiet_divisor = 240 in 120..=400;
    /// Late move reduction of captures, constant term.
    reduction_noisy_base = -200 in -1000..=1000;
    /// Late move reduction of captures: divisor of ln(depth) x ln(number), in hundredths.
    reduction_noisy_divisor = 280 in 150..=600;
    /// Added at nodes that are expected to fail high.
    reduction_cut_node = 1950 in 0..=3000;
    /// Added at such nodes when no hash move is known.
    reduction_cut_node_unknown = 1000 in 0..=3000;
    /// Added when the side to move is not improving.
    reduction_not_improving = 800 in 0..=2000;
    /// Taken off at PV nodes.
    reduction_pv = 1024 in 0..=3000;
    /// Taken off for a move that gives check.
    reduction_check = 900 in 0..=2500;
    /// Taken off for a killer move.
    reduction_killer = 1024 in 0..=2500;
    /// History worth one ply of reduction.
    reduction_history = 8700 in 2000..=30000;
    /// A reduced search this much above the best score is re-searched one ply deeper.
    reduction_deeper = 45 in 10..=200;
    /// A reduced search less than this above the best score is re-searched one ply shallower.
    reduction_shallower = 12 in 0..=40;
    /// After a large reduction a node is searched deeper unless it gains more than this.
    hindsight_deeper = -50 in -100..=100;
    /// After a reduction a node that gains more than this is searched less deeply.
    hindsight_shallower = 170 in 50..=400;

    /// History bonus per ply of depth.
    history_bonus = 240 in 50..=400;
    /// History bonus, constant term.
    history_bonus_base = 0 in -300..=300;
    /// Largest history bonus.
    history_bonus_max = 1850 in 500..=4000;
    /// History malus per ply of depth.
    history_malus = 128 in 50..=500;
    /// History malus, constant term.
    history_malus_base = -40 in -300..=300;
    /// Largest history malus.
    history_malus_max = 1300 in 500..=4000;

    /// History bonus of a quiet move for what the evaluation gains by it, in eighths.
    history_evaluation = 8 in 0..=64;
    /// Largest history bonus or malus for that.
    history_evaluation_max = 255 in 0..=1500;

    /// Captures losing more than this by exchange are tried last.
    good_capture_margin = -90 in -200..=50;
    /// A capture in quiescence search is skipped when the evaluation plus this margin
    /// and the captured piece stays below alpha.
    quiescence_futility = 130 in 40..=300;
    /// What a captured piece can raise the evaluation by, in percent of its exchange value.
    quiescence_gain = 320 in 100..=400;

    /// Without `movestogo` the clock is spent as if so many moves were left.
    time_horizon = 26 in 12..=50;
    /// Share of the increment that is spent at once, in percent.
    time_increment = 75 in 30..=100;
    /// The hard limit of a move is at most so much of the soft one, in percent.
    time_hard = 450 in 150..=900;
    /// Share of the time for a move whose best move has just changed, in percent.
    time_unstable = 150 in 100..=250;
    /// Taken off for each iteration that keeps the best move, in percent.
    time_stable = 10 in 0..=25;
    /// At most so many iterations count for that.
    time_stable_max = 8 in 2..=20;
    /// A fall of the score would double the time at this much; not so much of it counts.
    time_score_drop = 286 in 80..=1000;
    /// Share of the time if hardly any node went to the best move, in percent.
    time_share_base = 210 in 100..=300;
    /// Taken off if all nodes went to it, in percent.
    time_share_slope = 160 in 0..=250;
}
