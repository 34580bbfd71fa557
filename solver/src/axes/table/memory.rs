//! Memory: how much a table may have.

/// Bytes that can be had without swapping, where the system says so (Linux: `/proc/meminfo`, and what is left to the
/// control group that a container runs in).
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kibibytes * 1024).min(left_to_group().unwrap_or(u64::MAX)))
}

/// Bytes left below the limit of the control group, if it has one.
fn left_to_group() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}
