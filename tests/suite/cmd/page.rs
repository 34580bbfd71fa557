//! The page in a real browser: it sorts, filters, says what a dot is, fits every window, and complains of nothing.

use crate::support::browser::Browser;
use crate::support::{good, place};
use serde_json::{Value, json};

/// The texts of a column of the first table, from the first row on; hidden rows do not count.
fn column(browser: &Browser, number: usize) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('section.group details.sheet tbody')[0].rows].filter((row) => row.offsetParent)
           .map((row) => row.cells[{number}].dataset.v || row.cells[{number}].textContent)"
    );
    let texts = browser.run(&script);
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

#[test]
#[ignore = "needs a browser"]
fn the_page_works_in_a_browser() {
    let Some(browser) = Browser::start() else {
        println!("skipped: no chromium with chromedriver is installed");
        return;
    };
    let place = place();
    let (out, page) = (place.name("run"), place.name("report.html"));
    good(&format!("measure quick --limit 5 --quiet --out {out}"));
    good(&format!("report {out} --html {page}"));
    browser.open(&format!("file://{page}"));
    sorts(&browser);
    filters(&browser);
    says_what_a_dot_is(&browser);
    for width in [1400, 800, 360] {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        browser.command("Emulation.setDeviceMetricsOverride", &size);
        let found = browser.run("return [document.documentElement.scrollWidth, innerWidth]");
        assert!(found[0].as_u64() <= found[1].as_u64() && found[1] == width, "nothing hangs out: {found}");
    }
    assert_eq!(browser.complaints(), Vec::<Value>::new(), "the console is empty");
}

fn sorts(browser: &Browser) {
    let heading = ".group details.sheet th[data-name='mean_ns']";
    let place =
        browser.run(&format!("return document.querySelector(\"{heading}\").cellIndex")).as_u64().unwrap() as usize;
    let numbers = || column(browser, place).iter().map(|text| text.parse::<f64>().unwrap()).collect::<Vec<_>>();
    let mut sorted = numbers();
    assert!(sorted.len() > 2, "{sorted:?}");
    sorted.sort_unstable_by(f64::total_cmp);
    browser.click(&format!("{heading} button"));
    assert_eq!(numbers(), sorted);
    browser.keys(&format!("{heading} button"), "\u{E007}");
    sorted.reverse();
    assert_eq!(numbers(), sorted);
}

fn filters(browser: &Browser) {
    let all = column(browser, 0);
    browser.keys("#variant", "pons-1");
    let some = column(browser, 0);
    assert!(!some.is_empty() && some.len() < all.len() && some.iter().all(|name| name.contains("pons-1")), "{some:?}");
    let choose = |element: &str, value: &str| {
        browser.run(&format!(
            "const it = document.getElementById('{element}'); it.value = '{value}';
             it.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ));
        browser.run(
            "return [...document.querySelectorAll('.group')].filter((it) => it.offsetParent).map((it) => it.dataset.set)",
        )
    };
    assert_eq!(choose("set", "middle-easy"), json!(["middle-easy"]));
    assert!(choose("set", "").as_array().unwrap().len() > 1);
    choose("variant", "");
    assert_eq!(column(browser, 0), all);
}

fn says_what_a_dot_is(browser: &Browser) {
    let panel = || browser.run("return document.querySelector('.panel').textContent").as_str().unwrap().to_string();
    let before = panel();
    // Where the first dot is drawn, in the window.
    let place = browser.run(
        "const svg = document.querySelector('.scatter-time svg'); svg.scrollIntoView({ block: 'center', behavior: 'instant' });
         const [, x, y] = svg.querySelector('.dots').getAttribute('d').match(/M([\\d.]+) ([\\d.]+)/);
         const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
         return [box.left + x * scale, box.top + y * scale]",
    );
    browser.point(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    let text = panel();
    assert!(text != before && text.contains("nodes"), "{text}");
    // The same by keyboard: from dot to dot.
    browser.keys(".scatter-time svg", "\u{E014}");
    let next = panel();
    browser.keys(".scatter-time svg", "\u{E014}");
    assert!(next != text || panel() != text, "{text}");
}
