//! Tells the module what processor it is compiled for: a wheel is for any x86-64, and a test looks.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-env=C4LAB_TARGET_FEATURES={features}");
}
