//! Shell: what all pages have around their content, and how a picture stands in one.

use crate::plot::pictures::Picture;
use crate::plot::svg::{STYLE, escape};

/// The page may load nothing, whatever a name in the data says.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'";

/// The script: its files share one scope.
const SCRIPT: [&str; 6] = [
    include_str!("script/parts.js"),
    include_str!("script/tables.js"),
    include_str!("script/board.js"),
    include_str!("script/scatters.js"),
    include_str!("script/lines.js"),
    include_str!("script/positions.js"),
];

/// A whole page: a title, and what stands in its body.
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}: c4lab</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the results</a>\n{body}<script>\n'use strict';\n(() => {{\n{}}})();\n</script>\n</body>\n</html>\n",
        include_str!("style.css"),
        SCRIPT.concat()
    )
}

/// A picture with its title and how it is read. What it shows beside the base is hidden until the script is asked for it.
pub(super) fn figure(picture: &Picture, subject: &str) -> String {
    let label = format!("{}, {subject}. {}", picture.title, picture.note);
    let relative = picture.relative.as_ref().map_or(String::new(), |(name, svg)| {
        let label = format!("{}, {name}, {subject}", picture.title);
        format!("<div class=\"scroll relative\" data-name=\"{}\" hidden>{}</div>\n", escape(name), svg.labelled(&label))
    });
    format!(
        "<figure class=\"{}\">\n<figcaption><h3>{}</h3></figcaption>\n<div class=\"scroll\">{}</div>\n{relative}<p class=\"note\">{}</p>\n</figure>\n",
        picture.name,
        escape(&picture.title),
        picture.svg.labelled(&label),
        escape(&picture.note)
    )
}
