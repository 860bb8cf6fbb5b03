//! The table of estimates in Markdown and LaTeX.

use crate::common::Folder;
use insta::assert_snapshot;

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";

fn folder() -> Folder {
    Folder::with_train().file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n-3,wed\n-2,wed\n")
}

/// A CSV cell with all characters that are markup in Markdown or LaTeX.
const MARKUP: &str = r#""|\*_`<b>[x](y)&amp;%$#{}~^ ""q"" a--b ''""#;

/// Returns the output for three groups: the first has [`MARKUP`] as its name, the second looks like
/// the option of a LaTeX row, and the third has no name.
fn hostile(form: &str) -> String {
    let test = format!("score,a_b|*\n1,{MARKUP}\n0.1,{MARKUP}\n0.5,[0\n1.2,\n");
    Folder::with_train()
        .file("test.csv", test)
        .run(&format!("{ESTIMATE} --by a_b|* --method cc --sort none --format {form}"))
        .stdout
}

#[test]
fn markdown() {
    assert_snapshot!(folder().run(&format!("{ESTIMATE} --by day --method o-cs,dys --format markdown")).stdout, @r#"
    | day | method | n | prevalence | 95 % interval | positives | from – to |
    |---|---|---:|---:|---:|---:|---:|
    | mon | o-cs | 1 | 0.4708 | 0.0000 – 1.0000 | 0 | 0 – 1 † |
    | mon | dys | 1 | 1.0000 | – | 1 | – † |
    | tue | o-cs | 2 | 0.5000 | 0.0000 – 1.0000 | 1 | 0 – 2 \* |
    | tue | dys | 2 | 0.6095 | – | 1 | – |
    | wed | o-cs | 2 | 0.0000 | 0.0000 – 0.5093 | 0 | 0 – 1 \* |
    | wed | dys | 2 | 0.0000 | – | 0 | – |

    - \* see the warnings
    - † unreliable: see the warnings
    - share: for these 5 rows
    - uncertainty of o-cs: sampling of the new and the labelled rows
    - no standard error or interval of dys: there is no formula (--interval bootstrap)
    - fitted: normal distributions to 12 positive and 12 negative scores
    - warning: mon, all methods: a single test score says almost nothing about a prevalence
    - warning: 2 of 3 groups (tue, wed), o-cs: no test score lies inside the region, so only the numbers of scores on either side count
    - warning: wed, o-cs: the share is reported as 0, because there are fewer positives than false alarms alone would give (raw estimate -0.1828)
    "#);
    let text = folder().run(&format!("{ESTIMATE} --format markdown")).stdout;
    assert!(
        text.starts_with("| n | apparent | prevalence | 95 % interval | positives | from – to |\n|---:|"),
        "{text}"
    );
}

#[test]
fn latex() {
    assert_snapshot!(folder().run(&format!("{ESTIMATE} --by day --method o-cs,dys --format latex")).stdout, @r#"
    % needs \usepackage{booktabs}
    % fitted: normal distributions to 12 positive and 12 negative scores
    \begin{tabular}{llrrrrr}
    \toprule
    day & method & n & prevalence & 95 \% interval & positives & from -- to \\
    \midrule
    mon & o-cs & 1 & 0.4708 & 0.0000--1.0000 & 0 & 0--1\rlap{$^\dagger$} \\
    mon & dys & 1 & 1.0000 & -- & 1 & --\rlap{$^\dagger$} \\
    tue & o-cs & 2 & 0.5000 & 0.0000--1.0000 & 1 & 0--2\rlap{$^*$} \\
    tue & dys & 2 & 0.6095 & -- & 1 & -- \\
    wed & o-cs & 2 & 0.0000 & 0.0000--0.5093 & 0 & 0--1\rlap{$^*$} \\
    wed & dys & 2 & 0.0000 & -- & 0 & -- \\
    \bottomrule
    \end{tabular}

    \smallskip
    {\footnotesize\noindent
    $^*$ see the warnings \\
    $^\dagger$ unreliable: see the warnings \\
    share: for these 5 rows \\
    uncertainty of o-cs: sampling of the new and the labelled rows \\
    no standard error or interval of dys: there is no formula (-{}-interval bootstrap) \\
    warning: mon, all methods: a single test score says almost nothing about a prevalence \\
    warning: 2 of 3 groups (tue, wed), o-cs: no test score lies inside the region, so only the numbers of scores on either side count \\
    warning: wed, o-cs: the share is reported as 0, because there are fewer positives than false alarms alone would give (raw estimate -0.1828)\par}
    "#);
    let weighted = folder().file("test.csv", "score,w\n1,0.5\n0.1,2\n2.2,1\n");
    let text = weighted.run(&format!("{ESTIMATE} --format latex --weight w")).stdout;
    for part in
        ["\\begin{tabular}{rrrrrr}", "n\\_eff & population & prevalence & 95", "n\\_eff: effective sample size \\\\"]
    {
        assert!(text.contains(&format!("\n{part}")), "{text}");
    }
}

/// Group names from the data are escaped, so that they appear literally, in tables and warnings.
#[test]
fn names_are_escaped() {
    let names = |form: &str, end: &str| {
        let text = hostile(form);
        let rows =
            text.lines().filter(|line| line.contains(end)).map(|line| line.split(end).next().unwrap().trim_end());
        rows.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(names("table", "  1.0000  "), @r#"
    |\*_`<b>[x](y)&amp;%$#{}~^ "q" a--b ''  2
    [0                                      1
                                            1
    "#);
    assert_snapshot!(names("markdown", " | 1.0000 | "), @r#"
    | \|\\\*\_\`\<b\>\[x\](y)\&amp;%\$\#{}\~^ "q" a--b '' | 2
    | \[0 | 1
    |  | 1
    "#);
    assert_snapshot!(names("latex", " & 1.0000 & "), @r"
    \textbar{}\textbackslash{}{*}\_\textasciigrave{}\textless{}b\textgreater{}{[}x](y)\&amp;\%\$\#\{\}\textasciitilde{}\textasciicircum{} {\char34}q{\char34} a-{}-b '{}' & 2
    {[}0 & 1
     & 1
    ");
    for (form, header, group) in [
        ("markdown", "| a\\_b\\|\\* | n |", "2 of 3 groups (\\[0, ''): a single"),
        ("latex", "\na\\_b\\textbar{}{*} & n &", "2 of 3 groups ({[}0, '{}'): a single"),
    ] {
        let text = hostile(form);
        assert!(text.contains(header) && text.contains(group), "{text}");
    }
}
