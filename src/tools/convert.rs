//! `arborist convert`: games in formats that other programs read.

use std::{
    fmt,
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

use anyhow::{Context, Result};

use super::filter::FilterArgs;
use crate::learn::{
    convert::Format,
    games::{self, Games},
};

/// Write games in viriformat in a format that other programs read.
///
/// `positions` is a line a position, `FEN | score | result`, for White, of the positions that
/// the training would learn from; `pgn` is whole games with their scores.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games, or directories of `.vf` files.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, short)]
    pub out: PathBuf,
    /// positions or pgn.
    #[arg(long, default_value = "positions", value_parser = format)]
    pub format: Format,
    #[command(flatten)]
    filter: FilterArgs,
}

fn format(name: &str) -> Result<Format, String> {
    match name {
        "positions" => Ok(Format::Positions),
        "pgn" => Ok(Format::Pgn),
        _ => Err("known formats: positions, pgn".to_owned()),
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Converted {
    out: PathBuf,
    games: u64,
    positions: u64,
}

impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (out, games, positions) = (self.out.display(), self.games, self.positions);
        write!(f, "{out}: {positions} positions of {games} games")
    }
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, or a game is illegal.
pub fn run(args: &Args) -> Result<Converted> {
    let filter = args.filter.filter();
    let files = games::files(&args.files, &[games::GAMES])?;
    let shown = args.out.display();
    let out = File::create(&args.out).with_context(|| format!("cannot write {shown}"))?;
    let mut out = BufWriter::new(out);
    let style = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes}, ends in {eta}";
    let bar = super::progress_bar(Some(games::bytes(&files)?), style);
    let (mut games, mut positions) = (0, 0);
    for path in &files {
        for (number, game) in (1..).zip(Games::open(path)?) {
            let written = game.and_then(|game| {
                bar.inc(game.bytes() as u64);
                args.format.write(&game, number, &filter, &mut out)
            });
            positions += written.with_context(|| format!("{}, game {number}", path.display()))?;
            games += 1;
        }
    }
    out.flush()
        .with_context(|| format!("cannot write {shown}"))?;
    bar.finish_and_clear();
    Ok(Converted {
        out: args.out.clone(),
        games,
        positions,
    })
}
