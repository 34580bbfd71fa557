//! Whether a search begins with an empty table.

use serde::{Deserialize, Serialize};

/// Whether the table is cleared before every position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    #[default]
    Cold,
    Warm,
}
