//! Digests: SHA-256 in hexadecimal, by which sets, programs and cells are known.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub fn sha256_of(file: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut buffer) = (File::open(file)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hasher.finalize())),
            count => hasher.update(&buffer[..count]),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let place = tempfile::tempdir().unwrap();
        let (file, bytes) = (place.path().join("f"), vec![7; 100_000]);
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(sha256_of(&file).unwrap(), sha256(&bytes));
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
