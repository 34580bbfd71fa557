//! A variant that says only who wins, through every command that asks for a score.

use crate::support::place::{place, shown};
use crate::support::process::run;
use std::fs;

fn refused(arguments: &[&str]) -> (i32, String) {
    let (status, _, stderr) = run(arguments);
    (status, stderr)
}

#[test]
fn who_says_only_who_wins_is_asked_for_no_score() {
    let (place, out) = place();
    let score = ["solve", "44444415", "--variant", "fhourstones"];
    assert_eq!(refused(&score), (2, "c4lab: fhourstones says only who wins: add --goal weak\n".to_string()));
    let measure = ["measure", "--variants", "pons-12,bot-any-win", "--test-sets", "end-easy", "--out", shown(&out)];
    let (status, said) = refused(&measure);
    assert!(status == 2 && said.contains("bot-any-win says only who wins: a run with it has goals"), "{said}");
    let sets = ["test-sets", "verify", "end-easy", "--scores", "bot-final"];
    let (status, said) = refused(&sets);
    assert!(status == 2 && said.contains("--scores bot-final: it says only who wins"), "{said}");
    let generate = ["test-sets", "generate", "--set", "end-easy", "--variant", "fhourstones", "--out", shown(&out)];
    let (status, said) = refused(&generate);
    assert!(status == 1 && said.contains("it says only who wins"), "{said}");
    let attribution = place.path().join("who.toml");
    let text = "name = \"who\"\nbase = \"fhourstones\"\ntest-sets = [\"end-easy\"]\n\
                [[techniques]]\nname = \"centre\"\nchanges = \"order=centre\"\n";
    fs::write(&attribution, text).unwrap();
    let (status, said) = refused(&["attribute", shown(&attribution), "--out", shown(&out)]);
    assert!(status != 0 && said.contains("says only who wins: goal = \"weak\""), "{status} {said}");
    assert!(!out.join("samples.csv").exists() && !out.join("nodes.csv").exists());
}

#[test]
fn who_wins_is_told_and_measured() {
    let (_place, out) = place();
    for variant in ["fhourstones", "bot-any-win", "fhourstones[order=centre,table=full]"] {
        let (status, stdout, stderr) =
            run(&["solve", "2252576253462244111563365343671351441", "--variant", variant, "--goal", "weak"]);
        assert!(
            status == 0 && stdout.starts_with("2252576253462244111563365343671351441 -1 "),
            "{variant}: {stdout}{stderr}"
        );
    }
    let measure =
        ["measure", "--variants", "fhourstones,pons-12", "--test-sets", "end-easy", "--limit", "20", "--goal", "weak"];
    let (status, _, stderr) = run(&[&measure[..], &["--quiet", "--out", shown(&out)]].concat());
    assert_eq!(status, 0, "{stderr}");
}
