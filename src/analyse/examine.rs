//! One position put before the engine: its value, and its best lines.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use shakmaty::Move;

use crate::{
    engine::Engine,
    position::Game,
    search::{Outcome, Report, Reporter},
    time::Limits,
    types::{Depth, Score},
};

/// A line of play and its value for the side that begins it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value.
    pub score: Score,
    /// Legal moves, at least one.
    pub moves: Vec<Move>,
}

/// What a search says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Value for the side to move.
    pub score: Score,
    /// Depth of the last completed iteration.
    pub depth: Depth,
    /// Nodes visited.
    pub nodes: u64,
    /// The best lines, the best one first; none when the game is over.
    pub lines: Vec<Line>,
}

impl Verdict {
    /// The best move; `None` when the game is over.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Whether there is no legal move.
    pub fn is_over(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Keeps the last report on each line, and the outcome.
#[derive(Default)]
struct Listener(Mutex<(BTreeMap<usize, Line>, Option<Outcome>)>);

impl Reporter for Listener {
    fn line(&self, report: &Report<'_>) {
        let line = Line {
            score: report.score,
            moves: report.pv.to_vec(),
        };
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        place(&mut heard.0, report.line, line);
    }

    fn finished(&self, outcome: &Outcome) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.1 = Some(outcome.clone());
    }
}

/// Gives `line` its rank. A search that is cut short reports a new best line only: if that had
/// another rank before, the line that it displaces takes the place left empty.
fn place(lines: &mut BTreeMap<usize, Line>, rank: usize, line: Line) {
    let same = |other: &Line| other.moves.first() == line.moves.first();
    let earlier = lines
        .iter()
        .find(|(place, other)| **place != rank && same(other));
    let earlier = earlier.map(|(&place, _)| place);
    let displaced = lines.insert(rank, line);
    if let Some(place) = earlier {
        lines.remove(&place);
        lines.extend(displaced.map(|line| (place, line)));
    }
}

/// Searches the root of `game` within `limits`, which must end the search; the option
/// `MultiPV` says how many lines are found.
pub fn examine(engine: &mut Engine, game: Game, limits: &Limits) -> Verdict {
    let listener = Arc::new(Listener::default());
    engine.set_game(game);
    engine.go(limits.clone(), Vec::new(), listener.clone());
    engine.wait();
    let mut heard = listener.0.lock().unwrap_or_else(PoisonError::into_inner);
    let lines = std::mem::take(&mut heard.0);
    verdict(heard.1.take(), lines.into_values().collect())
}

/// The outcome has the last word about the best line; the reports know the others.
fn verdict(outcome: Option<Outcome>, mut lines: Vec<Line>) -> Verdict {
    let reported = lines.first().map_or(Score::DRAW, |line| line.score);
    let Some(outcome) = outcome else {
        return Verdict {
            score: reported,
            depth: Depth::ZERO,
            nodes: 0,
            lines,
        };
    };
    // Stopped before the first move was searched, it has a move but no value.
    let searched = outcome.score > -Score::INFINITE;
    let score = if searched { outcome.score } else { reported };
    let wanted = lines.len().max(1);
    lines.retain(|line| line.moves.first() != outcome.best.as_ref());
    if !outcome.pv.is_empty() {
        let moves = outcome.pv;
        lines.insert(0, Line { score, moves });
    }
    lines.truncate(wanted);
    // What is left of an earlier iteration was not better than what this one found.
    let mut ceiling = score;
    for line in &mut lines {
        line.score = line.score.min(ceiling);
        ceiling = line.score;
    }
    Verdict {
        score,
        depth: outcome.depth,
        nodes: outcome.nodes,
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    fn examined(fen: &str, lines: &str) -> Verdict {
        let mut engine = Engine::new();
        engine.set_option("MultiPV", Some(lines)).unwrap();
        let limits = Limits {
            depth: Some(Depth::new(4)),
            ..Limits::default()
        };
        examine(&mut engine, Game::from_fen(fen, false).unwrap(), &limits)
    }

    #[test]
    fn the_best_lines_come_in_order_and_begin_with_different_moves() {
        let verdict = examined("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "3");
        assert_eq!(verdict.score, Score::mate_in(Ply::new(1)));
        assert_eq!(verdict.lines.len(), 3);
        assert_eq!(verdict.lines[0].score, verdict.score);
        assert!(verdict.lines.is_sorted_by(|a, b| a.score >= b.score));
        let first = |index: usize| verdict.lines[index].moves[0];
        assert!(first(0) != first(1) && first(1) != first(2));
    }

    #[test]
    fn a_new_best_line_costs_no_other_one() {
        let line = |text, score| Line {
            score: Score::new(score),
            moves: vec![Game::start().parse_uci_move(text).unwrap()],
        };
        let (e4, d4, c4) = (line("e2e4", 9), line("d2d4", 7), line("c2c4", 5));
        let mut lines = BTreeMap::new();
        for (rank, line) in (1..).zip([&e4, &d4, &c4]) {
            place(&mut lines, rank, line.clone());
        }
        let better = line("c2c4", 12);
        place(&mut lines, 1, better.clone());
        let ranked: Vec<&Line> = lines.values().collect();
        assert_eq!(ranked, [&better, &d4, &e4]);
    }

    #[test]
    fn a_game_that_is_over_has_a_value_but_no_line() {
        let mated = examined("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "2");
        assert!(mated.is_over() && mated.score == Score::mated_in(Ply::ROOT));
        let stalemate = examined("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1", "1");
        assert!(stalemate.best().is_none() && stalemate.score == Score::DRAW);
    }
}
