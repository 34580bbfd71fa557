use crate::engines::foreign::*;
use c4lab_solver::game::score::Score;
use std::sync::atomic::{AtomicBool, Ordering};

fn shell(script: &str) -> Program {
    Program {
        board: c4lab_solver::game::BoardSize::STANDARD,
        command: ProgramCommand {
            words: ["sh", "-c", script].map(str::to_string).to_vec(),
            ..ProgramCommand::default()
        },
        greets: false,
        asked_first: false,
        form: Form::new(Form::REQUEST, Form::ANSWER).unwrap(),
        reset: Reset::None,
        protocol: EngineProtocol::Lines,
    }
}

const NEVER: Limits<'_> = Limits { nodes: None, time: Some(Duration::from_secs(20)), interrupt: None };
const SOON: Limits<'_> = Limits { nodes: None, time: Some(Duration::from_millis(100)), interrupt: None };

fn position() -> Position {
    Position::parse("4453").unwrap()
}

fn ask(foreign: &mut Foreign, limits: &Limits<'_>) -> Result<Solved, Stopped> {
    foreign.solve(&position(), Goal::Strong, limits)
}

fn failure(foreign: &mut Foreign) -> Failure {
    assert_eq!(ask(foreign, &NEVER), Err(Stopped::Failed));
    foreign.figures().and_then(|figures| figures.failure.clone()).expect("a failure")
}

#[test]
fn an_answer_is_a_score_with_the_program_s_own_nodes_and_time() {
    let mut foreign = Foreign::new(shell("while read m; do echo $m -3 17 2.5; done"));
    for _ in 0..3 {
        assert_eq!(ask(&mut foreign, &NEVER), Ok(Solved { score: -3, nodes: 0 }));
        assert_eq!(foreign.figures(), Some(&EngineFigures { nodes: Some(17), ns: Some(2500), failure: None }));
    }
    assert_eq!(foreign.solve(&position(), Goal::Weak, &NEVER).map(|solved| solved.score), Ok(-1));
}

#[test]
fn a_late_answer_is_never_that_to_the_next_question() {
    // The first process answers too late, the next one in time.
    let place = tempfile::tempdir().unwrap();
    let mark = place.path().join("mark");
    let script = format!(
        "while read m; do if mkdir {0} 2>/dev/null; then sleep 0.4; echo $m 1; else echo $m 2; fi; done",
        mark.display()
    );
    let mut foreign = Foreign::new(shell(&script));
    assert_eq!(ask(&mut foreign, &SOON), Err(Stopped::Time(0)));
    assert_eq!(ask(&mut foreign, &NEVER).map(|solved| solved.score), Ok(2));
}

#[test]
fn what_a_program_does_instead_of_answering_is_said() {
    let of = |script: &str| failure(&mut Foreign::new(shell(script)));
    for (script, status, reason) in [
        ("read m; exit 3", Status::Error, "exited with status 3"),
        ("exit 0", Status::Error, "exited with status 0"),
        ("read m; printf 'half a li'; exit 0", Status::Error, "exited with status 0 after \"half a li\""),
        ("read m; kill -SEGV $$", Status::Signal, "ended by signal 11"),
        ("read m; echo $m x", Status::Error, "\"4453 x\": \"x\" is no score"),
        ("read m; echo 4454 1", Status::Error, "another position"),
        ("echo 44 1; read m; sleep 1; echo $m 1", Status::Error, "44 1"),
        ("while :; do echo hello; done", Status::Error, "1000 lines and no answer; the first is \"hello\""),
        ("read m; echo -3", Status::Error, "\"-3\": 1 word; expected at least 2"),
        ("read m; printf '4453 1\\n4453 1\\n'; sleep 20", Status::Error, "more than one line"),
        ("while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done", Status::Error, "xxx"),
        ("read m; printf '\\377\\n'", Status::Error, "not text"),
        ("read m; exec >&-; sleep 20", Status::Error, "closed its pipes"),
    ] {
        let failure = of(script);
        assert_eq!(failure.status, status, "{script}: {failure:?}");
        assert!(failure.reason.contains(reason), "{script}: {failure:?}");
        assert!(!failure.reason.contains('\n') && failure.reason.len() < 400, "{script}: {failure:?}");
    }
    let nowhere = ProgramCommand { words: vec!["./no-such-program".to_string()], ..shell("").command };
    let failure = failure(&mut Foreign::new(Program { command: nowhere, ..shell("") }));
    assert!(failure.reason.contains("cannot start ./no-such-program"), "{failure:?}");
}

