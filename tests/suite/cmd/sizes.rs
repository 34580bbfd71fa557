//! Tables of several sizes in one run, through real processes.

use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use std::fs;

#[test]
fn one_variant_with_tables_of_several_sizes_stands_beside_itself() {
    let (_place, out) = place();
    let names = ["champion-threats-halves@1MiB", "champion-threats-halves@64MiB", "champion-threats-halves"];
    let measure = |variants: &str| {
        let base = ["measure", "--variants", variants, "--test-sets", "end-easy", "--limit", "4", "--tt", "2MiB"];
        run(&[&base[..], &["--counters", "--quiet", "--out", shown(&out)]].concat())
    };
    let refused = measure("pons-12@1MiB");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("pons-12 has no size to choose"), "{}", text(&refused.stderr));
    let output = measure(&names.join(","));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    for (name, size) in names.into_iter().zip([1 << 20, 64 << 20, 2 << 20]) {
        let sizes: Vec<u64> = rows.iter().filter(|row| row.variant == name).map(|row| row.tt_bytes).collect();
        assert_eq!(sizes, [size; 4], "{name}");
    }
    let counters = fs::read_to_string(out.join("counters.csv")).unwrap();
    assert_eq!(counters.lines().count(), 1 + 3 * 4, "{counters}");
    let compared = run(&["compare", shown(&out), "--base", names[0], "--to", names[1]]);
    assert!(compared.status.success(), "{}", text(&compared.stderr));
    let page = out.join("page.html");
    assert!(run(&["report", shown(&out), "--html", shown(&page)]).status.success());
}
