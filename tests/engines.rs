//! Which engines there are, and which of them the tests of this run have reached.
//!
//! The other tests iterate over what this CPU can run and keep silent about what it cannot. This
//! file says it aloud. It is also the place where the choice of the engine is narrowed, one engine
//! after the other, so that the functions that choose for themselves are seen with each: the
//! choice is the whole process's, so it is made in one test of its own.

mod common;

use common::check::{Truth, engines, isas_of_this_architecture};
use common::scale;
use common::texts::{Class, ILL_FORMED, Rng};
use runecast::{Engine, Isa};

/// Run with `--nocapture` to read the report.
#[test]
fn report() {
    for isa in isas_of_this_architecture() {
        match Engine::new(isa) {
            Ok(engine) => println!("tested: {}", engine.isa()),
            Err(error) => println!("skipped: no {isa} ({error})"),
        }
    }
}

#[test]
fn the_list_is_in_order_and_ends_with_scalar() {
    let available: Vec<Engine> = Engine::available().collect();
    let order: Vec<usize> = available
        .iter()
        .map(|engine| Isa::ALL.iter().position(|isa| *isa == engine.isa()).expect("an ISA outside of ALL"))
        .collect();
    assert!(order.is_sorted_by(|a, b| a < b), "{available:?}");
    assert_eq!(available.last().map(|engine| engine.isa()), Some(Isa::Scalar));

    let here = isas_of_this_architecture();
    for isa in Isa::ALL {
        let listed = available.iter().any(|engine| engine.isa() == isa);
        assert_eq!(Engine::new(isa).is_ok(), listed, "{isa}");
        assert!(!listed || here.contains(&isa), "{isa} is of another architecture");
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    for isa in Isa::ALL {
        assert_eq!(isa.to_string(), isa.name());
        assert_eq!(isa.name().parse(), Ok(isa));
        assert_eq!(isa.name().to_ascii_uppercase().parse(), Ok(isa));
        assert_eq!(format!("{isa:>8}").len(), 8, "Display obeys the width");
    }
    for wrong in ["", "AVX 2", "avx", "sse4.2", "scalar "] {
        let error = wrong.parse::<Isa>().expect_err(wrong).to_string();
        assert_eq!(error, "not an instruction set: expected one of avx512 avx2 sse42 neon simd128 scalar");
    }
}

#[test]
fn each_engine_behind_the_functions_that_choose() {
    let before = Engine::current();
    for engine in engines() {
        assert_eq!(Engine::narrow(engine.isa()), Ok(engine));
        assert_eq!(Engine::current(), engine);
        let mut rng = Rng::new(40);
        for class in Class::ALL {
            for len in (0..=300).step_by(scale::step(1, 7)) {
                let mut bytes = class.exactly(len, &mut rng).into_bytes();
                Truth::about(&bytes).ask_functions(&bytes);
                let bad = ILL_FORMED[rng.below(ILL_FORMED.len())];
                bytes.extend_from_slice(bad);
                Truth::about(&bytes).ask_functions(&bytes);
                bytes.extend_from_slice(class.text(100, &mut rng).as_bytes());
                Truth::about(&bytes).ask_functions(&bytes);
            }
        }
    }

    // What the CPU cannot run is refused, and the choice stays.
    let chosen = Engine::current();
    for isa in Isa::ALL {
        if let Err(error) = Engine::new(isa) {
            assert_eq!(Engine::narrow(isa), Err(error));
            assert_eq!(error.to_string(), format!("this CPU does not run {isa}"));
            assert_eq!(Engine::current(), chosen);
        }
    }
    assert_eq!(Engine::narrow(before.isa()), Ok(before));
}

/// `RUNECAST_ISA` is read at the first call, so a child process is asked for each name.
#[cfg(not(target_family = "wasm"))]
#[test]
fn the_environment_narrows_the_choice() {
    const ASKED: &str = "RUNECAST_TEST_PRINTS_ENGINE";
    if std::env::var_os(ASKED).is_some() {
        println!("engine={}", Engine::current().isa());
        return;
    }
    let Ok(this) = std::env::current_exe() else {
        println!("skipped: the test cannot find itself");
        return;
    };
    let best = Engine::available().next().map_or(Isa::Scalar, Engine::isa);
    for name in Isa::ALL.map(Isa::name).into_iter().chain(["", "nonsense"]) {
        let child = std::process::Command::new(&this)
            .args(["--exact", "the_environment_narrows_the_choice", "--nocapture"])
            .env(ASKED, "1")
            .env("RUNECAST_ISA", name)
            .output();
        let Ok(output) = child else {
            println!("skipped: cannot start a child");
            return;
        };
        // An emulator may start the child, and find only then that it cannot be run.
        if output.status.code() == Some(127) {
            println!("skipped: the system cannot run the child");
            return;
        }
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let expected = name.parse().ok().filter(|isa| Engine::new(*isa).is_ok()).unwrap_or(best);
        assert!(
            said.contains(&format!("engine={expected}\n")),
            "RUNECAST_ISA={name:?} should give {expected}, but the child said: {said}"
        );
    }
}
