//! The command as it is used: files in a folder, a query, what it prints and its exit code.
//!
//! Parquet is written by the command itself, from literals, and read again; all else is written here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("runecast-sql-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, content: &[u8]) -> &Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(&self.0, arguments)
    }

    /// What it prints, if all is well.
    fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (text, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {errors}");
        assert_eq!(errors, "", "{arguments:?}");
        text
    }

    /// What it says, if it fails with that code.
    fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.starts_with("runecast-sql: ") || errors.starts_with("error: "), "{errors}");
        errors
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_runecast-sql")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn every_format_is_read() {
    let folder = Folder::new("read");
    folder
        .write("people.csv", "id,name\n1,rūna\n2,\"a\nb\"\n".as_bytes())
        .write("tabs.tsv", b"id\tname\n1,5\tx\n")
        .write("Odd-Name.jsonl", b"{\"id\": 1, \"n\": {\"m\": 7}}\n{\"id\": 2}\n")
        .write("array.json", b" [{\"id\": 3}, {\"id\": 4}]")
        .write("app.log", b"one\r\ncaf\xE9\nlast")
        .write("no-format", b"1;x\n2;y\n");
    let csv = |query: &str, files: &[&str]| folder.prints(&[&["--format", "csv", query], files].concat());

    assert_eq!(
        csv("SELECT id, char_count(name) AS n FROM people ORDER BY id", &["people.csv"]),
        "id,n\n1,4\n2,3\n"
    );
    assert_eq!(csv("SELECT * FROM tabs", &["tabs.tsv"]), "id,name\n\"1,5\",x\n");
    for name in ["odd_name", "\"Odd-Name\""] {
        let query = format!("SELECT id, n['m'] AS m FROM {name} ORDER BY id");
        assert_eq!(csv(&query, &["Odd-Name.jsonl"]), "id,m\n1,7\n2,\n");
    }
    assert_eq!(csv("SELECT sum(id) AS s FROM array", &["array.json"]), "s\n7\n");
    assert_eq!(
        csv("SELECT number, line, utf8_error(line)['offset'] AS at FROM app ORDER BY number", &["app.log"]),
        "number,line,at\n1,6f6e650d,\n2,636166e9,3\n3,6c617374,\n"
    );
    assert_eq!(
        folder.prints(&[
            "-f",
            "csv",
            "--input",
            "csv",
            "-d",
            ";",
            "--no-header",
            "SELECT column_2 AS c FROM t ORDER BY c DESC",
            "t=no-format"
        ]),
        "c\ny\nx\n"
    );

    // Parquet, with binary that is not well-formed; and several tables in a query.
    folder.prints(&["COPY (SELECT 1 AS id, x'636166E9' AS b UNION ALL SELECT 2, x'41') TO 'bytes.parquet'"]);
    assert_eq!(
        csv(
            "SELECT name, text_decode(b, 'utf-8', 'latin1') AS t FROM people JOIN bytes ON people.id = bytes.id \
             ORDER BY t",
            &["people.csv", "bytes.parquet"]
        ),
        "name,t\n\"a\nb\",A\nrūna,café\n"
    );
    assert_eq!(csv("SELECT b FROM bytes ORDER BY id", &["bytes.parquet"]), "b\n636166e9\n41\n");
}

