//! The one table of options.
//!
//! An option is declared once, in the call of `options!` below. Its field, default,
//! range check, parsing, line in the answer to `uci` and row in the documentation all
//! come from that entry, so adding one is adding an entry.

use std::fmt::{self, Write};

use super::{
    dictation::Dictate,
    kinds::{Button, Check, EMPTY, Kind, Notice, Shape, Spin, Text},
    opponent::Player,
    strength::{FULL, FULL_SKILL, WEAKEST},
};
use crate::types::Quoted;

/// What the engine must do, besides remembering the value, when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing; the value is read when it is needed.
    Nothing,
    /// Allocate a table of the new size.
    Table,
    /// Start or end threads.
    Threads,
    /// Forget what the table holds.
    ClearTable,
    /// Evaluate with another network.
    Network,
    /// Look up other endgame tables.
    Tables,
    /// Open another book.
    Book,
    /// Meet somebody.
    Opponent,
    /// Evaluate a position as the user says.
    Dictation,
    /// Let the present game follow the rule of castling that was chosen.
    Castling,
}

/// Why an option keeps its old value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no option of this name.
    Unknown(String),
    /// The option exists, but not with this value.
    Refused {
        /// The option's name as declared.
        name: &'static str,
        /// A sentence about the value.
        reason: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no option {}", Quoted(name)),
            Self::Refused { name, reason } => write!(f, "{name}: {reason}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// An option as it is shown to the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name, as `setoption` expects it (in any case).
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// Kind, default and range.
    pub shape: Shape,
}

/// Turns the list of entries into [`Options`], its setter and its declarations.
macro_rules! options {
    ($(
        #[doc = $help:literal]
        $field:ident = $name:literal, $kind:ident $body:tt, $change:ident;
    )+) => {
        /// The present values of all options.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $( #[doc = $help] pub $field: <$kind as Kind>::Value, )+
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $( $field: ($kind $body).initial(), )+ }
            }
        }

        impl Options {
            /// Sets the option called `name`, in any case and with any blanks between
            /// its words, and says what has to be done about it.
            ///
            /// # Errors
            /// An unknown name or an unsuitable value; nothing is changed then.
            pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
                let wanted = normalised(name);
                $( if wanted == normalised($name) {
                    self.$field = ($kind $body)
                        .read(value)
                        .map_err(|reason| OptionError::Refused { name: $name, reason })?;
                    return Ok(Change::$change);
                } )+
                Err(OptionError::Unknown(name.to_owned()))
            }

            /// Every option, in the order of its declaration.
            pub fn declarations() -> Vec<Declaration> {
                let own = vec![ $( Declaration {
                    name: $name,
                    help: $help.trim_ascii(),
                    shape: ($kind $body).shape(),
                } ),+ ];
                #[cfg(feature = "tune")]
                let own = own.into_iter().chain(parameters()).collect();
                own
            }
        }
    };
}

/// MiB of a table at the most, on any machine.
pub const MOST_MEBIBYTES: i32 = 33_554_432;

options! {
    /// Size of the transposition table in MiB.
    hash = "Hash", Spin { default: 16, min: 1, max: MOST_MEBIBYTES }, Table;
    /// Number of threads that search.
    threads = "Threads", Spin { default: 1, min: 1, max: 1024 }, Threads;
    /// Forgets everything the transposition table holds.
    clear_hash = "Clear Hash", Button {}, ClearTable;
    /// Says that the engine may think on the opponent's time, and so take more of its own.
    ponder = "Ponder", Check { default: false }, Nothing;
    /// Number of best lines to find and show.
    multi_pv = "MultiPV", Spin { default: 1, min: 1, max: 256 }, Nothing;
    /// Milliseconds lost on every move between the clock and the engine.
    move_overhead = "Move Overhead", Spin { default: 10, min: 0, max: 5000 }, Nothing;
    /// Nodes that count as a millisecond of the clock; with 0 the clock itself counts.
    nodes_time = "nodestime", Spin { default: 0, min: 0, max: 10_000 }, Nothing;
    /// Plays as strong as `UCI_Elo` says; takes precedence over `Skill Level`.
    limit_strength = "UCI_LimitStrength", Check { default: false }, Nothing;
    /// Rating to play at with `UCI_LimitStrength`; the greatest means full strength.
    elo = "UCI_Elo", Spin { default: 1500, min: WEAKEST, max: FULL }, Nothing;
    /// Strength in steps of 120 points, from a rating of 800 to full strength.
    skill_level = "Skill Level", Spin { default: FULL_SKILL, min: 0, max: FULL_SKILL }, Nothing;
    /// Centipawns by which a draw is worse than an even position; below 0 a draw is welcome.
    contempt = "Contempt", Spin { default: 0, min: -300, max: 300 }, Nothing;
    /// Castling is written as king takes rook, and positions are taken as Chess960.
    chess960 = "UCI_Chess960", Check { default: false }, Castling;
    /// Shows the chances to win, draw and lose, in permille, with every score.
    show_wdl = "UCI_ShowWDL", Check { default: false }, Nothing;
    /// Shows the line that is being looked at, four times a second.
    show_current_line = "UCI_ShowCurrLine", Check { default: false }, Nothing;
    /// Shows after every iteration by what each of the other root moves is refuted.
    show_refutations = "UCI_ShowRefutations", Check { default: false }, Nothing;
    /// Shows only the last line of thought, or one for each of several best lines.
    minimal = "Minimal", Check { default: false }, Nothing;
    /// Who plays the other side: title, rating, `human` or `computer`, name.
    opponent = "UCI_Opponent", Player {}, Opponent;
    /// Tells about the engine; cannot be set.
    about = "UCI_EngineAbout", Notice {
        words: "Arborist, a chess engine by the Arborist authors, free under the GPL 3 or later"
    }, Nothing;
    /// File to which everything heard and said is added.
    debug_log_file = "Debug Log File", Text { default: EMPTY }, Nothing;
    /// Plays opening moves from the book without thinking.
    own_book = "OwnBook", Check { default: false }, Nothing;
    /// File of the opening book, in the format of Polyglot.
    book_file = "BookFile", Text { default: EMPTY }, Book;
    /// Last move of a game that is played from the book.
    book_depth = "BookDepth", Spin { default: 255, min: 1, max: 255 }, Nothing;
    /// How book moves are chosen: 0 always the heaviest, 100 by their weights.
    book_variety = "BookVariety", Spin { default: 100, min: 0, max: 100 }, Nothing;
    /// Says that the user analyses a game: no book, no contempt, full strength.
    analyse = "UCI_AnalyseMode", Check { default: false }, Nothing;
    /// File of the network to evaluate with; `<internal>` is the built-in one.
    eval_file = "EvalFile", Text { default: "<internal>" }, Network;
    /// Evaluation of one position, in centipawns for White: `150 FEN`, `clear FEN`, `clearall`.
    set_position_value = "UCI_SetPositionValue", Dictate {}, Dictation;
    /// Folders of Syzygy endgame tables, separated by `:` (on Windows by `;`).
    syzygy_path = "SyzygyPath", Text { default: EMPTY }, Tables;
    /// Least depth at which positions of the largest tables are looked up.
    syzygy_probe_depth = "SyzygyProbeDepth", Spin { default: 1, min: 1, max: 100 }, Nothing;
    /// Most pieces on the board, kings included, with which a position is looked up.
    syzygy_probe_limit = "SyzygyProbeLimit", Spin { default: 7, min: 0, max: 7 }, Nothing;
    /// Whether a win in the tables that takes more than fifty moves counts as a draw.
    syzygy_fifty_moves = "Syzygy50MoveRule", Check { default: true }, Nothing;
}

