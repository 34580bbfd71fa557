//! A bot for tournaments that run Python: one file, with the store of its opening and a search of its own (G. Vandewiele, "Creating the
//! (nearly) perfect connect-four bot with limited move time and file size").
//!
//! [`verified`]: what was found of the moves of such a program, or of another one.
//!
//! The program is `bot.py`. Its first lines of code are what an exported bot has instead: a board, a time, a store.

pub mod verified;

use crate::store::file::Store;
use crate::store::form::StoreForm;
use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Crc;
use std::time::Duration;

/// The program, with an empty store.
const PROGRAM: &str = include_str!("bot.py");

/// The program with a store.
///
/// # Errors
/// The store is not of the form that the program reads, or the time is too short.
pub fn program(store: &Store, move_time: Duration) -> Result<String> {
    if store.form != StoreForm::Retrieval {
        bail!("a store as {}; a bot reads one as {}", store.form.name(), StoreForm::Retrieval.name());
    }
    if move_time < Duration::from_millis(10) {
        bail!("{move_time:?} is less than Python needs for a move: 10ms at least");
    }
    let text = store.bytes.each_ref().map(|bytes| bytes.as_ref().map_or(String::new(), |bytes| STANDARD.encode(bytes)));
    let sums = store.bytes.each_ref().map(|bytes| bytes.as_ref().map_or(0, |bytes| checksum(bytes)));
    let (width, height, plies, seconds) =
        (store.size.width(), store.size.height(), store.plies, move_time.as_secs_f64());
    let mut program = PROGRAM.to_string();
    for (line, now) in [
        ("WIDTH, HEIGHT = 7, 6\n", format!("WIDTH, HEIGHT = {width}, {height}\n")),
        ("MOVE_SECONDS = 1.0\n", format!("MOVE_SECONDS = {seconds}\n")),
        ("STORE_STONES = 0\n", format!("STORE_STONES = {plies}\n")),
        ("STORE = [\"\", \"\"]\n", format!("STORE = [\n    \"{}\",\n    \"{}\",\n]\n", text[0], text[1])),
        ("STORE_CHECKSUMS = [0, 0]\n", format!("STORE_CHECKSUMS = [{}, {}]\n", sums[0], sums[1])),
    ] {
        let (before, after) = program.split_once(line).with_context(|| format!("the program has no line {line:?}"))?;
        program = [before, &now, after].concat();
    }
    Ok(program)
}

/// CRC-32, as zlib has it.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_store_and_the_time() {
        let size = "5x4".parse().unwrap();
        let bytes = [Some(b"123456789".to_vec()), None];
        let store = Store { size, plies: 9, form: StoreForm::Retrieval, bytes };
        let text = program(&store, Duration::from_millis(250)).unwrap();
        for line in [
            "WIDTH, HEIGHT = 5, 4\n",
            "MOVE_SECONDS = 0.25\n",
            "STORE_STONES = 9\n",
            "STORE = [\n    \"MTIzNDU2Nzg5\",\n    \"\",\n]\n",
            // The check value of CRC-32.
            "STORE_CHECKSUMS = [3421780262, 0]\n",
        ] {
            assert_eq!(text.matches(line).count(), 1, "{line}");
        }
        assert!(program(&store, Duration::from_millis(9)).is_err());
        let other = Store { form: StoreForm::Positions, ..store };
        assert_eq!(
            program(&other, Duration::from_secs(1)).unwrap_err().to_string(),
            "a store as positions; a bot reads one as retrieval"
        );
    }
}