#[test]
fn folders_and_globs_are_one_table() {
    let folder = Folder::new("many");
    folder
        .write("parts/a.csv", b"n\n1\n")
        .write("parts/deep/b.csv", b"n\n2\n")
        .write("parts/_SUCCESS", b"")
        .write("parts/.hidden.csv", b"n\n100\n")
        .write("part-1 [x].csv", b"n\n10\n")
        .write("part-2.csv", b"n\n20\n")
        .write("mixed/a.csv", b"n\n1\n")
        .write("mixed/b.ndjson", b"{}\n");
    let sum = |name: &str, file: &str| {
        let query = format!("SELECT sum(n) AS s FROM {name}");
        folder.prints(&[
            "-f",
            "csv",
            "--bytes",
            &query.replace("sum(n)", "sum(cast(text_repair(n) AS INT))"),
            file,
        ]);
        folder.prints(&["-f", "csv", &query, file])
    };
    assert_eq!(sum("parts", "parts"), "s\n3\n");
    assert_eq!(sum("parts", "parts/"), "s\n3\n");
    assert_eq!(sum("parts", "parts/*.csv"), "s\n1\n");
    assert_eq!(sum("part", "part-*.csv"), "s\n30\n");
    assert_eq!(sum("both", "both=parts/**/?.csv"), "s\n3\n");
    // Brackets in a name that is there are no glob.
    assert_eq!(sum("\"part-1 [x]\"", "part-1 [x].csv"), "s\n10\n");

    let said = folder.fails(2, &["SELECT 1", "mixed"]);
    assert!(said.contains("mixed has files of several formats"), "{said}");
    let said = folder.fails(2, &["SELECT 1", "parts/a.csv", "mixed/a.csv"]);
    assert!(said.contains("would both be table a; call one of them otherwise: NAME=mixed/a.csv"), "{said}");
    assert!(folder.fails(2, &["SELECT 1", "nothing-*.csv"]).contains("no file is called like nothing-*.csv"));
}

/// What is ill-formed is there, byte for byte, when it is read as bytes; and else it is an error that says so.
#[test]
fn csv_as_bytes_loses_nothing() {
    let folder = Folder::new("bytes");
    let content = b"name,\xE9t\xE9\ncaf\xE9,\"\xFF,\"\"\n\"\n,\xC3\xA9\n";
    folder.write("bad.csv", content);
    let said = folder.fails(1, &["SELECT * FROM bad", "bad.csv"]);
    assert!(said.contains("UTF-8") && said.contains("hint: --bytes"), "{said}");
    assert_eq!(
        folder.prints(&["--bytes", "-f", "csv", "SELECT * FROM bad", "bad.csv"]),
        "name,\u{FFFD}t\u{FFFD}\n636166e9,ff2c220a\n,c3a9\n"
    );
    assert_eq!(
        folder.prints(&[
            "--bytes",
            "-f",
            "csv",
            "--no-header",
            "SELECT text_repair(column_1, 'latin1') AS n FROM bad",
            "bad.csv"
        ]),
        "n\nname\ncafé\n\"\"\n"
    );
    folder.write("uneven.csv", b"a,b\n1,2\n3\n");
    let said = folder.fails(1, &["--bytes", "SELECT * FROM uneven", "uneven.csv"]);
    assert!(said.contains("uneven.csv, line 3: 1 fields, where there were 2"), "{said}");
    folder.write("bad.ndjson", b"{\"a\": \"\xFF\"}\n");
    let said = folder.fails(1, &["SELECT * FROM bad", "bad.ndjson"]);
    assert!(said.contains("hint: --input lines"), "{said}");
    assert_eq!(
        folder.prints(&[
            "--input",
            "lines",
            "-f",
            "csv",
            "SELECT text_repair(line) AS l FROM bad",
            "bad.ndjson"
        ]),
        "l\n\"{\"\"a\"\": \"\"\u{FFFD}\"\"}\"\n"
    );
}

/// More rows than a batch has, each once and in its place, and a LIMIT that ends the reading.
#[test]
fn batches_are_whole() {
    let folder = Folder::new("batches");
    let rows: String = (0..20000).map(|row| format!("{row},x{row}\n")).collect();
    folder.write("many.csv", format!("id,x\n{rows}").as_bytes());
    folder.write("many.txt", rows.as_bytes());
    for (option, file) in [("--bytes", "many.csv"), ("--bytes", "c=many.csv")] {
        let table = if file == "many.csv" { "many" } else { "c" };
        let query = format!(
            "SELECT count(*) AS n, sum(cast(text_repair(id) AS BIGINT)) AS s, count(DISTINCT x) AS d FROM {table}"
        );
        assert_eq!(folder.prints(&[option, "-f", "csv", &query, file]), "n,s,d\n20000,199990000,20000\n");
    }
    assert_eq!(
        folder.prints(&["-f", "csv", "SELECT max(number) AS n, count(*) AS c FROM many", "many.txt"]),
        "n,c\n20000,20000\n"
    );
    assert_eq!(
        folder.prints(&["-f", "csv", "SELECT text_repair(line) AS l FROM many LIMIT 1", "many.txt"]),
        "l\n\"0,x0\"\n"
    );
}

