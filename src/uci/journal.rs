//! The journal: everything heard and said, in the file that `Debug Log File` names.
//!
//! A line is marked `>>` when it came in and `<<` when it went out, with the seconds since
//! the journal was opened. There is one journal for the process, because there is one
//! standard output. Invariant: the journal never disturbs the conversation; when it cannot
//! be written any more it ends.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// An open journal.
struct Journal {
    file: File,
    opened: Instant,
}

static JOURNAL: Mutex<Option<Journal>> = Mutex::new(None);

/// Begins a journal at the end of the file `path`; an empty path ends the present one.
///
/// # Errors
/// When the file cannot be written, or is none: a pipe would block, and standard output would
/// mix the journal into the conversation. The present journal goes on.
pub(super) fn open(path: &str) -> io::Result<()> {
    let journal = if path.is_empty() {
        None
    } else {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("not an ordinary file"));
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let opened = Instant::now();
        Some(Journal { file, opened })
    };
    *JOURNAL.lock().unwrap_or_else(PoisonError::into_inner) = journal;
    Ok(())
}

/// Notes what came in.
pub(super) fn heard(line: &str) {
    note(">>", line);
}

/// Notes what went out.
pub(super) fn said(text: &str) {
    note("<<", text);
}

fn note(mark: &str, text: &str) {
    let mut journal = JOURNAL.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(open) = journal.as_mut() else {
        return;
    };
    let seconds = open.opened.elapsed().as_secs_f64();
    let mut block = Vec::new();
    let written = text
        .lines()
        .try_for_each(|line| writeln!(block, "{seconds:10.3} {mark} {line}"))
        .and_then(|()| open.file.write_all(&block));
    if written.is_err() {
        *journal = None;
    }
}
