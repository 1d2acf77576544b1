//! The files of tables: finding them, looking positions up, and surviving what is wrong
//! with them.

use std::{
    collections::HashSet,
    env, fmt, fs, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use shakmaty::Chess;
use shakmaty_syzygy::{SyzygyError, Tablebase, Wdl};

use crate::{position::Position, types::Quoted};

/// All tables that were found.
pub struct Tables {
    files: Tablebase<Chess>,
    /// Numbers of WDL and DTZ files.
    counts: [usize; 2],
    /// What was left out when the files were found, one sentence each.
    left_out: Vec<String>,
    faults: Mutex<Faults>,
    /// Whether there is a fault that nobody has been told yet.
    untold: AtomicBool,
    /// A table is missing, which has been noticed.
    misses: AtomicBool,
    /// The reader itself failed on a file: nothing is looked up any more.
    broken: AtomicBool,
}

/// What turned out to be wrong with the files while they were read.
#[derive(Default)]
struct Faults {
    known: HashSet<String>,
    untold: Vec<String>,
}

/// Why no table at all was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError(String);

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}

impl Tables {
    /// No tables.
    pub fn none() -> Self {
        Self {
            files: Tablebase::new(),
            counts: [0; 2],
            left_out: Vec::new(),
            faults: Mutex::default(),
            untold: AtomicBool::new(false),
            misses: AtomicBool::new(false),
            broken: AtomicBool::new(false),
        }
    }

    /// The tables in the folders of `path`, separated as the system separates them
    /// (`:`, on Windows `;`). The files are opened when they are first needed.
    ///
    /// # Errors
    /// When there is not a single table; says why.
    pub fn open(path: &str) -> Result<Self, OpenError> {
        let mut tables = Self::none();
        for folder in env::split_paths(path) {
            let named = |error: io::Error| {
                let shown = folder.to_string_lossy();
                format!("{}: {error}", Quoted(&shown))
            };
            if let Err(error) = tables.add_folder(&folder) {
                tables.left_out.push(named(error));
            }
        }
        if tables.counts == [0; 2] {
            let nothing = || format!("no tables in {}", Quoted(path));
            let reason = tables.left_out.into_iter().next();
            return Err(OpenError(reason.unwrap_or_else(nothing)));
        }
        Ok(tables)
    }

    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let kind = ["rtbw", "rtbz"]
                .into_iter()
                .position(|kind| path.extension().is_some_and(|end| end == kind));
            let Some(kind) = kind else { continue };
            match self.files.add_file(&path) {
                Ok(()) => self.counts[kind] += 1,
                Err(error) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    self.left_out.push(format!("{}: {error}", Quoted(&name)));
                }
            }
        }
        Ok(())
    }

    /// The largest number of pieces of any table, kings included; 0 without tables.
    pub fn max_pieces(&self) -> usize {
        self.files.max_pieces()
    }

    /// Who wins for the side to move, if the counter of the fifty-move rule stands at
    /// zero; `None` when the tables do not know.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.look_up(|files| files.probe_wdl_after_zeroing(position.chess()))
    }

    /// Plies to the next capture or pawn move on the way to a win (positive) or loss
    /// (negative), more than 100 if that is beyond the fifty-move rule; 0 for a draw;
    /// `None` when the tables do not know. It may be one more or less where the table
    /// rounds it.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let dtz = self.look_up(|files| files.probe_dtz(position.chess()))?;
        Some(dtz.ignore_rounding().0)
    }

    fn look_up<T>(
        &self,
        probe: impl FnOnce(&Tablebase<Chess>) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        if self.broken.load(Relaxed) {
            return None;
        }
        // The reader checks what it reads, but a file is not a proof.
        let Ok(result) = catch_unwind(AssertUnwindSafe(|| probe(&self.files))) else {
            self.broken.store(true, Relaxed);
            self.note("a file is damaged; no table is used any more".to_owned());
            return None;
        };
        result.map_err(|error| self.notice(&error)).ok()
    }

    fn notice(&self, error: &SyzygyError) {
        match error {
            SyzygyError::Castling | SyzygyError::TooManyPieces => {}
            SyzygyError::MissingTable { metric, material } => {
                if !self.misses.swap(true, Relaxed) {
                    self.note(format!("the {metric} table {material} is missing"));
                }
            }
            SyzygyError::ProbeFailed {
                metric, material, ..
            } => self.note(format!("the {metric} table {material} is damaged")),
        }
    }

    fn note(&self, fault: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.known.insert(fault.clone()) {
            faults.untold.push(fault);
            self.untold.store(true, Relaxed);
        }
    }

    /// A fault that nobody has been told yet. Cheap when there is none.
    #[inline]
    pub fn take_fault(&self) -> Option<String> {
        if !self.untold.load(Relaxed) {
            return None;
        }
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = faults.untold.pop();
        self.untold.store(!faults.untold.is_empty(), Relaxed);
        fault
    }
}

