//! Functions that run the real binary on a terminal, with the input and output of a person.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

pub(crate) struct OnTerminal {
    child: Child,
    screen: File,
}

impl OnTerminal {
    /// Starts a command with its three streams on the terminal, or with stdin from elsewhere.
    pub(crate) fn start(arguments: &[&str], environment: &[(&str, &str)], stdin: Option<Stdio>) -> Self {
        Self::beside(arguments, environment, [stdin, None])
    }

    /// Starts a command with its stderr on the terminal. `stdin` and `stdout` may be elsewhere.
    pub(crate) fn beside(arguments: &[&str], environment: &[(&str, &str)], elsewhere: [Option<Stdio>; 2]) -> Self {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&screen).unwrap();
        unlockpt(&screen).unwrap();
        let name = ptsname(&screen, Vec::new()).unwrap();
        let side =
            || Stdio::from(open(&*name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap());
        let [stdin, stdout] = elsewhere;
        let mut command = Command::new(env!("CARGO_BIN_EXE_c4lab"));
        command.args(arguments).env("TERM", "xterm");
        // Variables that also decide about colours. Test services set CI.
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        command.envs(environment.iter().copied());
        let child = command
            .stdin(stdin.unwrap_or_else(side))
            .stdout(stdout.unwrap_or_else(side))
            .stderr(side())
            .spawn()
            .unwrap();
        drop(command);
        OnTerminal { child, screen: File::from(screen) }
    }

    pub(crate) fn types(&mut self, text: &str) {
        self.screen.write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn reads_until(&mut self, text: &str) -> String {
        let mut shown = Vec::new();
        let mut byte = [0];
        while !String::from_utf8_lossy(&shown).ends_with(text) {
            assert!(self.screen.read(&mut byte).is_ok_and(|count| count == 1), "no {text:?} in {shown:?}");
            shown.extend(byte);
        }
        String::from_utf8_lossy(&shown).replace('\r', "")
    }

    /// The rest of the output, and the exit status. An error ends the output: the terminal has no program any more.
    pub(crate) fn ends(mut self) -> (i32, String) {
        let mut shown = Vec::new();
        let mut bytes = [0; 1024];
        while let Ok(count @ 1..) = self.screen.read(&mut bytes) {
            shown.extend_from_slice(&bytes[..count]);
        }
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        (status, String::from_utf8_lossy(&shown).replace('\r', ""))
    }
}
