//! Records: their pictures are files that a browser draws, as documents show them.

use std::fs;
use std::path::{Path, PathBuf};

/// The pictures in a folder and in those in it.
fn pictures(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let own = files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "svg"));
    own.chain(folders.iter().flat_map(|folder| pictures(folder))).collect()
}

#[test]
fn pictures_of_records_are_files_of_their_own() {
    let found = pictures(Path::new("results"));
    assert!(found.len() > 100, "{} pictures", found.len());
    for file in found {
        let text = fs::read_to_string(&file).expect("a picture");
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{}", file.display());
    }
}
