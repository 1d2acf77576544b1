//! A file that takes its place only when it is complete.
//!
//! It is written beside the place, on Linux without a name and elsewhere under one of its own, and
//! put there at the end. Whatever goes wrong before, what was there stays as it was and nothing is
//! left behind; on most file systems of Linux not even if the program is killed. Devices, pipes
//! and symbolic links (`/dev/stdout` is one) cannot be replaced like that: they are written as
//! they are. Invariant: every error names the place and says that it could not be written.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use atomic_write_file::AtomicWriteFile;

/// A file that is being written.
pub struct Output {
    path: PathBuf,
    target: Target,
}

/// Where the bytes go until all are there.
enum Target {
    /// To the place itself.
    There(BufWriter<File>),
    /// To a file beside it.
    Beside(BufWriter<AtomicWriteFile>),
}

impl Output {
    /// Begins to write what shall stand at `path`.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(path: &Path) -> Result<Self> {
        let target = if is_replaced(path) {
            beside(path).map(|part| Target::Beside(BufWriter::new(part)))
        } else {
            File::create(path).map(|file| Target::There(BufWriter::new(file)))
        };
        Ok(Self {
            target: target.with_context(|| complaint(path))?,
            path: path.to_owned(),
        })
    }

    /// Writes more.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        let added = match &mut self.target {
            Target::There(file) => file.write_all(bytes),
            Target::Beside(part) => part.write_all(bytes),
        };
        added.with_context(|| complaint(&self.path))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<()> {
        let finished = match self.target {
            Target::There(mut file) => file.flush(),
            Target::Beside(part) => replace(part),
        };
        finished.with_context(|| complaint(&self.path))
    }
}

/// Writes a whole file.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut output = Output::create(path)?;
    output.add(bytes)?;
    output.finish()
}

/// Whether a file can be written; nothing changes by asking.
///
/// # Errors
/// When it cannot.
pub fn check(path: &Path) -> Result<()> {
    let checked = if is_replaced(path) {
        beside(path).map(drop)
    } else {
        let mut options = OpenOptions::new();
        options.append(true).create(true).open(path).map(drop)
    };
    checked.with_context(|| complaint(path))
}

/// Whether what is written to `path` replaces what is there, if anything, at once and as a whole.
pub fn is_replaced(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) => there.is_file(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// A new file beside `path`, with the permissions of what is there. What may not be written
/// may not be replaced either.
fn beside(path: &Path) -> io::Result<AtomicWriteFile> {
    match OpenOptions::new().write(true).open(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => AtomicWriteFile::open(path),
    }
}

/// Puts what is complete, on the disk too, in its place.
fn replace(part: BufWriter<AtomicWriteFile>) -> io::Result<()> {
    part.into_inner()?.commit()
}

fn complaint(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
