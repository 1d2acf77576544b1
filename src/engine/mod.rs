//! The engine as a whole: a game, a table, options and threads, behind one facade.
//!
//! Search computes, the engine coordinates, the protocol talks: nothing here prints or
//! parses. [`Engine::go`] returns at once; the search speaks through its
//! [`Reporter`]. Invariant: whatever would pull the ground from
//! under a search (another table, other threads) first stops it and waits for its end.

mod change;
pub mod dictation;
pub mod kinds;
pub mod opponent;
pub mod options;
mod pool;
mod run;
pub mod strength;
mod vote;

use std::{
    collections::BTreeMap,
    num::NonZeroU64,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, AtomicU64},
    },
    time::{Duration, Instant},
};

use crossbeam_utils::CachePadded;
use options::{OptionError, Options};
use pool::Pool;
use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::{CastlingMode, Color, EnPassantMode, Move, Position as _};
use strength::Handicap;

use crate::{
    book::Book,
    nnue::Network,
    position::Game,
    search::{Job, Manner, Outcome, Reporter, Signals},
    tablebase::{Adviser, Tables, rank::Ranking},
    time::Limits,
    tt::Table,
    types::{Depth, MoveList, PackedMove, Score, convert, win_rate::from_normalised},
};

/// A chess engine, ready to be asked.
pub struct Engine {
    options: Options,
    table: Arc<Table>,
    network: Arc<Network>,
    tables: Arc<Tables>,
    book: Option<Book>,
    /// Evaluations for White that the user dictated, by the key of the position.
    dictated: Arc<BTreeMap<u64, Score>>,
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
            dictated: Arc::default(),
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

    /// Whether thoughts are wanted rather than a move to play.
    fn is_analysis(&self, limits: &Limits) -> bool {
        self.options.analyse || limits.infinite || limits.mate.is_some()
    }

    /// How much worse than possible the next move is to be played; an analysis is not.
    fn handicap(&self, limits: &Limits) -> Option<Handicap> {
        let options = &self.options;
        let rating = if options.limit_strength {
            options.elo
        } else {
            strength::rating_of_skill(options.skill_level)
        };
        if rating >= strength::FULL || self.is_analysis(limits) {
            return None;
        }
        Handicap::new(rating, SmallRng::from_os_rng().random())
    }

    /// What the options ask of the next search besides a good move. Contempt is for an
    /// opponent, and an analysis has none.
    fn manner(&self, limits: &Limits, handicap: Option<&Handicap>) -> Manner {
        let options = &self.options;
        let contempt = if self.is_analysis(limits) {
            0
        } else {
            options.contempt
        };
        let draw = from_normalised(-contempt);
        Manner {
            effort: handicap.map(Handicap::effort),
            draw: match self.game.chess().turn() {
                Color::White => draw,
                Color::Black => -draw,
            },
            dictated: (!self.dictated.is_empty()).then(|| Arc::clone(&self.dictated)),
            current_line: options.show_current_line,
            refutations: options.show_refutations,
        }
    }

    /// Searches the present position and returns at once; `search_moves` must be legal,
    /// and none means all. Options decide about pondering, overhead and `nodestime`.
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
        limits.may_ponder = self.options.ponder;
        limits.nodes_per_ms = NonZeroU64::new(u64::from(self.options.nodes_time.unsigned_abs()));
        let handicap = self.handicap(&limits);
        let (ranking, adviser) = match handicap {
            Some(_) => (None, None),
            None => self.advice(&limits),
        };
        let threads = if handicap.is_some() {
            1
        } else {
            self.pool.threads()
        };
        while let Some(fault) = self.tables.take_fault() {
            reporter.fault(&fault);
        }
        let looked_up = ranking.as_ref().map_or(0, |ranking| ranking.moves.len());
        let signals = Signals {
            tablebase_hits: AtomicU64::new(convert::wide(looked_up)),
            stop: AtomicBool::new(false),
            ponder: AtomicBool::new(limits.ponder),
            depth: AtomicI32::new(0),
            nodes: (0..threads)
                .map(|_| CachePadded::new(AtomicU64::new(0)))
                .collect(),
        };
        let job = Job {
            manner: self.manner(&limits, handicap.as_ref()),
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
        self.pool.start(job, handicap, reporter);
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
