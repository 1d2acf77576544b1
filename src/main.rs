//! The command line of Arborist: from arguments to a conversation or a tool.
//!
//! Exit codes: 0 when all went well, 1 when something could not be done, 2 when the
//! command line was not understood.

use std::{
    fs,
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
    sync::atomic::AtomicBool,
};

use anyhow::Context;
use arborist::{
    analyse::pgn::PgnError,
    engine::options::{self, OptionError},
    learn::tune::number::NumberError,
    params,
    position::FenError,
    tools::{
        analyse, bench, book,
        clash::Clash,
        compare, convert, datagen, distil,
        epd::{self, EpdError},
        eval, games, perft, position, relabel,
        suite::{self, SuiteError},
        train, tree, tune,
    },
    uci::{Ending, Session, parse, print},
};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use indicatif::{ProgressBar, ProgressStyle};

const EXAMPLES: &str = "\
Examples:
  arborist                                  speak UCI, as chess programs expect
  arborist go depth 12                      think about the start position
  arborist go --fen \"8/8/8/8/8/4k3/4p3/4K3 w - -\" movetime 1000
  arborist go --epd positions.epd --threads 2 --hash 256 nodes 1000000
  arborist perft 6 --threads 2 --hash 64 --divide
  arborist bench 12                         nodes and speed over fixed positions
  arborist suite bench-positions/mate.epd --time 500
                                            look for known solutions
  arborist analyse game.pgn -o annotated.pgn --html report.html
                                            what was good, what was bad, what was better
  arborist position --fen \"8/8/8/8/8/4k3/4p3/4K3 w - -\" --svg board.svg
                                            the best move, as a drawing
  arborist datagen --out games --games 1000 play games to learn from
  arborist games games                      check and count them
  arborist relabel --data games --nodes 20000 --out better
                                            judge them again
  arborist convert games --format pgn -o games.pgn
                                            write them for other programs
  arborist distil --data games --engine stockfish --out fans
                                            have another engine judge positions
  arborist train --data games --out new.net train a network on them
  arborist tune --out walk.json             better numbers for the search, by games
  arborist compare --depth 5                what each classical idea saves
  arborist eval --fen \"4k3/8/8/8/8/8/4P3/4K3 w - -\"
  arborist \"position startpos moves e2e4\" \"go depth 10\"
                                            any UCI commands, one an argument
  arborist speedtest                        speed with all threads; besides: genfens, compiler, d
Exit codes: 0 done, 1 could not be done or not solved, 2 not understood.";

/// A UCI chess engine. Without arguments it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCI on standard input and output.
    Uci,
    Go(Go),
    Eval(eval::Arguments),
    Perft(perft::Args),
    Datagen(Box<datagen::Args>),
    Games(games::Args),
    Relabel(relabel::Args),
    Convert(convert::Args),
    Distil(distil::Args),
    Train(Box<train::Args>),
    Bench(bench::BenchArgs),
    Suite(suite::SuiteArgs),
    Analyse(analyse::AnalyseArgs),
    Position(position::PositionArgs),
    Compare(Box<compare::CompareArgs>),
    Tree(tree::TreeArgs),
    /// List the numbers of the search as a tuner (`OpenBench`, or `tune`) reads them.
    SpsaInput,
    Tune(Box<tune::Args>),
    Book(book::BookArgs),
    /// List the UCI options as a table.
    Options,
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    #[command(external_subcommand)]
    Lines(Vec<String>),
}

/// Think about a position, with the words of UCI's `go`.
///
/// For example `depth 12`, `movetime 1000`, `nodes 100000`, `mate 3`,
/// `wtime 60000 btime 60000`, `searchmoves e2e4 d2d4 depth 8`, `perft 5`.
#[derive(Args)]
struct Go {
    /// The position; the start position if none is given.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// A file of positions, one a line, to think about one after the other.
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    epd: Option<PathBuf>,
    /// Number of threads.
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Size of the hash table in MiB.
    #[arg(long, value_name = "MB")]
    hash: Option<u32>,
    /// When to end.
    #[arg(required = true, allow_negative_numbers = true, value_name = "WORDS")]
    words: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let result = if is_lines(&arguments) {
        Ok(run_lines(&arguments))
    } else if is_words_of_position(&arguments) {
        Ok(run_words(&arguments))
    } else {
        run(CommandLine::parse())
    };
    result.unwrap_or_else(|error| {
        eprintln!("arborist: {error:#}");
        ExitCode::from(if is_misunderstanding(&error) { 2 } else { 1 })
    })
}

/// Whether the error is about what was said: a position, a game, a file of positions or a
/// setting that makes no sense, or an output that would destroy an input. Everything else could
/// not be done.
fn is_misunderstanding(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<FenError>()
            || cause.is::<EpdError>()
            || cause.is::<SuiteError>()
            || cause.is::<PgnError>()
            || cause.is::<OptionError>()
            || cause.is::<NumberError>()
            || cause.is::<Clash>()
    })
}

/// Whether the arguments are lines of UCI, even if the first one is also the name of a command
/// of ours (`arborist uci isready quit`): several, and all are commands; or one has blanks where
/// our commands have a word.
fn is_lines(arguments: &[String]) -> bool {
    let is_line = |text: &str| text.contains(char::is_whitespace) && parse::is_command(text);
    let said = || arguments.iter().filter(|text| !text.is_empty());
    let help = arguments.first().is_some_and(|first| first == "help");
    arguments.iter().any(|text| is_line(text))
        || !help && said().count() > 1 && said().all(|text| parse::is_command(text))
}

