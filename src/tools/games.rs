//! `arborist games`: what is in files of games, and what their scores meant.

use std::{fmt, path::PathBuf};

use anyhow::{Result, ensure};

use super::filter::FilterArgs;
use crate::{
    learn::{
        census::{Census, Histogram},
        fit::Fit,
        games,
    },
    types::{convert, win_rate::WinRateModel},
};

/// Width of the longest bar of a histogram.
const BAR: f64 = 40.0;
/// Moves at which the fitted model is shown.
const SHOWN: [u32; 6] = [8, 16, 32, 48, 64, 96];

/// Look at games in viriformat: check that every move is legal, count, show histograms.
///
/// The first illegal game is named, and the exit code is 1 then.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games, or directories of `.vf` files.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Fit the win-rate model to scores and results, and print it as it stands in the source.
    #[arg(long)]
    pub fit_wdl: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Findings {
    files: usize,
    census: Census,
    fit: Option<Fit>,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read, a game is illegal, there is no game, or there is too little for a fit.
pub fn run(args: &Args) -> Result<Findings> {
    let filter = args.filter.filter();
    let files = games::files(&args.files, &[games::GAMES])?;
    let census = Census::take(&files, &filter)?;
    ensure!(census.games > 0, "there is no whole game in these files");
    let fit = args.fit_wdl.then(|| census.outcomes.fit()).transpose()?;
    Ok(Findings {
        files: files.len(),
        census,
        fit,
    })
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * convert::real(part) / convert::real(whole.max(1))
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let census = &self.census;
        let positions = census.positions;
        let mean = convert::real(positions) / convert::real(census.games.max(1));
        writeln!(f, "files      {}", self.files)?;
        writeln!(f, "games      {}, all legal", census.games)?;
        writeln!(f, "positions  {positions}, {mean:.1} a game")?;
        let [black, drawn, white] = census.results.map(|count| percent(count, census.games));
        writeln!(
            f,
            "results    White {white:.1} %, drawn {drawn:.1} %, Black {black:.1} %"
        )?;
        for (name, count) in [("filtered", census.passing), ("proven", census.proven)] {
            writeln!(f, "{name:<10} {count}, {:.1} %", percent(count, positions))?;
        }
        for (path, bytes) in &census.torn {
            let shown = path.display();
            writeln!(
                f,
                "{shown} ends within a game ({bytes} bytes), which does not count"
            )?;
        }
        writeln!(f, "\nplies of a game, from")?;
        show(&census.lengths, f)?;
        writeln!(f, "\ncentipawns for White, from")?;
        show(&census.scores, f)?;
        self.fit.iter().try_for_each(|fit| show_fit(fit, f))
    }
}

/// One line an interval: its first number, share and a bar.
fn show(histogram: &Histogram, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let total = histogram.total();
    let most = histogram.intervals().map(|(_, count)| count).max();
    let most = convert::real(most.unwrap_or(0).max(1));
    for (from, count) in histogram.intervals() {
        let length = convert::truncate_i32((BAR * convert::real(count) / most).ceil());
        let bar = "#".repeat(convert::index(length));
        let line = format!("{from:>6} {:>5.1} % {bar}", percent(count, total));
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

fn show_fit(fit: &Fit, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (loss, present) = (fit.loss, fit.present_loss);
    writeln!(f, "\nwin-rate model, fitted to {} positions", fit.positions)?;
    writeln!(f, "log loss {loss:.4}; {present:.4} by the model in use")?;
    writeln!(f, "\nmove  center  spread")?;
    for number in SHOWN {
        let (center, spread) = (fit.model.center_at(number), fit.model.spread_at(number));
        writeln!(f, "{number:>4} {center:>7.1} {spread:>7.1}")?;
    }
    let normal = WinRateModel::NORMAL_MOVE;
    writeln!(
        f,
        "\nfor src/types/win_rate.rs (+100 is the centre at move {normal}):\n"
    )?;
    writeln!(f, "{}", fit.model)
}
