//! A file that takes its place only when it is complete.
//!
//! It is written beside the place, under a name of its own, and renamed at the end. Whatever
//! goes wrong before, what was there stays as it was and nothing is left behind. Devices, pipes
//! and symbolic links (`/dev/stdout` is one) cannot be replaced like that: they are written as
//! they are. Invariant: every error names the place and says that it could not be written.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use tempfile::{Builder, NamedTempFile};

/// The end of the names of unfinished files.
const PART: &str = ".part";

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
    Beside(BufWriter<NamedTempFile<File>>),
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
            Target::Beside(part) => replace(part, &self.path),
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
fn beside(path: &Path) -> io::Result<NamedTempFile<File>> {
    let old = match OpenOptions::new().write(true).open(path) {
        Ok(old) => Some(old.metadata()?.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut builder = Builder::new();
    let named = builder.prefix(&name).suffix(PART);
    let folder = folder.unwrap_or(Path::new("."));
    let part = named.make_in(folder, |path| File::create_new(path))?;
    if let Some(permissions) = old {
        part.as_file().set_permissions(permissions)?;
    }
    Ok(part)
}

/// Renames what is complete, on the disk too, to `path`.
fn replace(part: BufWriter<NamedTempFile<File>>, path: &Path) -> io::Result<()> {
    let part = part.into_inner()?;
    part.as_file().sync_all()?;
    part.persist(path)?;
    Ok(())
}

fn complaint(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
