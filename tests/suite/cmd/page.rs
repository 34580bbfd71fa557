//! The page in a real browser: it opens, sorts, filters, says what a dot is, and complains of nothing.

use crate::support::browser::Browser;
use crate::support::process::run;
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

const RIGHT: &str = "\u{E014}";
const ENTER: &str = "\u{E007}";

fn shown(path: &Path) -> &str {
    path.to_str().expect("a temporary folder has a plain name")
}

/// The page of a small run of the quick experiment, and a browser that has opened it.
fn opened() -> Option<(TempDir, Browser)> {
    let Some(browser) = Browser::start() else {
        println!("skipped: no chromium with chromedriver is installed");
        return None;
    };
    let place = tempfile::tempdir().expect("a temporary folder");
    let (out, page) = (place.path().join("run"), place.path().join("report.html"));
    let (status, _, errors) = run(&["measure", "quick", "--limit", "5", "--quiet", "--out", shown(&out)]);
    assert_eq!(status, 0, "{errors}");
    let plots = place.path().join("plots");
    let (status, text, errors) = run(&["report", shown(&out), "--html", shown(&page), "--plots", shown(&plots)]);
    assert_eq!((status, text.as_str()), (0, ""), "{errors}");
    assert!(errors.contains("report.html") && errors.contains("pictures"), "{errors}");
    browser.open(&format!("file://{}", shown(&page)));
    Some((place, browser))
}

/// The texts of a column of the first table, from the first row on; hidden rows do not count.
fn column(browser: &Browser, number: usize) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('section.ground details.sheet tbody')[0].rows].filter((row) => row.offsetParent)
           .map((row) => row.cells[{number}].dataset.v || row.cells[{number}].textContent)"
    );
    let texts = browser.run(&script);
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

fn numbers(texts: &[String]) -> Vec<f64> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
#[ignore = "needs a browser"]
fn the_page_works_in_a_browser() {
    let Some((place, browser)) = opened() else { return };
    begins_with_the_matrix(&browser);
    sorts(&browser);
    filters(&browser);
    says_what_a_dot_is(&browser);
    fits_every_window(&browser);
    assert_eq!(browser.complaints(), Vec::<Value>::new(), "the console is empty");
    pictures_stand_alone(&browser, &place.path().join("plots"));
    assert_eq!(browser.complaints(), Vec::<Value>::new(), "the console is empty");
}

fn begins_with_the_matrix(browser: &Browser) {
    let found = browser.run(
        "const part = document.querySelector('main > section');
         const link = part.querySelector('td a'), told = document.querySelector('.facts');
         return [part.id, document.querySelector(link.getAttribute('href')).className, told.open,
           part.querySelector('thead th:last-child').dataset.ofSet]",
    );
    assert_eq!(found, json!(["matrix", "ground", false, "begin-medium"]));
    let next = browser.run("return document.querySelector('#matrix ~ #all h3').textContent");
    assert!(next.as_str().is_some_and(|title| title.contains("all variants by their times")), "{next}");
}

fn sorts(browser: &Browser) {
    let heading = ".ground details.sheet th[data-name='mean_ns']";
    let place =
        browser.run(&format!("return document.querySelector(\"{heading}\").cellIndex")).as_u64().unwrap() as usize;
    let before = numbers(&column(browser, place));
    assert!(before.len() > 2, "{before:?}");
    let mut sorted = before.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    browser.click(&format!("{heading} button"));
    assert_eq!(numbers(&column(browser, place)), sorted);
    let state = || browser.run(&format!("return document.querySelector(\"{heading}\").getAttribute('aria-sort')"));
    assert_eq!(state(), "ascending");
    browser.keys(&format!("{heading} button"), ENTER);
    sorted.reverse();
    assert_eq!(numbers(&column(browser, place)), sorted);
    assert_eq!(state(), "descending");
    browser.click(".ground details.sheet th[data-name='variant'] button");
    assert!(column(browser, 0).is_sorted());
}

