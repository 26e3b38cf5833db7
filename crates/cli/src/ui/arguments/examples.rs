//! The examples below the help texts, and what else is laid out by hand: within 60 columns.

/// Below the commands.
pub(crate) const EXAMPLES: &str = "\
Examples:
  runecast check notes.txt      is it UTF-8? if not, where?
  runecast check -r src         every file below src
  producer | runecast check     standard input
  runecast convert -f utf-16 -t utf-8 in.txt -o out.txt
  runecast repair bad.txt       U+FFFD where it is no text
  runecast explain bad.txt      why it is so, byte by byte
  runecast count book.txt       characters, lines, lengths
  runecast detect *.txt         in which encoding are they?
  runecast cpu                  which kernels run here
  runecast lab                  why UTF-8 is what it is
  runecast bench                how fast it is here

`runecast help COMMAND` says more about one command.

Exit codes:
  0  all is well-formed
  1  something is ill-formed, or was and had to be repaired
  2  wrong usage, or something could not be read or written";

/// Of `check`.
pub(crate) const CHECK_EXAMPLES: &str = "\
Examples:
  runecast check notes.txt
      Says nothing and exits with 0 if all is UTF-8;
      otherwise names the first error and exits with 1.

  runecast check --all --limit 0 dump.sql
      Every error of one file.

  runecast check -r -l -0 . | xargs -0 file
      What are the files below . that are not UTF-8?

  runecast check -r --include '*.txt' --hidden --no-ignore .
      Only these, but wherever they are.

  find . -size +1M -print0 | runecast check --files0-from=-
      Files that another program has chosen.

  runecast check -f windows-1251 old.txt
      Not UTF-8, but something else.

  zcat log.gz | runecast check -q || echo broken
      In scripts: nothing but the exit code.

  runecast check --format json *.txt | jq .status
      For programs: one JSON object per file and line.

  runecast check -r --all --format github .
      In GitHub Actions: each error beside its line.

  runecast check --stats book.txt
      What is in it, and how fast it was checked.

  runecast check -j 1 huge.txt
      One thread; the answer of all numbers is the same.

An error reads
  FILE:LINE:COLUMN: byte OFFSET: KIND [BYTES] REASON
Lines and columns count from 1, columns in characters since
the last line feed (an ill-formed sequence counts as one);
offsets count bytes from 0. BYTES are in hexadecimal: those
of the sequence, and the byte after it where that one broke
the rule. Control bytes in file names are shown escaped.

Exit codes:
  0  every input is well-formed
  1  at least one input is ill-formed
  2  wrong usage, or an input could not be read (the others
     are checked all the same)";

/// Of `convert`.
pub(crate) const CONVERT_EXAMPLES: &str = "\
Examples:
  runecast convert -f utf-16 -t utf-8 in.txt -o out.txt
      out.txt is complete or, after an error, what it was.

  runecast convert -f windows-1252 old.txt | less
      Into UTF-8, which is meant where -t is not given.

  runecast convert -f latin1 -t utf8 < in > out
      In place of iconv, of which all words are understood.

  runecast convert -t ascii//TRANSLIT names.txt
      Something similar for what has no form: e for é.

  runecast convert -c -v -t ascii notes.txt -o plain.txt
      Leaves out what has no form in ASCII; says how much.

  runecast convert -f latin1 --in-place=.bak *.txt
      Each file is replaced; the old ones are NAME.bak.
      With -r, all files below a directory; with --dry-run,
      it is only shown what would change.

  runecast convert part-* -o all.txt
      Several inputs come out one after the other.

  runecast convert --bom strip notes.txt -o plain.txt
      UTF-8 without the byte order mark.

  runecast convert -t utf-16le --bom add a.txt -o b.txt
      What some programs call `Unicode`.

  runecast convert -l
      All encodings, with all their names.

The byte order mark, U+FEFF at the beginning
  UTF-16 and UTF-32 as source: it tells the byte order and
  is no part of the text. Without it, --assume tells.
  UTF-16 and UTF-32 as target: big-endian behind a mark.
  All others, UTF-16LE for one: it goes through like every
  other character; Latin-1 and ASCII, which have no form
  for it, are written without it.
  --bom overrides this.

The first error ends the conversion of a file. It reads as
in `check`; what the target has no form for is an error too.
Into standard output, the text before it has been written.

Exit codes:
  0  everything is converted
  1  an input is ill-formed, or the target has no form for
     a character of it; with //IGNORE, something was left
     out
  2  wrong usage, or something could not be read or written";