#[test]
fn every_format_is_written() {
    let folder = Folder::new("written");
    let query = "SELECT * FROM (VALUES (1, 'rūna', x'FF'), (2, NULL, NULL)) AS t (id, name, b) ORDER BY id";
    assert_eq!(
        folder.prints(&[query]),
        "\
+----+------+------+
| id | name | b    |
+----+------+------+
| 1  | rūna | ff   |
| 2  | NULL | NULL |
+----+------+------+
"
    );
    assert_eq!(folder.prints(&["--format", "csv", query]), "id,name,b\n1,rūna,ff\n2,,\n");
    assert_eq!(
        folder.prints(&["--format", "json", query]),
        "[{\"id\":1,\"name\":\"rūna\",\"b\":\"ff\"},{\"id\":2,\"name\":null,\"b\":null}]\n"
    );
    assert_eq!(
        folder.prints(&["--format", "ndjson", query]),
        "{\"id\":1,\"name\":\"rūna\",\"b\":\"ff\"}\n{\"id\":2,\"name\":null,\"b\":null}\n"
    );
    // No rows.
    let nothing = "SELECT 1 AS a, 'x' AS b WHERE false";
    assert!(folder.prints(&[nothing]).contains("| a | b |"));
    assert_eq!(folder.prints(&["--format", "csv", nothing]), "a,b\n");
    assert_eq!(folder.prints(&["--format", "json", nothing]), "[]\n");
    assert_eq!(folder.prints(&["--format", "ndjson", nothing]), "");
    // What would move the cursor of a terminal.
    let table = folder.prints(&["SELECT chr(27) || '[2J' AS x"]);
    assert!(table.contains("\\u{1b}[2J") && !table.contains('\u{1b}'), "{table}");
}

#[test]
fn plans_are_explained() {
    let folder = Folder::new("plans");
    folder.write("t.csv", b"n\nx\n");
    let query = "SELECT count(*) FROM t WHERE NOT utf8_valid(n)";
    for text in
        [folder.prints(&["--explain", query, "t.csv"]), folder.prints(&["-e", "--bytes", query, "t.csv"])]
    {
        assert!(text.starts_with("-- logical_plan\n") && text.contains("-- physical_plan\n"), "{text}");
        assert!(text.contains("utf8_valid("), "{text}");
    }
    let text = folder.prints(&[&format!("EXPLAIN ANALYZE {query}"), "t.csv"]);
    assert!(text.starts_with("-- Plan with Metrics\n") && text.contains("output_rows="), "{text}");
}

#[test]
fn functions_and_tables_are_listed() {
    let folder = Folder::new("lists");
    folder.write("t.csv", b"n\nx\n");
    let listed = folder.prints(&["-f", "csv", "SHOW FUNCTIONS LIKE 'text_detect'"]);
    assert!(
        listed.contains("text_detect,String,[bytes],[Binary],SCALAR,")
            && listed.contains("text_detect(bytes)"),
        "{listed}"
    );
    assert!(
        folder.prints(&["-f", "csv", "SHOW TABLES", "t.csv"]).contains("datafusion,public,t,BASE TABLE\n")
    );
    assert!(folder.prints(&["-f", "csv", "--bytes", "DESCRIBE t", "t.csv"]).contains("n,Binary,NO\n"));
}

