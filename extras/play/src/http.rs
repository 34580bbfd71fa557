//! The part of HTTP that the page needs. A connection has one request, of a head without a body, and one answer.
//!
//! Only requests of this server's own page are answered. A foreign page may point its name here, or send requests by
//! its script: then the headers for host and origin name the foreign page.

use std::io::{Read, Write};
use std::net::TcpStream;

/// The most bytes and headers of a head.
const MOST_BYTES: usize = 16 * 1024;
const MOST_HEADERS: usize = 64;

/// Why a request gets no answer: a status of HTTP, and the reason for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpError {
    pub status: u16,
    pub reason: String,
}

impl HttpError {
    pub fn new(status: u16, reason: impl Into<String>) -> Self {
        HttpError { status, reason: reason.into() }
    }

    pub fn bad(reason: impl Into<String>) -> Self {
        HttpError::new(400, reason)
    }
}

/// Reads the head of a request to this machine. Returns its target, which is a path and a query, both not
/// decoded; `None` while the head is incomplete.
pub fn target(bytes: &[u8]) -> Result<Option<String>, HttpError> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    match head.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) if bytes.len() < MOST_BYTES => return Ok(None),
        Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
            return Err(HttpError::new(431, "the head of the request is too long"));
        }
        Err(error) => return Err(HttpError::bad(format!("no request of HTTP/1.1: {error}"))),
    }
    let target = head.path.unwrap_or_default();
    are_for_us(head.headers, target)?;
    if head.method != Some("GET") {
        return Err(HttpError::new(405, "this server answers GET alone"));
    }
    let is_empty = all(head.headers, "content-length").all(|length| length == b"0");
    if !is_empty || all(head.headers, "transfer-encoding").next().is_some() {
        return Err(HttpError::new(413, "no request has a body here"));
    }
    Ok(Some(target.to_string()))
}

fn all<'a>(headers: &[httparse::Header<'a>], name: &str) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

