//! What the page needs to know about each position, to show it without knowing chess.
//!
//! The page's script places pieces and draws arrows; which moves are legal, what they are
//! called and where they lead is said here, so that the rules of chess stay in one place.

use serde::Serialize;
use shakmaty::{Chess, Move, Position as _};

use super::{
    Analysis, Station,
    annotated::LINE_PLIES,
    examine::Line,
    judge::Judgement,
    notation::{self, Value},
    pgn::Token,
};

/// One position of a game.
#[derive(Serialize)]
pub(super) struct Scene {
    /// Where the pieces stand, as in the first field of a FEN.
    board: String,
    /// The square of a king in check.
    check: Option<String>,
    /// The evaluation.
    value: String,
    /// White's chances to win, draw and lose, in permille.
    chances: [u16; 3],
    /// The move that led here; `None` at the start.
    step: Option<Step>,
    /// What became of the move: its mark in a word.
    mark: Option<&'static str>,
    /// What would have been better than it.
    better: Option<String>,
    /// Why the game ends here.
    over: Option<&'static str>,
    /// What people wrote about it.
    note: String,
    /// The engine's lines from here.
    lines: Vec<Variation>,
}

/// A move and where it leads.
#[derive(Serialize)]
struct Step {
    label: String,
    san: String,
    from: String,
    to: String,
    board: String,
}

/// A line of the engine.
#[derive(Serialize)]
struct Variation {
    value: String,
    steps: Vec<Step>,
}

fn placement(chess: &Chess) -> String {
    chess.board().board_fen().to_string()
}

/// Plays `mv` and tells about it.
fn step(chess: &mut Chess, mv: Move) -> Step {
    let (from, to) = notation::ends(mv, chess.turn());
    let (label, san) = (notation::label_of(chess), notation::san(chess, mv));
    chess.play_unchecked(mv);
    Step {
        label,
        san,
        from: from.to_string(),
        to: to.to_string(),
        board: placement(chess),
    }
}

fn variation(chess: &Chess, line: &Line) -> Variation {
    let mut chess = chess.clone();
    let value = Value::new(line.score, chess.turn()).to_string();
    let moves = line.moves.iter().take(LINE_PLIES);
    let steps = moves.map(|&mv| step(&mut chess, mv)).collect();
    Variation { value, steps }
}

/// Why there is no move.
fn ending(station: &Station) -> Option<&'static str> {
    let over = station.verdict.is_over();
    let mate = station.chess.checkers().any();
    over.then_some(if mate { "checkmate" } else { "stalemate" })
}

/// The comments among `notes`, without commands such as `[%clk …]` and without variations.
fn comments(notes: &[Token]) -> String {
    let own = notes.iter().take_while(|token| **token != Token::Open);
    let mut words = Vec::new();
    for token in own {
        if let Token::Comment(text) = token {
            let mut rest = text.as_str();
            while let Some((before, command)) = rest.split_once("[%") {
                words.push(before.trim());
                rest = command.split_once(']').map_or("", |(_, behind)| behind);
            }
            words.push(rest.trim());
        }
    }
    words.retain(|text| !text.is_empty());
    words.join(" ")
}

/// The position with this number of `analysis`, 0 for the start.
fn scene(analysis: &Analysis, index: usize) -> Scene {
    let Station { chess, verdict } = &analysis.stations[index];
    let ply = index.checked_sub(1);
    let half = ply.and_then(|ply| analysis.sheet.plies.get(ply));
    let before = ply.map(|ply| &analysis.stations[ply].chess);
    let judgement = ply.and_then(|ply| analysis.judgement(ply));
    let mark = judgement.as_ref().and_then(Judgement::mark);
    let better = ply.and_then(|ply| analysis.better_lines(ply).into_iter().next());
    let wdl = analysis.stations[index].whites_chances();
    let king = chess.board().king_of(chess.turn());
    Scene {
        board: placement(chess),
        check: king
            .filter(|_| chess.is_check())
            .map(|king| king.to_string()),
        value: Value::new(verdict.score, chess.turn()).to_string(),
        chances: [wdl.win, wdl.draw, wdl.loss],
        step: before
            .zip(half)
            .map(|(before, half)| step(&mut before.clone(), half.mv)),
        mark: mark.map(super::judge::Mark::word),
        better: before
            .zip(better)
            .map(|(before, line)| notation::san(before, line.moves[0])),
        over: ending(&analysis.stations[index]),
        note: comments(half.map_or(&analysis.sheet.preface, |half| &half.notes)),
        lines: verdict
            .lines
            .iter()
            .map(|line| variation(chess, line))
            .collect(),
    }
}

/// Every position of a game.
pub(super) fn scenes(analysis: &Analysis) -> Vec<Scene> {
    let positions = 0..analysis.stations.len();
    positions.map(|index| scene(analysis, index)).collect()
}