/// 1: the data. 2: what was asked.
#[test]
fn exit_codes() {
    let folder = Folder::new("codes");
    folder
        .write("t.csv", b"n\n1\n2\n")
        .write("broken.parquet", b"PAR1 no PAR1")
        .write("bad.log", b"caf\xE9\n")
        .write("semicolons.csv", b"id;name\n1;x\n")
        .write("tabs.csv", b"id\tname\n1\tx\n")
        .write("short.parquet", b"PAR");
    let late: String = (0..2000).map(|row| format!("{row}\n")).collect();
    folder.write("late.csv", format!("n\n{late}word\n").as_bytes());
    for (code, said, arguments) in [
        (
            1,
            "row 0 of its batch: ill-formed at byte 3",
            &["SELECT text_decode(line, 'utf-8') FROM bad", "bad.log"][..],
        ),
        (1, "ill-formed at byte 0", &["SELECT text_decode(x'FF', 'utf-8')"]),
        (1, "Divide by zero", &["SELECT 1 / (n - 1) FROM t", "t.csv"]),
        (1, "word", &["SELECT sum(n) FROM late", "late.csv"]),
        (1, "short.parquet: ", &["SELECT 1 FROM short", "short.parquet"]),
        (1, "damaged", &["SELECT 1 FROM broken", "broken.parquet"]),
        (2, "did you mean 'UTF-16LE'?", &["SELECT text_decode(x'FF', 'utf-61le')"]),
        (2, "argument 1 of utf8_valid is Int64", &["SELECT utf8_valid(n) FROM t", "t.csv"]),
        (2, "the SQL cannot be read: Expected: an SQL statement, found: SELEC", &["SELEC 1"]),
        (2, "the SQL cannot be read: Unterminated", &["SELECT 'a"]),
        (2, "table 'nowhere' not found; there is t\n", &["SELECT * FROM nowhere", "t.csv"]),
        (
            2,
            "not found; there are bad, late, t\n",
            &["SELECT * FROM nowhere", "t.csv", "bad.log", "late.csv"],
        ),
        (2, "; there are no tables", &["SELECT * FROM nowhere"]),
        (2, "t.csv is a file: name it after the query", &["SELECT * FROM 't.csv'"]),
        (2, "hint: that is a file; the query comes first", &["t.csv"]),
        (2, "runecast-sql: one statement at a time\n", &["SELECT 1; SELECT 2"]),
        (2, "runecast-sql: No field named m.", &["SELECT m FROM t", "t.csv"]),
        (2, "hint: --delimiter ';'", &["SELECT id FROM semicolons", "semicolons.csv"]),
        (2, "hint: --delimiter '\\t'", &["SELECT id FROM tabs", "tabs.csv"]),
        (2, "there is no file nowhere.csv", &["SELECT 1", "nowhere.csv"]),
        (2, "there is no file nowhere.csv", &["SELECT 1", "t=nowhere.csv"]),
        (2, "standard input is not read", &["SELECT 1", "-"]),
        (2, "--input parquet, csv", &["SELECT 1", "odd=t.odd"]),
        (2, "possible values", &["--format", "xml", "SELECT 1"]),
        (2, "required", &[]),
    ] {
        folder.write("t.odd", b"");
        let errors = folder.fails(code, arguments);
        assert!(errors.contains(said), "{arguments:?}: {errors}");
        for word in ["Error(", "Error during", "Arrow error", "Schema error", "Parquet error: Parquet"] {
            assert!(!errors.contains(word), "{arguments:?}: {errors}");
        }
    }
}

/// The examples of `--help` are commands.
#[test]
fn help_has_examples_that_run() {
    let folder = Folder::new("help");
    let help = folder.prints(&["--help"]);
    folder.write("access.log", b"ok\n\xFF\n");
    folder.write("people.csv", b"name\ncaf\xE9\n");
    folder.write("b.ndjson", b"{\"id\": 1, \"text\": \"x\"}\n");
    folder.prints(&["COPY (SELECT 1 AS id, x'FF' AS body) TO 'mails.parquet'"]);
    folder.prints(&["COPY (SELECT 1 AS id, x'FF' AS body) TO 'mails/1.parquet'"]);
    folder.prints(&["COPY (SELECT 1 AS id) TO 'a.parquet'"]);
    folder.prints(&["COPY (SELECT 1 AS id) TO '2026-01/app-1.ndjson.gz' STORED AS JSON OPTIONS ('format.compression' gzip)"]);
    let mut count = 0;
    // What is indented more goes on.
    for command in help
        .replace("\n              ", " ")
        .lines()
        .filter_map(|line| line.strip_prefix("    runecast-sql "))
    {
        let arguments = words(command);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        assert!(!folder.prints(&arguments).is_empty(), "{command}");
        count += 1;
    }
    assert_eq!(count, 7, "{help}");
}

/// As a shell does it, with both kinds of quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for character in line.chars() {
        match (character, quote) {
            ('"' | '\'', None) => quote = Some(character),
            (character, Some(open)) if character == open => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(character),
        }
    }
    words.push(word);
    words
}
