//! The engine as a whole: a game, a table, options and threads, behind one facade.
//!
//! Search computes, the engine coordinates, the protocol talks: nothing here prints or
//! parses. [`Engine::go`] returns at once; the search speaks through its
//! [`Reporter`]. Invariant: whatever would pull the ground from
//! under a search (another table, other threads) first stops it and waits for its end.

pub mod kinds;
pub mod opponent;
pub mod options;
mod pool;
mod run;
mod vote;

use std::{
    num::NonZeroU64,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, AtomicU64},
    },
    time::{Duration, Instant},
};

use crossbeam_utils::CachePadded;
use options::{Change, OptionError, Options};
use pool::Pool;
use rand::{SeedableRng, rngs::SmallRng};
use shakmaty::{CastlingMode, EnPassantMode, Move, Position as _};

use crate::{
    book::Book,
    nnue::Network,
    position::Game,
    search::{Job, Outcome, Reporter, Signals},
    tablebase::{Adviser, Tables, rank::Ranking},
    time::Limits,
    tt::Table,
    types::{Depth, MoveList, PackedMove, convert},
};

/// A chess engine, ready to be asked.
pub struct Engine {
    options: Options,
    table: Arc<Table>,
    network: Arc<Network>,
    tables: Arc<Tables>,
    book: Option<Book>,
    pool: Pool,
    game: Game,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with default options at the start of a game.
    ///
    /// # Panics
    /// On a system that has neither a mebibyte nor a thread to give.
    pub fn new() -> Self {
        let options = Options::default();
        let table = Table::new(convert::index(options.hash), 1)
            .or_else(|_| Table::new(1, 1))
            .expect("a program that could be loaded finds one more mebibyte");
        let pool = Pool::new(convert::index(options.threads))
            .expect("a system that runs a program gives it a thread");
        Self {
            options,
            table: Arc::new(table),
            network: Network::embedded(),
            tables: Arc::new(Tables::none()),
            book: None,
            pool,
            game: Game::start(),
        }
    }

