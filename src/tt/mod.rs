//! The transposition table: one memory of searched positions, shared by all threads
//! without a lock.
//!
//! ```text
//! table     index, generation, and the interface the search sees
//! cluster   five slots in a cache line: what is accepted, what is replaced
//! entry     what is kept of a node, and its packing in 64 bits
//! memory    the allocation: aligned for huge pages, zeroed by the kernel
//! physical  how much memory this machine or container has at most
//! ```
//!
//! Threads read and write the same slots with relaxed atomics. Two threads may write a
//! slot at the same time, so that its two words come from different writers; the check
//! word depends on the data word, and such a pair is read as an empty slot
//! (R. Hyatt & T. Mann, "A lock-less transposition table implementation", 2002).
//!
//! What comes out of the table was put in by some thread for a position with the same
//! index and the same 32 check bits. That is nearly always the same position, but not
//! certainly: a caller tests the move for legality before it plays it.

mod cluster;
mod entry;
mod memory;
mod physical;
mod table;

pub use entry::Entry;
pub use memory::AllocationError;
pub use table::Table;
