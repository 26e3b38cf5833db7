//! The findings as tables, within 60 columns.

use runecast_schemes::ALL;
use runecast_schemes::damage::Kind;
use runecast_schemes::remarks::Remark;

use super::findings::{Findings, percent};
use crate::ui::console::{Console, Styles, push};
use crate::ui::wrap::wrapped;

/// The schemes that have a column in the first table, with its width. The others take as many bytes as one
/// of these, as a note below the table says and a test proves.
const COLUMNS: [(&str, usize); 6] =
    [("leb128", 7), ("naive", 6), ("start", 6), ("one", 6), ("utf8", 6), ("corrected", 10)];

/// Prints all tables.
pub(super) fn tables(findings: &Findings, console: &mut Console) {
    let Styles { strong, good, bad, faint } = console.out_styles;
    let buffer = &mut console.out;
    push(buffer, format_args!("{strong}Bytes per character{strong:#}\n  {:<9}", "text"));
    for (name, width) in COLUMNS {
        push(buffer, format_args!("{name:>width$}"));
    }
    push(buffer, format_args!("{:>7}\n", "UTF-16"));
    for row in &findings.lengths {
        push(buffer, format_args!("  {:<10}", row.script.name()));
        for (name, width) in COLUMNS {
            let bytes = ALL.iter().zip(row.bytes).find(|(scheme, _)| scheme.name() == name);
            let mean = row.mean(bytes.map_or(0, |(_, bytes)| bytes));
            let width = width - usize::from(name == "leb128");
            push(buffer, format_args!("{mean:>width$.2}"));
        }
        push(buffer, format_args!("{faint}{:>7.2}{faint:#}\n", row.mean(row.utf16)));
    }
    wrapped(buffer, "tagged and unary take what leb128 takes; cleared and rfc2044 what utf8 takes", 2);

    let strict = if findings.strict { ", strictly" } else { "" };
    push(
        buffer,
        format_args!(
            "\n{strong}Damage to a text of {} characters of all these{strong:#}{strict}\n",
            findings.characters
        ),
    );
    for kind in Kind::ALL {
        push(
            buffer,
            format_args!(
                "\n  {strong}{:<12}{strong:#}{:>8}{:>10}{:>8}{:>7}{:>6}{:>7}\n",
                kind.name(),
                "silent",
                "detected",
                "false",
                "lost",
                "worst",
                "adrift"
            ),
        );
        for damage in &findings.damage {
            let counts = damage.counts[kind as usize];
            let counted = counts.counted();
            let style = if counts.silent == 0 { good } else { bad };
            let lost = counts.lost as f64 / counted.max(1) as f64;
            push(
                buffer,
                format_args!(
                    "  {:<12}{style}{:>7.1}%{style:#}{:>9.1}%{:>7.1}%{lost:>7.2}{:>6}{:>7}\n",
                    damage.scheme.name(),
                    percent(counts.silent, counted),
                    percent(counts.detected, counted),
                    percent(counts.detected_and_false, counted),
                    counts.lost_at_most,
                    counts.adrift,
                ),
            );
        }
    }
    push(buffer, format_args!("\n{strong}The schemes{strong:#}\n"));
    for scheme in ALL {
        push(buffer, format_args!("  {:<10}{}\n", scheme.name(), scheme.title()));
    }
    push(buffer, format_args!("`runecast lab --help` explains the columns.\n"));
}

/// Prints a remark.
pub(super) fn remark(remark: &Remark, Styles { strong, .. }: Styles, buffer: &mut Vec<u8>) {
    push(buffer, format_args!("{strong}{}{strong:#}\n", remark.section));
    wrapped(buffer, &format!("the essay: {}.", remark.says), 2);
    wrapped(buffer, &format!("in fact: {}.", remark.is), 2);
}
