//! `runecast lab`: the argument for UTF-8, recomputed.
//!
//! The codecs, and what damage does to them, are in the crate `runecast-schemes`. This runs them over text of many
//! scripts and shows what comes out: [`text`] as tables, [`json`] for programs, [`svg`] as a picture, and
//! [`example`] one number instead. The
//! whole takes less than a second.

mod example;
mod findings;
mod json;
mod svg;
mod text;

use std::io;

use runecast_schemes::remarks::REMARKS;

use findings::Findings;

use crate::ui::arguments::lab::LabArguments;
use crate::ui::arguments::shared::Format;
use crate::ui::console::Console;
use crate::ui::json::{SCHEMA, value};
use crate::ui::outcome::Outcome;

/// Runs the command.
pub(crate) fn run(arguments: &LabArguments, console: &mut Console) -> io::Result<Outcome> {
    let json = arguments.output_format.format == Format::Json;
    if let Some(number) = arguments.example {
        example::run(number, arguments.strict, json, console);
    } else if arguments.remarks {
        remarks(json, console);
    } else {
        let findings = Findings::new(arguments.strict);
        if arguments.svg {
            svg::draw(&findings, &mut console.out);
        } else if json {
            json::object(&findings, &mut console.out);
        } else {
            text::tables(&findings, console);
        }
    }
    console.flush()?;
    Ok(Outcome::Clean)
}

/// Lists the slips of the essays.
fn remarks(json: bool, console: &mut Console) {
    let buffer = &mut console.out;
    if json {
        value(
            buffer,
            &serde_json::json!({ "schema": SCHEMA, "command": "lab", "remarks": json::remarks(&REMARKS) }),
        );
        buffer.push(b'\n');
        return;
    }
    for (index, remark) in REMARKS.iter().enumerate() {
        if index > 0 {
            buffer.push(b'\n');
        }
        text::remark(remark, console.out_styles, buffer);
    }
}