fn are_for_us(headers: &[httparse::Header<'_>], target: &str) -> Result<(), HttpError> {
    let hosts: Vec<&[u8]> = all(headers, "host").collect();
    let [host] = hosts[..] else { return Err(HttpError::bad("a request names its host once")) };
    let own = String::from_utf8_lossy(host).to_ascii_lowercase();
    let (name, port) = own.split_once(':').unwrap_or((&own, "80"));
    // A tunnel may lead here from any port. Its pages are ours; those of other ports of this machine are not.
    let is_here = ["127.0.0.1", "localhost"].contains(&name) && port.parse::<u16>().is_ok();
    let is_own = |origin: &[u8]| origin.strip_prefix(b"http://").is_some_and(|it| it.eq_ignore_ascii_case(host));
    // A link of a foreign page may lead to `/` only.
    let is_link =
        target.split('?').next() == Some("/") && all(headers, "sec-fetch-mode").all(|mode| mode == b"navigate");
    let is_near = |site: &[u8]| is_link || [&b"same-origin"[..], b"none"].contains(&site);
    if is_here && all(headers, "origin").all(is_own) && all(headers, "sec-fetch-site").all(is_near) {
        Ok(())
    } else {
        Err(HttpError::new(403, "this server answers its own page alone, at 127.0.0.1 or localhost"))
    }
}

/// The policy of an answer that is no page: it loads nothing.
pub const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Writes the head of an answer. `policy` says what the answer may load. `length` is its number of bytes; without it
/// the answer ends with the connection.
pub fn write_head(
    stream: &mut impl Write,
    status: u16,
    kind: &str,
    policy: &str,
    length: Option<usize>,
) -> std::io::Result<()> {
    let reason = match status {
        200 => "OK",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Bad Request",
    };
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    write!(
        stream,
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\n{length}Connection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         X-Frame-Options: DENY\r\nContent-Security-Policy: {policy}\r\n\r\n"
    )
}

/// Appends the next bytes of a connection to `head`, up to [`MOST_BYTES`]; `None` at the end of the connection.
pub fn read_more(stream: &mut TcpStream, head: &mut Vec<u8>) -> std::io::Result<Option<()>> {
    let mut buffer = [0; 2048];
    let room = (MOST_BYTES - head.len()).min(buffer.len());
    let count = stream.read(&mut buffer[..room])?;
    head.extend_from_slice(&buffer[..count]);
    Ok((count > 0).then_some(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(head: &str) -> Result<Option<String>, u16> {
        target(head.replace('\n', "\r\n").as_bytes()).map_err(|fault| fault.status)
    }

    fn status(lines: &str) -> u16 {
        let read = parse(&format!("GET / HTTP/1.1\n{lines}\n\n"));
        read.map_or_else(|status| status, |read| if read.is_some() { 200 } else { 0 })
    }

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let head = "GET /solve?moves=44 HTTP/1.1\nHost: localhost:8000\n\n";
        assert_eq!(parse(head), Ok(Some("/solve?moves=44".to_string())));
        for end in 0..head.len() - 1 {
            assert_eq!(parse(&head[..end]), Ok(None), "{end}");
        }
    }

    #[test]
    fn other_hosts_and_pages_are_refused() {
        let ours = "Host: 127.0.0.1:8000";
        // A tunnel leads here from another port.
        for host in ["127.0.0.1:8000", "LOCALHOST:8000", "localhost:8080", "127.0.0.1"] {
            assert_eq!(status(&format!("host: {host}")), 200, "{host}");
            assert_eq!(status(&format!("host: {host}\nOrigin: http://{host}")), 200, "{host}");
        }
        for host in ["evil.example:8000", "localhost:", "127.0.0.1:80000", "localhost.evil:8000", "", "[::1]:8000"] {
            assert_eq!(status(&format!("Host: {host}")), 403, "{host}");
        }
        assert_eq!((status("Accept: */*"), status(&format!("{ours}\n{ours}"))), (400, 400));
        for origin in ["null", "http://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:8001"] {
            assert_eq!(status(&format!("{ours}\nOrigin: {origin}")), 403, "{origin}");
        }
        assert_eq!(status(&format!("{ours}\nSec-Fetch-Site: same-origin\nSec-Fetch-Mode: cors")), 200);
        assert_eq!(status(&format!("{ours}\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors")), 403);
        assert_eq!(status(&format!("{ours}\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate")), 200);
        let search = format!("GET /solve HTTP/1.1\n{ours}\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\n\n");
        assert_eq!(parse(&search), Err(403));
    }

    #[test]
    fn methods_bodies_and_long_heads_are_refused() {
        let host = "Host: localhost:8000";
        assert_eq!(parse(&format!("POST / HTTP/1.1\n{host}\n\n")), Err(405));
        assert_eq!(status(&format!("{host}\nContent-Length: 5")), 413);
        assert_eq!(status(&format!("{host}\nTransfer-Encoding: chunked")), 413);
        assert_eq!(parse("nonsense\n\n"), Err(400));
        let many: String = (0..70).map(|number| format!("\nX-{number}: 1")).collect();
        assert_eq!(status(&format!("{host}{many}")), 431);
        assert_eq!(parse(&format!("GET /{} HTTP/1.1\n", "a".repeat(MOST_BYTES))), Err(431));
    }

    proptest! {
        /// The bytes behind a head do not change the target that is read.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in "(GET|POST) /[a-z?=%]{0,9} HTTP/1.1\r\n(Host: localhost:8000\r\n|X: \\PC{0,9}\r\n){0,3}(\r\n)?\\PC{0,9}") {
            if let Ok(Some(read)) = target(bytes.as_bytes()) {
                let longer = format!("{bytes}GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n");
                prop_assert_eq!(target(longer.as_bytes()), Ok(Some(read)));
            }
        }
    }
}
