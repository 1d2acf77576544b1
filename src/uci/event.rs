//! What the loop waits for, and the thread that listens to standard input.
//!
//! There is one channel for everything that can happen, so that the loop sleeps until
//! something does and never waits for the search.

use std::{
    io::{self, BufRead, Read},
    mem,
    sync::mpsc::Sender,
    thread::{Builder, JoinHandle},
};

/// Longest line that is kept; what is longer is an error and costs no more memory than this.
const LONGEST_LINE: u64 = 32 << 20;

/// Something that happened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A line came in; bytes that are no UTF-8 have been replaced.
    Line(String),
    /// A line came in that nobody should send.
    Overlong,
    /// No more lines will come.
    EndOfInput,
    /// The search or other task that was running has given its answer.
    Done,
}

/// Starts the thread that turns standard input into events.
///
/// # Errors
/// When the system refuses a thread.
pub(super) fn listen(events: Sender<Event>) -> io::Result<JoinHandle<()>> {
    Builder::new().name("input".to_owned()).spawn(move || {
        read(io::stdin().lock(), |event| events.send(event).is_ok());
    })
}

/// Sends each line of `input` until its end, or until nobody listens.
fn read(mut input: impl BufRead, mut send: impl FnMut(Event) -> bool) {
    let mut line = Vec::new();
    while let Ok(1..) = (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line) {
        let line = mem::take(&mut line);
        let complete = line.len() < LONGEST_LINE.try_into().unwrap_or(usize::MAX);
        let event = if complete || line.ends_with(b"\n") {
            Event::Line(String::from_utf8_lossy(&line).into_owned())
        } else if input.skip_until(b'\n').is_ok() {
            Event::Overlong
        } else {
            break;
        };
        if !send(event) {
            return;
        }
    }
    send(Event::EndOfInput);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(input: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        read(input, |event| {
            events.push(event);
            true
        });
        events
    }

    #[test]
    fn lines_are_kept_whatever_their_bytes() {
        assert_eq!(
            events(b"uci\r\n\n\xff\xfe\nquit"),
            [
                Event::Line("uci\r\n".to_owned()),
                Event::Line("\n".to_owned()),
                Event::Line("\u{fffd}\u{fffd}\n".to_owned()),
                Event::Line("quit".to_owned()),
                Event::EndOfInput,
            ]
        );
        assert_eq!(events(b""), [Event::EndOfInput]);
    }

    #[test]
    fn an_endless_line_is_skipped() {
        let mut input = vec![b'x'; 33 << 20];
        input.extend_from_slice(b"\nquit\n");
        let expected = [
            Event::Overlong,
            Event::Line("quit\n".to_owned()),
            Event::EndOfInput,
        ];
        assert_eq!(events(&input), expected);
    }
}
