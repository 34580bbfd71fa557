//! What a request asks for.

use super::fault::HttpFault;
use super::query::{Query, VariantQuery};
use super::request::Request;

/// What is asked for.
#[derive(Clone, Debug)]
pub enum Route {
    /// The page.
    Page,
    /// Its script.
    Script,
    /// Its style.
    Style,
    /// The variants and boards that there are.
    Choices,
    /// The names of all records.
    Records,
    /// A record by its name.
    Record(String),
    /// What a position is worth, column by column.
    Analyze(Query),
    /// A position by one variant, with what its search did.
    Solve(VariantQuery),
}

impl Route {
    /// What a request asks for.
    ///
    /// # Errors
    /// A path that is not served, or a question that makes no sense.
    pub fn of(request: &Request) -> Result<Self, HttpFault> {
        match request.path.as_str() {
            "/" => Ok(Route::Page),
            "/script.js" => Ok(Route::Script),
            "/style.css" => Ok(Route::Style),
            "/choices" => Ok(Route::Choices),
            "/records" => Ok(Route::Records),
            "/record" => Query::name(&request.query).map(Route::Record),
            "/analyze" => Query::parse(&request.query).map(Route::Analyze),
            "/solve" => VariantQuery::parse(&request.query).map(Route::Solve),
            _ => Err(HttpFault::new(404, "nothing is served there; the page is at /")),
        }
    }
}
