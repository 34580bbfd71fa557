//! Tells the solver how far it is optimised, for the manifests of measurements.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=C4LAB_SOLVER_OPT_LEVEL={}", std::env::var("OPT_LEVEL").unwrap_or_default());
}
