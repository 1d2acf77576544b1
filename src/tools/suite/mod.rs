//! Test suites: positions with known solutions, searched one after the other.
//!
//! A suite shows whether a change has broken or cured something; it does not measure
//! strength, matches do.

mod problem;

use std::{
    error, fmt, fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use clap::Args;

pub use self::problem::{Problem, ProblemError};
use super::{
    epd::{self, EpdError},
    limit::LimitArgs,
    table::Table,
};
use crate::{
    engine::{Engine, options::OptionError},
    search::{Outcome, Report, Reporter},
    time::Limits,
};

/// Searches the positions of an EPD file and compares with the solutions in it.
///
/// Read are `bm` (best moves), `am` (moves to avoid), `dm` (moves to mate) and `ce` (score:
/// a draw for 0, else at least so much). The exit code is 0 if all positions are solved, 1
/// if not, 2 if the file cannot be used.
#[derive(Args, Clone, Debug)]
pub struct SuiteArgs {
    /// The file
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    #[command(flatten)]
    limit: LimitArgs,
    /// Searching threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: u32,
}

/// Why a suite could not be run.
#[derive(Debug)]
pub enum SuiteError {
    /// The file cannot be read.
    File(PathBuf, io::Error),
    /// A line of it is not EPD.
    Epd(EpdError),
    /// A line of it is no problem to be solved.
    Problem(ProblemError),
    /// The engine refused the number of threads or the size of the table.
    Option(OptionError),
}

/// A position that was not solved.
#[derive(Clone)]
pub struct Miss {
    /// The position and what it asks for.
    pub problem: Problem,
    /// What the search said.
    pub outcome: Outcome,
}

/// The result of a suite.
#[derive(Clone, Default)]
pub struct Verdict {
    /// Positions searched.
    pub positions: usize,
    /// Those not solved, in the order of the file.
    pub misses: Vec<Miss>,
    /// Time taken for all.
    pub time: Duration,
}

impl Verdict {
    /// Number of positions solved.
    pub fn solved(&self) -> usize {
        self.positions - self.misses.len()
    }
}

/// Keeps the result of a search for whoever waits for it.
#[derive(Default)]
struct Collector(Mutex<Option<Outcome>>);

impl Reporter for Collector {
    fn line(&self, _report: &Report<'_>) {}

    fn finished(&self, outcome: &Outcome) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome.clone());
    }
}

/// Runs the suite that `args` ask for, telling `progress` how many positions of how many
/// are done.
///
/// # Errors
/// When the file cannot be used or the engine refuses the options.
pub fn run(args: &SuiteArgs, progress: impl FnMut(usize, usize)) -> Result<Verdict, SuiteError> {
    let text = fs::read_to_string(&args.file)
        .map_err(|error| SuiteError::File(args.file.clone(), error))?;
    let problems = read(&text)?;
    let mut engine = super::engine(args.threads, args.hash).map_err(SuiteError::Option)?;
    Ok(solve(
        &mut engine,
        &problems,
        &args.limit.limits(),
        progress,
    ))
}

/// The problems of an EPD file.
///
/// # Errors
/// When a line is wrong or there is none.
pub fn read(text: &str) -> Result<Vec<Problem>, SuiteError> {
    let records = epd::parse(text).map_err(SuiteError::Epd)?;
    let problems = records.iter().map(Problem::read).collect::<Result<_, _>>();
    problems.map_err(SuiteError::Problem)
}

/// Has `engine` search every problem within `limits`, each as if it were the first.
pub fn solve(
    engine: &mut Engine,
    problems: &[Problem],
    limits: &Limits,
    mut progress: impl FnMut(usize, usize),
) -> Verdict {
    let start = Instant::now();
    let mut verdict = Verdict::default();
    for problem in problems {
        progress(verdict.positions, problems.len());
        verdict.positions += 1;
        let collector = Arc::new(Collector::default());
        engine.new_game();
        engine.set_game(problem.game().clone());
        engine.go(limits.clone(), Vec::new(), collector.clone());
        engine.wait();
        let outcome = collector
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let missed = outcome.filter(|outcome| !problem.is_solved_by(outcome));
        verdict.misses.extend(missed.map(|outcome| Miss {
            problem: problem.clone(),
            outcome,
        }));
    }
    verdict.time = start.elapsed();
    verdict
}

impl Miss {
    /// Name, what is asked for, move found, score and depth: a row of the table.
    fn row(&self) -> [String; 5] {
        let Self { problem, outcome } = self;
        let found = outcome
            .best
            .map_or_else(|| "-".to_owned(), |mv| problem.san(mv));
        [
            problem.id().to_owned(),
            problem.to_string(),
            found,
            outcome.score.to_string(),
            outcome.depth.plies().to_string(),
        ]
    }
}

/// A table of the misses, then how many positions were solved.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.misses.is_empty() {
            let heads = ["missed", "expected", "found", "score", "depth"].map(str::to_owned);
            let rows = [heads].into_iter().chain(self.misses.iter().map(Miss::row));
            write!(f, "{}", Table(rows.map(Vec::from).collect()))?;
        }
        let (solved, all) = (self.solved(), self.positions);
        write!(
            f,
            "solved {solved} of {all} in {:.1} s",
            self.time.as_secs_f64()
        )
    }
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Epd(error) => error.fmt(f),
            Self::Problem(error) => error.fmt(f),
            Self::Option(error) => error.fmt(f),
        }
    }
}

impl error::Error for SuiteError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Depth;

    const TEXT: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id \"right\";\n\
                        6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#; id \"wrong\";";

    #[test]
    fn misses_are_listed_and_counted() {
        let problems = read(TEXT).unwrap();
        let limits = Limits {
            depth: Some(Depth::new(3)),
            ..Limits::default()
        };
        let mut calls = 0;
        let verdict = solve(&mut Engine::new(), &problems, &limits, |done, all| {
            assert_eq!((done, all), (calls, 2));
            calls += 1;
        });
        assert_eq!((verdict.solved(), verdict.positions), (1, 2));
        let text = verdict.to_string();
        assert!(text.contains("wrong   not Ra8#  Ra8#   mate 1"), "{text}");
        assert!(text.contains("solved 1 of 2"), "{text}");
    }

    #[test]
    fn a_file_without_positions_is_an_error() {
        assert!(matches!(read("# nothing\n\n"), Err(SuiteError::Epd(_))));
    }
}
