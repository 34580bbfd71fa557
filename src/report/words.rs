//! The words of the project, each with its one meaning: docs/GLOSSARY.md, which the program carries for `list words` and for the page.

/// A word and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word; several where one entry explains them together.
    pub word: &'static str,
    /// Its meaning, with the marks of Markdown.
    pub meaning: &'static str,
}

impl Term {
    /// Its meaning in plain text.
    pub fn plain(&self) -> String {
        self.meaning.replace(['*', '`'], "")
    }
}

/// Every word, in the order of the page. An entry is one line: the word with a full stop, between two pairs of
/// stars, then its meaning.
pub fn words() -> impl Iterator<Item = Term> {
    let entry = |line: &'static str| line.strip_prefix("**")?.split_once(".** ");
    include_str!("../../docs/GLOSSARY.md").lines().filter_map(entry).map(|(word, meaning)| Term { word, meaning })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_read() {
        let names: Vec<&str> = words().map(|it| it.word).collect();
        let lines = include_str!("../../docs/GLOSSARY.md").lines().filter(|line| line.starts_with("**"));
        assert_eq!(names.len(), lines.count());
        assert!(names.len() > 30, "{names:?}");
        let plain: Vec<String> = words().map(|it| it.plain()).collect();
        assert!(plain.iter().all(|text| text.ends_with(['.', ')', '?']) && !text.contains(['*', '`'])), "{plain:?}");
    }
}
