//! Games looked at by the engine: annotated PGN, a page to step through, and how well
//! everybody played.

use std::{fmt, fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use shakmaty::Color;

use super::{clash, limit::LimitArgs, table::Table};
use crate::{
    analyse::{
        Analysis,
        judge::{Mark, Summary},
        pgn, report,
    },
    engine::Engine,
    learn::output,
};

/// Annotates games: the value of every move, signs for bad ones, and what was better.
///
/// Values are White's, in pawns of which one wins half of the games. A move that gives away a
/// twentieth of the expected result is an inaccuracy (?!), a tenth a mistake (?), a fifth a
/// blunder (??).
/// The exit code is 2 if the file holds anything but games of chess.
#[derive(Args, Clone, Debug)]
pub struct AnalyseArgs {
    /// The games
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// The file for the annotated games; without it and `--html` they are printed
    #[arg(short, long, value_name = "OUT.pgn")]
    out: Option<PathBuf>,
    /// The file for a page with board, graphs and moves that a browser shows
    #[arg(long, value_name = "REPORT.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines that are looked for in each position
    #[arg(long, value_name = "K", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Searching threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    /// Folders of Syzygy endgame tables
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
}

/// What became of the games.
#[derive(Clone, Debug)]
pub struct Annotations {
    /// How each game was played.
    games: Vec<Played>,
    /// The games as PGN, if they are to be printed.
    text: Option<String>,
    written: Vec<PathBuf>,
}

/// How both sides played one game.
#[derive(Clone, Debug)]
struct Played {
    players: [String; 2],
    result: String,
    summaries: [Summary; 2],
}

impl Played {
    fn of(analysis: &Analysis) -> Self {
        Self {
            players: analysis.sheet.players().map(str::to_owned),
            result: analysis.sheet.result(),
            summaries: [Color::White, Color::Black].map(|color| analysis.summary(color)),
        }
    }

    /// A row of the table for each side.
    fn rows(&self, number: usize) -> [Vec<String>; 2] {
        let row = |name: &str, game: String, summary: &Summary| {
            let mut row = vec![game, name.to_owned(), summary.moves.to_string()];
            row.push(format!("{:.1} %", summary.accuracy));
            row.push(format!("{:.0}", summary.centipawns));
            row.extend(summary.marks.iter().map(u32::to_string));
            row
        };
        let [white, black] = &self.players;
        [
            row(
                white,
                format!("{number}, {}", self.result),
                &self.summaries[0],
            ),
            row(black, String::new(), &self.summaries[1]),
        ]
    }
}

impl AnalyseArgs {
    fn engine(&self) -> Result<Engine> {
        let mut engine = super::engine(self.threads, self.hash)?;
        engine.set_option("MultiPV", Some(&self.multipv.to_string()))?;
        if let Some(path) = &self.syzygy {
            engine.set_option("SyzygyPath", Some(path))?;
        }
        Ok(engine)
    }

    /// The files to write.
    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().chain(&self.html).cloned().collect()
    }
}

/// Analyses the games, telling `progress` how many positions of how many are done. The
/// annotated games are written one by one, as each is finished; where they cannot be replaced, as
/// in a pipe, all at once.
///
/// # Errors
/// A [`pgn::PgnError`] if the file holds anything but games; others when a file cannot be
/// read or written, an output would destroy the games or the other one, or the engine refuses an
/// option.
pub fn run(args: &AnalyseArgs, mut progress: impl FnMut(usize, usize)) -> Result<Annotations> {
    let shown = || args.games.display().to_string();
    let written = args.outputs();
    clash::check([&args.games], &written)?;
    let bytes = fs::read(&args.games).with_context(shown)?;
    let sheets = pgn::read(&bytes).with_context(shown)?;
    let mut engine = args.engine()?;
    // An hour of thought should not end in an error.
    written.iter().try_for_each(|path| output::check(path))?;
    let all: usize = sheets.iter().map(|sheet| sheet.plies.len() + 1).sum();
    let (mut done, mut text, mut finished) = (0, String::new(), Vec::new());
    progress(done, all);
    for sheet in sheets {
        let analysis = Analysis::new(&mut engine, sheet, &args.limit.limits(), || {
            done += 1;
            progress(done, all);
        });
        text += &analysis.to_pgn();
        if let Some(path) = args.out.as_ref().filter(|path| output::is_replaced(path)) {
            output::write(path, text.as_bytes())?;
        }
        finished.push(analysis);
    }
    if let Some(path) = args.out.as_ref().filter(|path| !output::is_replaced(path)) {
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = &args.html {
        let page = report::page(&finished, &args.limit.to_string())?;
        output::write(path, page.as_bytes())?;
    }
    Ok(Annotations {
        games: finished.iter().map(Played::of).collect(),
        text: written.is_empty().then_some(text),
        written,
    })
}

/// The games, if they went nowhere else; or a table of how everybody played.
impl fmt::Display for Annotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = &self.text {
            return f.write_str(text);
        }
        let heads = ["game", "player", "moves", "accuracy", "loss"];
        let heads = heads.into_iter().chain(Mark::ALL.map(Mark::sign));
        let rows = (1..)
            .zip(&self.games)
            .flat_map(|(number, game)| game.rows(number));
        let heads = std::iter::once(heads.map(str::to_owned).collect());
        write!(f, "{}", Table(heads.chain(rows).collect()))?;
        for path in &self.written {
            writeln!(f, "{}", path.display())?;
        }
        Ok(())
    }
}