/// Of `count`.
pub(crate) const COUNT_EXAMPLES: &str = "\
Examples:
  runecast count book.txt
  runecast count -r -f utf-16 texts
  runecast count -m *.txt
      Characters alone; -l and -c are lines and bytes.
  runecast count --format json *.txt | jq .characters

Lines are line feeds. Characters are scalar values. Under
UTF-8, UTF-16 and UTF-32 is the number of code units that
the text takes there, of 1, 2 and 4 bytes. A byte order
mark is a character, save in UTF-16 and UTF-32, where it is
no part of the text.

Exit codes:
  0  every input is counted
  1  at least one input is ill-formed
  2  wrong usage, or an input could not be read (the others
     are counted all the same)";

/// Of `cpu`.
pub(crate) const CPU_EXAMPLES: &str = "\
Examples:
  runecast cpu
  runecast cpu --format json
  RUNECAST_ISA=scalar runecast check --stats book.txt
      Narrows the choice, to compare kernels.";

/// Of `repair`.
pub(crate) const REPAIR_EXAMPLES: &str = "\
Examples:
  runecast repair bad.txt -o good.txt
      UTF-8 with U+FFFD where bad.txt is ill-formed, as many
      as a browser, Rust or Python 3 would write.

  runecast repair --policy perl5 < bad.txt > good.txt
      As many as that program would write; `explain` shows
      all behaviours beside each other.

  runecast repair --escape windows-1252 --in-place=~ *.log
      Logs in which some lines are in an old encoding. Clean
      files are not touched; what others were is in NAME~.

  runecast repair --escape backslash dump.sql | less
      \\xE9 for each bad byte: nothing is lost.

  runecast repair --replacement '?' -f utf-16 a.txt -o b.txt
      Every encoding that `convert` knows; the output is in
      that of the input, unless -t says otherwise.

  runecast repair -r logs --output-dir clean
      The same tree below clean, and logs as it was.

  runecast repair --drop-lines --rejects bad a.csv -o b.csv
      Without the lines in which something is ill-formed;
      these are in the file bad then.

  runecast repair --mojibake --in-place --dry-run -r docs
      Text that was encoded as UTF-8 twice, as CafÃ©: what
      would become of it. `detect` finds such files.

  runecast repair --format json a -o b | jq .replaced
      For programs: one JSON object per file and line.

For each input in which something was replaced there is one
line on standard error:
  FILE:LINE:COLUMN: byte OFFSET: first of N replacements
With -t, a character that the target has no form for is
replaced as well, by a question mark in Latin-1 and ASCII.
A file that seems to be in another encoding than UTF-8 is
said to be, and --in-place without a backup leaves it as it
is, unless -f says what it is.

Exit codes:
  0  there was nothing to replace, or --exit-zero
  1  something was replaced, and the output is complete
  2  wrong usage, or something could not be read or written";

/// Of `explain`.
pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  runecast explain bad.txt
      The first errors, with the bytes around them: what
      each is, what had to be there, and by which rule.

  runecast explain --hex 'F0 80 80 41'
      Bytes from a debugger or a mail; 0xF0, \\xF0\\x80 and
      F08080 will do as well.

  runecast explain --text 'naïve 🦀'
      The bytes of a text and its code points.

  runecast explain --all --format json bad.txt
      For programs: one JSON object.

Bytes that are part of an ill-formed sequence are marked
with `!`. `expected` has the bytes that could stand there.
A rule is a row of Table 3-7 of the Unicode Standard, which
lists the bytes of all well-formed sequences.

The last table has what software of seven families writes in
place of it: the number of U+FFFD, and the code points.
`runecast repair --policy` does the same.

Exit codes:
  0  the input is well-formed
  1  it is not
  2  wrong usage, or it could not be read";

/// Of `lab`.
pub(crate) const LAB_EXAMPLES: &str = "\
Examples:
  runecast lab
      Ten encodings, from LEB128 to UTF-8: how long text in
      many scripts is, and what becomes of it if a byte is
      lost, comes in or changes, or two change places.

  runecast lab --example 33577
      One number in all of them, bit by bit (tags before the
      point), and what damage to it reads as.

  runecast lab --svg > lab.svg
      The same as a picture.

  runecast lab --strict
      With one form only for each character, in all schemes.

  runecast lab --remarks
      Where the essays slip that these encodings are from.

  runecast lab --format json | jq '.damage[]'
      For programs: one JSON object.

