//! The page: one file of HTML with its style and its script, all within the program.

use super::Server;
use super::connection::{Content, NOTHING};
use c4lab_measure::files::build_info::VERSION;
use c4lab_solver::search::registry::{ALL, BOARDS};
use serde_json::json;

/// A file of the page.
pub struct Asset {
    kind: &'static str,
    text: &'static str,
    policy: &'static str,
}

/// The page loads its own style and script, asks this server, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page.
pub const PAGE: Asset =
    Asset { kind: "text/html; charset=utf-8", text: include_str!("page/page.html"), policy: POLICY };
/// Its style.
pub const STYLE: Asset =
    Asset { kind: "text/css; charset=utf-8", text: include_str!("page/style.css"), policy: NOTHING };
/// Its script: the files share one scope.
pub const SCRIPT: Asset = Asset {
    kind: "text/javascript; charset=utf-8",
    text: concat!(
        "'use strict';\n(() => {\n",
        include_str!("page/script/parts.js"),
        include_str!("page/script/board.js"),
        include_str!("page/script/answers.js"),
        include_str!("page/script/variants.js"),
        include_str!("page/script/explanation.js"),
        include_str!("page/script/start.js"),
        "})();\n"
    ),
    policy: NOTHING,
};

impl Asset {
    pub fn content(&self) -> Content {
        Content { kind: self.kind, text: self.text.to_string(), policy: self.policy }
    }
}

/// What can be chosen on the page.
pub fn choices(server: &Server) -> Content {
    let variants: Vec<_> = ALL
        .iter()
        .filter(|entry| entry.available().is_ok())
        .map(|entry| json!({ "name": entry.name, "about": entry.about }))
        .collect();
    let boards: Vec<String> = BOARDS.iter().map(ToString::to_string).collect();
    let text = json!({
        "version": VERSION,
        "variants": variants,
        "boards": boards,
        "seconds": server.settings.time_limit.as_secs_f64(),
    });
    Content { kind: "application/json", text: text.to_string(), policy: NOTHING }
}
