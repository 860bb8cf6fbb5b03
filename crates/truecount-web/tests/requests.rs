//! Tests of the program's answers to the page's requests, most of them in the transcript `requests.txt`. `cargo xtask
//! web` compares them with the command's answers in a browser.

#[allow(dead_code)] // the tests of other programs use more of it
#[path = "../../truecount-cli/tests/it/common/folder.rs"]
mod folder;
#[path = "../../truecount-cli/tests/it/common/transcript.rs"]
mod transcript;

use folder::{Folder, Run};
use serde_json::{Value, json};
use std::path::Path;
use transcript::Program;

const PROGRAM: &str = "truecount-web";

/// A folder with a workbook of which only the first bytes are left.
fn folder(_: &str) -> Folder {
    Folder::new().file("book.xlsx", "PK\u{3}\u{4}")
}

/// Returns the answer to a request about files in this folder.
fn answer(folder: &Folder, request: &str) -> Value {
    let run = folder.run_all([""; 0], request);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Prints the parts of the answer that are named after the request.
fn run(folder: &Folder, request: &str, _: Vec<u8>) -> Run {
    let (request, parts) = request.rsplit_once(" -> ").unwrap();
    let answer = answer(folder, request);
    let printed = |part: &str| match answer.pointer(part) {
        Some(Value::String(text)) => format!("{}\n", text.trim_end()),
        other => format!("{}\n", other.unwrap_or(&Value::Null)),
    };
    Run { code: 0, stdout: parts.split(' ').map(printed).collect(), stderr: String::new() }
}

#[test]
fn requests_have_the_answers_of_the_transcript() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requests.txt");
    let faults = Program { folder, run }.check(&path);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn simulated_classes_have_figures() {
    let request =
        r#"{"ask": "classes", "distance": 2, "spread": 1, "labelled": 200, "n": 500, "prevalence": 0.3, "draw": 1}"#;
    let answer = answer(&Folder::new(), request);
    let figures: Vec<&String> = answer["figures"].as_object().unwrap().keys().collect();
    assert_eq!(figures, ["scores", "separation", "adjusted-count", "calibration", "weights"]);
}

/// Tables are read as by the command: below titles, in any encoding, with a decimal comma and
/// without some values.
#[test]
fn columns_are_read_as_for_the_analysis() {
    let table = "Erhebung;;\nStand: 31.10.;;\n\nscore;city;w\n0,5;Köln;1\nNA;Bonn;\n0,25;;2\n";
    let latin: Vec<u8> = table.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let utf_16: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for content in [table.as_bytes().to_vec(), latin, utf_16] {
        let folder = Folder::new().file("table.csv", content);
        let description = answer(&folder, r#"{"ask": "columns", "file": "table.csv"}"#);
        let column = |index: usize| {
            let column = &description["columns"][index];
            json!([column["name"], column["numbers"], column["first"]])
        };
        assert_eq!(column(0), json!(["score", true, ["0,5", "0,25"]]));
        assert_eq!(column(1), json!(["city", false, ["Köln", "Bonn"]]));
        assert_eq!(column(2), json!(["w", true, ["1", "2"]]));
        assert_eq!(description["labelled"]["score"], "score");
    }
}
