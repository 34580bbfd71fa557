//! Valid names, invalid names, and the solver that a name builds.

use c4lab_solver::game::Position;
use c4lab_solver::search::name::list;
use c4lab_solver::search::registry::{ABLATIONS, CHAMPION, PONS_12};
use c4lab_solver::search::{Goal, Limits, Name, Options};

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
    assert_eq!(shown("champion[order=learned]"), is("champion", Some("champion")));
    assert_eq!(
        shown("champion[zugzwang=none]@1024MiB"),
        is("champion-zugzwang-none@1GiB", Some("champion-zugzwang-none"))
    );
    let both = "champion[order=centre,zugzwang=none]";
    assert_eq!(shown("champion[ zugzwang=none, order=centre ]"), is(both, None));
    assert_eq!(shown(&format!("{both}@1GiB")), is(&format!("{both}@1GiB"), None));
    assert_eq!(shown("champion-zugzwang-none[order=centre]"), is("champion-zugzwang-none[order=centre]", None));
    assert_eq!(shown("champion@1GiB").1, Some("champion"));
    let all = "champion@1GiB,threads=3";
    assert_eq!(shown("champion@threads=3, 1GiB"), is(all, Some("champion")));
}

#[test]
fn what_is_no_name_is_refused_with_its_reason() {
    assert!(refused("champoin@1GiB").starts_with("no variant \"champoin\""));
    assert!(refused("champion[ordr=centre]").starts_with("no axis \"ordr\""));
    assert!(refused("champion[order=center]").starts_with("no value of order \"center\""));
    assert_eq!(refused("champion[order]"), "\"order\" is not key=value");
    assert_eq!(refused("champion[order=centre"), "variant \"champion[order=centre\": \"[\" without \"]\"");
    assert!(refused("champion[]x").ends_with("\"x\" after the changes"));
    assert!(refused("champion[table=none]").contains("key=exact"));
    assert!(refused("champion@much").starts_with("variant \"champion@much\": not a size"));
    assert!(
        refused("champion[]@1GiB,cores=4").contains("no setting \"cores\"; there are a size of the table and threads")
    );
    for (text, reason) in [
        ("champion@threads=many", "threads=many: not a number of threads, as in champion@threads=2"),
        ("champion@threads=0", "threads=0: 0 threads: there may be 1 to 256"),
        ("champion@threads=1000", "threads=1000: 1000 threads: there may be 1 to 256"),
        ("champion@threads=2,threads=2", "threads= twice"),
    ] {
        assert!(refused(text).ends_with(reason), "{}", refused(text));
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
    assert_eq!(name.spec().diff(CHAMPION), [("order", "centre", "learned")]);
    let more = name.with("zugzwang=none").unwrap();
    assert_eq!(more.text(), "champion[order=centre,zugzwang=none]");
    assert_eq!(name.with("order=learned").unwrap().text(), "champion");
    assert_eq!(Name::of(PONS_12).text(), "pons-12");
    // Two variants are one change away: the first of the list is the base.
    assert_eq!(Name::of(more.spec()).text(), "champion-zugzwang-none[order=centre]");
}

#[test]
fn a_twin_is_the_same_at_run_time() {
    let twin = |text: &str| Name::parse(text).unwrap().at_run_time();
    for (text, expected) in [
        ("champion", "champion[]"),
        ("champion@1GiB", "champion[]@1GiB"),
        ("champion@threads=2", "champion[]@threads=2"),
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
    let teams = "champion@threads=2,champion@threads=3,champion@1GiB";
    assert_eq!(list(teams), ["champion@threads=2", "champion@threads=3", "champion@1GiB"]);
    assert_eq!(list(""), [""]);
}

#[test]
fn a_name_is_built_as_it_says() {
    let solved = |text: &str| {
        let mut solver =
            Name::parse(text).unwrap().build(&Options { tt_bytes: 1 << 20, ..Options::default() }).unwrap();
        let position = Position::parse("5116116347241757466521647").unwrap();
        let solved = solver.solve(&position, Goal::Strong, &Limits::default()).unwrap();
        (solved.score, solved.nodes, solver.table_bytes())
    };
    assert_eq!(solved("champion-threats-halves[]"), solved("champion-threats-halves"));
    assert_eq!(solved("champion-threats-halves[]@2MiB").2, 2 << 20);
    let built = |text: &str| {
        let options = Options { tt_bytes: 1 << 20, ..Options::default() };
        Name::parse(text).unwrap().build(&options).map(|solver| solver.threads()).map_err(|error| error.to_string())
    };
    let one = |text: &str| Name::parse(text).unwrap().with_one_thread().text().to_string();
    assert_eq!(one("champion@threads=2,1GiB"), "champion@1GiB");
    assert_eq!(one("champion[order=sides]"), "champion[order=sides]");
    assert!(Name::parse("champion@threads=1").unwrap().says_threads());
    assert_eq!(built("champion"), Ok(1));
    assert_eq!(built("champion-order-centre[]@threads=2").is_ok(), ABLATIONS);
    assert!(built("champion-order-centre@threads=2").is_err());
    assert!(built("pons-12@threads=2").unwrap_err().contains("threads are for search=children"));
    let counted = Name::parse("champion@threads=2").unwrap().build_counted(&Options::default());
    assert!(counted.err().is_some_and(|error| error.to_string().contains("a single thread")));
}