/// How many tables there are, and what was left out.
impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wdl, dtz] = self.counts;
        let pieces = self.max_pieces();
        write!(f, "{wdl} WDL and {dtz} DTZ tables, up to {pieces} pieces")?;
        if let [first, others @ ..] = &self.left_out[..] {
            write!(f, "; left out: {first}")?;
            if !others.is_empty() {
                write!(f, " and {} more", others.len())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::position::Game;

    /// A folder with these files, which goes when the test ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, usize)]) -> Self {
            let name = format!("arborist-{name}-{}", std::process::id());
            let folder = env::temp_dir().join(name);
            fs::create_dir_all(&folder).unwrap();
            for (name, length) in files {
                fs::write(folder.join(name), vec![0xa5; *length]).unwrap();
            }
            Self(folder)
        }

        fn path(&self) -> &str {
            self.0.to_str().unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // What cannot be removed is left to the system.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn position(fen: &str) -> Position {
        Game::from_fen(fen, false).unwrap().position()
    }

    #[test]
    fn folders_without_tables_are_named() {
        let error = |path| Tables::open(path).unwrap_err().to_string();
        assert!(error("no/such/folder").starts_with("'no/such/folder': "));
        let empty = Folder::new("empty", &[("notes.txt", 80)]);
        assert!(error(empty.path()).starts_with("no tables in "));
        let odd = Folder::new("odd", &[("KQvK.rtbw", 79)]);
        assert!(error(odd.path()).contains("KQvK.rtbw"));
    }

    #[test]
    fn what_cannot_be_used_is_left_out_and_the_rest_is_used() {
        let files = [("KQvK.rtbw", 80), ("KRvK.rtbw", 79), ("KQvK.rtbz", 80)];
        let folder = Folder::new("some", &files);
        let paths = [folder.path(), "no/such/folder"];
        let tables = Tables::open(env::join_paths(paths).unwrap().to_str().unwrap()).unwrap();
        let shown = tables.to_string();
        assert!(shown.starts_with("1 WDL and 1 DTZ tables, up to 3 pieces; left out: 'KRvK"));
        assert!(shown.ends_with(" and 1 more"), "{shown}");
    }

    #[test]
    fn a_damaged_and_a_missing_table_are_noticed_once() {
        let folder = Folder::new("damaged", &[("KQvK.rtbw", 80)]);
        let tables = Tables::open(folder.path()).unwrap();
        let damaged = position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
        let missing = position("4k3/8/8/8/8/8/8/3RK3 w - - 0 1");
        for (position, word) in [(damaged, "KQvK is damaged"), (missing, "KRvK is missing")] {
            assert_eq!(tables.wdl(&position), None);
            let fault = tables.take_fault();
            assert!(
                fault.as_ref().is_some_and(|fault| fault.contains(word)),
                "{fault:?}"
            );
            assert_eq!(tables.wdl(&position), None);
            assert_eq!(tables.dtz(&position), None);
            assert_eq!(tables.take_fault(), None);
        }
    }
}
