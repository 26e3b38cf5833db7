//! The examples below the help texts, and what else is laid out by hand: within 60 columns.

/// Below the commands.
pub(crate) const EXAMPLES: &str = "\
Examples:
  runecast check notes.txt      is it UTF-8? if not, where?
  runecast check -r src         every file below src
  producer | runecast check     standard input
  runecast convert -f utf-16 -t utf-8 in.txt -o out.txt
  runecast repair bad.txt       U+FFFD for ill-formed bytes
  runecast explain bad.txt      what is wrong, byte by byte
  runecast count book.txt       characters, lines, lengths
  runecast detect *.txt         which encoding are they in?
  runecast cpu                  which kernels run here
  runecast lab                  why UTF-8 is what it is
  runecast bench                speed on this machine

`runecast help COMMAND` says more about one command.

Exit codes:
  0  everything is well-formed
  1  something is ill-formed, or has been repaired
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
      Asks `file` about all files that are not UTF-8.

  runecast check -r --include '*.txt' --hidden --no-ignore .
      Only these files, even hidden and ignored ones.

  find . -size +1M -print0 | runecast check --files0-from=-
      Files that another program has selected.

  runecast check -f windows-1251 old.txt
      Checks for another encoding than UTF-8.

  zcat log.gz | runecast check -q || echo broken
      In scripts: nothing but the exit code.

  runecast check --format json *.txt | jq .status
      For programs: one JSON object per file and line.

  runecast check -r --all --format github .
      In GitHub Actions: each error beside its line.

  runecast check --forbid bom,nul,cr *.txt
      UTF-8 without these, and lines that end with LF alone.

  runecast check --stats book.txt
      What is in it, and how fast it was checked.

  runecast check -j 1 huge.txt
      One thread; the answer does not depend on it.

An error reads
  FILE:LINE:COLUMN: byte OFFSET: KIND [BYTES] REASON
Lines and columns count from 1, columns in characters since
the last line feed (an ill-formed sequence counts as one);
offsets count bytes from 0. BYTES, in hexadecimal, are those
of the ill-formed sequence, and the byte after it if that
broke the rule. Control bytes in file names are escaped.

Exit codes:
  0  every input is well-formed
  1  at least one input is ill-formed, or has something that
     --forbid names
  2  wrong usage, or an input could not be read (the others
     are checked all the same)";

/// Of `convert`.
pub(crate) const CONVERT_EXAMPLES: &str = "\
Examples:
  runecast convert -f utf-16 -t utf-8 in.txt -o out.txt
      out.txt is complete or, after an error, unchanged.

  runecast convert -f windows-1252 old.txt | less
      To UTF-8, which is the default for -t.

  runecast convert -f latin1 -t utf8 < in > out
      In place of iconv: it takes the same options.

  runecast convert -t ascii//TRANSLIT names.txt
      Similar characters where there is none: e for é.

  runecast convert -c -v -t ascii notes.txt -o plain.txt
      Leaves out what is not ASCII, and says how much.

  runecast convert -f latin1 --in-place=.bak *.txt
      Replaces each file, and keeps the old one as NAME.bak.
      With -r: all files below a directory. With --dry-run:
      only shows what would change.

  runecast convert part-* -o all.txt
      Several inputs are written one after the other.

  runecast convert --bom strip notes.txt -o plain.txt
      UTF-8 without the byte order mark.

  runecast convert -t utf-16le --bom add a.txt -o b.txt
      What some programs call `Unicode`.

  runecast convert -l
      Lists all encodings, with all their names.

The byte order mark, U+FEFF at the beginning
  From UTF-16 and UTF-32: the mark gives the byte order and
  is not part of the text. Without one, --assume decides.
  To UTF-16 and UTF-32: big-endian, after a mark.
  All other encodings, such as UTF-16LE: the mark is
  converted like any other character; Latin-1 and ASCII
  cannot represent it and are written without it.
  --bom overrides this.

