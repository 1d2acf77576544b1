//! `arborist tune`: better numbers for the search, by games.

use std::{
    env, fmt, fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};
use indicatif::ProgressBar;

use super::{
    clash,
    player::{Patience, option_pair},
    threads,
};
use crate::{
    learn::{
        datagen::{External, Openings, Rules},
        output,
        tune::{
            self, Extent, Observer, Plan,
            number::{self, Number},
            walk::Walk,
        },
    },
    params,
};

/// The extension of the picture.
const PICTURE: &str = "svg";
/// Random plies before a game, and how far from even it may begin.
const OPENINGS: Openings = Openings {
    min_plies: 6,
    max_plies: 9,
    dfrc: 0.0,
    max_score: 120,
};
/// Thoughts for the judgement of an opening, compared with a move.
const JUDGEMENT: u64 = 3;
/// Games are given up and agreed drawn early: more games say more than their ends.
const RULES: Rules = Rules {
    win_score: 500,
    win_plies: 4,
    draw_score: 8,
    draw_plies: 10,
    draw_from: 60,
    max_plies: 300,
};

/// Tune the numbers of the search by games of an engine against itself (SPSA).
///
/// Before each pair of games every number is moved a step up or down by lot for one side, and the
/// other way for its opponent; then all go a little towards the side that won. OUT holds the walk,
/// and the same command goes on where it was; beside it, OUT.svg is a picture of it. What comes
/// out is a proposal: play a match with it against the old numbers before you believe it.
///
/// The engine must have the numbers as UCI options. This program has them when it was built with
/// `--features tune`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The file of the walk.
    #[arg(long)]
    pub out: PathBuf,
    /// The numbers to tune, as `arborist spsa-input` prints them: name, int, value, least, most,
    /// step, rate. All numbers of this program's search if not given.
    #[arg(long, value_name = "FILE")]
    pub numbers: Option<PathBuf>,
    /// The engine; this program if not given.
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// A UCI option of the engine; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option_pair)]
    pub option: Vec<(String, String)>,
    /// How long the engine is waited for.
    #[command(flatten)]
    pub patience: Patience,
    /// Games of the whole walk; rounded up to pairs.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Begin no pair of games after so many seconds.
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Nodes a move.
    #[arg(long, default_value_t = 8000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// MiB of each engine's transposition table.
    #[arg(long, default_value_t = 8)]
    pub hash: usize,
    /// Threads, each with two engines that think in turn; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Args {
    fn plan(&self) -> Result<Plan> {
        let own = || env::current_exe().context("cannot find this program");
        Ok(Plan {
            engine: External {
                path: self.engine.clone().map_or_else(own, Ok)?,
                options: self.option.clone(),
                patience: self.patience.time(),
                chess960: false,
                boards: 1,
            },
            hash: self.hash,
            nodes: self.nodes,
            judge_nodes: self.nodes.saturating_mul(JUDGEMENT),
            openings: OPENINGS,
            rules: RULES,
            seed: self.seed,
        })
    }

    fn numbers(&self) -> Result<Vec<Number>> {
        let Some(path) = &self.numbers else {
            return Ok(number::parse(&params::spsa_input())?);
        };
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        number::parse(&text).with_context(|| format!("{shown}"))
    }

    fn extent(&self) -> Extent {
        Extent {
            out: self.out.clone(),
            threads: threads(self.threads),
            pairs: self.games.div_ceil(2),
            time: self.seconds.map(Duration::from_secs),
        }
    }
}

/// The numbers as they were, as they are now and as they were on average in the second half of the
/// way; beside them, how far that is from the start, in steps.
#[derive(Clone, Debug)]
pub struct Tuned(Walk);

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let walk = &self.0;
        let (played, planned) = (2 * walk.played(), 2 * walk.planned());
        writeln!(f, "{played} of {planned} games, {}", results(walk))?;
        let [was, is, mean, steps] = ["was", "is", "mean", "steps"];
        write!(f, "{:<28} {was:>8} {is:>8} {mean:>8} {steps:>8}", "number")?;
        let values = walk.values().iter().zip(walk.averages());
        for (number, (value, mean)) in walk.numbers().iter().zip(values) {
            let (name, start) = (&number.name, number.start);
            let steps = (mean - start) / number.step;
            write!(
                f,
                "\n{name:<28} {start:>8} {value:>8.0} {mean:>8.0} {steps:>+8.2}"
            )?;
        }
        Ok(())
    }
}

fn results(walk: &Walk) -> String {
    let tally = walk.tally();
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    format!("W {wins} D {draws} L {losses}")
}

/// Runs the command.
///
/// # Errors
/// When the numbers make no sense, a file cannot be read or written or is of another run, or an
/// engine fails; what was walked until then is kept.
pub fn run(args: &Args) -> Result<Tuned> {
    let picture = args.out.with_extension(PICTURE);
    clash::check(&args.numbers, &[args.out.clone(), picture.clone()])?;
    let numbers = args.numbers()?;
    output::check(&args.out)?;
    output::check(&picture)?;
    let plan = args.plan()?;
    let watcher = Watcher::new(args.games.div_ceil(2) * 2);
    let walk = tune::run(&plan, &args.extent(), numbers, &watcher);
    watcher.bar.finish_and_clear();
    let walk = walk?;
    draw(&walk, &picture)?;
    Ok(Tuned(walk))
}

fn draw(walk: &Walk, path: &Path) -> Result<()> {
    output::write(path, tune::picture(walk)?.as_bytes())
}

/// Shows the walk as a progress bar.
struct Watcher {
    bar: ProgressBar,
}

impl Watcher {
    fn new(games: u64) -> Self {
        let style = "{elapsed_precise} {wide_bar} {pos}/{len} games, {msg}, ends in {eta}";
        Self {
            bar: super::progress_bar(Some(games), style),
        }
    }
}

impl Observer for Watcher {
    fn walked(&self, walk: &Walk) {
        self.bar.set_position(2 * walk.played());
        self.bar.set_message(results(walk));
    }
}
