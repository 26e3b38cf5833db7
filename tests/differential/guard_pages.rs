//! Input right up to a page that must not be touched.
//!
//! Short inputs are finished inside the kernels with masked, overlapped or buffered loads. Each of
//! these is one wrong comparison away from a read past the end, or before the beginning, of the
//! input. Here such a read is a fault.

mod lengths;
mod values;
mod well_formed;

use crate::common::check::{Truth, engines};
use crate::common::guard::Guarded;
use crate::common::scale;
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// Asks all about `bytes`, lying at the end of accessible memory and at its beginning.
fn beside_both_pages(room: &mut Guarded, bytes: &[u8]) {
    let truth = Truth::about(bytes);
    let ask = |bytes: &[u8]| {
        for engine in engines() {
            truth.ask(engine, bytes);
        }
        truth.ask_functions(bytes);
    };
    ask(room.at_end(bytes));
    ask(room.at_start(bytes));
}

#[test]
fn well_formed_and_cut_off() {
    let mut rng = Rng::new(30);
    let mut room = Guarded::new(400);
    for class in Class::ALL {
        let text = class.exactly(310, &mut rng).into_bytes();
        for from in 0..4 {
            for len in (0..=300).step_by(scale::step(1, 7)) {
                beside_both_pages(&mut room, &text[from..from + len]);
            }
        }
    }
}

#[test]
fn ill_formed_at_the_ends() {
    let mut rng = Rng::new(31);
    let mut room = Guarded::new(400);
    for class in Class::ALL {
        for len in (0..=300).step_by(scale::step(2, 11)) {
            let text = class.exactly(len, &mut rng);
            for bad in ILL_FORMED.into_iter().skip(len % 3).step_by(3) {
                beside_both_pages(&mut room, &[text.as_bytes(), bad].concat());
                beside_both_pages(&mut room, &[bad, text.as_bytes()].concat());
            }
        }
    }
}

#[test]
fn longer_inputs() {
    let mut rng = Rng::new(32);
    let mut room = Guarded::new(70_000);
    for class in Class::ALL {
        for about in [500, 1024, 2048, 4096, 8192, 65_536].into_iter().take(scale::size(6, 6, 3)) {
            for len in about - 3..=about + 3 {
                let mut text = class.exactly(len, &mut rng).into_bytes();
                beside_both_pages(&mut room, &text);
                let at = rng.below(len);
                text[at] = 0xC0;
                beside_both_pages(&mut room, &text);
            }
        }
    }
}

#[test]
fn ascii_only() {
    let mut room = Guarded::new(1000);
    for len in 0..=scale::size(1000, 1000, 300) {
        let bytes = room.at_end(&vec![b'a'; len]).to_vec();
        for engine in engines() {
            assert_eq!(engine.ascii_prefix(room.at_end(&bytes)), len, "{}", engine.isa());
            assert_eq!(engine.ascii_prefix(room.at_start(&bytes)), len, "{}", engine.isa());
        }
    }
}

/// The guard is one: a read behind the room ends the process. A child does it.
#[test]
fn the_page_behind_is_really_forbidden() {
    const NAME: &str = "RUNECAST_TEST_TOUCHES_GUARD_PAGE";
    if std::env::var_os(NAME).is_some() {
        let mut room = Guarded::new(1);
        let last = room.at_end(b"x").as_ptr();
        // SAFETY: there is none: this read is out of bounds, and the process is here to be ended
        // by it. Nothing follows.
        let byte = unsafe { last.wrapping_add(1).read_volatile() };
        panic!("read {byte} from a page without access");
    }
    // Within its program a test goes by its module's path, without the program's name.
    let (_, module) = module_path!().split_once("::").expect("a module of the program");
    let test = format!("{module}::the_page_behind_is_really_forbidden");
    let Ok(this) = std::env::current_exe() else {
        println!("skipped: the test cannot find itself");
        return;
    };
    let status = std::process::Command::new(this)
        .args(["--exact", &test])
        .env(NAME, "1")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    match status {
        // An emulator may start the child, and find only then that it cannot be run.
        Ok(status) if status.code() == Some(127) => println!("skipped: the system cannot run the child"),
        Ok(status) => {
            use std::os::unix::process::ExitStatusExt;
            assert!(status.signal().is_some(), "the child ended with {status} instead of a fault");
        }
        Err(error) => println!("skipped: cannot start a child: {error}"),
    }
}
