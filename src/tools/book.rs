//! An opening book from games: which moves were played, and how well they did.
//!
//! As with Polyglot's own maker, a move weighs two for each game that its player won and
//! one for each draw. Moves that were played too seldom are left out, and so is what lies
//! too deep.

use std::{collections::HashMap, fmt, fs::File, ops::ControlFlow, path::PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Color, KnownOutcome, Outcome, Position};

use super::clash;
use crate::{
    book::{self, Entry},
    learn::output,
    position::Game,
    types::convert,
};

/// Makes an opening book in the format of Polyglot from games.
#[derive(Args, Clone, Debug)]
pub struct BookArgs {
    /// The games
    #[arg(value_name = "FILE.pgn", required = true)]
    games: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "BOOK.bin")]
    out: PathBuf,
    /// Plies of each game that are taken
    #[arg(long, value_name = "PLIES", default_value_t = 20)]
    depth: usize,
    /// Games in which a move must have been played
    #[arg(long, value_name = "N", default_value_t = 3)]
    min_games: u32,
}

/// What became of the games.
#[derive(Clone, Debug, Default)]
pub struct BookReport {
    games: usize,
    broken: usize,
    entries: usize,
}

impl fmt::Display for BookReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} entries", self.games, self.entries)?;
        match self.broken {
            0 => Ok(()),
            broken => write!(f, "; {broken} games were read up to an illegal move"),
        }
    }
}

/// How one move did in one position.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u32,
    points: u32,
}

/// Collects the moves of all games.
struct Collector {
    depth: usize,
    tallies: HashMap<(u64, u16), Tally>,
    report: BookReport,
}

/// One game as far as it is read.
struct Course {
    game: Game,
    /// Key, move and mover of each ply.
    plies: Vec<(u64, u16, Color)>,
    outcome: Outcome,
    broken: bool,
}

impl Visitor for Collector {
    type Tags = Option<Game>;
    type Movetext = Course;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue(Some(Game::start()))
    }

    fn tag(&mut self, start: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = value.decode_utf8_lossy();
            *start = Game::from_fen(&fen, false).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<(), Course> {
        ControlFlow::Continue(Course {
            broken: start.is_none(),
            game: start.unwrap_or_default(),
            plies: Vec::new(),
            outcome: Outcome::Unknown,
        })
    }

    fn san(&mut self, course: &mut Course, san: SanPlus) -> ControlFlow<()> {
        if course.broken || course.plies.len() == self.depth {
            return ControlFlow::Continue(());
        }
        let position = course.game.chess();
        let Ok(mv) = san.san.to_move(position) else {
            course.broken = true;
            return ControlFlow::Continue(());
        };
        let ply = (book::key(position), book::pack(mv), position.turn());
        course.plies.push(ply);
        course.game.play(mv);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, course: &mut Course, outcome: Outcome) -> ControlFlow<()> {
        course.outcome = outcome;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, course: Course) {
        self.report.games += 1;
        self.report.broken += usize::from(course.broken);
        for (key, mv, mover) in course.plies {
            let tally = self.tallies.entry((key, mv)).or_default();
            tally.games += 1;
            tally.points += points(course.outcome, mover);
        }
    }
}

/// What a result is worth to `mover`; a game without one counts as drawn.
fn points(outcome: Outcome, mover: Color) -> u32 {
    match outcome {
        Outcome::Known(KnownOutcome::Decisive { winner }) => 2 * u32::from(winner == mover),
        Outcome::Known(KnownOutcome::Draw) | Outcome::Unknown => 1,
    }
}

/// The entries of the book, sorted as the format wants them.
fn entries(tallies: &HashMap<(u64, u16), Tally>, min_games: u32) -> Vec<Entry> {
    let kept = tallies.iter().filter(|(_, tally)| tally.games >= min_games);
    let kept: Vec<_> = kept.filter(|(_, tally)| tally.points > 0).collect();
    let most = kept.iter().map(|(_, tally)| tally.points).max();
    // Weights have sixteen bits; if some do not fit, all shrink alike.
    let divisor = most.unwrap_or(0) / u32::from(u16::MAX) + 1;
    let mut entries: Vec<Entry> = kept
        .into_iter()
        .map(|(&(key, mv), tally)| Entry {
            key,
            mv,
            weight: convert::low_u16(u64::from(tally.points.div_ceil(divisor))),
        })
        .collect();
    entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
    entries
}

/// Reads the games and writes the book.
///
/// # Errors
/// When a file cannot be read or written, when the book would destroy a file of games, or when no
/// move makes it into the book.
pub fn run(args: &BookArgs) -> Result<BookReport> {
    clash::check(&args.games, &[&args.out])?;
    let mut collector = Collector {
        depth: args.depth,
        tallies: HashMap::new(),
        report: BookReport::default(),
    };
    for path in &args.games {
        let shown = || path.display().to_string();
        let file = File::open(path).with_context(shown)?;
        let mut reader = Reader::new(file);
        reader.visit_all_games(&mut collector).with_context(shown)?;
    }
    let entries = entries(&collector.tallies, args.min_games);
    ensure!(
        !entries.is_empty(),
        "no move was played in {} games or more, so there is no book to write",
        args.min_games
    );
    let bytes: Vec<u8> = entries.iter().copied().flat_map(Entry::to_bytes).collect();
    output::write(&args.out, &bytes)?;
    Ok(BookReport {
        entries: entries.len(),
        ..collector.report
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(pgn: &str) -> Collector {
        let mut collector = Collector {
            depth: 4,
            tallies: HashMap::new(),
            report: BookReport::default(),
        };
        let mut reader = Reader::new(pgn.as_bytes());
        reader.visit_all_games(&mut collector).unwrap();
        collector
    }

    const GAMES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n1. e4 c5 (1... e5) 1/2-1/2\n\n\
        1. d4 d5 0-1\n\n1. e4 e5 2. Ke3 1-0\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";

    #[test]
    fn moves_weigh_what_they_earned() {
        let collector = collected(GAMES);
        assert_eq!((collector.report.games, collector.report.broken), (5, 1));
        let start = book::key(Game::start().chess());
        let entries = entries(&collector.tallies, 1);
        assert!(entries.is_sorted_by_key(|entry| entry.key));
        let weights = entries.iter().filter(|entry| entry.key == start);
        // 1. e4 won twice and drew once; 1. d4 earned nothing and is left out.
        assert_eq!(weights.map(|entry| entry.weight).collect::<Vec<_>>(), [5]);
        // 1... c5, 1... d5, 2. Nf3, and a move from another start.
        assert_eq!(entries.len(), 1 + 4);
    }

    #[test]
    fn seldom_moves_are_left_out() {
        let collector = collected(GAMES);
        assert_eq!(entries(&collector.tallies, 3).len(), 1);
        assert_eq!(entries(&collector.tallies, 4).len(), 0);
    }
}
