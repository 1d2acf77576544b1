//! Five slots that share a cache line: what a probe accepts and what a store replaces.
//!
//! A slot is a 64-bit data word and a 32-bit check word, 12 bytes; five of them fill 60
//! of the 64 bytes of a line. Two words of 64 bits (the classic form of the scheme)
//! would leave room for four entries, and their 64 check bits buy little: the index
//! already tells most positions apart. Entries of ten bytes would leave room for six,
//! but with 16 check bits a wrong entry would be accepted dozens of times a second.
//!
//! The check is the low half of the key, XOR a hash of the data. If the two words of a
//! slot come from two writers, the check fails (but for one case in 2^32) and the slot
//! counts as unknown: threads cannot mislead each other, whatever the interleaving.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::entry::{Entry, Generation, Packed};
use crate::types::{Bound, convert};

/// Number of entries in a cluster.
pub(super) const SLOTS: usize = 5;

/// How many plies of depth an entry loses in value with every search since it was written.
const AGE_PLIES: i32 = 8;

/// A new result replaces one of the same position that is less than this much deeper:
/// it is fresher, and its window is the one the search is interested in now.
const DEPTH_MARGIN: i32 = 4;

/// One cache line of the table.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Cluster {
    data: [AtomicU64; SLOTS],
    checks: [AtomicU32; SLOTS],
}

impl Cluster {
    /// The entry written for `key`.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.find(key).map(|(_, packed)| packed.unpack())
    }

    /// Writes `entry` for `key`, unless more is known about that position already.
    #[inline]
    pub(super) fn store(&self, key: u64, entry: &Entry, generation: Generation) {
        let new = Packed::new(entry, generation);
        match self.find(key) {
            Some((slot, old)) => self.write(slot, key, merge(old, new)),
            None => self.write(self.least_valuable(generation), key, new),
        }
    }

    /// Empties all slots.
    pub(super) fn clear(&self) {
        for (data, check) in self.data.iter().zip(&self.checks) {
            data.store(0, Relaxed);
            check.store(0, Relaxed);
        }
    }

    /// Writes to the line what it holds when it is known to be empty, so that the
    /// kernel has to provide the page now and not during a search.
    pub(super) fn touch(&self) {
        self.data[0].store(0, Relaxed);
    }

    /// Number of slots written by the search `generation`.
    pub(super) fn count(&self, generation: Generation) -> u32 {
        let mut count = 0;
        for data in &self.data {
            let packed = Packed::from_word(data.load(Relaxed));
            count += u32::from(!packed.is_empty() && packed.generation() == generation);
        }
        count
    }

    /// The slot whose two words belong together and to `key`.
    #[inline]
    fn find(&self, key: u64) -> Option<(usize, Packed)> {
        for slot in 0..SLOTS {
            let packed = self.read(slot);
            if self.checks[slot].load(Relaxed) == check(key, packed) && !packed.is_empty() {
                return Some((slot, packed));
            }
        }
        None
    }

    #[inline]
    fn read(&self, slot: usize) -> Packed {
        Packed::from_word(self.data[slot].load(Relaxed))
    }

    #[inline]
    fn write(&self, slot: usize, key: u64, packed: Packed) {
        self.data[slot].store(packed.word(), Relaxed);
        self.checks[slot].store(check(key, packed), Relaxed);
    }

    /// An empty slot, or else the one whose depth, less its age, is lowest.
    #[inline]
    fn least_valuable(&self, generation: Generation) -> usize {
        let mut least = (0, i32::MAX);
        for slot in 0..SLOTS {
            let value = value(self.read(slot), generation);
            if value < least.1 {
                least = (slot, value);
            }
        }
        least.0
    }
}

/// What ties a data word to a key. The multiplier is odd and without pattern (the golden
/// ratio in 64 bits, as in Fibonacci hashing); the high half depends on all bits.
#[inline]
const fn check(key: u64, packed: Packed) -> u32 {
    let hash = packed.word().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    convert::low_u32(key ^ hash)
}

/// What keeping `packed` is worth in the search `generation`, in plies.
#[inline]
const fn value(packed: Packed, generation: Generation) -> i32 {
    if packed.is_empty() {
        return i32::MIN;
    }
    packed.depth() - AGE_PLIES * generation.age_of(packed.generation())
}

/// What to keep of two results for the same position. The newest move that is known
/// always stays, it is the better guess even where the older score is worth more.
#[inline]
fn merge(old: Packed, new: Packed) -> Packed {
    match (is_worth_more(new, old), new.has_move()) {
        (true, true) => new,
        (true, false) => new.with_move_of(old),
        (false, true) => old.with_move_of(new),
        (false, false) => old,
    }
}