/// The numbers of the search as options.
#[cfg(feature = "tune")]
fn parameters() -> impl Iterator<Item = Declaration> {
    crate::params::TABLE.iter().map(|parameter| Declaration {
        name: parameter.name,
        help: parameter.help.trim_ascii(),
        shape: Shape::Spin {
            default: parameter.value,
            min: parameter.min,
            max: parameter.max,
        },
    })
}

/// A name as it is compared: lower case, single blanks.
fn normalised(name: &str) -> String {
    let words: Vec<_> = name.split_whitespace().collect();
    words.join(" ").to_ascii_lowercase()
}

/// The table of options in Markdown, as the documentation shows it.
pub fn markdown() -> String {
    let mut table =
        String::from("| Option | Kind | Default | Range | What it does |\n|---|---|---|---|---|\n");
    for Declaration { name, help, shape } in Options::declarations() {
        let (kind, default, range) = match shape {
            Shape::Spin { default, min, max } => {
                ("number", default.to_string(), format!("{min} to {max}"))
            }
            Shape::Check { default } => ("check", default.to_string(), "true, false".to_owned()),
            Shape::Text { default } => ("text", format!("`{default}`"), String::new()),
            Shape::Button => ("button", String::new(), String::new()),
        };
        writeln!(table, "| {name} | {kind} | {default} | {range} | {help} |")
            .expect("writing to a String cannot fail");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_spacing() {
        let mut options = Options::default();
        assert_eq!(options.set("hash", Some("64")), Ok(Change::Table));
        assert_eq!(
            options.set("MOVE   overhead", Some("30")),
            Ok(Change::Nothing)
        );
        assert_eq!(options.set("clear\thash", None), Ok(Change::ClearTable));
        assert_eq!((options.hash, options.move_overhead), (64, 30));
    }

    #[test]
    fn a_refused_value_changes_nothing_and_is_named() {
        let mut options = Options::default();
        let refused = options.set("Hash", Some("9999999999"));
        assert_eq!(
            refused.map_err(|error| error.to_string()),
            Err("Hash: 9999999999 is outside 1..=33554432".to_owned())
        );
        let unknown = options.set("Haxx", Some("1"));
        assert_eq!(
            unknown.map_err(|error| error.to_string()),
            Err("there is no option 'Haxx'".to_owned())
        );
        assert_eq!(options, Options::default());
    }

    #[test]
    fn the_readme_shows_the_table() {
        let readme = include_str!("../../README.md");
        let advice = "put what `arborist options` prints into README.md";
        assert!(readme.contains(&markdown()), "{advice}");
    }

    #[test]
    fn names_and_help_suit_every_client() {
        for Declaration { name, help, .. } in Options::declarations() {
            for word in normalised(name).split(' ') {
                assert!(
                    !["name", "type", "default", "min", "max", "var", "value"].contains(&word),
                    "{name} holds a word of the protocol"
                );
            }
            assert!(!help.is_empty() && !help.contains('\n'));
        }
        assert_eq!(
            markdown().lines().count(),
            Options::declarations().len() + 2
        );
    }
}
