//! How much memory there is at most.
//!
//! A kernel that overcommits grants any size and later kills the process that uses it.
//! Hence a table larger than the machine, or than the container, is refused beforehand.
//! Systems that do not say (no `/proc`) get no such check: their refusal has to do.

use std::fs;

/// Bytes of memory this process can ever use, as far as the system tells.
pub(super) fn limit() -> Option<u64> {
    [machine(), container()].into_iter().flatten().min()
}

/// Size of the machine's memory.
fn machine() -> Option<u64> {
    parse_meminfo(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// Limit of the control group, in its second or first version.
fn container() -> Option<u64> {
    fs::read_to_string("/sys/fs/cgroup/memory.max")
        .or_else(|_| fs::read_to_string("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// The line `MemTotal: 123 kB`, in bytes.
fn parse_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::parse_meminfo;

    #[test]
    fn meminfo_is_in_kibibytes() {
        let text = "MemFree: 1 kB\nMemTotal:       2048 kB\n";
        assert_eq!(parse_meminfo(text), Some(2048 * 1024));
        assert_eq!(parse_meminfo("MemTotal: many"), None);
        assert_eq!(parse_meminfo(""), None);
    }
}
