//! Everything that goes to standard output, line by line.
//!
//! `vampirc-uci`'s messages write the replies that they can represent; `bestmove (none)`,
//! `currmovenumber` and plain text are written here. Invariant: a line is written in one
//! piece under the lock of standard output and flushed, so that lines of different
//! threads never mix and a client never waits for half a line. If nobody reads any more,
//! the process ends quietly.

use std::{
    env,
    fmt::Display,
    io::{self, ErrorKind, IsTerminal, Write},
    process,
    time::Duration,
};

use shakmaty::{CastlingMode, Move, Role, Square, uci::UciMove};
use vampirc_uci::{
    ProtectionState, UciInfoAttribute, UciMessage, UciMove as Written, UciOptionConfig, UciPiece,
    UciSquare,
};

use super::journal;
use crate::{
    engine::{
        kinds::Shape,
        options::{Declaration, Options},
    },
    search::{Outcome, Report},
    types::{
        Bound, Depth, Score,
        win_rate::{Wdl, normalised, win_draw_loss},
    },
};

/// Longest error message, so that an error about a huge line is not huge itself.
const LONGEST_ERROR: usize = 240;

/// Writes `text` and a line break, in one piece.
pub fn text(text: impl Display) {
    let mut block = text.to_string();
    if !block.ends_with('\n') {
        block.push('\n');
    }
    let mut output = io::stdout().lock();
    journal::said(&block);
    let written = output
        .write_all(block.as_bytes())
        .and_then(|()| output.flush());
    if let Err(error) = written {
        process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe));
    }
}

/// One `info string`.
pub fn note(words: impl Display) {
    text(UciMessage::info_string(one_line(&words.to_string())));
}

/// One `info string error: …`.
pub fn error(reason: impl Display) {
    note(format_args!("error: {reason}"));
}

/// `words` without control characters, and not endless.
fn one_line(words: &str) -> String {
    let mut line: String = words
        .chars()
        .take(LONGEST_ERROR)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if words.chars().nth(LONGEST_ERROR).is_some() {
        line.push_str("...");
    }
    line
}

/// Whether what is printed is read at a terminal that shows colours, and they are not unwanted
/// (`NO_COLOR`, see <https://no-color.org>).
pub fn has_colours() -> bool {
    let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    io::stdout().is_terminal() && !unwanted && !dumb
}

/// What somebody is told who sits at a terminal and asked for nothing.
pub fn banner() {
    text(concat!(
        "Arborist ",
        env!("CARGO_PKG_VERSION"),
        ", a chess engine. It listens for the commands of UCI.\n",
        "Type `help` for a list, `d` to see the board, `go movetime 1000` to have it think, ",
        "`quit` to leave."
    ));
}

/// The answer to `uci`: who we are and what can be set.
pub fn introduction() {
    let name = concat!("Arborist ", env!("CARGO_PKG_VERSION"));
    text(UciMessage::id_name(name));
    text(UciMessage::id_author("the Arborist authors"));
    for declaration in Options::declarations() {
        text(UciMessage::Option(option(&declaration)));
    }
    text(UciMessage::UciOk);
}

fn option(declaration: &Declaration) -> UciOptionConfig {
    let name = declaration.name.to_owned();
    match declaration.shape {
        Shape::Spin { default, min, max } => UciOptionConfig::Spin {
            name,
            default: Some(default.into()),
            min: Some(min.into()),
            max: Some(max.into()),
        },
        Shape::Check { default } => UciOptionConfig::Check {
            name,
            default: Some(default),
        },
        Shape::Text { default } => UciOptionConfig::String {
            name,
            default: Some(default.to_owned()),
        },
        Shape::Button => UciOptionConfig::Button { name },
    }
}

/// The answer to `isready`.
pub fn ready() {
    text(UciMessage::ReadyOk);
}

/// The answer to `register`: nobody needs to.
pub fn registered() {
    text(UciMessage::Registration(ProtectionState::Ok));
}

/// How the lines of one search are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// How castling is written.
    pub mode: CastlingMode,
    /// The number of the root's move, if chances to win, draw and lose are shown.
    pub chances_at: Option<u32>,
    /// Whether only the last line of each rank is shown.
    pub minimal: bool,
}

