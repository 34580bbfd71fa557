//! Group: a program in a process group of its own, which ends with c4lab.
//!
//! A group ends when it is dropped. If c4lab is killed, its guard ends the groups: a shell whose input is a pipe from
//! c4lab, and so ends with it. A program that leaves its group is found by a variable in its environment: when c4lab
//! ends, or when the next c4lab starts a program.

use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A shell script that reads `begin GROUP` and `end GROUP`. At the end of its input it kills the groups without an end.
const GUARD: &str = "
trap '' HUP INT QUIT TERM
groups=' '
while read -r event group; do
  case $event in
    begin) groups=\"$groups$group \" ;;
    end) groups=\"${groups%% $group *} ${groups#* $group }\" ;;
  esac
done
for group in $groups; do kill -s KILL -- \"-$group\"; done";

/// The variable that names the c4lab which started a program: its process id and start time.
const MARK: &str = "C4LAB_STARTED_BY";

/// The input of the guard, once it was started; `None` if it could not be.
static GUARD_INPUT: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

#[derive(Debug)]
pub(super) struct Group {
    pub(super) child: Child,
}

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let guard = GUARD_INPUT.get_or_init(start_guard);
        let group = Group { child: command.env(MARK, name_of("self").unwrap_or_default()).process_group(0).spawn()? };
        tell(guard, "begin", &group.child);
        Ok(group)
    }

    /// Sends a signal to all processes of the group. An error means that there is none.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = kill_process_group(Pid::from_child(&self.child), signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        let _ = self.child.wait();
        tell(GUARD_INPUT.get_or_init(|| None), "end", &self.child);
    }
}

fn start_guard() -> Option<Mutex<ChildStdin>> {
    end_marked(is_gone);
    let mut shell = Command::new("sh");
    shell.args(["-c", GUARD]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    Some(Mutex::new(shell.spawn().ok()?.stdin?))
}

/// Tells the guard about a group, in one write. Without a guard, groups outlive a killed c4lab.
fn tell(guard: &Option<Mutex<ChildStdin>>, event: &str, child: &Child) {
    if let Some(guard) = guard {
        let line = format!("{event} {}\n", child.id());
        let _ = guard.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    }
}

/// Kills the programs that left their groups. Called when c4lab ends.
pub fn end_leftovers() {
    if let Some(me) = name_of("self").filter(|_| GUARD_INPUT.get().is_some()) {
        end_marked(|name| name == me);
    }
}

/// The process id and the start time of a process, in ticks since boot.
fn name_of(process: &str) -> Option<String> {
    let line = std::fs::read_to_string(Path::new("/proc").join(process).join("stat")).ok()?;
    // The program's name is in parentheses and may hold blanks. The start time is the 22nd word.
    let (id, rest) = line.split_once(' ')?;
    Some(format!("{id}-{}", rest.rsplit_once(')')?.1.split_whitespace().nth(19)?))
}

/// True if the c4lab of this name has ended.
fn is_gone(name: &str) -> bool {
    name.split_once('-').is_some_and(|(id, _)| name_of(id).as_deref() != Some(name))
}

/// Kills the programs of this process namespace that a c4lab started whose name satisfies `is_over`. Only Linux shows
/// their environment.
fn end_marked(is_over: impl Fn(&str) -> bool) {
    let namespace = |folder: &Path| std::fs::read_link(folder.join("ns/pid")).ok();
    let Some(ours) = namespace(Path::new("/proc/self")) else { return };
    let is_left = |folder: &Path| {
        let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
        let mut variables = environment.split(|&byte| byte == 0);
        let name =
            variables.find_map(|variable| std::str::from_utf8(variable).ok()?.strip_prefix(MARK)?.strip_prefix('='));
        name.is_some_and(&is_over) && namespace(folder).as_ref() == Some(&ours)
    };
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten().filter(|entry| is_left(&entry.path())) {
        let left = entry.file_name().to_str().and_then(|id| Pid::from_raw(id.parse().ok()?));
        if let Some(left) = left.filter(|&left| left != getpid()) {
            let _ = kill_process(left, Signal::KILL);
        }
    }
}
