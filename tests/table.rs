//! Many threads on a table far too small for them: whatever the interleaving of their
//! writes, a probe answers with an entry that some thread wrote for that very key.

use std::{sync::Arc, thread};

use arborist::{
    tt::{Entry, Table},
    types::{Bound, Depth, MoveKind, PackedMove, Score},
};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::Square;

const THREADS: u64 = 4;
const ROUNDS: u64 = 400_000;
/// Keys of one cluster: ten times as many as it has slots, so that they always collide.
const KEYS: u64 = 50;
/// Each key has this many different entries, so that two writers of one key can mix too.
const VARIANTS: u32 = 8;

/// A hash with no pattern (the finaliser of `SplitMix64`, G. Steele and others, 2014).
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The key number `i`; the high half is the same for all, hence so is the cluster.
fn key(i: u64) -> u64 {
    0xabcd_ef01 << 32 | mix(i) & 0xffff_ffff
}

/// Entry number `variant` of `key`: every field is a function of both.
fn entry(key: u64, variant: u32) -> Entry {
    let hash = mix(key ^ mix(u64::from(variant)));
    let [from, step, score, depth, pv, ..] = hash.to_le_bytes();
    let from = Square::new(u32::from(from & 63));
    let to = Square::new(u32::from(from) ^ u32::from(1 + step % 63));
    let score = i16::from(score) * 100;
    Entry {
        mv: Some(PackedMove::new(from, to, MoveKind::Normal)),
        score,
        evaluation: Some(Score::new(i32::from(score) - 12_000)),
        depth: Depth::new(i32::from(depth & 127)),
        bound: Some(Bound::Exact),
        was_pv: pv & 1 == 1,
    }
}

/// Writes and reads at random; returns how many probes found something.
fn hammer(table: &Table, seed: u64) -> u64 {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut found = 0;
    for _ in 0..ROUNDS {
        let key = key(random.random_range(0..KEYS));
        table.store(key, entry(key, random.random_range(0..VARIANTS)));
        let key = self::key(random.random_range(0..KEYS));
        if let Some(seen) = table.probe(key) {
            let written = (0..VARIANTS).any(|variant| entry(key, variant) == seen);
            assert!(written, "{seen:?} was never written for {key:x}");
            found += 1;
        }
    }
    found
}

#[test]
fn no_torn_entry_is_accepted() {
    let table = Arc::new(Table::new(1, 1).unwrap());
    let threads: Vec<_> = (0..THREADS)
        .map(|seed| {
            let table = Arc::clone(&table);
            thread::spawn(move || hammer(&table, seed))
        })
        .collect();
    let found: u64 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    assert!(found > 1000, "the test must not pass on an empty table");
}
