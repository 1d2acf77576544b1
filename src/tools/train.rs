//! `arborist train`: from games to a network file.

use std::{fmt, fs, num::NonZeroUsize, path::PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;

use super::{clash, filter::FilterArgs, share, threads};
use crate::{
    learn::{
        games,
        model::Shape,
        output, plot, quantise,
        sampler::{Amount, Sampler},
        schedule::Schedule,
        trainer::{self, Observer, Record, Settings, Start, Target},
    },
    nnue::{arch, features::KingBuckets, weights::Parameters},
    types::convert,
};

/// The extensions of what is written beside the network.
const CHECKPOINT: &str = "ckpt";
const LOG: &str = "log";
const CURVE: &str = "svg";

/// Train a network on games in viriformat.
///
/// Beside the network OUT.net, it writes OUT.ckpt (the state of the run), OUT.svg (the
/// loss curve) and OUT.log (one line a superbatch).
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games, or directories of `.vf` files.
    #[arg(long, num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// The network file to write.
    #[arg(long)]
    pub out: PathBuf,
    /// Hidden neurons a side (rounded up to a multiple of 16).
    #[arg(long, default_value_t = arch::WIDTH)]
    pub width: usize,
    /// Partition of the king's squares: single, four, eight.
    #[arg(long, default_value = arch::KING_BUCKETS.name(), value_parser = king_buckets)]
    pub buckets: KingBuckets,
    /// Superbatches to train for.
    #[arg(long, default_value_t = 60)]
    pub superbatches: usize,
    /// Steps a superbatch.
    #[arg(long, default_value_t = 256)]
    pub batches: usize,
    /// Positions a step.
    #[arg(long, default_value_t = 16384)]
    pub batch: usize,
    /// Highest learning rate.
    #[arg(long, default_value_t = 1e-3, value_parser = rate)]
    pub lr: f32,
    /// Learning rate at the end.
    #[arg(long, default_value_t = 2e-5, value_parser = rate)]
    pub final_lr: f32,
    /// Steps until the highest learning rate is reached.
    #[arg(long, default_value_t = 200)]
    pub warm_up: usize,
    /// Share of every weight that decays in a step at learning rate 1.
    #[arg(long, default_value_t = 0.01, value_parser = rate)]
    pub decay: f32,
    /// Share of the game's result in what is learned, 0 to 1; the rest is the score's.
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    pub wdl: f64,
    /// Centipawns of one unit of the network's output.
    #[arg(long, default_value_t = 140, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub scale: u16,
    #[command(flatten)]
    filter: FilterArgs,
    /// Share of the games that is trained on, 0 to 1; validation stays the same.
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    pub share: f64,
    /// Memory for positions, in MiB.
    #[arg(long, default_value_t = 4096)]
    pub memory: u64,
    /// Threads; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
    /// Seed of the first weights and of the order of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Superbatches between two checkpoints.
    #[arg(long, default_value_t = 10)]
    pub checkpoint_every: usize,
    /// Go on from the checkpoint beside the output.
    #[arg(long)]
    pub resume: bool,
    /// Begin with the weights of this network, which may be narrower, not with random ones.
    #[arg(long, value_name = "NETWORK", conflicts_with = "resume")]
    pub from: Option<PathBuf>,
}

/// A learning rate, or one of decay.
fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok();
    let rate = rate.filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| "a rate lies between 0 and 1".to_owned())
}

fn king_buckets(name: &str) -> Result<KingBuckets, String> {
    let names = KingBuckets::ALL.map(|buckets| buckets.name()).join(", ");
    KingBuckets::by_name(name).ok_or_else(|| format!("known partitions: {names}"))
}

/// What a training run left behind.
#[derive(Clone, Debug)]
pub struct Trained {
    out: PathBuf,
    bytes: usize,
    last: Option<Record>,
}

impl fmt::Display for Trained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} bytes", self.out.display(), self.bytes)?;
        match &self.last {
            Some(record) => write!(f, ", {}", line(record)),
            None => Ok(()),
        }
    }
}

fn line(record: &Record) -> String {
    format!(
        "step {}, training loss {:.6}, validation loss {:.6}, rate {:.2e}, {:.0} positions/s",
        record.step, record.training, record.validation, record.rate, record.speed
    )
}