    /// The present values of the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option and does what follows from it; see [`options`]. Returns what is worth
    /// telling about it.
    ///
    /// # Errors
    /// When there is no such option, its value is unsuitable, or the memory or the threads
    /// it asks for are not to be had. The old value stays in force then.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<String>, OptionError> {
        let mut options = self.options.clone();
        #[cfg(feature = "tune")]
        if let Some(number) = value.and_then(|value| value.trim().parse().ok())
            && crate::params::set(name, number).is_ok()
        {
            return Ok(None);
        }
        let change = options.set(name, value)?;
        self.apply(change, &options)?;
        self.options = options;
        Ok(self.remark(change))
    }

    /// What is worth telling about an option that has been set.
    fn remark(&self, change: Change) -> Option<String> {
        match change {
            Change::Tables => {
                let any = self.tables.max_pieces() > 0;
                any.then(|| self.tables.to_string())
            }
            Change::Book => self
                .book
                .as_ref()
                .map(|book| format!("{} moves", book.len())),
            Change::Opponent => self.options.opponent.as_ref().map(ToString::to_string),
            _ => None,
        }
    }

    fn apply(&mut self, change: Change, options: &Options) -> Result<(), OptionError> {
        let refused = |name, reason: String| OptionError::Refused { name, reason };
        match change {
            Change::Nothing | Change::Opponent => Ok(()),
            Change::Table => self
                .resize(convert::index(options.hash))
                .map_err(|reason| refused("Hash", reason)),
            Change::Threads => {
                self.halt();
                self.pool = Pool::new(convert::index(options.threads))
                    .map_err(|error| refused("Threads", error.to_string()))?;
                Ok(())
            }
            Change::ClearTable => {
                self.halt();
                self.table.clear(self.pool.threads());
                Ok(())
            }
            Change::Network => self
                .change_network(&options.eval_file)
                .map_err(|reason| refused("EvalFile", reason)),
            Change::Tables => self
                .change_tables(&options.syzygy_path)
                .map_err(|reason| refused("SyzygyPath", reason)),
            Change::Book => {
                let path = &options.book_file;
                let open = || Book::open(Path::new(path));
                let book = (!path.is_empty()).then(open).transpose();
                self.book = book.map_err(|reason| refused("BookFile", reason))?;
                Ok(())
            }
            Change::Castling => {
                self.game.set_mode(self.castling_mode(options.chess960));
                Ok(())
            }
        }
    }

    /// Replaces the table. The old one goes first, so that both never have to fit at
    /// once; if the system then refuses, the old size is taken again.
    fn resize(&mut self, mebibytes: usize) -> Result<(), String> {
        self.halt();
        let old = self.table.mebibytes();
        if mebibytes == old {
            return Ok(());
        }
        let kept = |error| format!("{error}; the table keeps its {old} MiB");
        Table::check(mebibytes).map_err(kept)?;
        let threads = self.pool.threads();
        self.table = Arc::new(Table::new(1, 1).map_err(kept)?);
        match Table::new(mebibytes, threads) {
            Ok(table) => {
                self.table = Arc::new(table);
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = Table::new(old, threads) {
                    self.table = Arc::new(table);
                }
                let now = self.table.mebibytes();
                Err(format!("{error}; the table has {now} MiB"))
            }
        }
    }

    /// Evaluates with the network in `file` from the next search on, or with the built-in
    /// one if there is no name. What was learned with the old one is forgotten.
    fn change_network(&mut self, file: &str) -> Result<(), String> {
        let network = if file.is_empty() {
            Network::embedded()
        } else {
            Network::load(Path::new(file)).map_err(|error| format!("{error}; the network stays"))?
        };
        if !Arc::ptr_eq(&network, &self.network) {
            self.network = network;
            self.new_game();
        }
        Ok(())
    }

    /// Looks positions up in the tables of `path` from the next search on.
    fn change_tables(&mut self, path: &str) -> Result<(), String> {
        self.halt();
        let tables = if path.is_empty() {
            Tables::none()
        } else {
            Tables::open(path).map_err(|error| error.to_string())?
        };
        self.tables = Arc::new(tables);
        // What the table remembers is what other tables said.
        self.table.clear(self.pool.threads());
        Ok(())
    }

    fn castling_mode(&self, chess960: bool) -> CastlingMode {
        if chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::detect(&self.game.chess().to_setup(EnPassantMode::Legal))
        }
    }

    /// Forgets everything learned: the next search is as the first of a new program.
    pub fn new_game(&mut self) {
        self.halt();
        self.table.clear(self.pool.threads());
        self.pool.clear();
    }

    /// Sets the position to search, with its history.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        if self.options.chess960 {
            self.game.set_mode(CastlingMode::Chess960);
        }
    }

    /// The position to search.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The network that positions are evaluated with.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The endgame tables with the rules of their use; `None` if there are none.
    pub fn adviser(&self) -> Option<Adviser> {
        let options = &self.options;
        Adviser::new(
            &self.tables,
            convert::index(options.syzygy_probe_limit),
            Depth::new(options.syzygy_probe_depth),
            options.syzygy_fifty_moves,
        )
    }

    /// What the tables say about the moves of the root, and the tables as far as the search
    /// still needs them. A mate in so many moves must be found without: they know of none.
    fn advice(&self, limits: &Limits) -> (Option<Ranking>, Option<Adviser>) {
        let Some(adviser) = self.adviser().filter(|_| limits.mate.is_none()) else {
            return (None, None);
        };
        let mut moves = MoveList::new();
        self.game.position().generate_all(&mut moves);
        let ranking = adviser.rank(&self.game, &moves);
        let done = ranking.as_ref().is_some_and(|ranking| ranking.sufficient);
        (ranking, (!done).then_some(adviser))
    }

    /// The move to play without thinking: one of the book, if it is to be used and whoever
    /// asks expects a move rather than thoughts.
    fn book_move(&self, limits: &Limits, restricted: bool) -> Option<Move> {
        let options = &self.options;
        let thinking = limits.infinite || limits.ponder || limits.mate.is_some() || restricted;
        let chess = self.game.chess();
        let early = chess.fullmoves().get() <= options.book_depth.unsigned_abs();
        if !options.own_book || options.analyse || thinking || !early {
            return None;
        }
        let variety = u8::try_from(options.book_variety).unwrap_or(0);
        let book = self.book.as_ref()?;
        book.choose(chess, variety, &mut SmallRng::from_os_rng())
    }

    /// Searches the present position and returns at once; `search_moves` must be legal,
    /// and none means all. Options decide about overhead and `nodestime`.
    pub fn go(
        &mut self,
        mut limits: Limits,
        search_moves: Vec<PackedMove>,
        reporter: Arc<dyn Reporter>,
    ) {
        let start = Instant::now();
        self.halt();
        if let Some(mv) = self.book_move(&limits, !search_moves.is_empty()) {
            let position = self.game.position();
            let answer = Outcome::without_search(&position, Some(mv), start.elapsed());
            reporter.finished(&answer);
            return;
        }
        self.table.new_search();
        let overhead = u64::from(self.options.move_overhead.unsigned_abs());
        limits.overhead = Duration::from_millis(overhead);
        limits.nodes_per_ms = NonZeroU64::new(u64::from(self.options.nodes_time.unsigned_abs()));
        let (ranking, adviser) = self.advice(&limits);
        while let Some(fault) = self.tables.take_fault() {
            reporter.fault(&fault);
        }
        let looked_up = ranking.as_ref().map_or(0, |ranking| ranking.moves.len());
        let signals = Signals {
            tablebase_hits: AtomicU64::new(convert::wide(looked_up)),
            stop: AtomicBool::new(false),
            ponder: AtomicBool::new(limits.ponder),
            depth: AtomicI32::new(0),
            nodes: (0..self.pool.threads())
                .map(|_| CachePadded::new(AtomicU64::new(0)))
                .collect(),
        };
        let job = Job {
            game: self.game.clone(),
            limits,
            search_moves,
            lines: convert::index(self.options.multi_pv),
            start,
            plain: false,
            table: Arc::clone(&self.table),
            network: Arc::clone(&self.network),
            adviser,
            ranking,
            signals: Arc::new(signals),
        };
        self.pool.start(job, reporter);
    }

    /// Has the search, if any, give its answer now; returns before it is given.
    pub fn stop(&self) {
        self.pool.stop();
    }

    /// The expected move was played: a search on the opponent's time is now on ours.
    pub fn ponderhit(&self) {
        self.pool.ponderhit();
    }

    /// Whether an answer is still to come.
    pub fn is_searching(&self) -> bool {
        self.pool.is_searching()
    }

    /// Waits for the answer; for ever if the search is infinite and nobody stops it.
    pub fn wait(&mut self) {
        self.pool.wait();
    }

    /// Waits for the answer, but not longer than `patience`; whether there is none to wait for any more.
    pub fn wait_for(&self, patience: Duration) -> bool {
        self.pool.wait_for(patience)
    }

    fn halt(&self) {
        self.pool.stop();
        self.pool.wait();
    }
}