/// An answer repeats the moves: all other lines are skipped, before and after it.
#[test]
fn banners_and_remarks_are_passed_over() {
    let chatty = "echo Solver 3.1; echo; while read m; do echo thinking; echo $m 2 17; echo done; done";
    for (asked_first, greets) in [(false, false), (true, false), (true, true)] {
        let mut foreign = Foreign::new(Program { asked_first, greets, ..shell(chatty) });
        for _ in 0..3 {
            assert_eq!(ask(&mut foreign, &NEVER), Ok(Solved { score: 2, nodes: 0 }), "{:?}", foreign.figures());
        }
        assert_eq!(foreign.figures().and_then(|figures| figures.nodes), Some(17));
    }
    // Without repeated moves, an answer cannot be distinguished from a remark.
    let form = Form::new(Form::REQUEST, "score {score}").unwrap();
    let plain = "read m; echo thinking; echo score 2";
    assert!(failure(&mut Foreign::new(Program { form, ..shell(plain) })).reason.contains("expected"));
}

#[test]
fn who_only_chats_is_late_and_quoted() {
    let mut foreign = Foreign::new(shell("while read m; do echo I do not know; done"));
    assert_eq!(ask(&mut foreign, &SOON), Err(Stopped::Failed));
    let failure = foreign.figures().and_then(|figures| figures.failure.clone()).unwrap();
    assert_eq!(failure.status, Status::Timeout);
    assert_eq!(failure.reason, "no answer in time; the program wrote \"I do not know\", which is not an answer");
}

#[test]
fn a_program_that_failed_is_started_anew() {
    let mut foreign = Foreign::new(shell("read m; echo $m 1; read m; exit 1"));
    assert!(ask(&mut foreign, &NEVER).is_ok());
    assert_eq!(ask(&mut foreign, &NEVER), Err(Stopped::Failed));
    assert!(ask(&mut foreign, &NEVER).is_ok());
    assert_eq!(foreign.figures().and_then(|figures| figures.failure.as_ref()), None);
}

#[test]
fn between_positions_it_is_restarted_or_told_or_left_alone() {
    // The score is the number of questions since the last reset.
    let counting = "n=0; while read m; do case $m in forget) n=0; echo done;; *) n=$((n+1)); echo $m $n;; esac; done";
    let scores = |reset: Reset| -> Vec<Score> {
        let mut foreign = Foreign::new(Program { reset, ..shell(counting) });
        let mut next = || {
            foreign.reset();
            ask(&mut foreign, &NEVER).expect("an answer").score
        };
        (0..3).map(|_| next()).collect()
    };
    assert_eq!(scores(Reset::None), [1, 2, 3]);
    assert_eq!(scores(Reset::Restart), [1, 1, 1]);
    let line = |answer: &str| Reset::Line { line: "forget".to_string(), answer: Some(answer.to_string()) };
    assert_eq!(scores(line("done")), [1, 1, 1]);
    let mut foreign = Foreign::new(Program { reset: line("forgotten"), ..shell(counting) });
    foreign.reset();
    assert!(ask(&mut foreign, &NEVER).is_ok(), "a program that was just started is not reset");
    foreign.reset();
    let failure = failure(&mut foreign);
    assert!(failure.reason.contains("the answer to the reset is \"done\", not \"forgotten\""), "{failure:?}");
}

