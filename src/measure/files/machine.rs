//! The machine: facts that are readable without special rights. Facts that name the machine are left out.

use crate::text::sha256;
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde::{Deserialize, Serialize};
use std::fs::read_to_string;

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Machine {
    /// A hash of those fields below that do not change with a reboot or an update.
    pub id: String,
    pub arch: String,
    pub cpu: Option<String>,
    /// Family, model and stepping, and whether there is a hypervisor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// Processors of the machine, including those that this process may not use.
    pub cores: u64,
    pub caches: Vec<String>,
    pub memory_bytes: Option<u64>,
    pub kernel: Option<String>,
    pub max_frequency_khz: Option<u64>,
    pub governor: Option<String>,
    /// Transparent huge pages: the mode in brackets is on.
    pub transparent_huge_pages: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct MachineState {
    pub load: Option<String>,
    /// Hundredths of a second since boot that a hypervisor gave to other guests.
    pub steal: Option<u64>,
    /// Hundredths of a second since boot that all processors worked, and those for this process and its ended children.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<u64>,
    pub throttled: Option<u64>,
    pub frequency_khz: Option<u64>,
    pub peak_memory_bytes: Option<u64>,
}

const CPU: &str = "/sys/devices/system/cpu/cpu0";

fn line(path: &str) -> Option<String> {
    Some(read_to_string(path).ok()?.trim().to_string()).filter(|text| !text.is_empty())
}

fn number(path: &str) -> Option<u64> {
    line(path)?.parse().ok()
}

fn entry(path: &str, name: &str) -> Option<String> {
    let text = read_to_string(path).ok()?;
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_string())
}

fn kibibytes(path: &str, name: &str) -> Option<u64> {
    let value: u64 = entry(path, name)?.strip_suffix("kB")?.trim().parse().ok()?;
    Some(value * 1024)
}

/// Processors of the machine; if the system does not list them, those that this process may use.
fn cores() -> u64 {
    let listed = read_to_string("/proc/cpuinfo").unwrap_or_default();
    match listed.lines().filter(|line| line.starts_with("processor")).count() {
        0 => std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64),
        count => count as u64,
    }
}

fn cpu_model() -> Option<String> {
    let [family, model, stepping] = ["cpu family", "model", "stepping"].map(|name| entry("/proc/cpuinfo", name));
    let hypervisor = entry("/proc/cpuinfo", "flags")?.split(' ').any(|flag| flag == "hypervisor");
    let guest = if hypervisor { ", under a hypervisor" } else { "" };
    Some(format!("family {}, model {}, stepping {}{guest}", family?, model?, stepping?))
}

fn caches() -> Vec<String> {
    let cache = |index: u32| {
        let file = |name: &str| line(&format!("{CPU}/cache/index{index}/{name}"));
        Some(format!("L{} {} {}", file("level")?, file("type")?, file("size")?))
    };
    (0..8).map_while(cache).collect()
}

impl Machine {
    pub fn read() -> Self {
        let mut machine = Machine {
            id: String::new(),
            arch: std::env::consts::ARCH.to_string(),
            cpu: entry("/proc/cpuinfo", "model name"),
            cpu_model: cpu_model(),
            cores: cores(),
            caches: caches(),
            memory_bytes: kibibytes("/proc/meminfo", "MemTotal"),
            kernel: line("/proc/sys/kernel/osrelease").map(|release| format!("{} {release}", std::env::consts::OS)),
            max_frequency_khz: number(&format!("{CPU}/cpufreq/cpuinfo_max_freq")),
            governor: line(&format!("{CPU}/cpufreq/scaling_governor")),
            transparent_huge_pages: line("/sys/kernel/mm/transparent_hugepage/enabled"),
        };
        machine.id = machine.hash();
        machine
    }

    fn hash(&self) -> String {
        // Memory is rounded to a gibibyte, because a kernel update may change it slightly.
        let memory = self.memory_bytes.map(|bytes| bytes.div_ceil(1 << 30));
        let stable = format!("{}|{:?}|{}|{:?}|{memory:?}", self.arch, self.cpu, self.cores, self.caches);
        sha256(stable.as_bytes())[..12].to_string()
    }
}

impl MachineState {
    pub fn read() -> Self {
        let load = line("/proc/loadavg").map(|text| text.split(' ').take(3).collect::<Vec<_>>().join(" "));
        let numbers = |path, from: usize| -> Option<Vec<u64>> {
            let text = line(path)?;
            // The name of a program, in parentheses, may hold blanks.
            let words = text.lines().next()?.rsplit(')').next()?.split_whitespace().skip(from);
            Some(words.map_while(|word| word.parse().ok()).collect())
        };
        // user, nice, system, idle, iowait, irq, softirq, steal
        let times = numbers("/proc/stat", 1).filter(|times| times.len() > 7);
        let steal = times.as_ref().map(|times| times[7]);
        let busy = times.map(|times| times[..3].iter().chain(&times[5..7]).sum());
        // The 14th to 17th words: user and system, its own and those of ended children.
        let own = numbers("/proc/self/stat", 11).filter(|times| times.len() > 3).map(|times| times[..4].iter().sum());
        MachineState {
            load,
            steal,
            busy,
            own,
            throttled: number(&format!("{CPU}/thermal_throttle/core_throttle_count")),
            frequency_khz: number(&format!("{CPU}/cpufreq/scaling_cur_freq")),
            peak_memory_bytes: kibibytes("/proc/self/status", "VmHWM"),
        }
    }
}

