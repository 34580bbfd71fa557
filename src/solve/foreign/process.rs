//! Process: a running program, its pipes, its log, and how it ends.
//!
//! One thread does all: it writes a line, then waits on the program's output with a time limit, and reads what is there. Nothing
//! that is written or left unwritten blocks it, and no thread stands between the answer and the clock.

use super::super::solver::{Failure, FailureKind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The longest line that is an answer.
const LONGEST: usize = 64 << 10;
/// How long a program has to end by itself once its input is closed, and once more when it is told to.
const GRACE: Duration = Duration::from_millis(200);
/// What a program says when memory runs out, in its log.
const OUT_OF_MEMORY: [&str; 5] =
    ["bad_alloc", "memory allocation", "MemoryError", "Cannot allocate memory", "out of memory"];

/// How a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments; at least the program.
    pub words: Vec<String>,
    /// Where it runs; here where none is named.
    pub directory: Option<PathBuf>,
    /// What is added to its environment.
    pub environment: Vec<(String, String)>,
    /// The most bytes of memory that it may map.
    pub memory: Option<u64>,
    /// The file that its stderr is added to; nowhere where none is named.
    pub log: Option<PathBuf>,
}

/// Why there is no line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It did not come in time.
    Late,
    /// The interrupt flag was set.
    Interrupted,
    /// The program did something else.
    Failed(Failure),
}

/// A program that runs. Dropped, it is ended, with every process of its group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// What was read and is no whole line yet.
    read: Vec<u8>,
    /// Its log, and how long that was when it started.
    log: Option<(PathBuf, u64)>,
    limited: bool,
}

impl Command {
    /// The command as the system takes it, in a process group of its own.
    pub fn prepare(&self) -> std::process::Command {
        let mut words = self.words.clone();
        if let Some(bytes) = self.memory {
            // The limit is set by the shell that becomes the program.
            let limit = format!("ulimit -v {} && exec \"$@\"", bytes.div_ceil(1024));
            words.splice(0..0, ["sh", "-c", &limit, "sh"].map(str::to_string));
        }
        let mut command = std::process::Command::new(words.first().map_or("", String::as_str));
        command.args(words.iter().skip(1)).envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.process_group(0);
        command
    }

