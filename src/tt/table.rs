//! The table as the search sees it.
//!
//! The high bits of the key choose the cluster (multiply-high, so any size will do and
//! none is rounded to a power of two), the low bits are checked in the cluster.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::{
    cluster::{Cluster, SLOTS},
    entry::{Entry, Generation},
    memory::{AllocationError, Memory, checked_bytes, prefetch},
};
use crate::types::convert;

/// The transposition table, shared by all threads; every method takes `&self`.
pub struct Table {
    memory: Memory,
    generation: AtomicU8,
}

impl Table {
    /// Clusters looked at by [`Table::hashfull`]: a thousand entries.
    const SAMPLE: usize = 1000 / SLOTS;

    /// An empty table of `mebibytes` MiB (0 is taken as 1), whose pages `threads` threads
    /// claim from the system, so that the first search is as fast as the next one.
    ///
    /// # Errors
    /// When the machine does not have that much memory or does not give it.
    pub fn new(mebibytes: usize, threads: usize) -> Result<Self, AllocationError> {
        let memory = Memory::new(mebibytes.max(1))?;
        memory.touch(threads);
        Ok(Self {
            memory,
            generation: AtomicU8::new(0),
        })
    }

    /// Whether the machine is large enough for a table of `mebibytes` MiB; does not
    /// allocate it.
    ///
    /// # Errors
    /// When it is known not to be.
    pub fn check(mebibytes: usize) -> Result<(), AllocationError> {
        checked_bytes(mebibytes.max(1)).map(drop)
    }

    /// Size in MiB.
    pub const fn mebibytes(&self) -> usize {
        self.memory.mebibytes()
    }

    /// Forgets everything, with the help of `threads` threads.
    pub fn clear(&self, threads: usize) {
        self.memory.clear(threads);
        self.generation.store(0, Relaxed);
    }

    /// Begins the next search: what is in the table stays usable, but ages.
    pub fn new_search(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Fetches what `key` will need into the cache, while other work goes on.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known about the position with `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).probe(key)
    }

    /// Remembers `entry` for the position with `key`, unless something better is known.
    /// If the entry has no move, a move known for that position is kept.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        self.cluster(key).store(key, &entry, self.generation());
    }

    /// Share of the table written by the current search, in permille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = self.memory.clusters().iter().take(Self::SAMPLE);
        sample.map(|cluster| cluster.count(self.generation())).sum()
    }

    #[inline]
    fn generation(&self) -> Generation {
        Generation::new(self.generation.load(Relaxed))
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.memory.clusters();
        &clusters[convert::size(convert::multiply_high(key, convert::wide(clusters.len())))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, Depth, Score};

    const ENTRY: Entry = Entry {
        mv: None,
        score: -5,
        evaluation: Some(Score::new(40)),
        depth: Depth::new(7),
        bound: Some(Bound::Lower),
        was_pv: true,
    };

    /// Keys spread evenly over the table.
    fn keys(count: u64) -> impl Iterator<Item = u64> {
        (0..count).map(|i| i.wrapping_mul(0xd134_2543_de82_ef95) ^ i)
    }

    #[test]
    fn what_is_stored_is_found_until_cleared() {
        let size = if cfg!(miri) { 1 } else { 2 };
        let table = Table::new(size, 2).unwrap();
        for key in keys(100).chain([u64::MAX]) {
            assert_eq!(table.probe(key), None);
            table.prefetch(key);
            table.store(key, ENTRY);
            assert_eq!(table.probe(key), Some(ENTRY));
        }
        table.clear(3);
        assert!(keys(100).all(|key| table.probe(key).is_none()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "a million entries take hours under Miri")]
    fn hashfull_counts_the_current_search_only() {
        let table = Table::new(1, 1).unwrap();
        assert_eq!(table.hashfull(), 0);
        keys(1_000_000).for_each(|key| table.store(key, ENTRY));
        assert!((990..=1000).contains(&table.hashfull()));
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        keys(16_384).for_each(|key| table.store(key, ENTRY));
        assert!(
            (150..=250).contains(&table.hashfull()),
            "about one slot in five"
        );
        (0..31).for_each(|_| table.new_search());
        assert!(table.hashfull() > 700, "generations wrap after 32 searches");
    }

    #[test]
    #[cfg_attr(miri, ignore = "large tables take minutes under Miri")]
    fn sizes_are_kept_or_refused() {
        assert_eq!(Table::new(0, 0).unwrap().mebibytes(), 1);
        assert_eq!(Table::new(5, 9).unwrap().mebibytes(), 5);
        assert!(Table::new(usize::MAX, 1).is_err());
        assert!(Table::new(1 << 30, 1).is_err(), "a pebibyte");
    }
}