/// One line of thought.
pub(super) fn info(report: &Report<'_>, style: &Style) -> UciMessage {
    use UciInfoAttribute as Part;
    let mut parts = vec![
        Part::Depth(plies(report.depth)),
        Part::SelDepth(u8::try_from(report.selective_depth.index()).unwrap_or(u8::MAX)),
        Part::MultiPv(u16::try_from(report.line).unwrap_or(u16::MAX)),
        score(report.score, report.bound),
    ];
    parts.extend(style.chances(report.score));
    parts.extend([
        Part::Nodes(report.nodes),
        Part::Nps(nodes_per_second(report.nodes, report.time)),
        Part::HashFull(u16::try_from(report.hashfull).unwrap_or(1000)),
        Part::TbHits(report.tablebase_hits),
        Part::Time(milliseconds(report.time)),
        Part::Pv(written_line(report.pv, style)),
    ]);
    UciMessage::Info(parts)
}

impl Style {
    /// `wdl …`, if it is wanted.
    fn chances(&self, score: Score) -> Option<UciInfoAttribute> {
        let wdl = win_draw_loss(score, self.chances_at?);
        Some(wdl_part(wdl))
    }

    /// `wdl …` of a finished game, if it is wanted: what is drawn is certainly so.
    fn result(&self, score: Score) -> Option<UciInfoAttribute> {
        let number = self.chances_at?;
        let (win, draw, loss) = (0, 1000, 0);
        Some(wdl_part(match score {
            Score::DRAW => Wdl { win, draw, loss },
            decided => win_draw_loss(decided, number),
        }))
    }
}

fn wdl_part(wdl: Wdl) -> UciInfoAttribute {
    UciInfoAttribute::Any("wdl".to_owned(), wdl.to_string())
}

fn plies(depth: Depth) -> u8 {
    u8::try_from(depth.plies().max(0)).unwrap_or(u8::MAX)
}

fn score(score: Score, bound: Bound) -> UciInfoAttribute {
    let mate = score
        .moves_to_mate()
        .and_then(|moves| i8::try_from(moves).ok());
    UciInfoAttribute::Score {
        cp: mate.is_none().then_some(normalised(score)),
        mate,
        // The crate writes a bound wherever there is a value, even `Some(false)`.
        lower_bound: (bound == Bound::Lower).then_some(true),
        upper_bound: (bound == Bound::Upper).then_some(true),
    }
}

/// Nodes per second, rounded down; a time below the clock's resolution counts as one nanosecond.
fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

