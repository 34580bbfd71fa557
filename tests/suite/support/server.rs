//! A running `c4lab serve`, and plain requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) struct RunningServer {
    pub(crate) child: Child,
    pub(crate) port: u16,
}

/// An answer: its status, the lines of its head, its body.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl RunningServer {
    /// Starts it on a port that is free, or on that one.
    pub(crate) fn start(port: u16, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_c4lab"));
        command.args(["serve", "--port", &port.to_string()]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("c4lab starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("its address");
        let port = line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no address: {line:?}"));
        RunningServer { child, port }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        stream
    }

    /// Sends bytes, and reads until the connection is closed.
    pub(crate) fn send(&self, bytes: &[u8]) -> HttpAnswer {
        let mut stream = self.connect();
        stream.write_all(bytes).expect("it reads");
        answer(stream)
    }

    pub(crate) fn get(&self, path: &str) -> HttpAnswer {
        self.send(self.request(path).as_bytes())
    }

    pub(crate) fn request(&self, path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port)
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs").count()
    }
}

pub(crate) fn answer(mut stream: TcpStream) -> HttpAnswer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("a whole answer");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {text:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    HttpAnswer { status, head: head.to_string(), body: body.to_string() }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
