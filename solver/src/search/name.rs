//! Names: any point of the option space, as people write it.
//!
//! ```text
//! champion                          a named variant
//! champion[order=centre,root=step]  the same with other choices on some axes
//! champion[order=centre]@1GiB       and a table of that size
//! champion[]                        the same choices, run at run time
//! ```
//!
//! What a change starts from is the variant before the bracket. A choice that is a named variant's runs as that type, compiled for it
//! alone; any other runs at run time, with its branches left in, and so does one with empty brackets. Nodes of the two agree; times do not.

use crate::search::name_error::NameError;
use crate::search::registry::{self, Entry};
use crate::search::size;
use crate::search::solver::{BuildError, Options, Solver};
use crate::search::spec::Spec;
use std::fmt;

/// A variant as it is named.
#[derive(Clone, Debug)]
pub struct Name {
    /// As it was written.
    text: String,
    /// The variant before the bracket.
    base: &'static Entry,
    spec: Spec,
    /// The type that runs it; none runs at run time.
    named: Option<&'static Entry>,
    tt_bytes: Option<u64>,
}

impl Name {
    /// Reads `name[axis=value,...]@setting,...`.
    ///
    /// ```
    /// use crate::search::Name;
    /// let name = Name::parse("champion[order=centre,root=step]@1GiB").unwrap();
    /// assert_eq!((name.base().name, name.tt_bytes(), name.is_run_time()), ("champion", Some(1 << 30), true));
    /// ```
    ///
    /// # Errors
    /// A variant, axis or value that there is not; alternatives that do not go together; a setting that there is not, and a size
    /// for a table that has one, or for no table.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let end = text.find(['[', '@']).unwrap_or(text.len());
        let (name, rest) = (text[..end].trim(), &text[end..]);
        let base = registry::find(name)?;
        let (changes, settings) = match rest.strip_prefix('[') {
            Some(rest) => {
                let open = || NameError::Refused(format!("variant {text:?}: \"[\" without \"]\""));
                let (changes, settings) = rest.split_once(']').ok_or_else(open)?;
                (Some(changes), settings)
            }
            None => (None, rest),
        };
        let spec = Spec::parse(changes.unwrap_or_default(), base.spec)?;
        let named = match changes {
            Some(changes) if changes.trim().is_empty() => None,
            _ => registry::named(spec),
        };
        let mut name = Name { text: text.to_string(), base, spec, named, tt_bytes: None };
        name.set(settings).map_err(|reason| format!("variant {text:?}: {reason}"))?;
        Ok(name)
    }

    /// Reads what stands behind the name and its changes.
    fn set(&mut self, settings: &str) -> Result<(), String> {
        let Some(settings) = settings.strip_prefix('@') else {
            return if settings.is_empty() { Ok(()) } else { Err(format!("{settings:?} after the changes")) };
        };
        for setting in settings.split(',') {
            if let Some((key, _)) = setting.split_once('=') {
                let key = key.trim();
                return Err(format!("no setting {key:?}; a size of the table is one: {}@1GiB", self.base.name));
            }
            let bytes = size::parse(setting)?;
            if self.tt_bytes.replace(bytes).is_some() {
                return Err("two sizes of one table".to_string());
            }
            if let Some(reason) = self.spec.ignores_table_size() {
                return Err(format!("{} has no size to choose: {reason}", self.base.name));
            }
        }
        Ok(())
    }

    /// The same with further changes, `axis=value,...`.
    ///
    /// # Errors
    /// As [`Spec::parse`].
    pub fn with(&self, changes: &str) -> Result<Self, NameError> {
        let spec = Spec::parse(changes, self.spec)?;
        if let Some(reason) = spec.ignores_table_size().filter(|_| self.tt_bytes.is_some()) {
            return Err(format!("{} with {changes} has no size to choose: {reason}", self.text).into());
        }
        let mut changed = Name { spec, named: registry::named(spec), ..self.clone() };
        changed.text = changed.to_string();
        Ok(changed)
    }

    /// The name of a choice: the named variant that it is, or changes to the named variant that takes the fewest.
    pub fn of(spec: Spec) -> Self {
        let nearest = registry::ALL.iter().min_by_key(|entry| spec.diff(entry.spec).len());
        let base = nearest.expect("there are named variants");
        let mut name = Name { text: String::new(), base, spec, named: registry::named(spec), tt_bytes: None };
        name.text = name.to_string();
        name
    }

    /// The same choices and settings, run at run time.
    pub fn at_run_time(&self) -> Self {
        let Some(named) = self.named else { return self.clone() };
        let text = format!("{}[]{}", named.name, self.settings());
        Name { text, base: named, named: None, ..self.clone() }
    }

    /// As it was written: what rows and tables call it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The named variant that stands before the changes.
    pub fn base(&self) -> &'static Entry {
        self.base
    }

    /// Its choice on every axis.
    pub fn spec(&self) -> Spec {
        self.spec
    }

    /// The named variant whose type runs it; `None` where it runs at run time.
    pub fn named(&self) -> Option<&'static Entry> {
        self.named
    }

    /// Whether it runs at run time: its times are compared only with others that do.
    pub fn is_run_time(&self) -> bool {
        self.named.is_none()
    }

    /// Bytes of its table, where the name says so.
    pub fn tt_bytes(&self) -> Option<u64> {
        self.tt_bytes
    }

    /// What it is built with, where others are built with `options`.
    pub fn options(&self, options: &Options) -> Options {
        Options { tt_bytes: self.tt_bytes.unwrap_or(options.tt_bytes), ..*options }
    }

    /// Why the size that all are built with does not apply to it, if it does not and its name says none.
    pub fn ignores_options(&self) -> Option<&'static str> {
        if self.tt_bytes.is_some() { None } else { self.spec.ignores_table_size() }
    }

    /// Builds its solver.
    ///
    /// # Errors
    /// The table cannot be had.
    pub fn build(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        let options = self.options(options);
        self.named.map_or_else(|| registry::build(self.spec, &options), |entry| entry.build(&options))
    }

    /// Builds the same, counting what the table does: for passes that are not timed.
    ///
    /// # Errors
    /// The table cannot be had.
    pub fn build_counted(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        registry::build_counted(self.spec, &self.options(options))
    }

    /// The geometry that it searches in, as rows name it.
    pub fn geometry(&self) -> String {
        registry::geometry(self.spec)
    }

    fn settings(&self) -> String {
        self.tt_bytes.map_or(String::new(), |bytes| format!("@{}", size::show(bytes)))
    }
}

