//! `arborist convert`: games in formats that other programs read.

use std::{fmt, path::PathBuf};

use anyhow::{Context, Result};

use super::{clash, filter::FilterArgs};
use crate::learn::{
    convert::Format,
    games::{self, Games},
    output::Output,
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
/// When a file cannot be read or written, a game is illegal, or a file of games would be
/// overwritten. What was there then stays as it was.
pub fn run(args: &Args) -> Result<Converted> {
    let filter = args.filter.filter();
    let files = games::files(&args.files, &[games::GAMES])?;
    clash::check(&files, &[&args.out])?;
    let mut out = Output::create(&args.out)?;
    let style = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes}, ends in {eta}";
    let bar = super::progress_bar(Some(games::bytes(&files)?), style);
    let (mut games, mut positions) = (0, 0);
    let mut text = Vec::new();
    for path in &files {
        for (number, game) in (0..).zip(Games::open(path)?) {
            let written = game.and_then(|game| {
                bar.inc(game.bytes() as u64);
                // The first round of a tournament is the first.
                args.format.write(&game, number + 1, &filter, &mut text)
            });
            positions += written.with_context(|| format!("{}, game {number}", path.display()))?;
            // Apart from reading, so that a full disk is not put down to the game.
            out.add(&text)?;
            text.clear();
            games += 1;
        }
    }
    out.finish()?;
    bar.finish_and_clear();
    Ok(Converted {
        out: args.out.clone(),
        games,
        positions,
    })
}
