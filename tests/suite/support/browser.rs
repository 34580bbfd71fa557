//! A headless Chromium behind chromedriver: the few commands of the WebDriver protocol that the tests speak. The wire is HTTP
//! to this machine; each request has a connection of its own.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The name under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser window; dropped, browser and driver end.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    pub(crate) fn start() -> Option<Self> {
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| is_there(name))?;
        let mut driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let port = port(&mut driver);
        let mut browser = Browser { driver, port, session: String::new() };
        // A picture fits into the window whole: every dot of it can be pointed at.
        let arguments =
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1200"];
        let binary = which(program);
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments, "binary": binary },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let session = browser.send("POST", "/session", &wanted);
        browser.session = format!("/session/{}", session["sessionId"].as_str().expect("a session"));
        Some(browser)
    }

    pub(crate) fn open(&self, address: &str) {
        self.post("/url", &json!({ "url": address }));
    }

    /// Runs the body of a function in the page and gives what it returns.
    pub(crate) fn run(&self, body: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": body, "args": [] }))
    }

    pub(crate) fn complaints(&self) -> Vec<Value> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        log.as_array().expect("a list of entries").clone()
    }

    pub(crate) fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.find(selector)), &json!({}));
    }

    /// Types into the element of a selector. `\u{E00C}` and its like are keys: the WebDriver standard lists them.
    pub(crate) fn keys(&self, selector: &str, keys: &str) {
        self.post(&format!("/element/{}/value", self.find(selector)), &json!({ "text": keys }));
    }

    pub(crate) fn point(&self, x: f64, y: f64) {
        let actions = [json!({ "type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round() })];
        self.post("/actions", &json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": actions }] }));
    }

    pub(crate) fn command(&self, name: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    fn find(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().expect(selector).to_string()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.send("POST", &format!("{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time limit");
        let (body, port) = (body.to_string(), self.port);
        let head = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n");
        let kind = format!("Content-Type: application/json; charset=utf-8\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{kind}{body}").as_bytes()).expect("chromedriver reads");
        let answer: Value = serde_json::from_str(&answer(stream)).expect("chromedriver answers in JSON");
        assert!(answer["value"]["error"].is_null(), "{method} {path} {body}: {answer}");
        answer["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // While a failed test unwinds, a driver that does not answer must not be a second panic.
        if !self.session.is_empty() && !std::thread::panicking() {
            self.send("DELETE", &self.session, &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn is_there(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// The path of a program: chromedriver does not look for it.
fn which(program: &str) -> String {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::split_paths(&folders).map(|folder| folder.join(program));
    paths.into_iter().find(|path| path.is_file()).map_or(program.to_string(), |path| path.display().to_string())
}

fn port(driver: &mut Child) -> u16 {
    let mut lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    // Nobody reads on, but a full pipe would stop the driver.
    std::thread::spawn(move || lines.for_each(drop));
    port.expect("chromedriver says its port")
}

fn answer(stream: TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        if let Some((name, value)) =
            line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        {
            length = value.trim().parse().unwrap_or_else(|_| panic!("{name}: {value}"));
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a whole answer");
    String::from_utf8(body).expect("UTF-8")
}
