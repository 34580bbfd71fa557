//! The page in a real browser: it sorts, filters, names a dot, fits every window, and has no error. A script that is
//! added to the page uses it, and reports to the page around it.

use crate::support::{good, json, place, read};
use serde_json::{Value, json};
use std::process::Command;

const BEFORE: &str = "<script>
const complaints = [];
addEventListener('error', (event) => complaints.push(event.message));
addEventListener('securitypolicyviolation', (event) => complaints.push(event.violatedDirective));
</script>";

const BEHIND: &str = r#"<script>
const one = (selector) => document.querySelector(selector);
const rows = () => [...one('section.group details.sheet tbody').rows].filter((row) => row.offsetParent);
const column = (number) => rows().map((row) => row.cells[number].dataset.v || row.cells[number].textContent);
const heading = one('.group details.sheet th[data-name="mean_ns"]');
const sorted = () => { heading.querySelector('button').click(); return column(heading.cellIndex).map(Number); };
const found = { rising: sorted(), falling: sorted(), all: column(0) };
const choose = (id, value) => {
  document.getElementById(id).value = value;
  document.getElementById(id).dispatchEvent(new Event('input', { bubbles: true }));
};
choose('variant', 'pons-1');
found.some = column(0);
choose('set', 'middle-easy');
found.sets = [...document.querySelectorAll('.group')].filter((it) => it.offsetParent).map((it) => it.dataset.set);
['set', 'variant'].forEach((id) => choose(id, ''));
found.again = column(0);
// The pointer is on the first dot; then the keyboard moves from dot to dot.
const [panel, svg] = [() => one('.panel').textContent, one('.scatter-time svg')];
const [x, y] = svg.querySelector('.dots').getAttribute('d').match(/[\d.]+/g).map(Number);
const [box, right] = [svg.getBoundingClientRect(), new KeyboardEvent('keydown', { key: 'ArrowRight' })];
const scale = box.width / svg.viewBox.baseVal.width;
const point = new PointerEvent('pointermove', { clientX: box.left + x * scale, clientY: box.top + y * scale });
found.panels = [panel(), ...[point, right, right].map((event) => { svg.dispatchEvent(event); return panel(); })];
const { scrollWidth, clientWidth } = document.documentElement;
parent.postMessage({ ...found, complaints, scrollWidth, clientWidth }, '*');
</script></body>"#;

#[test]
#[ignore = "needs a browser"]
fn the_page_works_in_a_browser() {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(is_there) else {
        return println!("skipped: no chromium is installed");
    };
    let place = place();
    let (out, page) = (place.name("run"), place.name("report.html"));
    good(&format!("measure quick --limit 5 --quiet --out {out}"));
    good(&format!("report {out} --html {page}"));
    let text = read(&page).replacen("<style>", &format!("{BEFORE}<style>"), 1).replace("</body>", BEHIND);
    place.file("report.html", &text);
    for width in [1400, 800, 360] {
        let around = format!(
            "<body><iframe src=report.html width={width} height=900></iframe><script>onmessage = (event) => \
             {{ document.body.textContent = JSON.stringify(event.data); }}</script></body>"
        );
        let address = format!("file://{}", place.file("around.html", &around));
        let arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=9000", "--dump-dom"];
        let output = Command::new(browser).args(arguments).arg(address).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let told = text.split("<body>").nth(1).and_then(|rest| rest.split("</body>").next()).expect("a page");
        check(&json(told), width);
    }
}

fn check(found: &Value, width: u64) {
    let list = |name: &str| found[name].as_array().unwrap_or_else(|| panic!("{name}: {found}")).clone();
    let numbers = |name: &str| list(name).iter().map(|value| value.as_f64().unwrap()).collect::<Vec<_>>();
    let (rising, mut falling) = (numbers("rising"), numbers("falling"));
    falling.reverse();
    assert!(rising.len() > 2 && rising.is_sorted() && rising == falling, "{found}");
    let (all, some) = (list("all"), list("some"));
    assert!(!some.is_empty() && some.len() < all.len() && found["again"] == found["all"], "{found}");
    assert!(some.iter().all(|name| name.as_str().unwrap().contains("pons-1")), "{found}");
    assert_eq!(found["sets"], json!(["middle-easy"]));
    let panels = list("panels");
    assert!(panels[1] != panels[0] && panels[1].as_str().unwrap().contains("nodes"), "{found}");
    assert!(panels[2] != panels[1] || panels[3] != panels[2], "{found}");
    let (scrolled, shown) = (found["scrollWidth"].as_u64().unwrap(), found["clientWidth"].as_u64().unwrap());
    assert!(scrolled <= shown && shown <= width, "nothing hangs out: {found}");
    assert_eq!(found["complaints"], json!([]));
}
