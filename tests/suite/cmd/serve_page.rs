//! The page of `c4lab serve` in a real browser: play, links, variants, drawings, a server that is killed, windows of every width.

use crate::support::browser::Browser;
use crate::support::server::RunningServer;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::Duration;

/// Thirty stones; the mover wins.
const LATE: &str = "415473535241177673643117467523";
/// Keys, as WebDriver writes them.
const ENTER: &str = "\u{E007}";
const RIGHT: &str = "\u{E014}";
const BACKSPACE: &str = "\u{E003}";

fn text(browser: &Browser, id: &str) -> String {
    browser.run(&format!("return document.getElementById('{id}').textContent")).as_str().unwrap().to_string()
}

/// The scores under the columns; of the best ones without their star.
fn worths(browser: &Browser) -> Vec<String> {
    let worths = browser.run("return [...document.querySelectorAll('#columns .worth')].map((it) => it.textContent)");
    worths.as_array().unwrap().iter().map(|it| it.as_str().unwrap().replace('★', "")).collect()
}

/// Until every column has its score.
const ALL_COLUMNS: &str = "return /^Best columns?: /.test(document.getElementById('columns-said').textContent)";
/// Until every variant has told what it did.
const ALL_VARIANTS: &str = "const shows = [...document.querySelectorAll('#table button[aria-pressed]')];
    return shows.length > 1 && shows.every((it) => !it.disabled)";

#[test]
#[ignore = "needs a browser"]
fn the_page_to_explore_works_in_a_browser() {
    let Some(browser) = Browser::start() else {
        println!("skipped: no chromium with chromedriver is installed");
        return;
    };
    let server = RunningServer::start(0, &[]);
    browser.open(&server.address(&format!("/?moves={LATE}")));
    shows_a_position(&browser);
    shows_variants_side_by_side(&browser);
    draws_explanations(&browser);
    fits_every_window(&browser);
    plays(&browser);
    links(&browser, &server);
    refuses_what_makes_no_sense(&browser);
    assert_eq!(browser.complaints().iter().filter(|it| !is_refusal(it)).count(), 0, "the console is empty");
    leaves_no_search_behind(&browser, &server);
    outlives_its_server(&browser, server);
}

/// A request that the server refused: the browser notes it, too.
fn is_refusal(complaint: &Value) -> bool {
    complaint["message"].as_str().is_some_and(|text| text.contains("status of 400"))
}

fn shows_a_position(browser: &Browser) {
    browser.wait_until(ALL_COLUMNS);
    assert_eq!(worths(browser), ["2", "2", "2", "2", "1", "2", ""]);
    assert_eq!(text(browser, "turn"), "The first player (X) is to move.");
    assert_eq!(text(browser, "score"), "Score 2: The first player (X) wins with its 20th stone, in 9 plies.");
    browser.wait_until("return document.getElementById('line').textContent.startsWith('Best play: 4')");
    // Letters say whose a stone is, and a screen reader hears the columns.
    let stones = browser.run("return ['X', 'O'].map((it) => document.querySelectorAll(`#columns .${it}`).length)");
    assert_eq!(stones, json!([15, 15]));
    let label = browser.run("return document.querySelector('[data-column=\"3\"]').getAttribute('aria-label')");
    assert_eq!(label, "Column 3, from the bottom O O O X O. Score 2, wins in 9 plies");
    let full = browser.run("return document.querySelector('[data-column=\"7\"]').getAttribute('aria-disabled')");
    assert_eq!(full, "true");
    let unnamed = browser.run(
        "return [...document.querySelectorAll('button, input, select, a')].filter((it) => it.offsetParent
           && !it.textContent.trim() && !it.getAttribute('aria-label') && !it.labels?.length).length",
    );
    assert_eq!(unnamed, 0, "everything that can be pressed has a name");
}

/// Score and nodes of the variants, as `c4lab solve` gives them.
fn shows_variants_side_by_side(browser: &Browser) {
    browser.wait_until(ALL_VARIANTS);
    let table = "return [...document.querySelectorAll('#table tbody tr')].map((row) => [...row.cells].slice(0, 3)
       .map((cell) => cell.textContent.split(' ')[0]))";
    assert_eq!(browser.run(table), json!([["champion", "2", "48"], ["pons-12", "2", "349"]]));
    browser.keys("#variant", &format!("pons-05{ENTER}"));
    browser.wait_until("return document.querySelectorAll('#table tbody tr').length === 3");
    browser.wait_until(ALL_VARIANTS);
    assert_eq!(browser.run(table)[2], json!(["pons-05", "2", "758"]));
    assert!(browser.run("return location.search").as_str().unwrap().contains("variant=pons-05"));
    browser.click("#table tr[data-variant='pons-05'] button:not([aria-pressed])");
    browser.wait_until("return document.querySelectorAll('#table tbody tr').length === 2");
}

