//! `arborist relabel`: games judged again.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use anyhow::Result;

use super::{
    clash,
    player::{Played, PlayerArgs, Watcher},
    threads,
};
use crate::learn::{
    datagen::{self, Relabelling},
    games,
};

/// Judge the positions of games again, by another player or with more nodes.
///
/// Moves and results stay; the scores are those of the new judge. The games are written to
/// OUT/r-tTHREAD.vf in viriformat. The program may be stopped at any time (Ctrl-C); the same
/// command goes on where it was.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games in viriformat, or directories of `.vf` files.
    #[arg(long, num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// Directory for the files.
    #[arg(long)]
    pub out: PathBuf,
    /// Nodes a position.
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Who judges.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Begin no game after so many seconds.
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Threads; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, the games would be written to, or a judge fails;
/// finished games are kept.
pub fn run(args: &Args) -> Result<Played> {
    let plan = Relabelling {
        games: args.data.clone(),
        // Who judges several games at a time must be ready for shuffled ones.
        judge: args.player.kind(args.player.boards > 1)?,
        nodes: args.nodes,
        hash: args.player.hash,
        folder: args.out.clone(),
        threads: threads(args.threads),
        time: args.seconds.map(Duration::from_secs),
    };
    check(&plan)?;
    let watcher = Watcher::new(None);
    let outcome = datagen::relabel(&plan, &watcher);
    let judged = watcher.finish(plan.folder);
    outcome.map(|()| judged)
}

/// Refuses to write to the games. A folder that is read may not be written to at all: what is
/// new would be games to judge when the same command goes on.
fn check(plan: &Relabelling) -> Result<()> {
    let files = games::files(&plan.games, &[games::GAMES])?;
    let mut outputs = plan.outputs();
    outputs.push(plan.folder.clone());
    Ok(clash::check(files.iter().chain(&plan.games), &outputs)?)
}