/// Whether `new` shall replace `old`, both of the same position. A mere evaluation never
/// replaces a searched score, an exact score replaces everything.
#[inline]
fn is_worth_more(new: Packed, old: Packed) -> bool {
    match new.bound() {
        None => old.bound().is_none(),
        Some(Bound::Exact) => true,
        Some(_) => {
            new.generation() != old.generation()
                || old.bound().is_none()
                || new.depth() + DEPTH_MARGIN > old.depth()
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::types::{Depth, MoveKind, PackedMove};

    const NOW: Generation = Generation::new(3);

    fn entry(depth: i32, bound: Option<Bound>) -> Entry {
        Entry {
            mv: None,
            score: 17,
            evaluation: None,
            depth: Depth::new(depth),
            bound,
            was_pv: false,
        }
    }

    fn depth_of(cluster: &Cluster, key: u64) -> Option<i32> {
        cluster.probe(key).map(|e| e.depth.plies())
    }

    #[test]
    fn a_cluster_is_a_cache_line() {
        assert_eq!((size_of::<Cluster>(), align_of::<Cluster>()), (64, 64));
    }

    #[test]
    fn an_empty_slot_answers_no_key() {
        let empty_check = u64::from(check(0, Packed::from_word(0)));
        assert_eq!(Cluster::default().probe(empty_check), None);
    }

    #[test]
    fn much_deeper_results_of_the_same_position_stay() {
        let cluster = Cluster::default();
        let lower = Some(Bound::Lower);
        cluster.store(9, &entry(10, lower), NOW);
        cluster.store(9, &entry(6, lower), NOW);
        assert_eq!(depth_of(&cluster, 9), Some(10), "shallower by the margin");
        cluster.store(9, &entry(7, lower), NOW);
        assert_eq!(depth_of(&cluster, 9), Some(7), "within the margin");
        cluster.store(9, &entry(1, Some(Bound::Exact)), NOW);
        assert_eq!(depth_of(&cluster, 9), Some(1), "exact");
        cluster.store(9, &entry(20, lower), NOW);
        cluster.store(9, &entry(1, lower), Generation::new(4));
        assert_eq!(depth_of(&cluster, 9), Some(1), "of a later search");
        cluster.store(9, &entry(30, None), NOW);
        assert_eq!(depth_of(&cluster, 9), Some(1), "an evaluation is no result");
        assert_eq!(cluster.count(Generation::new(4)), 1, "one slot was used");
    }

    #[test]
    fn the_last_known_move_stays() {
        let cluster = Cluster::default();
        let first = Some(PackedMove::new(
            Square::E2,
            Square::E4,
            MoveKind::DoublePush,
        ));
        let second = Some(PackedMove::new(Square::G1, Square::F3, MoveKind::Normal));
        let deep = entry(9, Some(Bound::Exact));
        let shallow = entry(1, Some(Bound::Upper));
        cluster.store(5, &Entry { mv: first, ..deep }, NOW);
        cluster.store(5, &deep, NOW);
        assert_eq!(cluster.probe(5), Some(Entry { mv: first, ..deep }));
        cluster.store(
            5,
            &Entry {
                mv: second,
                ..shallow
            },
            NOW,
        );
        assert_eq!(cluster.probe(5), Some(Entry { mv: second, ..deep }));
    }

    #[test]
    fn the_shallowest_and_oldest_entry_makes_room() {
        let cluster = Cluster::default();
        let lower = Some(Bound::Lower);
        for (key, depth, generation) in [(1, 9, 3), (2, 4, 3), (3, 11, 2), (4, 19, 1), (5, 9, 3)] {
            cluster.store(key, &entry(depth, lower), Generation::new(generation));
        }
        let kept = |keys: &[u64]| keys.iter().all(|&key| cluster.probe(key).is_some());
        assert!(kept(&[1, 2, 3, 4, 5]));
        cluster.store(6, &entry(8, lower), NOW);
        assert!(
            kept(&[1, 2, 4, 5, 6]),
            "11 plies, one search old, are worth 3"
        );
        cluster.store(7, &entry(8, lower), NOW);
        assert!(
            kept(&[1, 2, 5, 6, 7]),
            "19 plies, two searches old, are worth 3"
        );
        cluster.store(8, &entry(0, lower), NOW);
        assert!(
            kept(&[1, 5, 6, 7, 8]),
            "even the shallowest result finds room"
        );
    }

    #[test]
    fn words_of_different_writers_are_unknown() {
        let cluster = Cluster::default();
        cluster.store(1, &entry(5, Some(Bound::Exact)), NOW);
        let torn = Packed::new(&entry(6, Some(Bound::Exact)), NOW);
        cluster.data[0].store(torn.word(), Relaxed);
        assert_eq!(cluster.probe(1), None);
    }
}
