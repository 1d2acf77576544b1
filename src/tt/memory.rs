//! The allocation behind the table, and the only unsafe code of this room.
//!
//! Nearly every probe misses all caches, and with pages of 4 KiB the translation of the
//! address as well. The memory is therefore mapped directly, aligned to 2 MiB, and the
//! kernel is asked for huge pages (worth about 10% of all speed in our measurements).
//! Mapped memory is zero, which is what an empty [`Cluster`] is.
//!
//! Invariant: `offset` and `len` describe clusters that lie wholly inside the mapping.

use std::{error::Error, fmt, io, slice, thread};

use memmap2::{MmapMut, MmapOptions, MmapRaw};

use super::{cluster::Cluster, physical};
use crate::types::convert;

const MEBIBYTE: usize = 1 << 20;
const HUGE_PAGE: usize = 2 << 20;
/// Clusters in the smallest page of any machine we know.
const CLUSTERS_PER_PAGE: usize = 4096 / size_of::<Cluster>();

/// Why a table of some size cannot be had.
#[derive(Debug)]
pub enum AllocationError {
    /// More than the memory of the machine, or of the container.
    TooLarge {
        /// What was asked for, in MiB.
        mebibytes: usize,
        /// What there is in all, in MiB.
        available: u64,
    },
    /// The system refused.
    Refused {
        /// What was asked for, in MiB.
        mebibytes: usize,
        /// What the system said.
        source: io::Error,
    },
}

impl fmt::Display for AllocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge {
                mebibytes,
                available,
            } => write!(
                f,
                "{mebibytes} MiB asked for, this machine has {available} MiB"
            ),
            Self::Refused { mebibytes, source } => {
                write!(f, "no {mebibytes} MiB of memory: {source}")
            }
        }
    }
}

impl Error for AllocationError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::TooLarge { .. } => None,
            Self::Refused { source, .. } => Some(source),
        }
    }
}

/// A zeroed array of clusters.
pub(super) struct Memory {
    map: MmapRaw,
    offset: usize,
    len: usize,
}

impl Memory {
    /// Maps `mebibytes` MiB.
    pub(super) fn new(mebibytes: usize) -> Result<Self, AllocationError> {
        let bytes = checked_bytes(mebibytes)?;
        let map = MmapOptions::new()
            .len(bytes + HUGE_PAGE)
            .map_anon()
            .map_err(|source| AllocationError::Refused { mebibytes, source })?;
        advise_huge_pages(&map);
        let map = MmapRaw::from(map);
        let offset = map.as_ptr().addr().next_multiple_of(HUGE_PAGE) - map.as_ptr().addr();
        let len = bytes / size_of::<Cluster>();
        Ok(Self { map, offset, len })
    }

    /// Size in MiB.
    pub(super) const fn mebibytes(&self) -> usize {
        self.len * size_of::<Cluster>() / MEBIBYTE
    }

    /// All clusters.
    #[inline]
    #[expect(unsafe_code, reason = "a mapping is bytes, the table is clusters")]
    #[expect(
        clippy::cast_ptr_alignment,
        reason = "aligned far beyond a cluster by `offset`"
    )]
    pub(super) fn clusters(&self) -> &[Cluster] {
        let start = self.map.as_mut_ptr().wrapping_add(self.offset);
        // SAFETY: the mapping is readable and writable, lives as long as `self`, and has
        // at least `HUGE_PAGE` bytes more than `len` clusters, of which `offset` skips less
        // than that. `offset` makes the address a multiple of 2 MiB, enough for the
        // alignment of 64. All bytes are initialised (zero at first), every bit pattern is
        // a valid `Cluster` of atomics, and nobody accesses the mapping in another way.
        unsafe { slice::from_raw_parts(start.cast::<Cluster>(), self.len) }
    }

    /// Makes the kernel provide all pages now, by `threads` threads at once.
    pub(super) fn touch(&self, threads: usize) {
        self.in_parallel(threads, |part| {
            part.iter()
                .step_by(CLUSTERS_PER_PAGE)
                .for_each(Cluster::touch);
        });
    }

    /// Empties all clusters, by `threads` threads at once.
    pub(super) fn clear(&self, threads: usize) {
        self.in_parallel(threads, |part| part.iter().for_each(Cluster::clear));
    }

    /// Has `threads` threads work on equal parts; parts for which no thread can be had
    /// are done on this one.
    fn in_parallel(&self, threads: usize, work: impl Fn(&[Cluster]) + Copy + Send) {
        let part_len = self.len.div_ceil(threads.max(1));
        thread::scope(|scope| {
            let mut parts = self.clusters().chunks(part_len);
            let own = parts.next();
            for part in parts {
                let spawned = thread::Builder::new().spawn_scoped(scope, move || work(part));
                if spawned.is_err() {
                    work(part);
                }
            }
            own.into_iter().for_each(work);
        });
    }
}

/// `mebibytes` in bytes, if the machine can have that much.
pub(super) fn checked_bytes(mebibytes: usize) -> Result<usize, AllocationError> {
    let available = physical::limit().unwrap_or(u64::MAX).min(isize::MAX as u64);
    mebibytes
        .checked_mul(MEBIBYTE)
        .filter(|&bytes| convert::wide(bytes) <= available - convert::wide(HUGE_PAGE))
        .ok_or(AllocationError::TooLarge {
            mebibytes,
            available: available / convert::wide(MEBIBYTE),
        })
}

/// Asks for pages of 2 MiB. A refusal costs speed and nothing else. (Miri has no such advice.)
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(map: &MmapMut) {
    let _ = map.advise(memmap2::Advice::HugePage);
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_map: &MmapMut) {}

/// Asks the processor to load `cluster` while other work goes on.
#[inline]
#[expect(unsafe_code, reason = "an instruction that has no safe form")]
pub(super) fn prefetch(cluster: &Cluster) {
    let address = std::ptr::from_ref(cluster);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint without any effect on memory; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    {
        // SAFETY: a hint without any effect on memory, registers or flags.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) address,
                options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_complete() {
        let size = if cfg!(miri) { 1 } else { 3 };
        let memory = Memory::new(size).unwrap();
        let clusters = memory.clusters();
        assert_eq!(memory.mebibytes(), size);
        assert_eq!(size_of_val(clusters), size * MEBIBYTE);
        assert_eq!(clusters.as_ptr().addr() % HUGE_PAGE, 0);
        memory.touch(7);
        memory.clear(5);
    }

    #[test]
    fn absurd_sizes_are_errors() {
        for mebibytes in [
            usize::MAX,
            usize::MAX >> 20,
            isize::MAX.unsigned_abs() >> 20,
        ] {
            let error = Memory::new(mebibytes).err().unwrap();
            assert!(error.to_string().contains("MiB"));
        }
    }
}
