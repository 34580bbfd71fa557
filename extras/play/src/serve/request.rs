//! The head of a request: read by `httparse`, and refused unless it comes from this server's own page.

pub use super::fault::HttpFault;

/// Bytes of a head.
pub const MOST_BYTES: usize = 16 * 1024;
/// Lines of a head.
const MOST_HEADERS: usize = 64;

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Whether it asks for no more than the head of the answer.
    pub is_head: bool,
    /// The path, as it was sent.
    pub path: String,
    /// What stands behind the question mark, as it was sent.
    pub query: String,
}

impl Request {
    /// Reads a head that was sent to a port of this machine; `None` while some of it is still to come.
    ///
    /// # Errors
    /// No head of HTTP, one that is too long, another method, a body, another host, or another page.
    pub fn parse(bytes: &[u8], port: u16) -> Result<Option<Self>, HttpFault> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        match head.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => {}
            Ok(httparse::Status::Partial) if bytes.len() < MOST_BYTES => return Ok(None),
            Ok(httparse::Status::Partial) => {
                return Err(HttpFault::new(431, format!("a head of more than {MOST_BYTES} bytes")));
            }
            Err(httparse::Error::TooManyHeaders) => {
                return Err(HttpFault::new(431, format!("a head of more than {MOST_HEADERS} lines")));
            }
            Err(error) => return Err(HttpFault::bad(format!("no request of HTTP/1.1: {error}"))),
        }
        let target = head.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = Headers(head.headers);
        headers.are_for_us(port, path)?;
        let is_head = match head.method.unwrap_or_default() {
            "GET" => false,
            "HEAD" => true,
            other => return Err(HttpFault::new(405, format!("{other}: this server answers GET and HEAD alone"))),
        };
        headers.have_no_body()?;
        Ok(Some(Request { is_head, path: path.to_string(), query: query.to_string() }))
    }
}

/// The lines of a head.
struct Headers<'a>(&'a [httparse::Header<'a>]);

impl Headers<'_> {
    fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
    }

    /// A name of this machine in `Host`, whatever address it was sent to: a page elsewhere may have had its name point here. No other
    /// page asks in `Origin` and `Sec-Fetch-Site`, except that one may have a link to the page itself.
    fn are_for_us(&self, port: u16, path: &str) -> Result<(), HttpFault> {
        let names = ["127.0.0.1", "localhost"];
        let hosts: Vec<&[u8]> = self.all("host").collect();
        let [host] = hosts[..] else { return Err(HttpFault::bad("a request names its host once")) };
        let is_ours = |host: &[u8]| {
            let host = String::from_utf8_lossy(host).to_ascii_lowercase();
            names.iter().any(|name| host == format!("{name}:{port}") || port == 80 && host == *name)
        };
        if !is_ours(host) {
            return Err(HttpFault::new(403, "this server answers to 127.0.0.1 and localhost alone"));
        }
        let is_own = |origin: &[u8]| origin.strip_prefix(b"http://").is_some_and(is_ours);
        if !self.all("origin").all(is_own) {
            return Err(HttpFault::new(403, "this server answers its own page alone"));
        }
        let is_near = |site: &[u8]| [&b"same-origin"[..], b"none"].contains(&site);
        let is_link = path == "/" && self.all("sec-fetch-mode").all(|mode| mode == b"navigate");
        if !is_link && !self.all("sec-fetch-site").all(is_near) {
            return Err(HttpFault::new(403, "this server answers its own page alone"));
        }
        Ok(())
    }

    fn have_no_body(&self) -> Result<(), HttpFault> {
        let is_empty = self.all("content-length").all(|length| length == b"0");
        if is_empty && self.all("transfer-encoding").next().is_none() {
            return Ok(());
        }
        Err(HttpFault::new(413, "no request has a body here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str) -> Result<Option<Request>, u16> {
        Request::parse(head.replace('\n', "\r\n").as_bytes(), 8000).map_err(|fault| fault.status)
    }

    fn status(lines: &str) -> u16 {
        match parse(&format!("GET / HTTP/1.1\n{lines}\n\n")) {
            Ok(read) => {
                assert!(read.is_some(), "{lines}");
                200
            }
            Err(status) => status,
        }
    }

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let head = "GET /solve?moves=44 HTTP/1.1\nHost: localhost:8000\n\n";
        let expected = Request { is_head: false, path: "/solve".to_string(), query: "moves=44".to_string() };
        assert_eq!(parse(head), Ok(Some(expected)));
        for end in 0..head.len() - 1 {
            assert_eq!(parse(&head[..end]), Ok(None), "{end}");
        }
    }

    #[test]
    fn other_hosts_and_pages_are_refused() {
        let ours = "Host: 127.0.0.1:8000";
        assert_eq!(status(ours), 200);
        assert_eq!(status("host: LOCALHOST:8000"), 200);
        for host in ["evil.example:8000", "127.0.0.1", "127.0.0.1:80000", "localhost.evil:8000", "", "[::1]:8000"] {
            assert_eq!(status(&format!("Host: {host}")), 403, "{host}");
        }
        assert_eq!((status("Accept: */*"), status(&format!("{ours}\n{ours}"))), (400, 400));
        assert_eq!(status(&format!("{ours}\nOrigin: http://127.0.0.1:8000")), 200);
        for origin in ["null", "http://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:8001"] {
            assert_eq!(status(&format!("{ours}\nOrigin: {origin}")), 403, "{origin}");
        }
        assert_eq!(status(&format!("{ours}\nSec-Fetch-Site: same-origin\nSec-Fetch-Mode: cors")), 200);
        assert_eq!(status(&format!("{ours}\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors")), 403);
        // A link elsewhere leads to the page, and to nothing else.
        assert_eq!(status(&format!("{ours}\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate")), 200);
        let search = format!("GET /solve HTTP/1.1\n{ours}\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\n\n");
        assert_eq!(parse(&search), Err(403));
    }

    #[test]
    fn methods_and_bodies_are_refused() {
        let host = "Host: localhost:8000";
        assert_eq!(parse(&format!("POST / HTTP/1.1\n{host}\n\n")), Err(405));
        assert_eq!(status(&format!("{host}\nContent-Length: 0")), 200);
        assert_eq!(status(&format!("{host}\nContent-Length: 5")), 413);
        assert_eq!(status(&format!("{host}\nTransfer-Encoding: chunked")), 413);
        assert!(parse(&format!("HEAD / HTTP/1.1\n{host}\n\n")).unwrap().unwrap().is_head);
        assert_eq!(parse("nonsense\n\n"), Err(400));
    }

    #[test]
    fn heads_are_short() {
        let host = "Host: localhost:8000";
        let many: String = (0..70).map(|number| format!("\nX-{number}: 1")).collect();
        assert_eq!(status(&format!("{host}{many}")), 431);
        assert_eq!(parse(&format!("GET /{} HTTP/1.1\n", "a".repeat(MOST_BYTES))), Err(431));
    }
}
