//! Heads of requests to `c4lab serve`: what is read is for this server and has a route or a reason, and more bytes do not change it.

use c4lab_play::serve::request::{HttpFault, Request};
use c4lab_play::serve::route::Route;

/// The port that requests are read for.
const PORT: u16 = 4444;

/// Reads bytes as the head of a request, and finds out what it asks for.
pub fn check(bytes: &[u8]) {
    let request = match Request::parse(bytes, PORT) {
        Ok(Some(request)) => request,
        Ok(None) => return,
        Err(fault) => return refused(&fault),
    };
    assert!(request.path.len() + request.query.len() < bytes.len());
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    assert!(["127.0.0.1:4444", "localhost:4444"].iter().any(|host| text.contains(host)), "{text:?}");
    let longer = [bytes, b"GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n"].concat();
    assert_eq!(Request::parse(&longer, PORT), Ok(Some(request.clone())));
    match Route::of(&request) {
        Ok(route) => drop(route),
        Err(fault) => refused(&fault),
    }
    // The question alone, as any path may be followed by it.
    for path in ["/analyze", "/solve", "/record"] {
        if let Err(fault) = Route::of(&Request { path: path.to_string(), ..request.clone() }) {
            refused(&fault);
        }
    }
}

fn refused(fault: &HttpFault) {
    assert!((400..500).contains(&fault.status) && !fault.reason.trim().is_empty(), "{fault:?}");
    assert!(fault.reason.len() < 2000, "{fault:?}");
}
