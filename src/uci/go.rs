//! The words of `go`: our own tokenizer, because the grammar of `vampirc-uci` loses some
//! of them (see [`parse`](super::parse)), and what they mean as [`Limits`].
//!
//! Whatever is written, the outcome is a search that ends: a word that is not
//! understood is reported and the others are honoured.

use std::{iter::Peekable, time::Duration};

use shakmaty::Color;

use crate::{
    time::{Clock, Limits},
    types::{Depth, Quoted},
};

/// The longest time that is believed, about thirty years, so that no sum of times overflows.
const LONGEST_MS: i64 = 1_000_000_000_000;

/// The clock assumed when a client hints at one but does not tell ours.
const ASSUMED_CLOCK: Duration = Duration::from_secs(1);

/// The words after `go`, with nothing interpreted yet but the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// Root moves to consider, as written; empty means all.
    pub search_moves: Vec<String>,
    /// White's time left and increment, in milliseconds.
    pub white: Side,
    /// Black's time left and increment, in milliseconds.
    pub black: Side,
    /// Moves until the next time control.
    pub moves_to_go: Option<i64>,
    /// Plies to search.
    pub depth: Option<i64>,
    /// Nodes to search.
    pub nodes: Option<i64>,
    /// Moves to mate.
    pub mate: Option<i64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Only count leaves, to this depth.
    pub perft: Option<i64>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// What could not be understood.
    pub complaints: Vec<String>,
}

/// One side's part of the clock, in milliseconds as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Time left.
    pub time: Option<i64>,
    /// Time added after each move.
    pub increment: Option<i64>,
}

