//! A shard: one part of an experiment's positions, for one of several machines.
//!
//! The shard of a position depends only on the digest of the set and the line of the position. So every position is in
//! exactly one shard, with all its variants, goals and repetitions. Every ratio is of times of one machine.

use crate::text::sha256;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Part `index` of `count`, written `3/8`. `1/1` is the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    count: u32,
    index: u32,
}

impl Shard {
    pub const WHOLE: Shard = Shard { count: 1, index: 1 };

    pub fn new(index: u32, count: u32) -> Result<Self, String> {
        match index {
            0 => Err(format!("shards are counted from 1: 1/{count} is the first")),
            _ if index > count => Err(format!("there is no shard {index} of {count}")),
            _ => Ok(Shard { count, index }),
        }
    }

    pub fn index(self) -> u32 {
        self.index
    }

    pub fn count(self) -> u32 {
        self.count
    }

    pub fn takes(self, set_sha256: &str, line: usize) -> bool {
        let digest = sha256(format!("{set_sha256}|{line}").as_bytes());
        let lot = u64::from_str_radix(&digest[..16], 16).unwrap_or_default();
        lot % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = numbers.ok_or_else(|| "a shard is K/N, for example 3/8".to_string())?;
        Shard::new(index, count)
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(count: u32) -> impl Iterator<Item = Shard> {
        (1..=count).map(move |index| Shard::new(index, count).unwrap())
    }

    #[test]
    fn a_shard_is_written_as_it_is_read() {
        assert_eq!("3/8".parse::<Shard>().map(|shard| shard.to_string()), Ok("3/8".to_string()));
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/8", "3/8/1", "a/b", "3.0/8"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!(serde_json::to_string(&Shard::WHOLE).unwrap(), "\"1/1\"");
        assert!(serde_json::from_str::<Shard>("\"2/1\"").is_err());
    }

    /// Pinned: a shard must keep its positions in every version, so that it can be continued.
    #[test]
    fn shards_are_pinned() {
        let taken = |shard: Shard| (1..=20).filter(|&line| shard.takes("d", line)).collect::<Vec<_>>();
        assert_eq!(shards(3).map(taken).collect::<Vec<_>>(), PINNED);
        assert_eq!(taken(Shard::WHOLE).len(), 20);
        assert_ne!((1..=20).filter(|&line| shards(3).next().unwrap().takes("e", line)).collect::<Vec<_>>(), PINNED[0]);
    }

    const PINNED: [&[usize]; 3] = [&[3, 4, 5, 7, 10, 14, 16, 17, 19], &[2, 6, 18], &[1, 8, 9, 11, 12, 13, 15, 20]];
}
