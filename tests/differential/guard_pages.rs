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
use runecast::{CorrectedUtf8, Encoding, Engine, Reason, Utf8, Utf16, Utf32};

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

/// Text of four bytes a character, and longer than caches hold, ends anywhere in what is judged at once. (A page has whole characters.)
#[test]
fn longer_than_caches() {
    const LEN: usize = 8 << 20;
    let text = "\u{1F4A9}".repeat(LEN / 4 + 64);
    let mut room = Guarded::new(text.len());
    for len in (LEN + 4..=LEN + 256).step_by(scale::size(4, 20, 84)) {
        let bytes = room.at_end(&text.as_bytes()[..len]);
        for engine in engines() {
            assert_eq!(engine.validate::<Utf8>(bytes), Ok(()), "{engine:?}, {len}");
            assert_eq!(engine.count::<Utf8>(bytes), len / 4, "{engine:?}, {len}");
        }
    }
}

/// UTF-16 that ends with the first half of a pair: what would be the second must not be looked for.
#[test]
fn half_a_pair_at_the_end() {
    fn ask<D: Encoding>(engine: Engine, units: &[u16], out: &mut Vec<D::Unit>) {
        out.clear();
        let error = engine.transcode_append::<Utf16, D>(units, out).expect_err("half a pair");
        let last = units.len() - 1;
        assert!(
            matches!(error.reason, Reason::IllFormed(error) if error.at == last) && error.read == last,
            "{engine:?}, {units:04X?}: {error:?}"
        );
    }
    let mut room = Guarded::new(1000);
    for len in 1..=300 {
        for unit in ["a", "\u{E9}", "\u{754C}", "\u{1F4A9}", "\u{F800}", "\u{754C}\u{1F4A9}"] {
            // All pairs are whole but for the last, wherever the first begins.
            let mut units: Vec<u16> = unit.encode_utf16().cycle().take(len).collect();
            if char::decode_utf16(units[..len - 1].iter().copied()).any(|unit| unit.is_err()) {
                units.rotate_right(1);
                units[0] = 0x61;
            }
            units[len - 1] = 0xD83D;
            let bytes = room.at_end(bytemuck::cast_slice(&units));
            let units = bytemuck::cast_slice(bytes);
            for engine in engines() {
                ask::<Utf8>(engine, units, &mut Vec::with_capacity(4 * len + 400));
                ask::<CorrectedUtf8>(engine, units, &mut Vec::with_capacity(4 * len + 400));
                ask::<Utf32>(engine, units, &mut Vec::with_capacity(4 * len + 400));
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
