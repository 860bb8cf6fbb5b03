//! A `tabular` with the rules of booktabs, notes below it, and in comments what was fitted. It floats if it is put into a `table`.

use super::Report;
use super::readable::{Line, Readable};
use super::words::{fitted, variance_sentences};
use std::io::{self, Write};
use std::iter;

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let readable = Readable::new(report);
    let names = readable.names;
    writeln!(out, "% needs \\usepackage{{booktabs}}")?;
    fitted(report.model).iter().try_for_each(|line| writeln!(out, "% {line}"))?;
    writeln!(out, "\\begin{{tabular}}{{{}{}}}", "l".repeat(names), "r".repeat(readable.header.len() - names))?;
    writeln!(out, "\\toprule")?;
    let header: Vec<String> = readable.header.iter().map(|name| escaped(name)).collect();
    row(&header, out)?;
    writeln!(out, "\\midrule")?;
    for Line { cells, star } in readable.lines() {
        let cell = |(i, cell): (usize, &String)| if i < names { escaped(cell) } else { number(cell) };
        let mut cells: Vec<String> = cells.iter().enumerate().map(cell).collect();
        if let Some(interval) = cells.last_mut().filter(|_| star) {
            // Without width: the numbers stay aligned.
            interval.push_str("\\rlap{$^*$}");
        }
        row(&cells, out)?;
    }
    writeln!(out, "\\bottomrule\n\\end{{tabular}}\n\n\\smallskip\n{{\\footnotesize\\noindent")?;
    let explained = readable.explained().into_iter().map(str::to_owned);
    let notes = explained
        .chain(variance_sentences(report.model.quantifiers().iter(), |quantifier| report.variance_of(quantifier)));
    let notes: Vec<String> = notes.chain(report.warnings()).map(|note| sentence(&note)).collect();
    writeln!(out, "{}\\par}}", notes.join(" \\\\\n"))
}

fn row(cells: &[String], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} \\\\", cells.join(" & "))
}

/// A note; its star is the one of the table.
fn sentence(note: &str) -> String {
    note.strip_prefix("* ").map_or_else(|| escaped(note), |rest| format!("$^*$ {}", escaped(rest)))
}

/// What a number's cell holds: a number, two with a dash between them, or a dash.
fn number(cell: &str) -> String {
    match cell.split_once('e') {
        Some((digits, exponent)) => format!("${digits} \\times 10^{{{exponent}}}$"),
        None => cell.replace(" – ", "--").replace('–', "--"),
    }
}

/// Nothing in it is markup, and no two characters join to another one, as `--` does.
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
            // babel's German has another use for it.
            '"' => escaped.push_str("{\\char34}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            // After the end of a row they would belong to it.
            '[' | '*' => escaped.extend(['{', c, '}']),
            '–' => escaped.push_str("--"),
            'Σ' => escaped.push_str("$\\Sigma$"),
            '²' => escaped.push_str("$^2$"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_set_as_numbers() {
        assert_eq!(number("0.0145"), "0.0145");
        assert_eq!(number("3e-5"), r"$3 \times 10^{-5}$");
        assert_eq!(number("0.2948 – 0.3521"), "0.2948--0.3521");
        assert_eq!(number("–"), "--");
    }
}
