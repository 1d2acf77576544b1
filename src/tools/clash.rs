//! Outputs that would destroy what is read, or each other.
//!
//! Whether two paths lead to the same file is found out by `same-file`, so that links do not
//! deceive. Invariant: only files and folders can clash; a device may be read and written, and
//! nothing is lost by writing to it twice.

use std::{
    error, fmt, fs, io,
    path::{Path, PathBuf},
};

use same_file::Handle;

/// Why a file must not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// An output is the same as an input.
    Input(PathBuf, PathBuf),
    /// Two outputs are the same.
    Output(PathBuf, PathBuf),
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, other, role) = match self {
            Self::Input(path, other) => (path, other, "an input"),
            Self::Output(path, other) => (path, other, "another output"),
        };
        write!(f, "will not write {}: it is also {role}", path.display())?;
        if path == other {
            return Ok(());
        }
        write!(f, ", under the name {}", other.display())
    }
}

impl error::Error for Clash {}

/// Refuses an output that is one of the `inputs`, or two that are the same.
///
/// # Errors
/// The first clash.
pub(super) fn check(
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
    outputs: &[impl AsRef<Path>],
) -> Result<(), Clash> {
    let places = outputs.iter().map(|output| Place::of(output.as_ref()));
    let places: Vec<Place> = places.flatten().collect();
    for (number, place) in places.iter().enumerate() {
        if let Some(other) = places[..number].iter().find(|other| other.is(place)) {
            return Err(Clash::Output(place.path.clone(), other.path.clone()));
        }
    }
    for input in inputs {
        let Some(input) = Place::of(input.as_ref()) else {
            continue;
        };
        if let Some(place) = places.iter().find(|place| place.is(&input)) {
            return Err(Clash::Input(place.path.clone(), input.path));
        }
    }
    Ok(())
}

/// Something on disk, or where it would be.
struct Place {
    path: PathBuf,
    location: Location,
}

#[derive(PartialEq)]
enum Location {
    /// What is there.
    There(Handle),
    /// The folder and the name of what is not there yet.
    Nowhere(PathBuf),
}

impl Place {
    /// `None` for what cannot clash: a device, a pipe, or what cannot be opened and so not be
    /// read either.
    fn of(path: &Path) -> Option<Self> {
        let location = match fs::metadata(path) {
            Ok(there) if there.is_file() || there.is_dir() => {
                Location::There(Handle::from_path(path).ok()?)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Location::Nowhere(future(path)?)
            }
            _ => return None,
        };
        Some(Self {
            path: path.to_owned(),
            location,
        })
    }

    fn is(&self, other: &Self) -> bool {
        self.location == other.location
    }
}

/// Where a file that is not there will be: its name in a folder whose links are followed.
fn future(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
    Some(folder.join(path.file_name()?))
}
