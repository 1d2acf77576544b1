//! Perft: the number of move sequences of a given length, which proves a move generator
//! (the name and the idea are R. Hyatt's, for Crafty).
//!
//! The last ply is counted, not played. Several threads share the positions two plies
//! below the root, and a memory of counts, if one is asked for. Invariant: threads and
//! memory change the time taken and nothing else.

mod memo;

use std::{
    fmt,
    num::NonZeroUsize,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;

use crate::{
    engine::options::MOST_MEBIBYTES,
    position::{Game, Position},
    tt::Table,
    types::{MoveList, PackedMove, convert},
};
use memo::Memo;

/// Counts the positions so many plies away, to check and time the generation of moves.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Number of plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub depth: u32,
    /// Position to start from instead of the initial one
    #[arg(long)]
    pub fen: Option<String>,
    /// Number of threads
    #[arg(long, default_value = "1")]
    pub threads: NonZeroUsize,
    /// Memory for counts of positions already seen, in MiB
    #[arg(long, default_value_t = 0, value_name = "MB",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_MEBIBYTES)))]
    pub hash: u32,
    /// Show the count below each root move
    #[arg(long)]
    pub divide: bool,
    /// Read castling rights and write castling as in Chess960
    #[arg(long)]
    pub chess960: bool,
}

/// Runs the perft that the command line asks for.
///
/// # Errors
/// When the position cannot be read, or the machine lacks the memory.
pub fn run(args: &Args) -> Result<Perft> {
    let mut game = Game::start();
    if let Some(fen) = &args.fen {
        game = Game::from_fen(fen, args.chess960)?;
    } else if args.chess960 {
        game.set_mode(shakmaty::CastlingMode::Chess960);
    }
    let hash = convert::size(args.hash.into());
    Table::check(hash)?;
    let mut perft = Perft::new(&game, args.depth, args.threads.get(), hash);
    if !args.divide {
        perft.moves.clear();
    }
    Ok(perft)
}

/// The number of leaves `depth` plies below `position`.
pub fn count(position: &Position, depth: u32) -> u64 {
    count_with(None, position, depth)
}

fn count_with(memo: Option<&Memo>, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = all_moves(position);
    if depth == 1 {
        return convert::wide(moves.len());
    }
    if let Some(known) = memo.and_then(|memo| memo.get(position, depth)) {
        return known;
    }
    let below = |&mv| count_with(memo, &position.play(mv), depth - 1);
    let nodes = moves.iter().map(below).sum();
    if let Some(memo) = memo {
        memo.insert(position, depth, nodes);
    }
    nodes
}

fn all_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.generate_all(&mut moves);
    moves
}

/// The result of a perft.
#[derive(Clone, Debug)]
pub struct Perft {
    /// Number of leaves.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Root moves in UCI notation, with the number of leaves below each.
    pub moves: Vec<(String, u64)>,
}

impl Perft {
    /// Counts the leaves `depth` plies below the position of `game` with `threads`
    /// threads (at least one) that share `hash` MiB of counts (0: none).
    pub fn new(game: &Game, depth: u32, threads: usize, hash: usize) -> Self {
        let start = Instant::now();
        let root = game.position();
        let memo = (hash > 0).then(|| Memo::new(hash));
        let counted = divide(&root, depth, threads, memo.as_ref());
        let name = |mv| root.unpack(mv).to_uci(game.mode()).to_string();
        Self {
            nodes: if depth == 0 {
                1
            } else {
                counted.iter().map(|&(_, nodes)| nodes).sum()
            },
            time: start.elapsed(),
            moves: counted
                .into_iter()
                .map(|(mv, nodes)| (name(mv), nodes))
                .collect(),
        }
    }
}

/// Lines `e2e4: 20` where there are some, then the sum, the time and the speed.
impl fmt::Display for Perft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mv, nodes) in &self.moves {
            writeln!(f, "{mv}: {nodes}")?;
        }
        if !self.moves.is_empty() {
            writeln!(f)?;
        }
        writeln!(f, "Nodes searched: {}", self.nodes)?;
        let seconds = self.time.as_secs_f64();
        let speed = convert::real(self.nodes) / seconds.max(1e-9) / 1e6;
        write!(f, "Time: {seconds:.3} s ({speed:.1} Mnps)")
    }
}

/// A position below root move number `branch`.
struct Task {
    branch: usize,
    position: Position,
}

/// The counts below each root move; empty when `depth` is 0.
fn divide(
    root: &Position,
    depth: u32,
    threads: usize,
    memo: Option<&Memo>,
) -> Vec<(PackedMove, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = all_moves(root);
    let mut tasks: Vec<Task> = moves
        .iter()
        .enumerate()
        .map(|(branch, &mv)| Task {
            branch,
            position: root.play(mv),
        })
        .collect();
    let mut rest = depth - 1;
    if rest > 1 && threads > 1 {
        tasks = tasks.iter().flat_map(replies).collect();
        rest -= 1;
    }
    let sums = sum_by_branch(&tasks, moves.len(), threads, |position| {
        count_with(memo, position, rest)
    });
    moves.into_iter().zip(sums).collect()
}

/// The positions one ply below that of `task`: small enough pieces of work that no
/// thread is left alone with the last one for long.
fn replies(task: &Task) -> impl Iterator<Item = Task> {
    all_moves(&task.position).into_iter().map(|mv| Task {
        branch: task.branch,
        position: task.position.play(mv),
    })
}

/// Counts all tasks with `threads` threads, each of which takes the next when it has
/// done one; a thread that cannot be had does none.
fn sum_by_branch(
    tasks: &[Task],
    branches: usize,
    threads: usize,
    count: impl Fn(&Position) -> u64 + Sync,
) -> Vec<u64> {
    let sums: Vec<AtomicU64> = (0..branches).map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) {
            sums[task.branch].fetch_add(count(&task.position), Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(tasks.len()) {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    sums.into_iter().map(AtomicU64::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_reads_as_uci_engines_write_it() {
        let text = Perft::new(&Game::start(), 2, 1, 0).to_string();
        assert!(text.contains("e2e4: 20\n"));
        assert!(text.contains("\n\nNodes searched: 400\nTime: "));
    }

    #[test]
    fn depth_zero_is_the_position_itself() {
        let perft = Perft::new(&Game::start(), 0, 3, 1);
        assert_eq!((perft.nodes, perft.moves.len()), (1, 0));
    }

    #[test]
    fn a_mated_side_has_no_leaves() {
        let game = Game::from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", false).unwrap();
        assert_eq!(Perft::new(&game, 3, 2, 1).nodes, 0);
    }
}
