//! The fuzz targets with the stable compiler: on every file of the corpus, random bytes, and randomly changed files.
//! `fuzz/` has the targets, and also runs them by libFuzzer.

#[allow(unreachable_pub, reason = "a library of its own, for the targets of libFuzzer")]
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const WORDS: [&str; 26] = [
    "\n", "\r", "\r\n", ",", "\"", "\"\"", "'", "=", "[[", "]]", "#", " ", "-", "\0", "\u{feff}", "0", "1", "-1",
    "1e999", "nan", "-inf", "0x10", "true", "weak", "timeout", "0ns",
];

const NUMBERS: [&str; 4] = ["4294967296", "-2147483648", "18446744073709551615", "9223372036854775808"];

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Word(&'static str),
    /// Bytes of a file of the corpus: the file, the offset, the length.
    Part(Index, Index, usize),
}

/// A change: some bytes from an offset on are replaced by a piece.
type Change = (Index, usize, Piece);

fn change() -> impl Strategy<Value = Change> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4).prop_map(Piece::Bytes),
        select([&WORDS[..], &NUMBERS].concat()).prop_map(Piece::Word),
        (any::<Index>(), any::<Index>(), 1usize..200).prop_map(|(file, from, length)| Piece::Part(file, from, length)),
    ];
    (any::<Index>(), prop_oneof![Just(0usize), Just(1), 0usize..40], piece)
}

fn changed(corpus: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    (any::<Index>(), prop::collection::vec(change(), 1..5)).prop_map(move |(file, changes)| {
        let mut bytes = file.get(&corpus).clone();
        for (at, gone, piece) in changes {
            let at = at.index(bytes.len() + 1);
            let end = (at + gone).min(bytes.len());
            let piece = match piece {
                Piece::Bytes(bytes) => bytes,
                Piece::Word(word) => word.as_bytes().to_vec(),
                Piece::Part(file, from, length) => {
                    let file = file.get(&corpus);
                    let from = from.index(file.len() + 1);
                    file[from..(from + length).min(file.len())].to_vec()
                }
            };
            bytes.splice(at..end, piece);
        }
        bytes
    })
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new("fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Runs a target on `cases` changed files, and on a quarter as many random inputs. The error has the bytes that fail.
fn drive(target: fn(&[u8]), corpus: Vec<Vec<u8>>, cases: u32) -> Result<(), String> {
    let run = |cases, strategy: BoxedStrategy<Vec<u8>>| {
        // Equal cases in every run. libFuzzer or PROPTEST_RNG_SEED=N gives new ones.
        let rng_seed = match Config::default().rng_seed {
            RngSeed::Random => RngSeed::Fixed(1),
            fixed => fixed,
        };
        let mut runner = TestRunner::new(Config { cases, rng_seed, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&strategy, |bytes| {
            target(&bytes);
            Ok(())
        });
        outcome.map_err(|error| match error {
            TestError::Fail(reason, bytes) => {
                format!("{reason}; the least that fails: {:?}", bytes.escape_ascii().to_string())
            }
            TestError::Abort(reason) => reason.to_string(),
        })
    };
    run(cases / 4, prop::collection::vec(any::<u8>(), 0..300).boxed())?;
    run(cases, changed(corpus).boxed())
}

macro_rules! targets {
    ($($name:ident,)+) => {
        const DRIVEN: &[&str] = &[$(stringify!($name)),+];
        $(
            #[test]
            fn $name() {
                let (name, check, cases) = fuzz::target(stringify!($name));
                let corpus = corpus(name);
                corpus.iter().for_each(|bytes| check(bytes));
                drive(check, corpus, cases).unwrap_or_else(|error| panic!("{error}"));
            }
        )+
    };
}

targets! { notation, test_set, experiment, attribution, claims, engine, champion, }

#[test]
fn every_target_has_both_drivers_and_a_corpus() {
    let names: Vec<&str> = fuzz::TARGETS.iter().map(|target| target.0).collect();
    assert_eq!(names, DRIVEN);
    let manifest: toml::Table = fs::read_to_string("fuzz/Cargo.toml").unwrap().parse().unwrap();
    let built: Vec<&str> =
        manifest["bin"].as_array().unwrap().iter().map(|target| target["name"].as_str().unwrap()).collect();
    assert_eq!(names, built);
    let folders: BTreeSet<String> =
        fs::read_dir("fuzz/corpus").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(folders, names.iter().map(|name| name.to_string()).collect());
    assert!(names.iter().all(|name| !corpus(name).is_empty()));
}

/// The corpus is useful: not all of its files are refused at the first byte.
#[test]
fn the_corpus_of_the_champion_is_late_positions() {
    let positions: Vec<_> = corpus("champion").iter().filter_map(|bytes| fuzz::champion::late(bytes)).collect();
    assert!(positions.len() > 5, "{}", positions.len());
    assert!(positions.iter().any(|position| position.ply() + fuzz::champion::MOST_EMPTY == 42));
}

/// The driver can fail: it finds a reader that refuses a word, and one that refuses a byte that no file has.
#[test]
fn a_planted_fault_is_found() {
    fn no_word(bytes: &[u8]) {
        assert!(!bytes.windows(3).any(|word| word == b"nan"));
    }
    fn no_byte(bytes: &[u8]) {
        assert!(!bytes.contains(&0xfe));
    }
    for target in [no_word as fn(&[u8]), no_byte] {
        let error = drive(target, vec![b"a = 1\n".to_vec()], 2000).expect_err("a fault");
        assert!(error.contains("the least that fails"), "{error}");
    }
    fn nothing(_: &[u8]) {}
    assert_eq!(drive(nothing, vec![Vec::new()], 10), Ok(()));
}
