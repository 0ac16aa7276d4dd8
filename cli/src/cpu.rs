//! Time and memory of this process.

use std::time::Duration;

/// CPU time of all threads so far; zero where the system does not tell.
pub fn time() -> Duration {
    #[cfg(unix)]
    {
        let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let seconds = u64::try_from(spent.tv_sec).unwrap_or_default();
        let nanos = u32::try_from(spent.tv_nsec).unwrap_or_default();
        Duration::new(seconds, nanos)
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// Starts [`peak_mb`] afresh, from what is resident now; `false` where the system does not let it.
pub fn reset_peak() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Largest resident memory so far in MB; `None` where the system does not tell.
pub fn peak_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024)
}