fn draws_explanations(browser: &Browser) {
    let told = text(browser, "told");
    assert!(told.contains("champion found 2, in 48 nodes") && told.contains("Rule odd-threat"), "{told}");
    let marks =
        "return [...document.querySelectorAll('#told figure')].map((it) => it.querySelectorAll('.marked').length)";
    assert_eq!(browser.run(marks), json!([4, 4, 7]));
    let on_board = || browser.run("return document.querySelectorAll('#columns .marked').length");
    assert_eq!(on_board(), 0);
    browser.click("#told figure:nth-of-type(3) button");
    assert_eq!(on_board(), 7);
    assert_eq!(worths(browser)[4], "1", "the scores stay");
    assert!(browser.run("return !document.getElementById('marks').hidden") == true);
    browser.click("#table tr[data-variant='pons-12'] button[aria-pressed]");
    assert!(text(browser, "told").contains("pons-12 found 2, in 349 nodes"));
    browser.click("#table tr[data-variant='champion'] button[aria-pressed]");
    // The board of a drawing is another position: its link leads there, and back.
    browser.click("#told figure:nth-of-type(1) a");
    browser.wait_until("return document.getElementById('turn').textContent === 'The second player (O) is to move.'");
    browser.wait_until(ALL_COLUMNS);
    browser.back();
    browser.wait_until("return document.getElementById('turn').textContent.startsWith('The first')");
    browser.wait_until(ALL_COLUMNS);
    browser.wait_until(ALL_VARIANTS);
}

fn fits_every_window(browser: &Browser) {
    for width in [1400, 800, 360] {
        for scheme in ["light", "dark"] {
            let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            browser.command("Emulation.setEmulatedMedia", &media);
            let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
            browser.command("Emulation.setDeviceMetricsOverride", &size);
            let found = browser.run("return [document.documentElement.scrollWidth, innerWidth]");
            assert!(found[0].as_u64() <= found[1].as_u64() && found[1] == width, "nothing hangs out: {found}");
            let narrow = browser.run(
                "return Math.min(...[...document.querySelectorAll('#columns button')].map((it) => it.getBoundingClientRect().width))",
            );
            assert!(narrow.as_f64() >= Some(40.0), "a finger finds a column: {narrow} at {width}");
        }
    }
    browser.command("Emulation.clearDeviceMetricsOverride", &json!({}));
    browser.command("Emulation.setEmulatedMedia", &json!({ "features": [] }));
}

/// By pointer and by keys.
fn plays(browser: &Browser) {
    browser.click("#new");
    browser.wait_until(ALL_COLUMNS);
    assert_eq!(worths(browser), ["-2", "-1", "0", "1", "0", "-1", "-2"]);
    browser.click("[data-column='4']");
    let moves = || browser.run("return document.getElementById('moves').value");
    assert_eq!(moves(), "4");
    assert_eq!(browser.run("return document.activeElement.dataset.column"), "4", "the focus stays");
    browser.keys("[data-column='4']", &format!("{RIGHT}{ENTER}"));
    assert_eq!(moves(), "45");
    browser.keys("[data-column='5']", "3");
    assert_eq!(moves(), "453");
    browser.keys("[data-column='5']", BACKSPACE);
    assert_eq!(moves(), "45");
    browser.click("#back");
    assert_eq!(moves(), "4");
    // To the end of a game; then nothing can be played.
    for moves in ["121212", "1212121"] {
        browser.run(&format!("document.getElementById('moves').value = '{moves}'"));
        browser.click("#go button");
    }
    browser.wait_until("return document.getElementById('score').textContent.includes('has four in a row')");
    browser.wait_until("return document.querySelectorAll('#columns [aria-disabled=true]').length === 7");
    browser.click("[data-column='4']");
    assert_eq!(moves(), "1212121");
    browser.run("document.getElementById('moves').value = '121212'");
    browser.click("#go button");
    browser.wait_until(ALL_COLUMNS);
    browser.click("#best");
    assert_eq!(moves(), "1212121");
}

