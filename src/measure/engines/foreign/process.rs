//! Process: a running program, its pipes, its log, and its end.
//!
//! One thread writes a line, waits on the program's output with a time limit, and reads the available bytes. The
//! program cannot block this thread. No other thread delays the time of an answer: a second thread only copies the
//! program's stderr into a file.

use crate::engines::Failure;
use crate::engines::foreign::group::Group;
use crate::files::sample::Status;
use crate::text::harmless;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const LONGEST: usize = 64 << 10;
/// Time for a program to end by itself after its input is closed, and again after each signal.
const GRACE: Duration = Duration::from_millis(200);
const LOG_MOST: u64 = 16 << 20;
/// The most bytes that are kept of the beginning, and again of the end, of the output of a command that runs to its end.
const KEPT: usize = 256 << 10;
const OUT_OF_MEMORY: [&str; 5] =
    ["bad_alloc", "memory allocation", "MemoryError", "Cannot allocate memory", "out of memory"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramCommand {
    /// The program and its arguments; at least the program.
    pub words: Vec<String>,
    pub directory: Option<PathBuf>,
    pub environment: Vec<(String, String)>,
    pub memory: Option<u64>,
    /// The file to which stderr is appended; `None` drops stderr.
    pub log: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Late,
    Interrupted,
    Failed(Failure),
}

impl Ending {
    pub fn garbled(reason: String) -> Self {
        Ending::Failed(Failure { status: Status::Error, reason })
    }
}

/// A running program. Dropping it ends the program and every process of its group.
#[derive(Debug)]
pub struct Process {
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    read: Vec<u8>,
    log: Option<Log>,
    limited: bool,
}

#[derive(Debug)]
struct Log {
    path: PathBuf,
    start: u64,
    writer: Option<JoinHandle<()>>,
}

impl ProgramCommand {
    fn prepare(&self) -> std::process::Command {
        let mut words = self.words.clone();
        if let Some(bytes) = self.memory {
            // A shell sets the limit, and then becomes the program.
            let limit = format!("ulimit -v {} && exec \"$@\"", bytes.div_ceil(1024));
            words.splice(0..0, ["sh", "-c", &limit, "sh"].map(str::to_string));
        }
        let mut command = std::process::Command::new(words.first().map_or("", String::as_str));
        command.args(words.iter().skip(1)).envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    /// Runs the command to its end, at most for `most`, with an empty stdin, and returns its output.
    pub fn run(&self, most: Option<Duration>, interrupt: &AtomicBool) -> Result<Output, Ending> {
        let mut prepared = self.prepare();
        let started = Group::start(prepared.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()));
        let mut group = started.map_err(|error| self.unstarted(&error))?;
        let deadline = most.map(|most| Instant::now() + most);
        let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
        let stdout = std::thread::spawn(move || stdout.map(ends_of).unwrap_or_default());
        let stderr = std::thread::spawn(move || stderr.map(ends_of).unwrap_or_default());
        loop {
            let ended = group.child.try_wait().map_err(|error| self.unstarted(&error))?;
            if let Some(status) = ended.filter(|_| stdout.is_finished() && stderr.is_finished()) {
                let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().unwrap_or_default());
                return Ok(Output { status, stdout, stderr });
            }
            if interrupt.load(Ordering::Relaxed) {
                return Err(Ending::Interrupted);
            }
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return Err(Ending::Late);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn unstarted(&self, error: &std::io::Error) -> Ending {
        let program = self.words.first().map_or("no program", String::as_str);
        match self.directory.as_ref().filter(|directory| !directory.is_dir()) {
            Some(directory) => Ending::garbled(format!("cannot start {program}: no folder {}", directory.display())),
            None => Ending::garbled(format!("cannot start {program}: {error}")),
        }
    }
}

impl Process {
    pub fn start(command: &ProgramCommand) -> Result<Self, Ending> {
        let log = command.log.as_deref().map(open_log).transpose();
        let log = log.map_err(|error| Ending::garbled(format!("cannot write the program's log: {error}")))?;
        let mut prepared = command.prepare();
        let stderr = if log.is_some() { Stdio::piped() } else { Stdio::null() };
        let started = Group::start(prepared.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr));
        let mut group = started.map_err(|error| command.unstarted(&error))?;
        let (Some(stdin), Some(stdout)) = (group.child.stdin.take(), group.child.stdout.take()) else {
            return Err(Ending::garbled("the program has no pipes".to_string()));
        };
        let log = command.log.clone().zip(log).map(|(path, (file, start))| {
            let stderr = group.child.stderr.take();
            let writer = stderr.map(|stderr| std::thread::spawn(move || keep(stderr, file, start)));
            Log { path, start, writer }
        });
        Ok(Process { group, stdin: Some(stdin), stdout, read: Vec::new(), log, limited: command.memory.is_some() })
    }

    /// Sends `line`. Unread output of the program is an error, except for lines that satisfy `is_aside`.
    pub fn send(&mut self, line: &str, is_aside: impl Fn(&str) -> bool) -> Result<(), Ending> {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        while self.wait(Some(&at_once)) && self.fill()? > 0 {
            if self.read.len() > LONGEST {
                break;
            }
        }
        if let Some(text) = self.unread(is_aside)? {
            return Err(Ending::garbled(format!("the program wrote before the request: {text:?}")));
        }
        let bytes = [line.as_bytes(), b"\n"].concat();
        let Some(stdin) = &mut self.stdin else { return Err(self.death()) };
        stdin.write_all(&bytes).and_then(|()| stdin.flush()).map_err(|_| self.death())
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    pub fn read_line(&mut self, deadline: Option<Instant>, interrupt: Option<&AtomicBool>) -> Result<String, Ending> {
        loop {
            if let Some(line) = self.whole_line()? {
                return Ok(line);
            }
            if self.read.len() > LONGEST {
                let text = shorten(&self.read);
                return Err(Ending::garbled(format!("a line without an end: {text:?}")));
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(Ending::Interrupted);
            }
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Ending::Late);
            }
            // A signal ends the wait. A signal just before the wait is noticed a tenth of a second later.
            let most = Duration::from_millis(100);
            let most =
                if interrupt.is_some() { left.map_or(most, |left| left.min(most)) } else { left.unwrap_or(most) };
            let most = Timespec { tv_sec: most.as_secs() as i64, tv_nsec: i64::from(most.subsec_nanos()) };
            if self.wait(Some(&most)) {
                self.fill()?;
            }
        }
    }

    /// Takes the first complete line of `read`, without its line end; `None` if there is none yet.
    fn whole_line(&mut self) -> Result<Option<String>, Ending> {
        let Some(end) = self.read.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
        let mut line: Vec<u8> = self.read.drain(..=end).collect();
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let text = String::from_utf8(line).map_err(|error| {
            let text = shorten(error.as_bytes());
            Ending::garbled(format!("{text:?}: not text"))
        })?;
        Ok(Some(text))
    }

    /// The beginning of the unread output, without lines that satisfy `is_aside`. An incomplete line counts as unread
    /// unless an empty line is an aside.
    pub fn unread(&mut self, is_aside: impl Fn(&str) -> bool) -> Result<Option<String>, Ending> {
        while let Some(line) = self.whole_line()? {
            if !is_aside(&line) {
                return Ok(Some(shorten(line.as_bytes())));
            }
        }
        Ok((!self.read.is_empty() && !is_aside("")).then(|| shorten(&self.read)))
    }

    /// True if there is output to read, or its end.
    fn wait(&self, most: Option<&Timespec>) -> bool {
        let mut output = [PollFd::new(&self.stdout, PollFlags::IN)];
        // An interruption by a signal is not an error: the caller waits again.
        poll(&mut output, most).is_ok_and(|ready| ready > 0)
    }

    fn fill(&mut self) -> Result<usize, Ending> {
        let mut buffer = [0; 4096];
        match self.stdout.read(&mut buffer) {
            // After its input is closed, the end of the program also ends its last line.
            Ok(0) if self.stdin.is_none() && !self.read.is_empty() => {
                self.read.push(b'\n');
                Ok(1)
            }
            Ok(0) => Err(self.death()),
            Ok(count) => {
                self.read.extend_from_slice(&buffer[..count]);
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(0),
            Err(_) => Err(self.death()),
        }
    }

    fn death(&mut self) -> Ending {
        let half = if self.read.is_empty() { String::new() } else { format!(" after {:?}", shorten(&self.read)) };
        let (status, reason) = match self.end() {
            Some(exit) if !exit.success() && self.limited && self.ran_out() => {
                (Status::Oom, "out of memory".to_string())
            }
            Some(exit) => match exit.signal() {
                Some(signal) => (Status::Signal, format!("ended by signal {signal}")),
                None => (Status::Error, format!("exited with status {}", exit.code().unwrap_or_default())),
            },
            None => (Status::Error, "closed its pipes".to_string()),
        };
        Ending::Failed(Failure { status, reason: format!("{reason}{half}") })
    }

    fn ran_out(&self) -> bool {
        let Some(log) = &self.log else { return false };
        let mut text = Vec::new();
        let read = File::open(&log.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(log.start))?;
            file.take(1 << 20).read_to_end(&mut text)
        });
        let text = String::from_utf8_lossy(&text);
        read.is_ok() && OUT_OF_MEMORY.iter().any(|words| text.contains(words))
    }

    /// Ends the program, and all that it started. Returns its exit status if it ended by itself, `None` if it needed a
    /// signal.
    fn end(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        let own = self.wait_for_end(GRACE);
        if own.is_none() {
            self.group.signal(Signal::TERM);
            let _ = self.wait_for_end(GRACE);
        }
        self.group.signal(Signal::KILL);
        self.finish_log();
        own
    }

    /// Waits until the log is written, at most for `GRACE`, because another process may still hold stderr.
    fn finish_log(&mut self) {
        let Some(writer) = self.log.as_mut().and_then(|log| log.writer.take()) else { return };
        let deadline = Instant::now() + GRACE;
        while !writer.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        if writer.is_finished() {
            let _ = writer.join();
        }
    }

    fn wait_for_end(&mut self, most: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + most;
        loop {
            match self.group.child.try_wait() {
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

fn open_log(path: &Path) -> std::io::Result<(File, u64)> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

/// Appends `stderr` to a log of `start` bytes until it has `LOG_MOST` bytes. The rest is dropped.
fn keep(mut stderr: ChildStderr, mut log: File, start: u64) {
    let room = LOG_MOST.saturating_sub(start);
    let moved = std::io::copy(&mut stderr.by_ref().take(room), &mut log).unwrap_or_default();
    let more = std::io::copy(&mut stderr, &mut std::io::sink()).unwrap_or_default();
    if more > 0 && moved > 0 {
        let _ = writeln!(log, "\nc4lab: {more} more bytes are not kept");
    }
}

/// The beginning and the end of a stream.
fn ends_of(mut stream: impl Read) -> Vec<u8> {
    let (mut kept, mut buffer) = (Vec::new(), vec![0; KEPT]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..count]);
        if kept.len() > 3 * KEPT {
            kept.drain(KEPT..kept.len() - KEPT);
        }
    }
    kept
}

/// The beginning of `bytes` as text, for messages.
pub(super) fn shorten(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
    let rest = if bytes.len() > 60 { "..." } else { "" };
    format!("{}{rest}", text.trim_end())
}

const LOG_READ: u64 = 4 << 10;
/// Greatest number of quoted lines, and of characters of each.
const LOG_LINES: usize = 3;
const LOG_WIDTH: usize = 120;

pub fn log_path(name: &str) -> PathBuf {
    PathBuf::from("engines").join(format!("{name}.log"))
}

/// The last non-empty lines of the log of engine `name`, without characters that would harm a terminal. Records have no
/// log, and so no lines.
pub fn last_lines(folder: &Path, name: &str) -> Vec<String> {
    let text = File::open(folder.join(log_path(name))).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_READ)))?;
        let mut bytes = Vec::new();
        file.take(LOG_READ).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    });
    let text = text.unwrap_or_default();
    let mut lines: Vec<String> =
        text.lines().rev().map(plain).filter(|line| !line.is_empty()).take(LOG_LINES).collect();
    lines.reverse();
    lines
}