The first error ends the conversion of a file. It is printed
as by `check`. A character that the output encoding cannot
represent is an error, too. On standard output, the text
before the error has already been written.

Exit codes:
  0  everything is converted
  1  an input is ill-formed, or has a character that the
     output encoding cannot represent; with //IGNORE,
     something was left out
  2  wrong usage, or something could not be read or written";

/// Of `count`.
pub(crate) const COUNT_EXAMPLES: &str = "\
Examples:
  runecast count book.txt
  runecast count -r -f utf-16 texts
  runecast count -m *.txt
      Only characters; -l and -c are lines and bytes.
  runecast count --format json *.txt | jq .characters

Lines are line feeds. Characters are scalar values. The
columns UTF-8, UTF-16 and UTF-32 show how many code units,
of 1, 2 and 4 bytes, the text has in that encoding. A byte
order mark counts as a character, except in UTF-16 and
UTF-32, where it is not part of the text.

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
      Restricts the choice, to compare kernels.";

/// Of `repair`.
pub(crate) const REPAIR_EXAMPLES: &str = "\
Examples:
  runecast repair bad.txt -o good.txt
      UTF-8 with U+FFFD where bad.txt is ill-formed, as many
      as a browser, Rust or Python 3 would write.

  runecast repair --policy perl5 < bad.txt > good.txt
      As many U+FFFD as Perl would write; `explain` shows
      all policies side by side.

  runecast repair --fallback windows-1252 --in-place=~ *.log
      Logs with some lines in an old encoding. Well-formed
      files are not changed; others are kept as NAME~.

  runecast repair --escape windows-1252 a.txt -o b.txt
      The same where both are in one line.

  runecast repair --escape backslash dump.sql | less
      \\xE9 for each ill-formed byte: nothing is lost.

  runecast repair --replacement '?' -f utf-16 a.txt -o b.txt
      For every encoding of `convert`. The output has the
      encoding of the input, unless -t says otherwise.

  runecast repair -r logs --output-dir clean
      Writes the same tree below clean; logs is unchanged.

  runecast repair --drop-lines --rejects bad a.csv -o b.csv
      Leaves out the lines with an ill-formed sequence, and
      writes them to the file bad.

  runecast repair --mojibake --in-place --dry-run -r docs
      Shows the repair of text that was encoded as UTF-8
      twice, such as CafÃ©. `detect` finds such files.

  runecast repair --format json a -o b | jq .replaced
      For programs: one JSON object per file and line.

For each input with replacements, one line is printed on
standard error:
  FILE:LINE:COLUMN: byte OFFSET: first of N replacements
With -t, characters that the output encoding cannot
represent are replaced as well; in Latin-1 and ASCII by a
question mark.
If a file seems to be in an encoding other than UTF-8, a
message says so, and --in-place without a backup does not
change the file unless -f gives its encoding.

Exit codes:
  0  there was nothing to replace, or --exit-zero
  1  something was replaced, a line left out, or read in the
     encoding of --fallback; the output is complete
  2  wrong usage, or something could not be read or written";

/// Of `explain`.
pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  runecast explain bad.txt
      The first errors, with the bytes around them: what
      each byte is, what was expected, and by which rule.

  runecast explain --hex 'F0 80 80 41'
      Bytes from a debugger or a mail; 0xF0, \\xF0\\x80 and
      F08080 are accepted as well.

  runecast explain --text 'naïve 🦀'
      The bytes of a text and its code points.

  runecast explain --all --format json bad.txt
      For programs: one JSON object.

Bytes that are part of an ill-formed sequence are marked
with `!`. `expected` shows the bytes allowed there.
A rule is a row of Table 3-7 of the Unicode Standard, which
lists the bytes of all well-formed sequences.

The last table shows what seven families of software write
in place of these bytes: how many U+FFFD, and all code
points. `runecast repair --policy` does the same.

