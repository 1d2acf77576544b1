//! The table of a comparison: one row a contestant, summed over the positions.

use std::{fmt, time::Duration};

use super::{Comparison, Contestant, Run, Trial};
use crate::{
    classic::anatomy::Ordering,
    tools::table::Table,
    types::{Score, convert},
};

const HEADS: [&str; 12] = [
    "algorithm",
    "value",
    "best",
    "nodes",
    "leaves",
    "of minimax",
    "of minimal",
    "branching",
    "time",
    "first best",
    "in quarter",
    "first cuts",
];

/// What one contestant did at one depth, over all positions it finished.
struct Row<'c> {
    comparison: &'c Comparison,
    contestant: Contestant,
    runs: Vec<(&'c Trial, &'c Run)>,
}

impl Comparison {
    fn row(&self, contestant: Contestant, depth: u32) -> Row<'_> {
        let finished = |trial: &'_ Trial| trial.find(contestant, depth).is_some();
        let runs = self.positions.iter().filter(|trial| finished(trial));
        Row {
            comparison: self,
            contestant,
            runs: runs
                .filter_map(|trial| Some((trial, trial.find(contestant, depth)?)))
                .collect(),
        }
    }

    /// Nodes a position, as a geometric mean, so that large trees do not hide small ones;
    /// `None` if the contestant did not finish every position.
    pub(super) fn mean_nodes(&self, contestant: Contestant, depth: u32) -> Option<f64> {
        let row = self.row(contestant, depth);
        let all = row.runs.len() == self.positions.len();
        row.mean_nodes().filter(|_| all)
    }

    /// The contestants.
    pub(super) fn contestants(&self) -> &[Contestant] {
        &self.contestants
    }
}

impl Row<'_> {
    fn mean_nodes(&self) -> Option<f64> {
        let nodes = self.runs.iter().map(|(_, run)| run.nodes.max(1));
        let logarithms: f64 = nodes.map(|nodes| convert::real(nodes).ln()).sum();
        let count = convert::real(convert::wide(self.runs.len()));
        (count > 0.0).then(|| (logarithms / count).exp())
    }

    fn cells(&self) -> Vec<String> {
        let count = |of: fn(&Run) -> Option<u64>| -> Option<u64> {
            self.runs.iter().map(|(_, run)| of(run)).sum()
        };
        let mut ordering = Ordering::default();
        for (_, run) in &self.runs {
            ordering.add(&run.ordering);
        }
        let seconds: f64 = self.runs.iter().map(|(_, run)| run.seconds).sum();
        let depth = f64::from(self.comparison.depth);
        let branching = self.mean_nodes().map(|nodes| nodes.powf(1.0 / depth));
        vec![
            self.contestant.name().to_owned(),
            self.value(),
            self.best(),
            or_dash(count(|run| Some(run.nodes))),
            or_dash(count(|run| run.leaves)),
            self.of_minimax().map_or_else(dash, percent),
            self.of_minimal()
                .map_or_else(dash, |ratio| format!("{ratio:.2}")),
            branching.map_or_else(dash, |factor| format!("{factor:.2}")),
            format!("{:.2?}", Duration::from_secs_f64(seconds)),
            ordering.first_is_best().map_or_else(dash, percent),
            ordering.best_in_first_quarter().map_or_else(dash, percent),
            ordering.first_move_cuts().map_or_else(dash, percent),
        ]
    }

    /// The value of the only position, or on how many of several it is that of minimax.
    fn value(&self) -> String {
        if let [(_, run)] = *self.runs {
            return pawns(Score::new(run.value));
        }
        if self.contestant == Contestant::Engine {
            return dash();
        }
        let depth = self.comparison.depth;
        let right = |(trial, run): &&(&Trial, &Run)| trial.value(depth) == Some(run.value);
        let right = self.runs.iter().filter(right).count();
        format!("{right} of {} right", self.runs.len())
    }

    fn best(&self) -> String {
        match *self.runs {
            [(_, run)] => run.best.clone().unwrap_or_else(dash),
            _ => dash(),
        }
    }

    /// Nodes as a share of minimax's, on the positions that both finished.
    fn of_minimax(&self) -> Option<f64> {
        let depth = self.comparison.depth;
        let minimax = |trial: &Trial| {
            let exhaustive = |run: &&Run| {
                run.depth == depth
                    && matches!(run.contestant, Contestant::Classical(one) if one.is_exhaustive())
            };
            trial.runs.iter().find(exhaustive).map(|run| run.nodes)
        };
        let pairs = self.runs.iter();
        ratio(pairs.filter_map(|(trial, run)| Some((run.nodes, minimax(trial)?))))
    }

    /// Leaves as a multiple of those of the minimal trees.
    fn of_minimal(&self) -> Option<f64> {
        let pairs = self.runs.iter();
        ratio(pairs.filter_map(|(trial, run)| Some((run.leaves?, trial.minimal_leaves?))))
    }
}

/// A value in pawns, or the moves to mate.
fn pawns(value: Score) -> String {
    value.moves_to_mate().map_or_else(
        || format!("{:+.2}", f64::from(value.units()) / 100.0),
        |moves| format!("mate {moves}"),
    )
}

fn ratio(pairs: impl Iterator<Item = (u64, u64)>) -> Option<f64> {
    let (above, below) = pairs.fold((0, 0), |(a, b), (x, y)| (a + x, b + y));
    (below > 0).then(|| convert::real(above) / convert::real(below))
}

fn dash() -> String {
    "-".to_owned()
}

fn or_dash(count: Option<u64>) -> String {
    count.map_or_else(dash, |count| count.to_string())
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 1.0 {
        format!("{percent:.3} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// The table at the full depth, then what is disputed.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, depth) = (self.positions.len(), self.depth);
        writeln!(f, "depth {depth}, positions {count}")?;
        let rows = self.contestants.iter().map(|&contestant| {
            let row = self.row(contestant, depth);
            if row.runs.is_empty() {
                vec![
                    contestant.name().to_owned(),
                    "would take too long".to_owned(),
                ]
            } else {
                row.cells()
            }
        });
        let heads = HEADS.map(str::to_owned).to_vec();
        write!(f, "{}", Table([heads].into_iter().chain(rows).collect()))?;
        for dispute in self.disputes() {
            writeln!(f, "DISPUTE: {dispute}")?;
        }
        write!(
            f,
            "nodes include quiescence; branching to the power of {depth} is the mean number of nodes"
        )
    }
}
