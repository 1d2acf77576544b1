//! What follows when an option is set.
//!
//! Invariant: a change that is refused leaves the engine as it was.

use std::{path::Path, sync::Arc};

use super::{
    Engine,
    options::{Change, OptionError, Options},
    pool::Pool,
};
use crate::{book::Book, nnue::Network, tablebase::Tables, tt::Table, types::convert};

impl Engine {
    /// What is worth telling about an option that has been set.
    pub(super) fn remark(&self, change: Change) -> Option<String> {
        match change {
            Change::Tables => {
                let any = self.tables.max_pieces() > 0;
                any.then(|| self.tables.to_string())
            }
            Change::Book => self
                .book
                .as_ref()
                .map(|book| format!("{} moves", book.len())),
            Change::Opponent => self.options.opponent.as_ref().map(ToString::to_string),
            Change::Dictation => {
                let number = self.dictated.len();
                Some(format!("positions with a value of their own: {number}"))
            }
            _ => None,
        }
    }

    /// Does what setting an option asks for.
    pub(super) fn apply(&mut self, change: Change, options: &Options) -> Result<(), OptionError> {
        let refused = |name, reason: String| OptionError::Refused { name, reason };
        match change {
            Change::Nothing | Change::Opponent => Ok(()),
            Change::Table => self
                .resize(convert::index(options.hash))
                .map_err(|reason| refused("Hash", reason)),
            Change::Threads => {
                self.halt();
                self.pool = Pool::new(convert::index(options.threads))
                    .map_err(|error| refused("Threads", error.to_string()))?;
                Ok(())
            }
            Change::ClearTable => {
                self.halt();
                self.table.clear(self.pool.threads());
                Ok(())
            }
            Change::Network => self
                .change_network(&options.eval_file)
                .map_err(|reason| refused("EvalFile", reason)),
            Change::Tables => self
                .change_tables(&options.syzygy_path)
                .map_err(|reason| refused("SyzygyPath", reason)),
            Change::Book => {
                let path = &options.book_file;
                let open = || Book::open(Path::new(path));
                let book = (!path.is_empty()).then(open).transpose();
                self.book = book.map_err(|reason| refused("BookFile", reason))?;
                Ok(())
            }
            Change::Dictation => {
                if let Some(dictation) = options.set_position_value {
                    dictation.apply(&mut self.dictated);
                }
                Ok(())
            }
            Change::Castling => {
                self.game.set_mode(self.castling_mode(options.chess960));
                Ok(())
            }
        }
    }

    /// Replaces the table. The old one goes first, so that both never have to fit at
    /// once; if the system then refuses, the old size is taken again.
    fn resize(&mut self, mebibytes: usize) -> Result<(), String> {
        self.halt();
        let old = self.table.mebibytes();
        if mebibytes == old {
            return Ok(());
        }
        let kept = |error| format!("{error}; the table keeps its {old} MiB");
        Table::check(mebibytes).map_err(kept)?;
        let threads = self.pool.threads();
        self.table = Arc::new(Table::new(1, 1).map_err(kept)?);
        match Table::new(mebibytes, threads) {
            Ok(table) => {
                self.table = Arc::new(table);
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = Table::new(old, threads) {
                    self.table = Arc::new(table);
                }
                let now = self.table.mebibytes();
                Err(format!("{error}; the table has {now} MiB"))
            }
        }
    }

    /// Evaluates with the network in `file` from the next search on, or with the built-in
    /// one if there is no name. What was learned with the old one is forgotten.
    fn change_network(&mut self, file: &str) -> Result<(), String> {
        let network = if file.is_empty() {
            Network::embedded()
        } else {
            Network::load(Path::new(file)).map_err(|error| format!("{error}; the network stays"))?
        };
        if !Arc::ptr_eq(&network, &self.network) {
            self.network = network;
            self.new_game();
        }
        Ok(())
    }

    /// Looks positions up in the tables of `path` from the next search on.
    fn change_tables(&mut self, path: &str) -> Result<(), String> {
        self.halt();
        let tables = if path.is_empty() {
            Tables::none()
        } else {
            Tables::open(path).map_err(|error| error.to_string())?
        };
        self.tables = Arc::new(tables);
        // What the table remembers is what other tables said.
        self.table.clear(self.pool.threads());
        Ok(())
    }
}