Exit codes:
  0  the input is well-formed
  1  the input is ill-formed
  2  wrong usage, or the input could not be read";

/// Of `lab`.
pub(crate) const LAB_EXAMPLES: &str = "\
Examples:
  runecast lab
      Ten encodings, from LEB128 to UTF-8: how long text in
      many scripts is, and what happens to it if a byte is
      lost, inserted or changed, or two are swapped.

  runecast lab --example 33577
      One number in all of them, bit by bit (tags before the
      point), and what damage to it reads as.

  runecast lab --svg > lab.svg
      The same as a picture.

  runecast lab --strict
      Accepts only one form for each character.

  runecast lab --remarks
      Mistakes in the essays that describe these encodings.

  runecast lab --format json | jq '.damage[]'
      For programs: one JSON object.

The text is generated, and always the same. In the tables of
damage
  silent    other characters came out, and no error
  detected  there was an error, or no scalar value
  false     detected, but wrong characters came out, too
  lost      characters next to the damage that were lost, on
            average; and in the worst case
  adrift    cases in which all the rest of the text was lost
Damage that only inserts, removes or changes ASCII is not
counted: no encoding could detect it.

The order and the idea are those of the essay `Inventing
UTF-8` by Evyl Blue.";

/// Of `detect`.
pub(crate) const DETECT_EXAMPLES: &str = "\
Examples:
  runecast detect unknown.txt
      Its encoding, how certain that is, and why.

  runecast detect -r . | grep -v ': ASCII, \\|: UTF-8, '
      All files that are neither ASCII nor UTF-8.

  runecast detect --whole dump.sql
      Reads to the end: damage may come late in the file.

  runecast detect --bytes 512 - < /dev/ttyS0
      Decides by the first 512 bytes.

  runecast detect --format json *.txt | jq .encoding
      For programs: one JSON object per file and line.

The answer reads
  FILE: ENCODING, N % sure: EVIDENCE
In place of the encoding it may have `mixed` (UTF-8 with
something else in it), `unknown` or `binary`. That a whole
file is ASCII or UTF-8 is a fact; everything else is a
guess. N is not a probability: at 50 something else is about
as likely, and below 50 the answer is `unknown`. Encodings
older than Unicode are guessed from what the text declares,
as web pages and sources do, and from letter frequencies.
Latin-1 also stands for ISO 8859-15 and windows-1252 if
nothing tells them apart.

Reading stops when more would not help, mostly after 4 KiB;
ASCII has to be read to its end. With -r, files that do not
look like text are read as well.

Exit codes:
  0  every input is text in a known encoding
  1  at least one input is mixed, unknown or binary
  2  wrong usage, or an input could not be read (the others
     are examined all the same)";

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
      A whole tree as one text, with pictures of the result.

  runecast bench --quick --format json | jq '.rows[]'
      For programs: one JSON object, in a few seconds.

  runecast bench --scripts all --time 120 --curves 0
      Every script, for two minutes, without curves.

  taskset -c 1 runecast bench
      On one core of a busy Linux machine.

GB/s are 10^9 bytes of input per second, on one core. All
that can do an operation take turns for many rounds, and the
best round of each counts. The same text is read again and
again, so it is in the cache and the CPU has learned its
branches: text that is read once, from a disk or a network,
is slower for all of them.

  gain  how many times as fast the kernel in use is as the
        best of the others (std, simdutf8)
  +/-   how much slower its median round was than its best
  ~     an unreliable number: the median round was more than
        a quarter slower than the best

The fastest are bold: those whose best round was not slower
than the median round of the very fastest.

Curves show speed against size, beside how fast the machine
can read (a sum of all bytes) and copy. UTF-16 and UTF-32
are little-endian. std writes into memory allocated before,
as all others do, which is faster than its own functions
that return a String or a Vec.

Exit codes:
  0  everything is measured
  1  a FILE is ill-formed, and was measured as far as it
     could be
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
