//! The transposition table against a sharded hash map of the same capacity, used as one:
//! three probes to one store, half of them on positions visited shortly before.
//!
//! A lockless table must win clearly, or its care for torn writes is not worth having.

use std::{
    hint::black_box,
    thread,
    time::{Duration, Instant},
};

use arborist::{
    tt::{Entry, Table},
    types::{Bound, Depth, Score, convert},
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dashmap::DashMap;
use rand::{Rng, SeedableRng, rngs::SmallRng};
use rustc_hash::FxBuildHasher;

const MEBIBYTES: usize = 64;
/// As many keys as the table has room for, at five entries in 64 bytes.
const KEYS: u64 = convert::wide(MEBIBYTES * (1 << 20) / 64 * 5);
/// Positions that a thread keeps coming back to; the window moves on by one a step.
const WINDOW: u64 = 1 << 14;
/// Probes and stores of one thread in one round.
const OPERATIONS: u64 = 1 << 16;

/// What both contestants do.
trait Memory: Sync {
    fn probe(&self, key: u64) -> bool;
    fn store(&self, key: u64);
}

impl Memory for Table {
    fn probe(&self, key: u64) -> bool {
        self.probe(key).is_some_and(|entry| entry.was_pv)
    }

    fn store(&self, key: u64) {
        let entry = Entry {
            mv: None,
            score: 12,
            evaluation: Some(Score::new(30)),
            depth: Depth::new(4),
            bound: Some(Bound::Lower),
            was_pv: key & 1 == 1,
        };
        self.store(key, entry);
    }
}

type Map = DashMap<u64, u64, FxBuildHasher>;

impl Memory for Map {
    fn probe(&self, key: u64) -> bool {
        self.get(&key).is_some_and(|data| *data & 1 == 1)
    }

    fn store(&self, key: u64) {
        self.insert(key, key);
    }
}

/// Key number `index`, without pattern (the finaliser of `SplitMix64`).
fn key(index: u64) -> u64 {
    let x = (index ^ (index >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// What one thread does in one round.
fn visit(memory: &impl Memory, seed: u64) {
    let mut random = SmallRng::seed_from_u64(seed);
    let start = random.random_range(0..KEYS);
    for step in 0..OPERATIONS {
        let (store, near): (u8, bool) = random.random();
        let index = if near {
            start + step + random.random_range(0..WINDOW)
        } else {
            random.random_range(0..KEYS)
        };
        let key = key(index % KEYS);
        if store < u8::MAX / 4 {
            memory.store(key);
        } else {
            black_box(memory.probe(key));
        }
    }
}

/// Time of `rounds` rounds of `threads` threads at once.
fn time(memory: &impl Memory, threads: u64, rounds: u64) -> Duration {
    let start = Instant::now();
    thread::scope(|scope| {
        for thread in 0..threads {
            let work = move || (0..rounds).for_each(|round| visit(memory, round << 8 | thread));
            scope.spawn(work);
        }
    });
    start.elapsed()
}

fn compare(criterion: &mut Criterion) {
    let table = Table::new(MEBIBYTES, 1).expect("a small table");
    let map = Map::default();
    for index in 0..KEYS {
        Memory::store(&table, key(index));
        Memory::store(&map, key(index));
    }
    let mut group = criterion.benchmark_group("table");
    for threads in [1, 2, 4] {
        group.throughput(Throughput::Elements(threads * OPERATIONS));
        group.bench_function(BenchmarkId::new("arborist", threads), |bencher| {
            bencher.iter_custom(|rounds| time(&table, threads, rounds));
        });
        group.bench_function(BenchmarkId::new("dashmap", threads), |bencher| {
            bencher.iter_custom(|rounds| time(&map, threads, rounds));
        });
    }
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
