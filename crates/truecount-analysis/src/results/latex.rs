//! LaTeX: `tabular`s with the rules of booktabs, notes below them, and descriptions of the fitted
//! model in comments. To make a table float, put it into a `table`.

use super::readable::{ReadableRow, ReadableTable};
use super::{Mark, Results};
use std::io::{self, Write};
use std::iter;

pub(super) fn write(results: &Results, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "% needs \\usepackage{{booktabs}}")?;
    let mut sources = results.notes.iter().filter(|note| note.is_source);
    sources.try_for_each(|note| writeln!(out, "% {}", note.sentence))?;
    for (number, (table, readable)) in results.readable().enumerate() {
        if number > 0 {
            writeln!(out, "\n\\bigskip")?;
        }
        for line in table.title() {
            writeln!(out, "{} \\\\", escaped(line))?;
        }
        write_table(&readable, out)?;
    }
    let sentences = results.notes.iter().filter(|note| !note.is_source).map(|note| note.sentence.clone());
    let notes = results.explanations().into_iter().chain(sentences).chain(results.warnings.iter().cloned());
    let notes: Vec<String> = notes.map(|note| sentence(&note)).collect();
    writeln!(out, "\n\\smallskip\n{{\\footnotesize\\noindent")?;
    writeln!(out, "{}\\par}}", notes.join(" \\\\\n"))
}

fn write_table(readable: &ReadableTable, out: &mut impl Write) -> io::Result<()> {
    let names = readable.names;
    writeln!(out, "\\begin{{tabular}}{{{}{}}}", "l".repeat(names), "r".repeat(readable.header.len() - names))?;
    writeln!(out, "\\toprule")?;
    let header: Vec<String> = readable.header.iter().map(|name| escaped(name)).collect();
    write_row(&header, out)?;
    writeln!(out, "\\midrule")?;
    for ReadableRow { cells, mark } in readable.lines() {
        let cell = |(i, cell): (usize, &String)| if i < names { escaped(cell) } else { number(cell) };
        let mut cells: Vec<String> = cells.iter().enumerate().map(cell).collect();
        if let Some(last) = cells.last_mut().filter(|_| mark != Mark::None) {
            // The mark has no width, so that the numbers stay aligned.
            last.extend(["\\rlap{", raised(mark), "}"]);
        }
        write_row(&cells, out)?;
    }
    writeln!(out, "\\bottomrule\n\\end{{tabular}}")
}

fn write_row(cells: &[String], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} \\\\", cells.join(" & "))
}

/// Formats a note. A mark at its start is raised, as in the table.
fn sentence(note: &str) -> String {
    let split_mark = |mark: Mark| Some((raised(mark), note.strip_prefix(mark.text())?.strip_prefix(' ')?));
    let split = [Mark::Star, Mark::Dagger].into_iter().find_map(split_mark);
    split.map_or_else(|| escaped(note), |(mark, rest)| format!("{mark} {}", escaped(rest)))
}

fn raised(mark: Mark) -> &'static str {
    match mark {
        Mark::None => "",
        Mark::Star => "$^*$",
        Mark::Dagger => "$^\\dagger$",
    }
}

/// Formats the content of a numeric cell: a number (perhaps in per cent), two numbers separated by a dash, or a dash.
fn number(cell: &str) -> String {
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    match cell.split_once('e').filter(|(digits, exponent)| is_number(digits) && is_number(exponent)) {
        Some((digits, exponent)) => format!("${digits} \\times 10^{{{exponent}}}$"),
        // A minus, unlike a hyphen, is not read as part of a dash.
        None => escaped(&cell.replace('-', "−").replace(" – ", "–")),
    }
}

/// Escapes text so that no character is markup, and no characters form a ligature, such as `--`.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (last, c) in iter::once('\\').chain(text.chars()).zip(text.chars()) {
        if last == c && matches!(c, '-' | '\'' | ',') {
            escaped.push_str("{}");
        }
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '`' => escaped.push_str("\\textasciigrave{}"),
            // The package babel redefines the character for German.
            '"' => escaped.push_str("{\\char34}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            // At the start of a row, LaTeX would read these characters as an argument of the preceding `\\`.
            '[' | '*' => escaped.extend(['{', c, '}']),
            '–' => escaped.push_str("--"),
            '−' => escaped.push_str("$-$"),
            'Σ' => escaped.push_str("$\\Sigma$"),
            '²' => escaped.push_str("$^2$"),
            '≥' => escaped.push_str("$\\geq$"),
            '∞' => escaped.push_str("$\\infty$"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_typeset_as_numbers() {
        assert_eq!(number("0.0145"), "0.0145");
        assert_eq!(number("3e-5"), r"$3 \times 10^{-5}$");
        assert_eq!(number("0.2948 – 0.3521"), "0.2948--0.3521");
        assert_eq!(number("15.5 % between 3 and 4"), r"15.5 \% between 3 and 4");
        assert_eq!(number("–"), "--");
        // A bare % would begin a comment.
        assert_eq!(number("94.0 %"), r"94.0 \%");
        assert_eq!(number("∞"), r"$\infty$");
    }
}
