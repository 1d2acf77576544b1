//! What each command does.

use std::sync::{Arc, atomic::AtomicBool};

use shakmaty::{Move, Position as _};

use super::{
    command::{Command, PositionRequest},
    errand::Errand,
    go::GoRequest,
    journal,
    print::{self, Style},
    reporter::Announcer,
    session::{Activity, Session},
};
use crate::{
    position::Game,
    tools::{
        self, bench, build::Build, divide, eval::Evaluation, genfens, show::Diagram, speedtest,
    },
    types::{PackedMove, Quoted},
};

/// The answer to `help`.
const HELP: &str = "\
Arborist speaks the Universal Chess Interface, one command a line:
  uci                          name, options, uciok
  isready                      readyok
  setoption name N [value V]   set an option
  ucinewgame                   forget everything learned
  position startpos|fen F [moves M...]
  go [searchmoves M...] [ponder] [wtime T] [btime T] [winc T] [binc T] [movestogo N]
     [depth N] [nodes N] [mate N] [movetime T] [infinite]   (times in milliseconds)
  stop, ponderhit              end the search; the expected move was played
  debug on|off                 say more
  quit                         end
and besides:
  d                            show the board
  eval                         show the static evaluation
  perft N, go perft N          count the positions N plies from here
  bench [DEPTH] [THREADS] [HASH]
  speedtest [THREADS] [HASH] [SECONDS]
  genfens N seed S book None|FILE
                               find start positions for games
  compiler                     how the program was built
  flip                         exchange the colours
  help                         this list";

impl Session {
    /// Does what `command` says. A search or other long work is only begun.
    ///
    /// # Errors
    /// A sentence about why it was not done; nothing is changed then.
    pub(super) fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Uci => print::introduction(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => print::ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Register => print::registered(),
            Command::NewGame => self.engine.new_game(),
            Command::Position(request) => self.set_position(&request)?,
            Command::Go(request) => self.go(&request)?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(),
            Command::Display => self.display(),
            Command::Eval => {
                let (game, network) = (self.engine.game(), self.engine.network());
                print::text(Evaluation::of(game, network));
            }
            Command::Bench(words) => self.bench(&words)?,
            Command::SpeedTest(words) => self.speedtest(&words)?,
            Command::GenFens(words) => self.genfens(&words)?,
            Command::Flip => self.flip()?,
            Command::Compiler => print::text(Build),
            Command::Help => print::text(HELP),
            // Whoever reads the commands ends the conversation.
            Command::Quit => {}
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let log_file = self.engine.options().debug_log_file.clone();
        let note = self.engine.set_option(name, value);
        if let Some(note) = note.map_err(|error| error.to_string())? {
            print::note(note);
        }
        self.keep_log(&log_file)
    }

    /// Opens the log file, if another one is wanted now than `before`.
    fn keep_log(&mut self, before: &str) -> Result<(), String> {
        let wanted = self.engine.options().debug_log_file.clone();
        if wanted == before {
            return Ok(());
        }
        journal::open(&wanted).map_err(|error| {
            // The old name was good enough before.
            let _ = self.engine.set_option("Debug Log File", Some(before));
            format!("Debug Log File: {}: {error}", Quoted(&wanted))
        })
    }

    fn display(&self) {
        let game = self.engine.game();
        let coloured = print::has_colours();
        print::text(Diagram { game, coloured });
        let adviser = self.engine.adviser();
        if let Some(result) = adviser.and_then(|adviser| adviser.describe(game)) {
            print::text(format_args!("Tablebase: {result}"));
        }
    }

    /// Sets up the position only if all of it is right.
    fn set_position(&mut self, request: &PositionRequest) -> Result<(), String> {
        let chess960 = self.engine.options().chess960;
        let mut game = match &request.fen {
            None => Game::start(),
            Some(fen) => {
                Game::from_fen(fen, chess960).map_err(|error| format!("position: {error}"))?
            }
        };
        for (mv, number) in request.moves.iter().zip(1..) {
            game.play_uci(mv)
                .map_err(|error| format!("position: move {number}: {error}"))?;
        }
        self.engine.set_game(game);
        Ok(())
    }

    fn flip(&mut self) -> Result<(), String> {
        let game = self.engine.game().flipped();
        self.engine
            .set_game(game.map_err(|error| format!("flip: {error}"))?);
        Ok(())
    }

    fn go(&mut self, request: &GoRequest) -> Result<(), String> {
        let (moves, complaints) = self.search_moves(request);
        if !complaints.is_empty() {
            let complaint = format!("go: {}", complaints.join("; "));
            if self.strict {
                return Err(complaint);
            }
            print::error(complaint);
        }
        if self.strict && request.is_unlimited() && !request.infinite {
            return Err("go: say when to end, as in `go depth 12` or `go infinite`".to_owned());
        }
        if self.strict && request.ponder {
            return Err("go: nobody will say here that the opponent has moved".to_owned());
        }
        let game = self.engine.game();
        let limits = request.limits(game.position().turn());
        let announcer = Arc::new(Announcer::new(self.style(), self.sender.clone()));
        self.activity = Activity::Search(Arc::clone(&announcer));
        self.engine.go(limits, moves, announcer);
        Ok(())
    }

    /// How the lines of a search of the present position are written.
    fn style(&self) -> Style {
        let (game, options) = (self.engine.game(), self.engine.options());
        let number = game.chess().fullmoves().get();
        Style {
            mode: game.mode(),
            chances_at: options.show_wdl.then_some(number),
            minimal: options.minimal,
        }
    }

    /// The legal ones among the moves to search, each once, and all complaints about `go`.
    fn search_moves(&self, request: &GoRequest) -> (Vec<PackedMove>, Vec<String>) {
        let game = self.engine.game();
        let position = game.position();
        let mut complaints = request.complaints.clone();
        let mut moves: Vec<Move> = Vec::new();
        for text in &request.search_moves {
            match game.parse_uci_move(text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => complaints.push(format!("searchmoves: {error}")),
            }
        }
        let packed = moves.into_iter().map(|mv| position.pack(mv)).collect();
        (packed, complaints)
    }

    fn perft(&mut self, depth: u32) -> Result<(), String> {
        let game = self.engine.game().clone();
        let depth = depth.min(divide::DEEPEST);
        self.begin("perft", move |stop| {
            print::text(divide::count(&game, depth, stop));
            Ok(())
        })
    }

    fn bench(&mut self, words: &[String]) -> Result<(), String> {
        let args = tools::parse_words(words).map_err(|error| format!("bench: {error}"))?;
        self.begin("bench", move |stop| {
            bench::run(args, stop, |_, _| ()).map(print::text)
        })
    }

    fn speedtest(&mut self, words: &[String]) -> Result<(), String> {
        let args = tools::parse_words(words).map_err(|error| format!("speedtest: {error}"))?;
        self.begin("speedtest", move |stop| {
            speedtest::run(args, stop).map(print::text)
        })
    }

    fn genfens(&mut self, words: &[String]) -> Result<(), String> {
        let wish = genfens::parse_words(words).map_err(|error| format!("genfens: {error}"))?;
        let tell = |fen: &str| print::note(format_args!("genfens {fen}"));
        self.begin("genfens", move |stop| genfens::run(&wish, stop, tell))
    }

    fn begin(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&AtomicBool) -> anyhow::Result<()> + Send + 'static,
    ) -> Result<(), String> {
        let errand = Errand::start(name, work, self.sender.clone());
        self.activity = Activity::Errand(errand.map_err(|error| format!("{name}: {error}"))?);
        Ok(())
    }
}
