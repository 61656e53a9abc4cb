//! What the system reports of memory and processor time. Each system has its own way; where there is
//! none, nothing is known.

use std::time::Duration;

/// Memory that the process holds now, in bytes (Linux, macOS, Windows). WebAssembly never gives
/// memory back, so there it is the most that was ever held.
pub fn resident_memory() -> Option<u64> {
    system::held(None)
}

/// Memory that another process holds now, in bytes (Linux, macOS, Windows).
pub fn resident_memory_of(process: u32) -> Option<u64> {
    system::held(Some(process))
}

/// The most memory that the process ever held, in bytes (Linux, Windows, WebAssembly).
pub fn peak_memory() -> Option<u64> {
    system::peak()
}

/// Half of the machine's memory: what work may take where nobody says how much.
pub fn half_of_memory() -> Option<u64> {
    total_memory().map(|all| all / 2)
}

/// The memory of the machine, in bytes (Linux, macOS, Windows).
pub fn total_memory() -> Option<u64> {
    system::total()
}

/// The processor time that the process has had so far (Unix, Windows).
pub fn processor_time() -> Option<Duration> {
    system::processor_time()
}

// Of each system: what a process holds, `None` for this one; its peak; what the machine has; and
// processor time.

#[cfg(target_os = "linux")]
mod system {
    pub(super) use super::unix::processor_time;

    pub(super) fn held(process: Option<u32>) -> Option<u64> {
        let process = process.map_or_else(|| "self".to_owned(), |id| id.to_string());
        kilobytes(&format!("/proc/{process}/status"), "VmRSS:")
    }

    pub(super) fn peak() -> Option<u64> {
        kilobytes("/proc/self/status", "VmHWM:")
    }

    pub(super) fn total() -> Option<u64> {
        kilobytes("/proc/meminfo", "MemTotal:")
    }

    fn kilobytes(file: &str, field: &str) -> Option<u64> {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(field))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024)
    }
}

#[cfg(target_os = "macos")]
mod system {
    pub(super) use super::unix::processor_time;
    use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

    pub(super) fn held(process: Option<u32>) -> Option<u64> {
        let process = Pid::from_u32(process.unwrap_or_else(std::process::id));
        let mut system = System::new();
        let memory = ProcessRefreshKind::nothing().with_memory();
        let only = ProcessesToUpdate::Some(&[process]);
        system.refresh_processes_specifics(only, false, memory);
        system.process(process).map(Process::memory)
    }

    pub(super) fn peak() -> Option<u64> {
        None
    }

    pub(super) fn total() -> Option<u64> {
        let mut system = System::new();
        system.refresh_memory();
        Some(system.total_memory()).filter(|&bytes| bytes > 0)
    }
}

#[cfg(windows)]
mod system {
    use std::time::Duration;
    use winsafe::{FILETIME, GlobalMemoryStatusEx, HPROCESS, co};

    pub(super) fn held(process: Option<u32>) -> Option<u64> {
        let memory = match process {
            None => HPROCESS::GetCurrentProcess().GetProcessMemoryInfo(),
            Some(process) => {
                let access = co::PROCESS::QUERY_LIMITED_INFORMATION;
                HPROCESS::OpenProcess(access, false, process).ok()?.GetProcessMemoryInfo()
            }
        };
        Some(memory.ok()?.WorkingSetSize as u64)
    }

    pub(super) fn peak() -> Option<u64> {
        let memory = HPROCESS::GetCurrentProcess().GetProcessMemoryInfo();
        Some(memory.ok()?.PeakWorkingSetSize as u64)
    }

    pub(super) fn total() -> Option<u64> {
        Some(GlobalMemoryStatusEx().ok()?.ullTotalPhys)
    }

    pub(super) fn processor_time() -> Option<Duration> {
        let (_, _, kernel, user) = HPROCESS::GetCurrentProcess().GetProcessTimes().ok()?;
        // In tenths of a microsecond.
        let ticks =
            |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
        Some(Duration::from_nanos(100 * (ticks(kernel) + ticks(user))))
    }
}

/// The memory of a WebAssembly module, which has pages of 64 KiB.
#[cfg(target_arch = "wasm32")]
mod system {
    use std::time::Duration;

    pub(super) fn held(_process: Option<u32>) -> Option<u64> {
        peak()
    }

    pub(super) fn peak() -> Option<u64> {
        Some((std::arch::wasm32::memory_size::<0>() as u64) << 16)
    }

    pub(super) fn total() -> Option<u64> {
        None
    }

    pub(super) fn processor_time() -> Option<Duration> {
        None
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows, target_arch = "wasm32")))]
mod system {
    #[cfg(unix)]
    pub(super) use super::unix::processor_time;

    pub(super) fn held(_process: Option<u32>) -> Option<u64> {
        None
    }

    pub(super) fn peak() -> Option<u64> {
        None
    }

    pub(super) fn total() -> Option<u64> {
        None
    }

    #[cfg(not(unix))]
    pub(super) fn processor_time() -> Option<std::time::Duration> {
        None
    }
}

#[cfg(unix)]
mod unix {
    use rustix::time::{ClockId, clock_gettime};
    use std::time::Duration;

    pub(super) fn processor_time() -> Option<Duration> {
        clock_gettime(ClockId::ProcessCPUTime).try_into().ok()
    }
}

#[cfg(all(test, any(target_os = "linux", target_os = "macos", windows)))]
mod tests {
    use super::*;

    #[test]
    fn figures_are_of_this_process_and_in_bytes() {
        let ballast = vec![1_u8; 64 << 20];
        let (held, total) = (resident_memory().unwrap(), total_memory().unwrap());
        assert!(held > ballast.len() as u64 && held < total, "{held} of {total}");
        assert!(peak_memory().is_none_or(|peak| peak >= ballast.len() as u64));
        assert!(ballast.iter().all(|&byte| byte == 1));
        let before = processor_time().unwrap();
        let begun = std::time::Instant::now();
        let mut sum = 0_u64;
        while begun.elapsed() < Duration::from_millis(100) {
            sum = std::hint::black_box(sum + 1);
        }
        let used = processor_time().unwrap() - before;
        assert!(used > Duration::from_millis(10) && used < Duration::from_secs(60), "{used:?}");
    }
}
