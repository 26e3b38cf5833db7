//! Nothing: the benchmarks are in `benches/` at the root. `cargo bench -p runecast-bench` runs them.
