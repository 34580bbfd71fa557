//! Verifying a test set.