/// Runs the command.
///
/// # Errors
/// When the data cannot be read, a file cannot be written or would destroy another.
pub fn run(args: &Args) -> Result<Trained> {
    check(args)?;
    let start = start(args)?;
    let threads = threads(args.threads);
    let filter = args.filter.filter();
    let amount = Amount {
        share: args.share,
        megabytes: args.memory,
    };
    let sampler = Sampler::new(&args.data, filter, amount, args.seed, threads)?;
    let settings = settings(args, threads);
    let mut watcher = Watcher::new(args, settings.schedule.steps);
    let (model, records) = trainer::train(&settings, &sampler, &start, &mut watcher)?;
    watcher.bar.finish();
    let bytes = quantise::quantise(&model, u32::from(args.scale)).to_bytes();
    output::write(&args.out, &bytes)?;
    if !records.is_empty() {
        plot::loss_curve(&records, &args.out.with_extension(CURVE))?;
    }
    Ok(Trained {
        out: args.out.clone(),
        bytes: bytes.len(),
        last: records.last().copied(),
    })
}

/// Refuses files that would destroy the data or each other, or cannot be written. The network that the run begins with
/// may be replaced by what it became, but only by that.
fn check(args: &Args) -> Result<()> {
    let data = games::files(&args.data, &[games::GAMES, games::FANS])?;
    let more = [CHECKPOINT, LOG, CURVE].map(|end| args.out.with_extension(end));
    clash::check(&args.from, &more)?;
    let [checkpoint, log, curve] = more;
    let outputs = [args.out.clone(), checkpoint, log, curve];
    clash::check(data, &outputs)?;
    outputs.iter().try_for_each(|path| output::check(path))
}

fn start(args: &Args) -> Result<Start> {
    let Some(path) = &args.from else {
        return Ok(if args.resume {
            Start::Checkpoint
        } else {
            Start::Random
        });
    };
    let complain = || format!("cannot read {}", path.display());
    let bytes = fs::read(path).with_context(complain)?;
    let network = Parameters::from_bytes(&bytes).with_context(complain)?;
    let scale = network.scale;
    ensure!(
        scale == u32::from(args.scale),
        "{} has a scale of {scale} centipawns: --scale {scale} goes on with it",
        path.display()
    );
    Ok(Start::Network(Box::new(network)))
}

fn settings(args: &Args, threads: usize) -> Settings {
    Settings {
        shape: Shape::new(args.buckets, args.width),
        target: Target {
            result: convert::narrow(args.wdl),
            scale: f32::from(args.scale),
        },
        schedule: Schedule {
            rate: args.lr,
            final_rate: args.final_lr,
            warm_up: args.warm_up,
            steps: args.superbatches * args.batches,
        },
        decay: args.decay,
        batch: args.batch,
        superbatch: args.batches,
        seed: args.seed,
        threads,
        checkpoint: Some(args.out.with_extension(CHECKPOINT)),
        checkpoint_every: args.checkpoint_every,
    }
}

/// Shows a run as a progress bar and keeps its log.
struct Watcher {
    bar: ProgressBar,
    log: PathBuf,
    lines: String,
}

impl Watcher {
    fn new(args: &Args, steps: usize) -> Self {
        let style = "{elapsed_precise} {wide_bar} {pos}/{len} {msg} ends in {eta}";
        let bar = super::progress_bar(Some(steps as u64), style);
        let log = args.out.with_extension(LOG);
        let lines = if args.resume {
            fs::read_to_string(&log).unwrap_or_default()
        } else {
            format!("{args:?}\n")
        };
        Self { bar, log, lines }
    }

    fn log(&mut self, line: &str) {
        self.lines += line;
        self.lines.push('\n');
        // A log that cannot be written must not end a run of hours.
        let _ = output::write(&self.log, self.lines.as_bytes());
        self.bar.println(line);
    }
}

impl Observer for Watcher {
    fn loaded(&mut self, positions: usize, held_out: usize) {
        self.log(&format!(
            "{positions} positions in the first portion, {held_out} held out"
        ));
    }

    fn stepped(&mut self, step: usize, loss: f64) {
        self.bar.set_position(step as u64);
        self.bar.set_message(format!("loss {loss:.5}"));
    }

    fn recorded(&mut self, record: &Record) {
        self.log(&line(record));
    }
}
