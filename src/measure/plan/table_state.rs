//! Whether a search begins with an empty table.

use serde::{Deserialize, Serialize};

/// Whether the table is cleared before every position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    /// Cleared, outside the timed span.
    #[default]
    Cold,
    /// As the positions before left it.
    Warm,
}
