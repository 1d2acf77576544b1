//! `arborist datagen`: games to learn from.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use anyhow::Result;

use super::{
    player::{Played, PlayerArgs, Watcher},
    share, threads,
};
use crate::learn::datagen::{self, Extent, Openings, Plan, Rules};

/// Play games to train a network on.
///
/// Each thread plays from random openings, at a fixed number of nodes a move, and writes
/// its games to OUT/sSEED-tTHREAD.vf in viriformat. Every game is complete on disk when it
/// and those begun before it have ended, so the program may be stopped at any time (Ctrl-C);
/// the same command goes on where it was. Use a new seed for new games.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Directory for the files.
    #[arg(long)]
    pub out: PathBuf,
    /// Games in all, those of earlier runs included; endless if not given.
    #[arg(long)]
    pub games: Option<u64>,
    /// Begin no game after so many seconds.
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Nodes a move.
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Nodes for the judgement of an opening; four times those of a move if not given.
    #[arg(long)]
    pub judge_nodes: Option<u64>,
    /// Fewest random plies of an opening.
    #[arg(long, default_value_t = 6)]
    pub min_plies: usize,
    /// Most random plies of an opening.
    #[arg(long, default_value_t = 10)]
    pub max_plies: usize,
    /// Share of games from double Fischer random start positions, 0 to 1.
    #[arg(long, default_value_t = 0.05, value_parser = share)]
    pub dfrc: f64,
    /// Discard openings whose score is beyond this many centipawns.
    #[arg(long, default_value_t = 200)]
    pub opening_score: i32,
    /// A game is won at this score in centipawns …
    #[arg(long, default_value_t = 1000)]
    pub win_score: i32,
    /// … for so many plies in a row.
    #[arg(long, default_value_t = 5)]
    pub win_plies: usize,
    /// A game is drawn within this score in centipawns …
    #[arg(long, default_value_t = 5)]
    pub draw_score: i32,
    /// … for so many plies in a row …
    #[arg(long, default_value_t = 12)]
    pub draw_plies: usize,
    /// … after so many plies of the game.
    #[arg(long, default_value_t = 80)]
    pub draw_from: usize,
    /// A game of so many plies is drawn.
    #[arg(long, default_value_t = 400)]
    pub longest: usize,
}

impl Args {
    fn plan(&self) -> Result<Plan> {
        Ok(Plan {
            player: self.player.kind(self.dfrc > 0.0)?,
            nodes: self.nodes,
            judge_nodes: self.judge_nodes.unwrap_or(self.nodes.saturating_mul(4)),
            hash: self.player.hash,
            openings: Openings {
                min_plies: self.min_plies,
                max_plies: self.max_plies,
                dfrc: self.dfrc,
                max_score: self.opening_score,
            },
            rules: Rules {
                win_score: self.win_score,
                win_plies: self.win_plies,
                draw_score: self.draw_score,
                draw_plies: self.draw_plies,
                draw_from: self.draw_from,
                max_plies: self.longest,
            },
            seed: self.seed,
        })
    }
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be written or a player fails; finished games are kept.
pub fn run(args: &Args) -> Result<Played> {
    let extent = Extent {
        folder: args.out.clone(),
        threads: threads(args.threads),
        games: args.games,
        time: args.seconds.map(Duration::from_secs),
    };
    let plan = args.plan()?;
    let watcher = Watcher::new(args.games);
    let outcome = datagen::run(&plan, &extent, &watcher);
    let played = watcher.finish(extent.folder);
    outcome.map(|()| played)
}
