//! `runecast cpu`: which kernels this CPU can run, which one is in use, and why.
//!
//! The library ignores a `RUNECAST_ISA` that it cannot obey, as a library should. This command
//! reports it.

use std::env::{self, consts};
use std::io;

use anstyle::Style;
use runecast::{Engine, Isa};
use serde::Serialize;

use crate::ui::arguments::cpu::CpuArguments;
use crate::ui::arguments::shared::Format;
use crate::ui::console::{Console, Styles, push};
use crate::ui::json::{SCHEMA, line};
use crate::ui::outcome::Outcome;

/// The variable that narrows the choice.
const VARIABLE: &str = "RUNECAST_ISA";

/// Why the kernel in use is in use.
enum Why {
    /// Nothing else was asked for.
    Best,
    /// The variable asks for it.
    Asked,
    /// The variable asks for something that cannot be had, for this reason.
    Ignored(String),
}

impl Why {
    fn of(wish: Option<&str>) -> Why {
        match wish.map(str::parse::<Isa>) {
            None => Why::Best,
            Some(Err(unknown)) => Why::Ignored(unknown.to_string()),
            Some(Ok(isa)) => match Engine::new(isa) {
                Ok(_) => Why::Asked,
                Err(unavailable) => Why::Ignored(unavailable.to_string()),
            },
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &CpuArguments, console: &mut Console) -> io::Result<Outcome> {
    let wish = env::var_os(VARIABLE).map(|wish| wish.to_string_lossy().into_owned());
    let why = Why::of(wish.as_deref());
    match arguments.output_format.format {
        Format::Text => text(console, wish.as_deref(), &why),
        Format::Json => json(console, wish, &why),
    }
    console.flush()?;
    Ok(Outcome::Clean)
}

fn text(console: &mut Console, wish: Option<&str>, why: &Why) {
    let chosen = Engine::current().isa();
    let Styles { strong, good, bad, faint } = console.out_styles;
    let buffer = &mut console.out;
    push(buffer, format_args!("{} on {}\n", consts::ARCH, consts::OS));
    for isa in Isa::ALL {
        let (style, state) = if isa == chosen {
            (good, "in use")
        } else if Engine::new(isa).is_ok() {
            (Style::new(), "available")
        } else {
            (faint, "not on this CPU")
        };
        push(buffer, format_args!("  {style}{isa:<9}{state}{style:#}\n"));
    }
    // What the user wrote is shown escaped, like everything that comes from outside.
    let wish = wish.unwrap_or_default().escape_debug();
    match why {
        Why::Best => push(
            buffer,
            format_args!("{strong}{chosen}{strong:#} is in use because it is the best that this CPU runs.\n"),
        ),
        Why::Asked => {
            push(
                buffer,
                format_args!("{strong}{chosen}{strong:#} is in use because {VARIABLE} asks for it.\n"),
            );
        }
        Why::Ignored(reason) => push(
            buffer,
            format_args!(
                "{bad}{VARIABLE}=\"{wish}\" is ignored:{bad:#} {reason}.\n\
                 {strong}{chosen}{strong:#} is in use, the best that this CPU runs.\n"
            ),
        ),
    }
}

/// The JSON object, with the schema of the README.
#[derive(Serialize)]
struct Object {
    schema: u32,
    command: &'static str,
    arch: &'static str,
    os: &'static str,
    available: Vec<&'static str>,
    chosen: &'static str,
    why: &'static str,
    runecast_isa: Option<String>,
    ignored_because: Option<String>,
}

fn json(console: &mut Console, wish: Option<String>, why: &Why) {
    let object = Object {
        schema: SCHEMA,
        command: "cpu",
        arch: consts::ARCH,
        os: consts::OS,
        available: Engine::available().map(|engine| engine.isa().name()).collect(),
        chosen: Engine::current().isa().name(),
        why: match why {
            Why::Asked => "asked",
            Why::Best | Why::Ignored(_) => "best",
        },
        runecast_isa: wish,
        ignored_because: match why {
            Why::Ignored(reason) => Some(reason.clone()),
            Why::Best | Why::Asked => None,
        },
    };
    line(console, &object);
}