/// The one way to write it: the named variant that runs it, or the changes in the order of the axes.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.named {
            Some(entry) => f.write_str(entry.name)?,
            None => {
                let changes = self.spec.diff(self.base.spec);
                let changes: Vec<String> = changes.iter().map(|(key, value, _)| format!("{key}={value}")).collect();
                write!(f, "{}[{}]", self.base.name, changes.join(","))?;
            }
        }
        f.write_str(&self.settings())
    }
}

/// The names of a list, which commas divide: those within brackets, and those between settings of one name, divide nothing.
///
/// ```
/// use crate::search::name::list;
/// assert_eq!(list("champion[order=centre,root=step]@1GiB,pons-12"), ["champion[order=centre,root=step]@1GiB", "pons-12"]);
/// ```
pub fn list(text: &str) -> Vec<&str> {
    let (mut names, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (index, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !(text[start..index].contains('@') && is_setting(&text[index + 1..])) => {
                names.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    names.push(&text[start..]);
    names
}

/// Whether a list goes on with a setting of the name before, and not with another name.
fn is_setting(rest: &str) -> bool {
    let part = &rest[..rest.find([',', '[']).unwrap_or(rest.len())];
    part.contains('=') || size::parse(part).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::search::registry::{CHAMPION, PONS_12};
    use crate::search::{Goal, Limits};

    fn refused(text: &str) -> String {
        Name::parse(text).expect_err(text).to_string()
    }

    #[test]
    fn a_name_is_a_variant_changes_and_settings() {
        let shown = |text: &str| {
            let name = Name::parse(text).unwrap();
            assert_eq!(name.text(), text);
            (name.to_string(), name.named().map(|entry| entry.name))
        };
        let is = |text: &str, named| (text.to_string(), named);
        assert_eq!(shown("champion"), is("champion", Some("champion")));
        assert_eq!(shown("champion[]"), is("champion[]", None));
        assert_eq!(shown("champion[order=weighted]"), is("champion", Some("champion")));
        assert_eq!(
            shown("champion[claims=none]@1024MiB"),
            is("champion-zugzwang-none@1GiB", Some("champion-zugzwang-none"))
        );
        let both = "champion[order=centre,zugzwang=none]";
        assert_eq!(shown("champion[ zugzwang=none, order=centre ]"), is(both, None));
        assert_eq!(shown(&format!("{both}@1GiB")), is(&format!("{both}@1GiB"), None));
        assert_eq!(shown("champion-claims-none[order=centre]"), is("champion-zugzwang-none[order=centre]", None));
        assert_eq!(shown("champion@1GiB").1, Some("champion"));
    }

    #[test]
    fn what_is_no_name_is_refused_with_its_reason() {
        assert!(refused("champoin@1GiB").starts_with("no variant \"champoin\""));
        assert!(refused("champion[ordr=centre]").starts_with("no axis \"ordr\""));
        assert!(refused("champion[order=center]").starts_with("no value of order \"center\""));
        assert_eq!(refused("champion[order]"), "\"order\" is not key=value");
        assert_eq!(refused("champion[order=centre"), "variant \"champion[order=centre\": \"[\" without \"]\"");
        assert!(refused("champion[]x").ends_with("\"x\" after the changes"));
        assert!(refused("champion[table=none]").contains("go together"));
        assert!(refused("champion@much").starts_with("variant \"champion@much\": not a size"));
        for setting in ["threads", "book"] {
            let reason = format!("no setting {setting:?}; a size of the table is one: champion@1GiB");
            assert!(refused(&format!("champion@{setting}=4")).ends_with(&reason));
            assert!(refused(&format!("champion[]@1GiB,{setting}=4")).ends_with(&reason));
        }
        assert!(refused("champion@1GiB,2GiB").ends_with("two sizes of one table"));
        assert_eq!(
            refused("pons-12@1GiB"),
            "variant \"pons-12@1GiB\": pons-12 has no size to choose: its table has the published size \
             (table-size=chosen frees it)"
        );
        assert!(Name::parse("pons-12[table-size=chosen]@1GiB").is_ok());
    }

    #[test]
    fn changes_start_from_the_variant_before_them() {
        let name = Name::parse("champion[order=centre]").unwrap();
        assert_eq!(name.spec().diff(CHAMPION), [("order", "centre", "weighted")]);
        let more = name.with("zugzwang=none").unwrap();
        assert_eq!(more.text(), "champion[order=centre,zugzwang=none]");
        assert_eq!(name.with("order=weighted").unwrap().text(), "champion");
        assert_eq!(Name::of(PONS_12).text(), "pons-12");
        // Two variants are one change away: the first of the list stands for it.
        assert_eq!(Name::of(more.spec()).text(), "champion-zugzwang-none[order=centre]");
    }

    #[test]
    fn a_twin_is_the_same_at_run_time() {
        let twin = |text: &str| Name::parse(text).unwrap().at_run_time();
        for (text, expected) in [
            ("champion", "champion[]"),
            ("champion@1GiB", "champion[]@1GiB"),
            ("champion[zugzwang=none]", "champion-zugzwang-none[]"),
            ("champion[order=centre]", "champion-order-centre[]"),
            ("champion[order=centre,zugzwang=none]", "champion[order=centre,zugzwang=none]"),
        ] {
            let (name, twin) = (Name::parse(text).unwrap(), twin(text));
            assert_eq!((twin.text(), twin.spec(), twin.tt_bytes()), (expected, name.spec(), name.tt_bytes()));
            let again = Name::parse(twin.text()).unwrap();
            assert!(twin.is_run_time() && again.is_run_time() && again.spec() == twin.spec());
        }
    }

    #[test]
    fn a_list_is_divided_between_names() {
        assert_eq!(list("a,b"), ["a", "b"]);
        assert_eq!(list("a[b=c,d=e],f[g=h]@1GiB,i"), ["a[b=c,d=e]", "f[g=h]@1GiB", "i"]);
        assert_eq!(list("a@1GiB,threads=4,b@2GiB,c[d=e]"), ["a@1GiB,threads=4", "b@2GiB", "c[d=e]"]);
        assert_eq!(list(""), [""]);
    }

    #[test]
    fn a_name_is_built_as_it_says() {
        let solved = |text: &str| {
            let mut solver = Name::parse(text).unwrap().build(&Options { tt_bytes: 1 << 20 }).unwrap();
            let position = Position::parse("5116116347241757466521647").unwrap();
            let solved = solver.solve(&position, Goal::Strong, &Limits::default()).unwrap();
            (solved.score, solved.nodes, solver.table_bytes())
        };
        assert_eq!(solved("champion-threats-halves[]"), solved("champion-threats-halves"));
        assert_eq!(solved("champion-threats-halves[]@2MiB").2, 2 << 20);
    }
}