/// Whether the arguments are the words of UCI's `position` rather than ours, whose arguments
/// are all options.
fn is_words_of_position(arguments: &[String]) -> bool {
    matches!(arguments, [first, second, ..] if first == "position" && !second.starts_with('-'))
}

fn run(command_line: CommandLine) -> anyhow::Result<ExitCode> {
    match command_line.command {
        None => {
            if io::stdin().is_terminal() {
                print::banner();
            }
            serve()?;
        }
        Some(Command::Uci) => serve()?,
        Some(Command::Go(go)) => return go.run(),
        Some(Command::Eval(eval)) => print::text(eval.run()?),
        Some(Command::Perft(perft)) => print::text(perft::run(&perft)?),
        Some(Command::Datagen(datagen)) => print::text(datagen::run(&datagen)?),
        Some(Command::Games(games)) => print::text(games::run(&games)?),
        Some(Command::Relabel(args)) => print::text(relabel::run(&args)?),
        Some(Command::Convert(args)) => print::text(convert::run(&args)?),
        Some(Command::Distil(args)) => print::text(distil::run(&args)?),
        Some(Command::Train(train)) => print::text(train::run(&train)?),
        Some(Command::Bench(args)) => print::text(run_bench(args)?),
        Some(Command::Suite(args)) => return run_suite(&args),
        Some(Command::Analyse(args)) => print::text(run_analyse(&args)?),
        Some(Command::Position(args)) => print::text(args.run()?),
        Some(Command::Compare(args)) => return run_compare(&args),
        Some(Command::Tree(args)) => print::text(tree::run(&args)?),
        Some(Command::SpsaInput) => print::text(params::spsa_input()),
        Some(Command::Tune(args)) => print::text(tune::run(&args)?),
        Some(Command::Book(args)) => print::text(book::run(&args)?),
        Some(Command::Options) => print::text(options::markdown()),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut CommandLine::command(), "arborist", &mut script);
            print::text(String::from_utf8_lossy(&script));
        }
        Some(Command::Lines(words)) => return Ok(run_words(&words)),
    }
    Ok(ExitCode::SUCCESS)
}

fn serve() -> anyhow::Result<()> {
    Session::new().serve().context("cannot listen")
}

/// Arguments that begin with no command of ours: the words of a line of UCI.
fn run_words(words: &[String]) -> ExitCode {
    if words.first().is_some_and(|line| parse::is_command(line)) {
        run_lines(&[words.join(" ")])
    } else {
        let first = words.first().map_or("", String::as_str);
        CommandLine::command()
            .error(
                clap::error::ErrorKind::InvalidSubcommand,
                format!("unrecognized command '{first}'"),
            )
            .exit()
    }
}

fn run_lines(lines: &[String]) -> ExitCode {
    ExitCode::from(match Session::new().run(lines) {
        Ending::Done => 0,
        Ending::Failed => 1,
        Ending::Misunderstood => 2,
    })
}

fn run_bench(args: bench::BenchArgs) -> anyhow::Result<bench::BenchReport> {
    let bar = ProgressBar::new(0);
    let report = bench::run(args, &AtomicBool::new(false), |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    report
}

fn run_suite(args: &suite::SuiteArgs) -> anyhow::Result<ExitCode> {
    let bar = ProgressBar::new(0);
    let verdict = suite::run(args, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let verdict = verdict?;
    let solved = verdict.misses.is_empty();
    print::text(verdict);
    Ok(ExitCode::from(u8::from(!solved)))
}

fn run_analyse(args: &analyse::AnalyseArgs) -> anyhow::Result<analyse::Annotations> {
    let bar = ProgressBar::new(0);
    bar.set_style(ProgressStyle::with_template(
        "{wide_bar} {pos} of {len} positions, {eta} left",
    )?);
    let annotations = analyse::run(args, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    annotations
}

fn run_compare(args: &compare::CompareArgs) -> anyhow::Result<ExitCode> {
    let bar = ProgressBar::new(0);
    let comparison = compare::run(args, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let comparison = comparison?;
    if args.json {
        print::text(comparison.json()?);
    } else {
        print::text(&comparison);
    }
    Ok(ExitCode::from(u8::from(!comparison.disputes().is_empty())))
}

impl Go {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut lines = Vec::new();
        let options = [("Threads", self.threads), ("Hash", self.hash)];
        for (name, value) in options {
            lines.extend(value.map(|value| format!("setoption name {name} value {value}")));
        }
        let go = format!("go {}", self.words.join(" "));
        match &self.epd {
            None => {
                let fen = self.fen.iter();
                lines.extend(fen.map(|fen| format!("position fen {fen}")));
                lines.push(go);
            }
            Some(path) => {
                let shown = path.display();
                let text = fs::read_to_string(path).with_context(|| format!("{shown}"))?;
                let records = epd::parse(&text).with_context(|| format!("{shown}"))?;
                for record in records {
                    lines.push(format!("position fen {}", record.fen()));
                    lines.push(go.clone());
                }
            }
        }
        Ok(run_lines(&lines))
    }
}
