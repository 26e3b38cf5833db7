//! The explanation for programs: one object, with the schema of the README.
//!
//! Stretches are written as they are found, so that there may be any number of them.

use std::io;

use runecast_explain::{Stretch, Summary};
use serde::Serialize;

use super::report::StretchReport;
use crate::io::name::Name;
use crate::ui::console::{Console, plain, push};
use crate::ui::json::{Head, members, value};

/// The report.
#[derive(Default)]
pub(super) struct JsonReport {
    /// How many stretches there are already.
    written: usize,
    open: bool,
}

impl JsonReport {
    fn open(&mut self, console: &mut Console, name: &Name) {
        if self.open {
            return;
        }
        self.open = true;
        Head::of("explain", name).open(&mut console.out);
        push(&mut console.out, format_args!(r#","stretches":["#));
    }
}

impl StretchReport for JsonReport {
    fn stretch(&mut self, console: &mut Console, name: &Name, stretch: &Stretch) {
        self.open(console, name);
        if self.written > 0 {
            console.out.push(b',');
        }
        self.written += 1;
        value(&mut console.out, stretch);
    }

    fn close(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: Option<&io::Error>) {
        self.open(console, name);
        let end = End {
            more: summary.more,
            status: match (why, summary.ill_formed) {
                (Some(_), _) => "unreadable",
                (None, true) => "ill-formed",
                (None, false) => "well-formed",
            },
            reason: why.map(plain),
            bytes_read: summary.bytes,
        };
        push(&mut console.out, format_args!("],"));
        members(&mut console.out, &end);
        console.out.push(b'\n');
        if let Some(why) = why {
            console.complain(name, why);
        }
    }
}

/// The members behind `stretches`.
#[derive(Serialize)]
struct End {
    more: bool,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    bytes_read: u64,
}