impl MachineState {
    /// The hundredths of a second that processors worked for other programs until `after`.
    pub fn others(&self, after: &MachineState) -> Option<u64> {
        let [busy, own] = [|state: &MachineState| state.busy, |state: &MachineState| state.own]
            .map(|of| of(after)?.checked_sub(of(self)?));
        Some(busy?.saturating_sub(own?))
    }
}

pub fn usable() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Pins this thread to the last processor that it may use, and returns its number; `None` if the system refuses.
#[cfg(target_os = "linux")]
pub fn pin() -> Option<u64> {
    let allowed = sched_getaffinity(None).ok()?;
    let last = (0..CpuSet::MAX_CPU).rev().find(|&cpu| allowed.is_set(cpu))?;
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).ok().map(|()| last as u64)
}

#[cfg(not(target_os = "linux"))]
pub fn pin() -> Option<u64> {
    None
}

/// Calls `build`, which starts the `threads - 1` worker threads of a search. They are pinned to the last processors
/// before that of [`pin`], which are returned. If there are too few, or the system refuses, no worker is pinned.
#[cfg(target_os = "linux")]
pub fn beside_pinned<T>(threads: u32, build: impl FnOnce() -> T) -> (T, Vec<u64>) {
    let others = |allowed: &CpuSet| -> Vec<usize> {
        let free = (0..CpuSet::MAX_CPU).rev().filter(|&cpu| allowed.is_set(cpu)).skip(1);
        free.take(threads.saturating_sub(1) as usize).collect()
    };
    let allowed = sched_getaffinity(None).ok();
    let chosen = allowed.as_ref().map(others).filter(|chosen| threads > 1 && chosen.len() == threads as usize - 1);
    let Some((allowed, chosen)) = allowed.zip(chosen) else { return (build(), Vec::new()) };
    let mut helpers = CpuSet::new();
    chosen.iter().for_each(|&cpu| helpers.set(cpu));
    if sched_setaffinity(None, &helpers).is_err() {
        return (build(), Vec::new());
    }
    // A new thread inherits the processors of the thread that starts it.
    let built = build();
    let is_back = sched_setaffinity(None, &allowed).is_ok();
    (built, chosen.into_iter().map(|cpu| cpu as u64).filter(|_| is_back).collect())
}

#[cfg(not(target_os = "linux"))]
pub fn beside_pinned<T>(_: u32, build: impl FnOnce() -> T) -> (T, Vec<u64>) {
    (build(), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_that_are_started_stay_off_the_processor_of_the_one_that_measures() {
        let allowed = || -> Vec<u64> {
            let set = sched_getaffinity(None).unwrap();
            (0..1024).rev().filter(|&cpu| set.is_set(cpu)).map(|cpu| cpu as u64).collect()
        };
        let before = allowed();
        let (started, chosen) = beside_pinned(2, || std::thread::spawn(allowed));
        assert_eq!(allowed(), before, "the building thread has its old processors");
        let expected = if before.len() > 1 { &before[1..2] } else { &[][..] };
        assert_eq!(chosen, expected);
        assert_eq!(started.join().unwrap(), if chosen.is_empty() { before.clone() } else { chosen });
        for threads in [1, 1 + before.len() as u32] {
            assert_eq!(beside_pinned(threads, allowed), (before.clone(), Vec::new()), "one thread, or too many");
        }
    }

    #[test]
    fn time_of_others_is_that_of_all_less_our_own() {
        let of = |busy, own| MachineState { busy, own, ..MachineState::read() };
        let before = of(Some(1000), Some(10));
        assert_eq!(before.others(&of(Some(1500), Some(210))), Some(300));
        assert_eq!((before.others(&of(None, Some(9))), before.others(&of(Some(1001), Some(19)))), (None, Some(0)));
    }

    #[test]
    fn the_id_depends_on_stable_fields_only() {
        let machine = Machine::read();
        assert_eq!(machine, Machine::read());
        let updated = Machine { kernel: Some("other".to_string()), governor: None, ..machine.clone() };
        assert_eq!(updated.hash(), machine.id);
        assert_ne!(Machine { cores: machine.cores + 1, ..machine.clone() }.hash(), machine.id);
    }
}