#[test]
fn a_greeting_is_waited_for() {
    let greeting = "sleep 0.2; echo ready; while read m; do echo $m 1; done";
    let mut foreign = Foreign::new(Program { greets: true, ..shell(greeting) });
    foreign.reset();
    assert!(ask(&mut foreign, &SOON).is_ok());
    let mut silent = Foreign::new(Program { greets: true, ..shell("exit 4") });
    assert!(failure(&mut silent).reason.contains("greeting: exited with status 4"));
}

#[test]
fn a_flag_stops_the_wait() {
    static FLAG: AtomicBool = AtomicBool::new(false);
    let mut foreign = Foreign::new(shell("while read m; do sleep 30; done"));
    let raise = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(50));
        FLAG.store(true, Ordering::Relaxed);
    });
    let limits = Limits { interrupt: Some(&FLAG), ..NEVER };
    assert_eq!(ask(&mut foreign, &limits), Err(Stopped::Interrupted(0)));
    raise.join().unwrap();
}

#[test]
fn memory_is_limited_and_running_out_of_it_is_told_apart() {
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("logs/program.log");
    let of = |script: &str, memory: Option<u64>| {
        let command = ProgramCommand { memory, log: Some(log.clone()), ..shell(script).command };
        Foreign::new(Program { command, ..shell(script) })
    };
    let mut limited = of("read m; echo $m $(ulimit -v)", Some(300 << 20));
    assert_eq!(ask(&mut limited, &NEVER).map(|solved| solved.score), Ok(300 << 10));
    let script = "read m; echo 'terminate called: std::bad_alloc' >&2; exit 1";
    assert_eq!(failure(&mut of(script, Some(300 << 20))).status, Status::Oom);
    assert_eq!(failure(&mut of(script, None)).status, Status::Error);
    // Earlier lines of the log are not of this process.
    assert_eq!(failure(&mut of("read m; exit 1", Some(300 << 20))).status, Status::Error);
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 2);
}

#[test]
fn a_program_is_ended_with_all_that_it_started() {
    let place = tempfile::tempdir().unwrap();
    let alive = place.path().join("alive");
    // The inner process ignores SIGTERM, and writes as long as it lives.
    let script = format!(
        "(trap '' TERM; while :; do date +%s%N > {0}; sleep 0.05; done) & trap '' TERM; while :; do sleep 1; done",
        alive.display()
    );
    let mut foreign = Foreign::new(shell(&script));
    assert_eq!(ask(&mut foreign, &SOON), Err(Stopped::Time(0)));
    drop(foreign);
    let read = || std::fs::read_to_string(&alive).unwrap_or_default();
    std::thread::sleep(Duration::from_millis(100));
    let last = read();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(read(), last);
}

/// The program is started for every position, so that it cannot remember earlier ones.
#[test]
fn a_program_is_called_once_a_position() {
    let called = |protocol, script: &str| {
        let mut program = shell(script);
        program.command.words.push("sh".to_string());
        Foreign::new(Program { protocol, asked_first: true, ..program })
    };
    let mut by_arguments = called(EngineProtocol::Arguments, "printf '%s %s' $1 2");
    let mut by_input = called(EngineProtocol::Input, "m=$(cat); echo $m 3; echo more");
    for _ in 0..3 {
        assert_eq!(ask(&mut by_arguments, &NEVER), Ok(Solved { score: 2, nodes: 0 }), "a line without an end");
        assert_eq!(ask(&mut by_input, &NEVER), Ok(Solved { score: 3, nodes: 0 }));
        by_input.prepare(&NEVER);
    }
    assert_eq!(failure(&mut called(EngineProtocol::Arguments, "exit 3")).reason, "exited with status 3");
    let mut sleeper = called(EngineProtocol::Input, "sleep 10");
    assert_eq!(ask(&mut sleeper, &SOON), Err(Stopped::Time(0)));
}
