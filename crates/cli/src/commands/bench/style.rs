//! The colours and types of the pictures, for light and for dark.
//!
//! Colours are after Okabe and Ito, whose palette people tell apart whatever colours they see: blue is runecast,
//! vermilion std, green simdutf8, and what the machine sets as a limit is in the colour of text. All are
//! classes, so that the reader's preference for light or dark decides, also where the picture is part of a page.

use crate::ui::picture::Type;

/// The classes. Those that begin with `l-` are for lines.
pub(super) const COLOURS: &str = "\
.bg{fill:#fff}.ink{fill:#1b2733}.faint{fill:#5d6a77}.us{fill:#0072b2}.std{fill:#d55e00}.simdutf8{fill:#009e73}\
.sky{fill:#1b2733;opacity:.07}\
.grid{stroke:#dde3e9;fill:none}.cache{stroke:#9aa6b2;stroke-dasharray:2 3;fill:none}\
.notch{stroke:#fff;stroke-width:1.5}.past{stroke:#0072b2;stroke-width:1.5}\
.l-us{stroke:#0072b2}.l-std{stroke:#d55e00}.l-simdutf8{stroke:#009e73}.l-read,.l-copy{stroke:#1b2733}\
.l-us,.l-std,.l-simdutf8,.l-read,.l-copy{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\
.l-us{stroke-width:3}.l-beside{stroke-width:1.2;stroke-dasharray:4 3;opacity:.6}\
@media(prefers-color-scheme:dark){\
.bg{fill:#11181f}.ink{fill:#e8edf2}.faint{fill:#97a4b1}.us{fill:#56b4e9}.std{fill:#ff8a3d}.simdutf8{fill:#2fc79b}\
.sky{fill:#e8edf2;opacity:.08}\
.grid{stroke:#27333f}.cache{stroke:#5d6a77}\
.notch{stroke:#11181f}.past{stroke:#56b4e9}\
.l-us{stroke:#56b4e9}.l-std{stroke:#ff8a3d}.l-simdutf8{stroke:#2fc79b}.l-read,.l-copy{stroke:#e8edf2}}";

/// What there is to read.
pub(super) const PLAIN: Type = Type { size: 12, fill: "", anchor: "start", class: "sans ink" };
/// Numbers that matter.
pub(super) const STRONG: Type = Type { class: "bold ink", ..PLAIN };
/// The name of a panel.
pub(super) const NAME: Type = Type { size: 15, ..STRONG };
/// What may be passed over.
pub(super) const FAINT: Type = Type { size: 11, class: "sans faint", ..PLAIN };

/// The type for what a rival has.
pub(super) fn of(class: &str) -> Type {
    let class = match class {
        "us" => "bold us",
        "std" => "sans std",
        "simdutf8" => "sans simdutf8",
        _ => "sans ink",
    };
    Type { size: 11, class, ..PLAIN }
}

/// A part of a picture, in coordinates of its own.
pub(super) struct Panel {
    /// In pixels.
    pub(super) width: f64,
    /// In pixels.
    pub(super) height: f64,
    /// What it shows, for those who do not see it.
    pub(super) label: String,
    /// The elements.
    pub(super) body: Vec<u8>,
}