    /// The command as a person reads it.
    fn shown(&self) -> &str {
        self.words.first().map_or("no program", String::as_str)
    }
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// Why it cannot be started, or its log not written.
    pub fn start(command: &Command) -> Result<Self, Failure> {
        let failed = |reason: String| Failure { kind: FailureKind::Other, reason };
        let log = command.log.as_deref().map(|path| open_log(path).map(|(file, length)| (path, file, length)));
        let log = log.transpose().map_err(|error| failed(format!("cannot write its log: {error}")))?;
        let stderr = match &log {
            Some((_, file, _)) => file.try_clone().map_or(Stdio::null(), Stdio::from),
            None => Stdio::null(),
        };
        let mut prepared = command.prepare();
        let started = prepared.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn();
        let mut child = started.map_err(|error| failed(format!("cannot start {}: {error}", command.shown())))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes".to_string()));
        };
        let log = log.map(|(path, _, length)| (path.to_path_buf(), length));
        Ok(Process { child, stdin: Some(stdin), stdout, read: Vec::new(), log, limited: command.memory.is_some() })
    }

    /// Sends a line. What the program wrote without being asked is an error.
    pub fn send(&mut self, line: &str) -> Result<(), Ending> {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        if !self.read.is_empty() || (self.wait(Some(&at_once)) && self.fill()? > 0) {
            let text = shorten(&self.read);
            return Err(Ending::Failed(Failure::garbled(format!("it wrote without being asked: {text:?}"))));
        }
        let bytes = [line.as_bytes(), b"\n"].concat();
        let Some(stdin) = &mut self.stdin else { return Err(Ending::Failed(self.death())) };
        match stdin.write_all(&bytes).and_then(|()| stdin.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(Ending::Failed(self.death())),
        }
    }

    /// The next line, without its end.
    pub fn read_line(&mut self, deadline: Option<Instant>, interrupt: Option<&AtomicBool>) -> Result<String, Ending> {
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let mut line: Vec<u8> = self.read.drain(..=end).collect();
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                let text = String::from_utf8(line).map_err(|error| {
                    let text = shorten(error.as_bytes());
                    Ending::Failed(Failure::garbled(format!("{text:?}: not text")))
                })?;
                return Ok(text);
            }
            if self.read.len() > LONGEST {
                let text = shorten(&self.read);
                return Err(Ending::Failed(Failure::garbled(format!("a line without an end: {text:?}"))));
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(Ending::Interrupted);
            }
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Ending::Late);
            }
            // A signal ends the wait; one that came just before it is seen a tenth of a second later.
            let most = Duration::from_millis(100);
            let most =
                if interrupt.is_some() { left.map_or(most, |left| left.min(most)) } else { left.unwrap_or(most) };
            let most = Timespec { tv_sec: most.as_secs() as i64, tv_nsec: i64::from(most.subsec_nanos()) };
            if self.wait(Some(&most)) {
                self.fill()?;
            }
        }
    }

    /// What it wrote since the last line, where that is text: the last line of a program that ended without ending it.
    pub fn rest(&self) -> Option<&str> {
        std::str::from_utf8(&self.read).ok().filter(|text| !text.is_empty())
    }

    /// Whether more was read than the last line.
    pub fn has_more(&self) -> bool {
        !self.read.is_empty()
    }

    /// Whether there is something to read, or nothing more to come.
    fn wait(&self, most: Option<&Timespec>) -> bool {
        let mut output = [PollFd::new(&self.stdout, PollFlags::IN)];
        // A signal that came in between is not an error: whoever waits looks again.
        poll(&mut output, most).is_ok_and(|ready| ready > 0)
    }

    /// Reads what is there: at least a byte.
    fn fill(&mut self) -> Result<usize, Ending> {
        let mut buffer = [0; 4096];
        match self.stdout.read(&mut buffer) {
            Ok(0) => Err(Ending::Failed(self.death())),
            Ok(count) => {
                self.read.extend_from_slice(&buffer[..count]);
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(0),
            Err(_) => Err(Ending::Failed(self.death())),
        }
    }

    /// How a program ended that closed a pipe.
    fn death(&mut self) -> Failure {
        let half = if self.read.is_empty() { String::new() } else { format!(" after {:?}", shorten(&self.read)) };
        let status = self.end();
        let failure = |kind, reason: String| Failure { kind, reason: format!("{reason}{half}") };
        match status {
            Some(status) if !status.success() && self.limited && self.ran_out() => {
                failure(FailureKind::Memory, "out of memory".to_string())
            }
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => failure(FailureKind::Signal, format!("ended by signal {signal}")),
                (None, code) => failure(FailureKind::Other, format!("exited with status {}", code.unwrap_or_default())),
            },
            None => failure(FailureKind::Other, "closed its pipes".to_string()),
        }
    }

    /// Whether its log says that memory ran out.
    fn ran_out(&self) -> bool {
        let Some((path, start)) = &self.log else { return false };
        let mut text = Vec::new();
        let read = File::open(path).and_then(|mut file| {
            file.seek(SeekFrom::Start(*start))?;
            file.take(1 << 20).read_to_end(&mut text)
        });
        let text = String::from_utf8_lossy(&text);
        read.is_ok() && OUT_OF_MEMORY.iter().any(|words| text.contains(words))
    }

    /// Ends it, and says how it ended by itself: `None` where it had to be told.
    fn end(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        let own = self.wait_for_end(GRACE);
        let group = Pid::from_raw(self.child.id() as i32);
        for signal in [Signal::TERM, Signal::KILL] {
            if own.is_none() && self.wait_for_end(Duration::ZERO).is_none() {
                // There is nobody to tell where this fails.
                let _ = group.map(|group| kill_process_group(group, signal));
                let _ = self.wait_for_end(GRACE);
            }
        }
        // What it started and left behind.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        own
    }

    fn wait_for_end(&mut self, most: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + most;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Opens a log to be added to, and says how long it is.
fn open_log(path: &Path) -> std::io::Result<(File, u64)> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

/// The beginning of what was read, for messages: one line without what a terminal or a table would trip over.
fn shorten(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
    let rest = if bytes.len() > 60 { "..." } else { "" };
    format!("{}{rest}", text.trim_end())
}