/// A position is a link, with its board and its variants; so the browser's own back leads back.
fn links(browser: &Browser, server: &RunningServer) {
    browser.open(&server.address("/?moves=1212&board=6x5&variant=pons-12&variant=champion%5Border%3Dcentre%5D"));
    browser.wait_until(ALL_COLUMNS);
    browser.wait_until(ALL_VARIANTS);
    let found = browser.run(
        "return [document.querySelectorAll('#columns button').length, document.getElementById('size').value,
           [...document.querySelectorAll('#table tbody th')].map((it) => it.textContent)]",
    );
    assert_eq!(found, json!([6, "6x5", ["pons-12", "champion[order=centre]"]]));
    let address = browser.run("return location.href");
    browser.run("window.before = true; document.getElementById('link').click()");
    browser.wait_until("return !window.before");
    browser.wait_until(ALL_COLUMNS);
    assert_eq!(browser.run("return location.href"), address);
    browser.click("[data-column='3']");
    assert!(browser.run("return location.search").as_str().unwrap().contains("moves=12123"));
    browser.back();
    browser.wait_until("return document.getElementById('moves').value === '1212'");
    let records = browser.run("return document.querySelectorAll('#records-list a[href^=\"/record?name=\"]').length");
    assert!(records.as_u64() > Some(10), "{records}");
}

fn refuses_what_makes_no_sense(browser: &Browser) {
    browser.run("document.getElementById('moves').value = '<img src=x>'");
    browser.click("#go button");
    browser.wait_until("return document.getElementById('moves-wrong').textContent.includes('ply 1')");
    assert!(browser.run("return document.getElementById('variant-wrong').hidden") == true, "it is said once");
    browser.click("#new");
    browser.wait_until("return document.getElementById('moves-wrong').hidden");
    browser.keys("#variant", &format!("champoin{ENTER}"));
    browser.wait_until("return document.getElementById('variant-wrong').textContent.includes('nearest')");
}

/// Searches that take for ever end with the page that asked for them: one that goes on, and one that is closed.
fn leaves_no_search_behind(browser: &Browser, server: &RunningServer) {
    browser.open(&server.address("/?variant=pons-03&variant=pons-04"));
    browser.wait_until("return document.querySelector('#table').textContent.includes('Searching for')");
    assert!(server.threads() >= 6, "two searches, each with its connection");
    browser.open("about:blank");
    for _ in 0..600 {
        if server.threads() <= 2 {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{} threads are left", server.threads());
}

fn outlives_its_server(browser: &Browser, server: RunningServer) {
    let port = server.port;
    browser.open(&server.address("/?moves=44&variant=champion&variant=pons-03"));
    browser.wait_until(ALL_COLUMNS);
    drop(server);
    browser.wait_until("return !document.getElementById('problem').hidden");
    browser.click("[data-column='4']");
    browser.wait_until("return document.getElementById('problem').textContent.includes('Start c4lab serve again')");
    let _again = RunningServer::start(port, &[]);
    browser.click("#again");
    browser.wait_until(ALL_COLUMNS);
    assert!(browser.run("return document.getElementById('problem').hidden") == true);
    assert_eq!(browser.run("return document.getElementById('moves').value"), "444");
}

/// Where other pages take all searches, a page says so, asks again, and gets its answers.
fn waits_for_its_turn(browser: &Browser) {
    let server = RunningServer::start(0, &["--searches", "1"]);
    let mut other = server.connect();
    other.write_all(server.request("/solve?moves=&variant=pons-03").as_bytes()).unwrap();
    assert!(other.read(&mut [0; 15]).unwrap() > 0, "it has begun");
    browser.open(&server.address(&format!("/?moves={LATE}")));
    browser.wait_until("return document.getElementById('state').textContent.includes('Waiting for other searches')");
    drop(other);
    browser.wait_until(ALL_COLUMNS);
    browser.wait_until(ALL_VARIANTS);
    assert!(browser.run("return document.getElementById('moves-wrong').hidden") == true, "nothing was wrong");
}

/// Two pages at once: neither keeps the other from its answers.
#[test]
#[ignore = "needs a browser"]
fn two_pages_are_served_at_once() {
    let (Some(one), Some(other)) = (Browser::start(), Browser::start()) else {
        println!("skipped: no chromium with chromedriver is installed");
        return;
    };
    let server = RunningServer::start(0, &[]);
    one.open(&server.address("/?moves=4444443265"));
    other.open(&server.address(&format!("/?moves={LATE}")));
    for browser in [&one, &other] {
        browser.wait_until(ALL_COLUMNS);
        browser.wait_until(ALL_VARIANTS);
    }
    assert_eq!(worths(&one), ["-2", "-2", "-2", "", "1", "-2", "-4"]);
    assert_eq!(worths(&other), ["2", "2", "2", "2", "1", "2", ""]);
    waits_for_its_turn(&one);
}