The text is generated, and always the same. In the tables of
damage
  silent    other characters came out, and no error
  detected  there was an error, or no scalar value
  false     detected, but false characters came out as well
  lost      characters next to the damage that were lost, on
            average; and in the worst case
  adrift    cases in which all the rest of the text was lost
Damage by which only ASCII came, went or changed is not
counted: no scheme could notice it.

The order and the idea are those of the essay `Inventing
UTF-8` by Evyl Blue.";

/// Of `detect`.
pub(crate) const DETECT_EXAMPLES: &str = "\
Examples:
  runecast detect unknown.txt
      What is it, how certain is that, and why?

  runecast detect -r . | grep -v ': ASCII, \\|: UTF-8, '
      Which files below . are something else, or damaged?

  runecast detect --whole dump.sql
      To the end: UTF-8 may be damaged far behind.

  runecast detect --bytes 512 - < /dev/ttyS0
      Judges by the first 512 bytes.

  runecast detect --format json *.txt | jq .encoding
      For programs: one JSON object per file and line.

The answer reads
  FILE: ENCODING, N % sure: EVIDENCE
and in place of an encoding may be `mixed` (UTF-8 with
something else in it), `unknown` or `binary`. That a whole
file is ASCII or UTF-8 is a fact; all else is a guess. N is
no probability: at 50 something else is about as likely, and
below that the answer is unknown. Encodings older than
Unicode are guessed by what the text declares, as web pages
and sources do, and by the frequencies of letters; Latin-1
stands for ISO 8859-15 and windows-1252 as well, if nothing
tells them apart.

Reading stops when more would not help, mostly after 4 KiB;
ASCII has to be read to its end. With -r what looks like no
text is read as well.

Exit codes:
  0  every input is text in an encoding that is known here
  1  at least one input is mixed, unknown or binary
  2  wrong usage, or an input could not be read (the others
     are looked at all the same)";

/// Of `completions`.
pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  runecast completions bash \\
    > ~/.local/share/bash-completion/completions/runecast
  runecast completions zsh > ~/.zfunc/_runecast
  runecast completions fish \\
    > ~/.config/fish/completions/runecast.fish";

/// Of `man`.
pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  runecast man check | man -l -
      Shows the page of `runecast check`.

  runecast man --out ~/.local/share/man/man1
      Writes runecast.1, runecast-check.1 and all others.";

/// Of `bench`.
pub(crate) const BENCH_EXAMPLES: &str = "\
Examples:
  runecast bench
      All operations, on generated documents and on scripts.

  runecast bench --only validate,utf8-to-utf16 book.txt
      Two operations, on your own text.

  runecast bench -r src --svg src.svg --html src.html
      A whole tree as one text; and pictures of the result.

  runecast bench --quick --format json | jq '.rows[]'
      For programs: one JSON object, in a few seconds.

  runecast bench --scripts all --time 120 --curves 0
      Every script, with patience, and no curves.

  taskset -c 1 runecast bench
      On one core of a busy Linux machine.

GB/s are 10^9 bytes of input per second, on one core. All
who can do an operation run in turn, many rounds, and the
best round of each counts. The same text is read again and
again, so it is in the cache and known to the CPU: what is
read once from a disk or a network is slower for everyone.

  gain    the kernel in use against the best of the others
          (std, simdutf8), times as fast
  spread  how much slower its median round was than its best
  ~       a number that is not worth much: the median was
          more than a quarter slower than the best round

The fastest are bold: those whose best round was not slower
than the median round of the very fastest.

Curves show speed against size, beside what the machine can
read (a sum of all bytes) and copy. UTF-16 and UTF-32 are
little-endian. std writes into memory that is there, as all
others do, which is faster than its own String and Vec.

Exit codes:
  0  everything is measured
  1  a FILE is ill-formed, and was measured as far as can be
  2  wrong usage, or something could not be read or written,
     or a result was wrong";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_made_lines_fit_a_narrow_terminal() {
        let texts = [
            EXAMPLES,
            CHECK_EXAMPLES,
            CONVERT_EXAMPLES,
            COUNT_EXAMPLES,
            CPU_EXAMPLES,
            REPAIR_EXAMPLES,
            EXPLAIN_EXAMPLES,
            LAB_EXAMPLES,
            DETECT_EXAMPLES,
            COMPLETIONS_EXAMPLES,
            MAN_EXAMPLES,
            BENCH_EXAMPLES,
        ];
        for line in texts.iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
}