impl GoRequest {
    /// Reads the words after `go`, in any order.
    pub fn read<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut request = Self::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                        request.search_moves.push(mv.to_owned());
                    }
                }
                keyword => request.read_number(word, keyword, &mut words),
            }
        }
        request
    }

    fn read_number<'a>(
        &mut self,
        word: &str,
        keyword: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) {
        let Some(field) = self.field(keyword) else {
            let complaint = format!("{} is ignored", Quoted(word));
            self.complaints.push(complaint);
            return;
        };
        let complaint = match words.next_if(|next| !is_keyword(next)) {
            None => format!("{keyword} lacks its number"),
            Some(text) => match number(text) {
                Some(value) => {
                    *field = Some(value);
                    return;
                }
                None => format!("{keyword}: {} is not a number", Quoted(text)),
            },
        };
        self.complaints.push(complaint);
    }

    fn field(&mut self, keyword: &str) -> Option<&mut Option<i64>> {
        Some(match keyword {
            "wtime" => &mut self.white.time,
            "btime" => &mut self.black.time,
            "winc" => &mut self.white.increment,
            "binc" => &mut self.black.increment,
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.move_time,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    /// Whether neither a limit nor a clock was understood.
    pub fn is_unlimited(&self) -> bool {
        !self.mentions_clock()
            && [self.depth, self.nodes, self.mate, self.move_time]
                .iter()
                .all(Option::is_none)
    }

    fn mentions_clock(&self) -> bool {
        let sides = [self.white, self.black];
        self.moves_to_go.is_some()
            || sides
                .iter()
                .any(|side| side.time.is_some() || side.increment.is_some())
    }

    /// The limits for the player `turn`, without those that options decide about.
    ///
    /// Zero and negative numbers count as one, so that there is always something to
    /// search. A bare `go` is infinite; a bare `go ponder`, and a `go` all of whose limits
    /// were unreadable, get a short clock, because somebody waits for their answer.
    pub fn limits(&self, turn: Color) -> Limits {
        let bare = self.is_unlimited() && !self.infinite;
        let wants_clock = self.mentions_clock() || bare && self.expects_an_answer();
        Limits {
            depth: self.depth.map(depth),
            nodes: self.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
            mate: self.mate.map(|moves| small(moves.max(1))),
            move_time: self.move_time.map(|time| milliseconds(time.max(1))),
            clock: wants_clock.then(|| self.clock(turn)),
            infinite: self.infinite || bare && !wants_clock,
            ponder: self.ponder,
            ..Limits::default()
        }
    }

    fn expects_an_answer(&self) -> bool {
        self.ponder || !self.complaints.is_empty()
    }

    fn clock(&self, turn: Color) -> Clock {
        let side = match turn {
            Color::White => self.white,
            Color::Black => self.black,
        };
        Clock {
            remaining: side.time.map_or(ASSUMED_CLOCK, milliseconds),
            increment: side.increment.map_or(Duration::ZERO, milliseconds),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(small),
        }
    }
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 13] = [
        "searchmoves",
        "ponder",
        "infinite",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "perft",
    ];
    KEYWORDS
        .iter()
        .any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// A whole number with an optional sign; a decimal fraction, which some clients send, is
/// dropped, and a number that is too large becomes the largest.
fn number(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !all_digits(digits) || !all_digits(fraction) {
        return None;
    }
    let bound = if whole.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(whole.parse().unwrap_or(bound))
}

fn depth(plies: i64) -> Depth {
    let plies = i32::try_from(plies.max(1)).unwrap_or(i32::MAX);
    Depth::new(plies).min(Depth::MAX)
}

fn small(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn milliseconds(time: i64) -> Duration {
    Duration::from_millis(time.clamp(0, LONGEST_MS).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> GoRequest {
        GoRequest::read(words.split_whitespace())
    }

    fn limits(words: &str) -> Limits {
        read(words).limits(Color::White)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        }
    }

    #[test]
    fn every_word_is_read_in_any_order() {
        let words = "searchmoves e2e4 d2d4 depth 5 ponder binc 4 winc 3 nodes 99 mate 2 \
                     movetime 10 movestogo 7 btime 2 wtime 1 infinite";
        let request = read(words);
        assert_eq!(request.search_moves, ["e2e4", "d2d4"]);
        assert!(request.complaints.is_empty());
        let limits = request.limits(Color::Black);
        assert_eq!(limits.clock, Some(clock(2, 4, Some(7))));
        assert_eq!(limits.depth, Some(Depth::new(5)));
        assert_eq!(
            (limits.nodes, limits.mate, limits.infinite, limits.ponder),
            (Some(99), Some(2), true, true)
        );
        assert_eq!(limits.move_time, Some(Duration::from_millis(10)));
    }

    #[test]
    fn numbers_beyond_their_range_are_brought_back() {
        assert_eq!(limits("depth 1000").depth, Some(Depth::MAX));
        assert_eq!(limits("depth 0").depth, Some(Depth::ONE));
        assert_eq!(limits("depth -3").depth, Some(Depth::ONE));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("nodes 1000000000000").nodes, Some(1_000_000_000_000));
        let huge = limits("nodes 99999999999999999999999").nodes;
        assert_eq!(huge, Some(i64::MAX.unsigned_abs()));
        assert_eq!(limits("mate 300").mate, Some(300));
        assert_eq!(limits("wtime -50 btime 1").clock, Some(clock(0, 0, None)));
        assert_eq!(limits("wtime 0 movestogo 0").clock, Some(clock(0, 0, None)));
        assert_eq!(limits("wtime 1.9 btime 2").clock, Some(clock(1, 0, None)));
        let long = limits("wtime 9999999999999 btime 1").clock;
        assert_eq!(long, Some(clock(1_000_000_000_000, 0, None)));
    }

    #[test]
    fn a_clock_that_is_not_ours_still_ends_the_search() {
        for words in ["btime 100", "movestogo 5", "ponder", "depth abc", "nodes"] {
            let limits = limits(words);
            assert_eq!(
                limits.clock.map(|clock| clock.remaining),
                Some(ASSUMED_CLOCK)
            );
            assert!(!limits.infinite, "{words}");
        }
        assert!(limits("").infinite);
        assert!(limits("searchmoves e2e4").infinite);
        assert!(!limits("depth 5").infinite);
        assert_eq!(limits("infinite").clock, None);
    }

    #[test]
    fn what_is_not_understood_is_named_and_the_rest_kept() {
        let request = read("depth 5 foo nodes 6 movetime x mate");
        assert_eq!(
            request.complaints,
            [
                "'foo' is ignored",
                "movetime: 'x' is not a number",
                "mate lacks its number"
            ]
        );
        assert_eq!((request.depth, request.nodes), (Some(5), Some(6)));
        let request = read("wtime btime 5");
        assert_eq!(request.complaints, ["wtime lacks its number"]);
        assert_eq!(request.black.time, Some(5));
    }
}