fn filters(browser: &Browser) {
    let all = column(browser, 0);
    browser.keys("#variant", "pons-1");
    let some = column(browser, 0);
    assert!(!some.is_empty() && some.len() < all.len() && some.iter().all(|name| name.contains("pons-1")), "{some:?}");
    assert!(browser.run("return document.getElementById('count').textContent").as_str().unwrap().contains(" of "));
    let sections =
        "[...document.querySelectorAll('.ground')].filter((one) => one.offsetParent).map((one) => one.dataset.set)";
    let sets = browser.run(&format!("return {sections}"));
    assert!(sets.as_array().unwrap().len() > 1, "{sets}");
    let choose = |value: &str| {
        browser.run(&format!(
            "const set = document.getElementById('set'); set.value = '{value}';
             set.dispatchEvent(new Event('input', {{ bubbles: true }})); return set.value"
        ))
    };
    choose("middle-easy");
    assert_eq!(browser.run(&format!("return {sections}")), json!(["middle-easy"]));
    choose("");
    assert_eq!(browser.run(&format!("return {sections}")), sets);
    browser.run(
        "const box = document.getElementById('variant'); box.value = '';
         box.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    assert_eq!(column(browser, 0), all);
}

fn says_what_a_dot_is(browser: &Browser) {
    let panel = || browser.run("return document.querySelector('.panel').textContent").as_str().unwrap().to_string();
    assert!(panel().contains("Point at a dot"), "{}", panel());
    // Where the first dot is drawn, in the window.
    let place = browser.run(
        "const svg = document.querySelector('.scatter-time svg'); svg.scrollIntoView({ block: 'center', behavior: 'instant' });
         const [, x, y] = svg.querySelector('.dots').getAttribute('d').match(/M([\\d.]+) ([\\d.]+)/);
         const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
         return [box.left + x * scale, box.top + y * scale]",
    );
    browser.point(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    let text = panel();
    assert!(text.contains("Position ") && text.contains("Moves ") && text.contains("nodes"), "{text}");
    let stones = || browser.run("return document.querySelectorAll('.panel .first,.panel .second').length");
    let count: u64 = text.split(" stones").next().unwrap().split(", ").last().unwrap().parse().unwrap();
    assert_eq!(stones(), count, "{text}");
    assert_eq!(browser.run("return document.querySelectorAll('.scatter .chosen[visibility=visible]').length"), 2);
    // The same by keyboard: from dot to dot.
    browser.keys(".scatter-time svg", RIGHT);
    let next = panel();
    browser.keys(".scatter-time svg", RIGHT);
    assert!(next.contains("Position ") && (next != text || panel() != text), "{text}");
    // Another pair has other dots.
    let dots = || browser.run("return document.querySelector('.scatter-nodes .dots').getAttribute('d')");
    let before = dots();
    browser.run(
        "const select = document.querySelectorAll('.choose select')[1]; select.value = '0';
         select.dispatchEvent(new Event('change'))",
    );
    assert_ne!(dots(), before);
}

fn fits_every_window(browser: &Browser) {
    for width in [1400, 800, 360] {
        for scheme in ["light", "dark"] {
            browser.command(
                "Emulation.setEmulatedMedia",
                &json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
            );
            let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
            browser.command("Emulation.setDeviceMetricsOverride", &size);
            let found = browser.run(
                "const style = (element, name) => getComputedStyle(element)[name];
                 return [document.documentElement.scrollWidth, innerWidth,
                   style(document.body, 'backgroundColor'), style(document.querySelector('.plot text'), 'fill')]",
            );
            assert!(found[0].as_u64() <= found[1].as_u64() && found[1] == width, "nothing hangs out: {found}");
            assert!(is_in_view(browser, "geometric_mean"), "the speed-up and its interval are seen at {width}");
            let colors = if scheme == "dark" {
                ["rgb(22, 24, 28)", "rgb(168, 168, 168)"]
            } else {
                ["rgb(255, 255, 255)", "rgb(95, 95, 95)"]
            };
            assert_eq!(found.as_array().unwrap()[2..], colors.map(Value::from));
        }
    }
}

/// Whether the columns of this name lie within the box of the first summary, without scrolling.
fn is_in_view(browser: &Browser, name: &str) -> bool {
    let script = format!(
        "const box = document.querySelector('.ground details.sheet .table').getBoundingClientRect();
         const heads = [...document.querySelectorAll('.ground details.sheet')[0].querySelectorAll('th[data-name={name}]')];
         return heads.length === 2 && heads.every((head) => head.getBoundingClientRect().right <= box.right + 1)"
    );
    browser.run(&script) == true
}

/// A file of each kind opens by itself: the browser reads it as XML, and shows its texts.
fn pictures_stand_alone(browser: &Browser, folder: &Path) {
    for kind in ["speedup", "waterfall", "cactus", "profile", "scatter-time", "scatter-nodes"] {
        let file = folder.join(format!("middle-easy-strong-{kind}.svg"));
        browser.open(&format!("file://{}", shown(&file)));
        let found =
            browser.run("return [document.documentElement.localName, document.querySelectorAll('text').length]");
        assert_eq!(found[0], "svg", "{kind}");
        assert!(found[1].as_u64() > Some(5), "{kind}: {found}");
    }
}
