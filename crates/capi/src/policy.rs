//! Policies by number.

use runecast::{Escape, Policy, Replacement};

use crate::types::{Policies, PolicyNumber};

/// The policies without a text.
const POLICIES: [(Policies, Policy<'static>); 13] = [
    (Policies::RunecastReplaceWhatwg, Policy::Replace(Replacement::Whatwg)),
    (Policies::RunecastReplacePerByte, Policy::Replace(Replacement::PerByte)),
    (Policies::RunecastReplaceWin32, Policy::Replace(Replacement::Win32)),
    (Policies::RunecastReplaceOpenJdk8, Policy::Replace(Replacement::OpenJdk8)),
    (Policies::RunecastReplacePython2, Policy::Replace(Replacement::Python2)),
    (Policies::RunecastReplacePerl5, Policy::Replace(Replacement::Perl5)),
    (Policies::RunecastReplaceIcu55, Policy::Replace(Replacement::Icu55)),
    (Policies::RunecastEscapeBackslash, Policy::Escape(Escape::Backslash)),
    (Policies::RunecastEscapeSurrogate, Policy::Escape(Escape::Surrogate)),
    (Policies::RunecastEscapeLatin1, Policy::Escape(Escape::Latin1)),
    (Policies::RunecastEscapeWindows1252, Policy::Escape(Escape::Windows1252)),
    (Policies::RunecastDropAtTheRiskOfJoining, Policy::DropAtTheRiskOfJoining),
    (Policies::RunecastOmit, Policy::Omit),
];

/// The policy of this number.
pub(crate) fn policy(number: PolicyNumber) -> Option<Policy<'static>> {
    POLICIES.iter().find(|(known, _)| *known as PolicyNumber == number).map(|(_, policy)| *policy)
}