/// `line` without characters that harm a terminal, cut to `LOG_WIDTH`.
pub(crate) fn plain(line: &str) -> String {
    let line = harmless(line);
    let line = line.trim();
    let rest = if line.chars().count() > LOG_WIDTH { "..." } else { "" };
    format!("{}{rest}", line.chars().take(LOG_WIDTH).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_ends_with_a_few_lines_that_harm_no_terminal() {
        let folder = tempfile::tempdir().unwrap();
        assert!(last_lines(folder.path(), "mine").is_empty());
        let log = folder.path().join(log_path("mine"));
        std::fs::create_dir(log.parent().unwrap()).unwrap();
        let of = |text: &[u8]| {
            std::fs::write(&log, text).unwrap();
            last_lines(folder.path(), "mine")
        };
        assert_eq!(of(b"one\ntwo\n\nthree\r\nfour\n  \n"), ["two", "three", "four"]);
        assert_eq!(
            of("a\x1b[31mred\x07\u{202e}b\n\u{fffd}".as_bytes()),
            ["a\u{fffd}[31mred\u{fffd}\u{fffd}b", "\u{fffd}"]
        );
        assert_eq!(of(b"\xff"), ["\u{fffd}"]);
        let long = of(&b"x".repeat(100_000));
        assert!(long.len() == 1 && long[0].len() == LOG_WIDTH + 3 && long[0].ends_with("x..."), "{long:?}");
    }
}
