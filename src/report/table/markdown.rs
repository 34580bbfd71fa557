//! Tables in Markdown.

use crate::table::{Kind, Table};
use std::iter::once;

/// A table between pipes. `is_text` says of each column whether Markdown aligns it left; `is_right` whether its cells are written at the
/// right end.
pub(crate) fn pipes(heads: &[String], is_text: &[bool], is_right: bool, rows: &[Vec<String>]) -> String {
    let length = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| once(&heads[column]).chain(rows.iter().map(|row| &row[column])).map(length).max().unwrap_or(0))
        .collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).zip(is_text).map(|((cell, &width), &is_text)| {
            if is_right && !is_text { format!(" {cell:>width$} |") } else { format!(" {cell:<width$} |") }
        });
        format!("|{}\n", cells.collect::<String>())
    };
    let rule: String = is_text.iter().map(|&is_text| if is_text { " --- |" } else { " ---: |" }).collect();
    format!("{}|{rule}\n{}", line(heads), rows.iter().map(|row| line(row)).collect::<String>())
}

pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

impl Table {
    pub fn markdown(&self) -> String {
        let heads: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        let is_text: Vec<bool> = self.columns.iter().map(|column| column.kind == Kind::Text).collect();
        let rows: Vec<Vec<String>> = self.shown();
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", self.note) };
        let conclusion = if self.conclusion.is_empty() { String::new() } else { format!("\n{}\n", self.conclusion) };
        format!("**{}**\n\n{note}{}\n{conclusion}", self.title, pipes(&heads, &is_text, true, &rows).trim_end())
    }
}