fn milliseconds(time: Duration) -> vampirc_uci::Duration {
    vampirc_uci::Duration::milliseconds(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

/// The root move that is searched now, counted from 1.
pub fn current_move(depth: Depth, mv: Move, number: usize, style: &Style) {
    let (depth, mv) = (plies(depth), written(mv, style.mode));
    text(format_args!(
        "info depth {depth} currmove {mv} currmovenumber {number}"
    ));
}

/// The line that is searched now.
pub fn current_line(line: &[Move], style: &Style) {
    let line = UciInfoAttribute::CurrLine {
        cpu_nr: None,
        line: written_line(line, style),
    };
    text(UciMessage::Info(vec![line]));
}

/// A root move and what refutes it.
pub fn refutation(line: &[Move], style: &Style) {
    let line = UciInfoAttribute::Refutation(written_line(line, style));
    text(UciMessage::Info(vec![line]));
}

/// The end of a search. Without a legal move there is no line of thought before it, so
/// the value of the position (mated, or a draw) is said here.
pub fn best_move(outcome: &Outcome, style: &Style) {
    let shown = |mv| written(mv, style.mode);
    match (outcome.best.map(shown), outcome.ponder.map(shown)) {
        (Some(best), Some(ponder)) => text(UciMessage::best_move_with_ponder(best, ponder)),
        (Some(best), None) => text(UciMessage::best_move(best)),
        (None, _) => {
            let depth = UciInfoAttribute::Depth(0);
            let score = score(outcome.score, Bound::Exact);
            let mut parts = vec![depth, score];
            parts.extend(style.result(outcome.score));
            text(UciMessage::Info(parts));
            text("bestmove (none)");
        }
    }
}

fn written_line(line: &[Move], style: &Style) -> Vec<Written> {
    line.iter().map(|&mv| written(mv, style.mode)).collect()
}

/// A legal move as the crate's message types hold it.
fn written(mv: Move, mode: CastlingMode) -> Written {
    match mv.to_uci(mode) {
        UciMove::Normal {
            from,
            to,
            promotion,
        } => Written {
            from: square(from),
            to: square(to),
            promotion: promotion.map(piece),
        },
        UciMove::Put { to, .. } => Written::from_to(square(to), square(to)),
        UciMove::Null => Written::from_to(UciSquare::default(), UciSquare::default()),
    }
}

fn square(square: Square) -> UciSquare {
    let rank = u8::try_from(square.rank().to_u32() + 1).unwrap_or(1);
    UciSquare::from(square.file().char(), rank)
}

fn piece(role: Role) -> UciPiece {
    match role {
        Role::Pawn => UciPiece::Pawn,
        Role::Knight => UciPiece::Knight,
        Role::Bishop => UciPiece::Bishop,
        Role::Rook => UciPiece::Rook,
        Role::Queen => UciPiece::Queen,
        Role::King => UciPiece::King,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    fn report(score: Score, bound: Bound, pv: &[Move]) -> Report<'_> {
        Report {
            depth: Depth::new(12),
            selective_depth: Ply::new(20),
            line: 1,
            score,
            bound,
            nodes: 3000,
            time: Duration::from_millis(1500),
            hashfull: 7,
            tablebase_hits: 0,
            pv,
        }
    }

    #[test]
    fn a_line_of_thought_has_its_parts_in_order() {
        let castle = Move::Castle {
            king: Square::E1,
            rook: Square::H1,
        };
        let promotion = Move::Normal {
            role: Role::Pawn,
            from: Square::A7,
            capture: None,
            to: Square::A8,
            promotion: Some(Role::Knight),
        };
        let pv = [castle, promotion];
        let report = report(-Score::tablebase_win(Ply::new(4)), Bound::Lower, &pv);
        let mut style = Style {
            mode: CastlingMode::Standard,
            chances_at: None,
            minimal: false,
        };
        assert_eq!(
            info(&report, &style).to_string(),
            "info depth 12 seldepth 20 multipv 1 score cp -19996 lowerbound nodes 3000 nps 2000 \
             hashfull 7 tbhits 0 time 1500 pv e1g1 a7a8n"
        );
        style.mode = CastlingMode::Chess960;
        style.chances_at = Some(30);
        let other = info(&report, &style).to_string();
        assert!(other.contains(" score cp -19996 lowerbound wdl 0 0 1000 nodes 3000 "));
        assert!(other.ends_with("pv e1h1 a7a8n"));
    }

    #[test]
    fn scores_are_written_as_the_protocol_wants_them() {
        for (value, bound, expected) in [
            (Score::new(0), Bound::Exact, "score cp 0"),
            (Score::DRAW, Bound::Upper, "score cp 0 upperbound"),
            (Score::mate_in(Ply::new(5)), Bound::Exact, "score mate 3"),
            (Score::mated_in(Ply::new(4)), Bound::Exact, "score mate -2"),
            (Score::mated_in(Ply::ROOT), Bound::Exact, "score mate 0"),
            (
                Score::mate_in(Ply::new(239)),
                Bound::Exact,
                "score mate 120",
            ),
        ] {
            assert_eq!(score(value, bound).to_string(), expected);
        }
    }

    #[test]
    fn an_error_is_one_short_line() {
        assert_eq!(one_line("a\nb\r\u{0}c"), "a b  c");
        assert!(one_line(&"x".repeat(10_000)).len() < 250);
        assert_eq!(nodes_per_second(1000, Duration::ZERO), 1_000_000_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn options_are_announced_as_clients_read_them() {
        let lines: Vec<String> = Options::declarations()
            .iter()
            .map(|declaration| option(declaration).to_string())
            .collect();
        assert_eq!(
            lines[0],
            "option name Hash type spin default 16 min 1 max 33554432"
        );
        assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
        let text = "option name EvalFile type string default <internal>";
        assert!(lines.contains(&text.to_owned()));
        assert!(lines.contains(&"option name Ponder type check default false".to_owned()));
    }
}
