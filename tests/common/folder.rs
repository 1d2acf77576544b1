//! A place for the files of one test.

use std::{fs, path::PathBuf};

/// A directory of its own that is gone after the test.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// An empty directory among the temporary ones.
    pub(super) fn new(name: &str) -> Self {
        let name = format!("arborist-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary directory");
        Self(path)
    }

    /// The path of a file in it, there or not.
    pub(super) fn file(&self, name: &str) -> String {
        let path = self.0.join(name);
        path.to_str().expect("a plain name").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a directory for temporary files does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
