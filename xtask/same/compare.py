#!/usr/bin/env python3
r"""Shows that two builds of the `truecount` command give the same bytes.

    python3 xtask/same/compare.py OLD NEW [--only PATTERN] [--list] [--jobs 2] [--new-bench PATH]

Every line of COMMANDS runs with both programs, each time in a fresh folder with copies of the input
files that it names. Exit status, standard output, standard error and every file in the folder must
be the same. Parquet, Arrow, Excel and Zstandard inputs are made with pyarrow, openpyxl and
zstandard; without one of these modules the commands that read its files are skipped, and the script
says so.

In COMMANDS, `{a|b}` makes a command line of each alternative, and `@NAME` stands for an entry of
NAMES. ` && ` separates commands that run in the same folder, `!` begins a command of the system,
such as `!cp`, `< FILE` gives standard input, and `tty100` runs truecount on a terminal of 100
columns.
"""

import argparse
import difflib
import fnmatch
import gzip
import io
import itertools
import math
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Differences that are intended: a pattern of `COMMAND :: PART`, and the reason. A part is `exit status
# 1`, `stdout 1` or `stderr 1`, where 1 is the first command of the line, or the name of a file. Each
# pattern must match a part that differs.
KNOWN = {}
# Intended differences if --new-bench names another program for the studies and the LeQua solver.
MOVED = {
    r"^(|-h|--help|help (help|nosuch|study)|completions \w+) :: (std|exit)": "study and lequa have left the command",
    r"^(man|reference) .*pages :: (std|.*(study|lequa|index\.md|truecount\.1))": "study and lequa have left the command",
}

METHODS = "es o-cs t-cs o-ms t-ms ms-quapy ms2 cc ac max t50 x pcc pacc friedman smm edy sld sld-bcts ml kdey-ml dys dys-topsoe mm hdy bcc pq"
SUBCOMMANDS = "estimate counts compare audit influence report tally finish monitor fit plan sql check evaluate experiment completions man reference"
NAMES = {
    "METHOD": "{" + METHODS.replace(" ", "|") + "|cs|all}",
    "FAMILY": "{normal|skew-normal|logistic|student-t|beta|kernel|auto}",
    "FORM": "{table|markdown|latex|json|jsonl|csv|parquet}",
    "FILE": "out.{txt|md|tex|json|jsonl|ndjson|csv|parquet}",
    "TEXT": "{table|json|csv}",
    "SUBCOMMAND": "{" + SUBCOMMANDS.replace(" ", "|") + "}",
    "SURVEY": "--train survey/train.csv --test survey/test.csv",
    "SHIFTED": "--train survey/train.csv --test survey/shifted.csv",
    "TINY": "--train odd/tiny.csv --test odd/tiny.csv",
    "WEEKS": "--train spam/train.csv --test spam/weeks.csv --by week",
    "SPAM": "--train spam/train.csv --test spam/pool.csv",
    "PIXELS": "--train landsat/train.csv --test landsat/pixels.csv --by area",
    "HEART": "--train heart/train.csv --test heart/sites.csv --by site",
    "JUDGE": "--train judge/graded.jsonl --test judge/answers.jsonl --by model --label human.right --positive true --score judge.mark",
    "TRAIN": "--train {survey/train.csv|spam/train.csv|heart/train.csv|landsat/train.csv}",
    "EVALUATE": "evaluate --train survey/train.csv --pool survey/pool.csv --method es,ac,cc,dys --cutoff 0.2",
    "FITTED": "fit --train survey/train.csv --method @METHOD -o m.json",
    "TALLIED": "tally --model m.json --test survey/a.csv --by month,site -o a.tally"
    " && tally --model m.json --test survey/b.csv --by month,site -o b.tally",
    "DIALECT": "{ansi|spark|bigquery|snowflake|trino|redshift|tsql}",
    "INPUT": "{csv|tsv|semicolon.csv|commas.csv|bom.csv|csv.gz|csv.zst|jsonl|json|parquet|arrow|arrows|xlsx}",
    "CELL": "{nan|infinite|text|empty|comma|negative|above|tiny|hex|escape|joiner|bidi}",
}
COMMANDS = r"""
# Help, and command lines that are wrong.
{|-h|--help|-V|help help|help nosuch|nosuch|--nosuch|help study}
{@SUBCOMMAND --help|@SUBCOMMAND -h|help @SUBCOMMAND|study {1|coverage|pools} --help|lequa --help}
@SUBCOMMAND {|--nosuch}
completions {bash|elvish|fish|powershell|zsh|nosuch}
{man|reference} {pages|spam/train.csv|nowhere/pages}
estimate @TINY {--group-by|--label-column|--input|--pos-label|--confidence|--methods|--weights|--n-jobs|--random-state|--out} x
estimate {odd/tiny.csv spam/pool.csv|--train odd/tiny.csv spam/pool.csv|--test odd/tiny.csv|--model odd/none.json --train odd/tiny.csv}
estimate @TINY --method {nosuch|es,es|es,nosuch|all,es|cs,ac|''|,|ES}
estimate @TINY {--family nosuch|--transform nosuch|--anchor nosuch|--interval nosuch|--target nosuch|--misfit nosuch|--format nosuch}
estimate @TINY {--level {0|1|95|nan|-1|x}|--threads {0|9999|x}|--resamples 100|--seed 3|--threshold {0.25|0.99|-1|x|optimal}}
estimate @TINY {--cutoff {nan|1e308|-1e308|x|0}|--few pool|--beside|--columns nosuch|--audit-weight w|--decimal ;|--sheet x}
estimate @TINY --method cs --threshold {0.25|0.99|-1|x|optimal|1e-9|0}
estimate @TINY --interval bootstrap --resamples {0|30|39|5000000|x} --level {0.95|0.99}
estimate @TINY --by {nosuch|g,g|score|n|method|''|'"g'|'"g" x'|'"g"'|g,c} --format {table|csv|json}
estimate @TINY {--label nosuch|--positive nosuch|--score nosuch|--prob nosuch|--weight nosuch|--label-weight nosuch|--label-cluster nosuch}

# Estimates: every method with every form of sums, weights and targets, and on every data set.
estimate @SURVEY --method @METHOD {|--by site|--by month --total|--population 9000|--prob p --format json}
estimate @SURVEY --method @METHOD --by site {--total-weights size --population pop|--weight w --total|--compare} --format json
estimate @SURVEY --method @METHOD {--label-weight lw --label-cluster c|--stratum site --target population} --format csv
estimate @SURVEY --method @METHOD --target population --cluster household --columns deff --format jsonl
estimate @SURVEY --method @METHOD --interval {bootstrap --resamples 60 --by site|wald --level 0.9 --family kernel} --format csv
estimate @SHIFTED --method @METHOD --misfit {widen|warn} --format json
estimate {@WEEKS|@SPAM|@PIXELS|@HEART|@JUDGE} --method {es,o-cs,ac|sld,dys,ml|all} --format {table|json}
estimate {@SPAM|@SURVEY} --method all --family @FAMILY --transform {none|rank} {|--anchor model|--anchor sample} --format csv
estimate @SURVEY --score p --prob p --method all --family @FAMILY --transform {none|logit|rank} --cutoff 0.4 --format csv
estimate @SPAM --method {es|o-cs|t-ms|sld|cc} {--family @FAMILY|--transform {logit|rank}|--anchor {model|sample}}
estimate {@WEEKS|@SHIFTED|@HEART} --interval {wilson|wald} --target {sample|population} --level {0.5|0.8|0.999} --method es,ac,cc --format csv
estimate @SURVEY --interval bootstrap --resamples {40|200} --seed {1|7} --threads {1|2|5} --target {sample|population} --format json
estimate @SURVEY --method all --interval bootstrap --resamples 80 --prob p --by month --threads {1|3}

# Forms and files of results; orders of groups.
estimate @SURVEY --by month {--method es,cc,dys --total --columns n_eff,cv,deff|--weight w|--compare --total} --format @FORM
estimate @SURVEY {|--by site,month} --method all -o @FILE
{compare|check} @SURVEY {--by site|--by site,month} -o @FILE
{estimate|compare --by site|check|influence} @SURVEY -o out.{xlsx|svg|html|}
estimate @SURVEY -o {out|-|nowhere/out.csv|survey/test.csv|survey/train.csv|/dev/stdout|/dev/full|survey}
estimate @SURVEY -o out.json --format csv
estimate @SURVEY --by {site|day|site,month} --sort {none|-prevalence|method,-se|site|-site|n,nosuch|''} --method es,cc --threads {1|2}
tty{20|60|100|160} estimate @WEEKS {|--method es,cc|--total|--format markdown}
tty100 {compare @WEEKS|monitor @WEEKS --above 80%|check @SURVEY --by site|counts --table counts/herds.csv --by herd|plan --train survey/train.csv --se 0.02|estimate @SURVEY --format parquet|influence @TINY}

# Totals, populations, comparisons, strata and clusters.
estimate @SURVEY --by {site|month|site,month} {--total|--total --weight w|--total --target population|--total-weights size|--population pop}
estimate @SURVEY --by site {--total-weights|--population} {sizes.csv|size|household|nowhere.csv|7|odd/sizes-{few|many|twice|none}.csv} --format csv
estimate @SURVEY --total-weights survey/sizes.csv --population survey/sizes.csv --by site --method es,ac,dys --format {json|csv}
estimate @SURVEY {--population {7|1200|1201|1e9|x|0|-1}|--population pop|--total-weights size|--population pop --total --by month}
estimate @SURVEY --by {month|site,month|day} --compare {|previous|total|rest|all|2026-02|nosuch} --format {table|csv|json}
estimate @SURVEY --stratum {site|month|nowhere|stars} {--few error|--few pool} {|--by month --total --compare total} --format {table|json}
estimate --train odd/strata.csv --test survey/test.csv --stratum site {--few error|--few pool --format json|--few pool --total --by month}
estimate @SURVEY --stratum site {--interval bootstrap|--population 9000|--cluster household|--weight w|--interval wald|--label-weight lw|--prob p}
estimate @PIXELS --stratum zone --few pool {|--total|--compare rest|--target population} --method es,ac --format {table|csv}
estimate --train odd/tiny.csv --test odd/cluster.csv --target population --cluster c {|--by g|--total --by g}
estimate @SURVEY {--cluster household|--target population {--cluster site --by site|--cluster nosuch|--cluster site --by month --total}}
estimate @SURVEY {--label-weight lw|--label-cluster c|--label-weight lw --label-cluster c} --method {es|ac,cc|all|o-cs} {|--weight w|--prob p}
estimate @SURVEY {--interval bootstrap {--weight w|--label-cluster c|--cluster household|--target population}|--weight w --by n_eff}
compare {@SURVEY|@SHIFTED} --by {site|month|site,month} {|--against {previous|total|rest|all|2026-02|north|nosuch}} --format @TEXT
compare @SURVEY --method @METHOD --by site --format csv
compare {@WEEKS|@PIXELS|@HEART|@JUDGE} {|--against all|--against rest --method o-cs|--target population --interval wald --level 0.9} --format @TEXT
compare @SURVEY {--method es,ac,o-cs|--method all|--other-score other|--other-score other --by month|--method es,ac --by month} --format @FORM
compare @SURVEY --other-test survey/shifted.csv {|--by site|--by site --method ac|--weight w|--target population} --format @TEXT
compare @SURVEY --other-test survey/shifted.csv {--other-train survey/other-train.csv|--other-score other|--against total} --format @TEXT
compare @SURVEY --by month {--total|--total --against all|--total-weights size|--weight w|--stratum site|--stratum site --total} --format @TEXT
compare @SURVEY --by site {--population pop|--population pop --total-weights size|--target population --cluster household|--prob p} --format csv
compare @SURVEY {|--against total|--by site --method dys|--by site --interval bootstrap|--by site --other-test nowhere.csv}
compare @SURVEY --by site {--label-weight lw --label-cluster c|--stratum site --other-score other|--anchor model|--misfit warn|--sort -difference}
compare @WEEKS {-o changes.json|-o changes.tex --against 2026-W06|--against 2027-W01|--method sld|--family kernel --method o-cs}
compare --by model --score judge.mark --other-score judge.pass --label human.right --positive true --train judge/graded.jsonl --test judge/answers.jsonl
fit --train survey/train.csv -o a.json && fit --train survey/other-train.csv -o b.json && compare --model a.json --other-model b.json --test survey/test.csv {|--other-score other}
compare --train odd/tiny.csv --test odd/{single|uneven|many-groups}.csv --by {g|day} {|--other-test odd/constant.csv}
compare @SURVEY --other-test survey/shifted.csv {--total|--by day|--by month --other-train survey/other-train.csv --other-score other|--stratum site|--cluster household}
fit --train survey/train.csv -o a.json && compare --model a.json --test survey/test.csv {--by month|--other-score other|--other-train survey/other-train.csv}

# Counts with published rates.
counts --positives 35 --tested 800 --sensitivity {90/100|0.9|90%} --specificity {97/100|0.97|97%} {|--interval {wilson|exact-rates|lang-reiczigel}}
counts --positives 35 --tested 800 --sensitivity 90/100 --specificity {high|97|101/100|0.1|3%|0/0|1|''|1/3/4|-0.5|nan} {|--specificity-of 100}
counts --positives {9|0|35.5|800|900|x|-1} --tested {8|0|800} --sensitivity 0.9 --specificity 0.9 --sensitivity-of 60 --format json
counts --positives 35 --tested 800 --sensitivity 90/100 --specificity 97/100 --level {0.5|0.99|95} --target {sample|population} --format csv
counts --positives 35 --tested 800 {--sensitivity 0.9|--specificity 0.9|--by herd|--sensitivity 90/100 --sensitivity-of 100 --specificity 1}
counts --table counts/{herds.csv --by herd|studies.csv --by study} {|--interval wilson --target sample|--sort -prevalence|--level 0.8} --format @FORM
counts --table heart/counts.csv --by site {-o @FILE|--interval exact-rates|--sort nosuch|--specificity 0.9|--sensitivity tested}
counts --table counts/herds.csv {|--by nosuch|--by herd,herd|--by herd -o counts/herds.csv|--by herd --positives tested --tested positives}
counts --table - --by herd {|--format csv} < counts/herds.csv
counts --table odd/counts-{level|high|empty|part|above|twice|column|both|share}.csv --by herd {|--sensitivity 0.9 --sensitivity-of m}

# Audits.
audit --test spam/pool.csv --audit spam/audited.csv {|--train spam/train.csv|--train spam/train.csv --misfit warn|--beside} --format @FORM
audit --test heart/sites.csv --audit heart/audited.csv --train heart/train.csv {|--by site|--by site --target population|--interval wald} --format @TEXT
audit @JUDGE --audit judge/audited.jsonl {|--level 0.8|--target population|--beside} --format @TEXT
audit @SURVEY --audit survey/audited.csv {|--by site|--by site,month|--audit-weight w|--audit-weight nosuch|--label-weight lw --label-cluster c} --format csv
{estimate|report -o r.html} @SURVEY --audit survey/audited.csv {|--by site|--beside|--by site --audit-weight w|--total|--weight w|--method o-cs|--method es,ac}
estimate @SURVEY --audit survey/audited.csv --by site {--cluster household|--compare|--population pop|--interval bootstrap|--stratum site|--prob p}
audit {@SURVEY --by site|@SPAM|@WEEKS|--test survey/test.csv} --half-width {0.02|0.1|0.0001|0|0.5|nan} {|--target population --interval wald} --format {table|json}
audit @SURVEY --draw {30|300|1200|5000|0|x} {|--seed 7|--evenly|--by site} --format csv
audit {@SURVEY|@HEART|@JUDGE} --draw 20 {-o drawn.csv|-o drawn.parquet|-o drawn.json|-o drawn.md|--format table|--evenly --seed 9 -o drawn.jsonl}
audit @SURVEY {--draw 10 --half-width 0.1|--draw 10 --audit survey/audited.csv|--evenly|--seed 3|--level 2 --half-width 0.1}
audit --test survey/test.csv {--draw 10|--audit survey/audited.csv --by nosuch|--audit odd/audited-{group|outside|labels|empty}.csv --by site|--audit spam/pool.csv}
fit --train survey/train.csv -o m.json && audit --model m.json --test survey/test.csv {--audit survey/audited.csv --by site|--draw 40|--half-width 0.03}
fit --train survey/train.csv --method ac -o m.json && audit --model m.json --test survey/test.csv --audit survey/audited.csv

# Influence.
influence @SURVEY --method @METHOD --format csv
influence @SURVEY --method @METHOD --labelled --by site --format jsonl
influence {@SPAM|@HEART|@JUDGE} {|--labelled|--method ac|--family kernel --method o-cs} -o i.{csv|parquet|json|md}
influence @SURVEY {--weight w|--prob p --method pacc|--label-weight lw|--label-cluster c --labelled|--by score|--method es,ac} --format csv
influence @TINY {|--labelled|--by g --labelled|--by nosuch} --format {table|latex}
fit --train survey/train.csv --method {es,ac|ac|sld} -o m.json && influence --model m.json --test survey/test.csv {|--labelled} --format csv

# Reports.
report {@WEEKS|@SPAM|@PIXELS|@HEART|@JUDGE} {-o r.html|--items messages --are spam -o -|--method es,o-cs --family kernel -o r.html --figures figures}
report @SURVEY {|--by site|--by site,month|--by day|--target population|--misfit warn|--interval wald|--prob p|--weight w --by site|--label-weight lw} -o r.html
report @SURVEY --method {all|cc|sld,dys --by site|o-cs --transform rank --by month} {-o r.html|-o r.html --figures .|--interval bootstrap --resamples 60 -o -}
report {@SHIFTED|@TINY} {|--method all|--sort -prevalence --by g|--level 0.8} -o r.html
report @SURVEY {|-o nowhere/r.html|-o survey/test.csv|-o r.html --by g|-o r.html --by site,site|-o r.html --figures survey/test.csv|-o r.html --weight w --method sld}
report --train heart/train.csv --test heart/sites.csv --by site --audit heart/audited.csv {--items patients --are ill -o r.html --figures figures|--interval bootstrap -o r.html}
fit --train survey/train.csv --method es,o-cs -o m.json && report --model m.json --test survey/test.csv --by month -o r.html

# Models, tallies and what is finished from them.
fit @TRAIN --method @METHOD -o -
fit --train {survey/train.csv --prob p|survey/train.csv --label-weight lw --label-cluster c} --method @METHOD -o m.json
fit --train {survey/train.csv --score p|spam/train.csv} --method all --family @FAMILY --transform {none|logit|rank} --anchor {model|sample} -o m.json
fit {-o m.json|--train nowhere.csv -o -|--train survey/train.csv {|-o nowhere/m.json|-o survey|-o survey/train.csv|-o m.json --method cs --threshold 0.3|-o /dev/full|-o m.json --cutoff 1 --method all}}
fit --train survey/train.csv --prob p --method @METHOD -o m.json && estimate --model m.json --test survey/test.csv --prob p --by site --format json
@FITTED && tally --model m.json --test survey/test.csv --by month -o t.tally && finish --model m.json t.tally --format json
@FITTED && @TALLIED && finish --model m.json '*.tally' {--by site|--level 0.9 --target population --interval wald} --format csv
fit --train survey/train.csv --method es,o-cs,cc -o m.json && @TALLIED && finish --model m.json a.tally --tally b.tally {|--by month,site|--misfit warn|--by site --sort -prevalence|-o @FILE}
fit --train survey/train.csv --method es,ac -o m.json && tally --model m.json --test survey/test.csv --by site --weight w -o t.parquet && finish t.parquet --model m.json
fit --train survey/train.csv --method es,pacc --prob p -o m.json && tally --model m.json --test survey/test.csv --prob p --by day -o t.tally && finish t.tally --model m.json
tally @SURVEY --method {es,ac|all} --label-weight lw -o t.tally && fit --train survey/train.csv --label-weight lw --method es,ac -o m.json && finish t.tally --model m.json
fit --train survey/train.csv -o m.json && @TALLIED && finish --model m.json a.tally {a.tally|none.tally|survey/test.csv|forms/test.parquet|m.json|--by nosuch|--interval bootstrap|-o m.json|.}
fit --train survey/train.csv -o m.json && @TALLIED && !cp a.tally copy.tally && finish --model m.json a.tally copy.tally {|--allow-equal}
fit --train survey/train.csv -o m.json && @TALLIED && tally --model m.json --test survey/test.csv {--by site|--by month,site --weight w|} -o b.tally && finish --model m.json a.tally b.tally
fit --train survey/train.csv -o m.json && @TALLIED && fit --train survey/train.csv --method {es --label-weight lw|ac|es,ac} -o m.json && finish --model m.json a.tally
fit --train survey/train.csv -o m.json && @TALLIED && !sed -i 's/"version":2/"version":{3|1}/' a.tally && finish --model m.json a.tally
fit --train survey/train.csv -o m.json && @TALLIED && !truncate -s {3|500|1500} a.tally && finish --model m.json a.tally
fit --train survey/train.csv -o m.json && @TALLIED && !sed -i 's/{truecount tally/something else|north/worth|PAR1/PAR2}/g' a.tally && finish --model m.json a.tally
fit --train survey/train.csv -o m.json && tally --model m.json --test survey/test.csv {|-o nowhere/t.tally|-o survey/test.csv|-o m.json|-o t.tally --by tally|-o t.tally --by score,score}
fit --train survey/train.csv -o m.json && finish --model m.json {survey/test.csv|forms/test.parquet|m.json|odd/nothing.csv|survey/bins.csv|}
fit --train survey/train.csv -o m.json && @TALLIED && tally --model m.json --test forms/typed.parquet --by month,site -o c.tally && finish --model m.json a.tally c.tally
fit --train survey/train.csv --prob p --method es,pacc -o m.json && {estimate|tally -o t.tally|influence} --model m.json --test survey/test.csv
fit --train survey/train.csv -o m.json && !sed -i 's/"version": 2/"version": {1|9}/' m.json && estimate --model m.json --test survey/test.csv
fit --train survey/train.csv -o m.json && !sed -i 's/{truecount model/other|"es"/"nosuch"|"anchor"/"anker"}/' m.json && estimate --model m.json --test survey/test.csv
fit --train survey/train.csv -o m.json && estimate --model m.json --test survey/test.csv {--prob p|--label-weight lw|--stratum site|--method ac|--score other|--by site --compare all}
estimate --model {odd/none.json|odd/nothing.csv|spam/train.csv|survey} --test survey/test.csv
fit --train survey/train.csv --prob p --method {dys,dys-topsoe|dys|es} -o m.json && finish --model m.json --tally survey/bins.csv {|--by site --format csv|--level 0.5 --format json}
fit --train survey/train.csv --prob p --method dys -o m.json && finish --model m.json odd/bins-{method|bin|n|missing|column|group|nobody|void}.csv {|survey/bins-dys.csv}
fit --train survey/train.csv --prob p --method dys -o m.json && finish --model m.json --tally - --format csv < survey/bins-dys.csv

# Monitoring.
monitor @WEEKS {|--above {80%|50%|99%|0|1.5|x}|--below 0.4|--above 60% --below 40%|--baseline {2026-W03|2026-W01..2026-W06|2025-01|2026-W09..2026-W03}} --format @TEXT
monitor @WEEKS --above 70% {--method o-cs|--method es,ac|--method sld|--target population --interval wald|--level 0.8|--misfit warn} -o m.{csv|json|parquet|md|tex}
monitor @WEEKS --figure m.svg {|--above 80%|--below 0.5|--baseline 2026-W05} --format jsonl
monitor @SURVEY --by {month|day|quarter|time|site|site,month} {|--above 40% --figure m.svg|--weight w --below 30%} --format csv
{monitor --above 1%|monitor --figure m.svg|report -o r.html|compare} --train odd/tiny.csv --test odd/dates-{one|none|two|some}.csv --by day
fit --train survey/train.csv -o m.json && @TALLIED && monitor --model m.json a.tally b.tally --by month {|--above 40%|--baseline 2026-02 --figure m.svg} --format csv
fit --train survey/train.csv -o m.json && @TALLIED && monitor --model m.json a.tally {|--by site|--test survey/test.csv|a.tally|--above 40% --by nosuch}

# Plans.
plan --train spam/train.csv {--se 0.01|--half-width 0.02} {|--prevalence 0.1|--unlabelled 2000|--labelled 1600|--labelled 634,966} --method {es|o-cs,ac,es} --format @TEXT
plan --train survey/train.csv --method @METHOD --se 0.02 --prevalence 0.3 --format csv
plan --train survey/train.csv {--labelled 500 --unlabelled 1000|--labelled 200,300 --unlabelled 50 --prevalence 0.1} --method all --format @FORM
plan --train survey/train.csv --half-width 0.03 {--target population|--interval wald|--level 0.8|--label-weight lw --label-cluster c|--prob p --method pacc|--family kernel}
plan --train survey/train.csv {--se 0.02 --method es,ac|--half-width 0.05 --prevalence 0.2|--se 1e-9|--labelled 99 --unlabelled 99|--se 0.00001} --figure p.svg
plan --train survey/train.csv --allocate {|--prevalence {0.1|0.5|0|1|2}|--prevalence 0.1 --method ac|--prevalence 0.2 --anchor model|--se 0.1} --format @TEXT
plan --train survey/train.csv {|--se {0|nan|1e-308|0.5|x}|--half-width {0.5|1e300}|--se 0.01 --half-width 0.02|--se 0.01 --prevalence {1.5|1e300}}
plan --train survey/train.csv --se 0.01 {--unlabelled {0|1|x}|--labelled {12|12,3|many|1,2,3|500}|--labelled 100 --unlabelled 100|--level 1|--method o-cs,cc}
plan --se 0.01 {|--model odd/none.json|--train odd/few.csv|--train odd/two-values.csv --method o-cs,ac}
fit --train survey/train.csv --method {o-cs,cc,es|cc} -o m.json && plan --model m.json {--se 0.01|--allocate --prevalence 0.1|--se 0.05 --figure m.json} --format csv

# SQL.
fit --train survey/train.csv --method {@METHOD|{es|ac|pacc|smm} --label-weight lw} -o m.json && sql --model m.json --table scores --by site
fit --train survey/train.csv --method @METHOD --prob p -o m.json && sql --model m.json --table scores --prob p
fit --train survey/train.csv --method {es|o-cs,ac,cc|dys|edy|pacc,pcc} --prob p -o m.json && sql --model m.json --table scores --prob p --by site,day --dialect @DIALECT
fit --train survey/train.csv --method es,ac -o m.json && sql --model m.json --table {s|a.b|'my."s.t"'|a..b|'"'|''} {|--total --by site|--by site,month --against previous|--interval wald --level 0.9}
fit --train survey/train.csv --method es -o m.json && sql --model m.json --table s {--score ''|--by ''|--target population|--score 'a"b' --by 'x`y'|--by day,N|--by day,Day|--by total --total|--level 1|--against previous}
fit --train survey/train.csv --method o-cs --family @FAMILY --transform {none|rank} -o m.json && sql --model m.json --table s
fit --train survey/train.csv --method {dys|cc,ac|t-ms,o-cs|ac,dys} -o m.json && sql --model m.json --table s {--total|--by bin|--by g --against previous|--prob p}

# Checks.
check @SURVEY {|--by site|--by site,month|--weight w|--weight w --by month|--suppose 2%|--suppose 0.04 --by site|--label-weight lw --label-cluster c} --format @TEXT
check @SHIFTED {|--by site|--transform rank --resamples 99 --seed 7|--score p --transform logit|--fold fold|--suppose 200%} --format @FORM
check {@WEEKS|@PIXELS|@HEART|@JUDGE} {|--sort -p_value} --format {table|csv}
check {@WEEKS|@HEART} --resamples 99 --seed {1|2} --threads {1|3} --format json
check --train {survey|spam|heart|landsat}/train.csv {--transform rank|--family @FAMILY --figure c.svg}
check --train {survey|heart}/train.csv {|--resamples 120} --format @FORM
check @SURVEY --family {skew-normal|auto} --figure {c.svg|nowhere/c.svg|survey/test.csv} {|--fold fold}
check --train survey/train.csv --fold {fold|fold --by site|label|nosuch|site --label-weight lw} {|--test survey/test.csv} --format {table|json}
check --train survey/train.csv {--by site|--resamples 98|--label-weight lw|--score p --transform logit|--score p --family beta --figure c.svg|--suppose 2%}
check --train odd/{few|two-values|equal|tiny|one-class|upside-down|lone}.csv {|--test odd/tiny.csv|--test odd/rounded.csv|--test odd/scaled.csv}
fit --train survey/train.csv --transform {none|rank} -o m.json && check --model m.json {|--test survey/test.csv --by site|--fold fold} --format @TEXT

# Evaluation and experiments.
evaluate --train survey/train.csv --pool survey/pool.csv --method @METHOD --samples 20 --size 60 --cutoff 0.2 -o e.csv
@EVALUATE --samples 63 --size 50 --protocol {grid|uniform|natural} --seed {1|5} --threads {1|2} -o e.csv
@EVALUATE --samples 30 --size 40 {--level 0.8|--against ac|--figures figures|--family kernel|--transform rank|--prob p|--label-weight lw} --format @FORM
@EVALUATE --samples 40 --size 50 -o e.csv && evaluate --estimates e.csv {|--against ac|--method cc,es --figures figures|--method nosuch|--truth es|--size 9} --format @TEXT
evaluate --train spam/train.csv --pool spam/pool.csv --samples 100 {|--method all} --format {table|json}
evaluate --train survey/train.csv --pool {survey/train.csv|survey/train-shuffled.csv|nowhere.csv|odd/score-text.csv|odd/few.csv|odd/one-class.csv} --size 5 --samples 9
@EVALUATE --samples 9 {--size {0|2000|400|x}|--size 9 {--against sld|-o nowhere/e.csv|-o -|-o survey/pool.csv|--figures survey/pool.csv|--level 1|--method nosuch}}
@EVALUATE {--protocol grid --samples 20|--protocol natural --size 2000|--samples 0|--protocol nosuch|--estimates survey/pool.csv}
evaluate --estimates odd/estimates-{fine|above|text|empty|whole|truth|upper|order|noname|twice|none|id|stray}.csv {|--against b --format json}
evaluate --estimates odd/estimates-{fine|truth}.csv {--figures figures|--truth t --method a|--method truth|--size 9} --format @FORM
experiment survey/all.toml --out out {--threads 1|--format {json|latex}} && experiment survey/all.toml --out out
experiment bench/{bench|shifts}.toml --out out --format {table|json}
experiment survey/bad-@BAD.toml --out out
experiment {nosuch.toml --out out|survey/train.csv --out out|survey/small.toml --out {survey/train.csv|survey}|survey/small.toml}
evaluate {--train - --pool -|--train survey/train.csv|--pool survey/pool.csv|} < survey/train.csv

# Forms of input.
estimate --train forms/train.{csv|parquet|xlsx} --test forms/test.@INPUT --by site,month --prob p --weight w --method es,ac,pacc --format csv
{estimate --train survey/train.csv --test forms/test.@INPUT --by day|fit -o - --train forms/train.@INPUT --prob p --method all|check --train forms/train.@INPUT}
{estimate --by site --train survey/train.csv --test|fit -o - --train|tally --train survey/train.csv -o t.tally --test} - < forms/test.@INPUT
{evaluate --samples 9 --size 20 --train survey/train.csv --pool|audit --beside --test survey/test.csv --audit|influence --labelled --test survey/test.csv --train} forms/train.@INPUT
estimate --train survey/train.csv --test {forms/test.csv|forms/test.tsv forms/test.parquet|'forms/test.c*'|forms/test.csv forms/test.csv|'nothing-*.csv'|forms|'['} --by site
estimate --train survey/train.csv --test forms/typed.{parquet|arrow|arrows} --by {i|d|ts|flag|dec|dict|big|text|i,text|list|bytes} --format {csv|jsonl|parquet}
estimate --train survey/train.csv --test forms/test.csv forms/typed.{parquet|arrow} --by {site|month}
estimate --train survey/train.csv --test forms/typed.parquet --by {d|text} {--compare|--total -o out.parquet|--sort -d} --method es,cc
compare --train survey/train.csv --test forms/typed.parquet --by {d|ts|i} --format json
monitor --train survey/train.csv --test forms/typed.parquet --by {d|ts|i} --format csv
fit --train survey/train.csv -o m.json && tally --model m.json --test forms/typed.parquet --by {d|ts|text} -o t.tally && finish --model m.json t.tally --format jsonl
estimate --train survey/train.csv --test forms/{cut.parquet|cut.arrow|cut.arrows|cut.csv.gz|cut.csv.zst|nulls.parquet|text.parquet|empty.parquet|nan.arrow|joined.parquet} --by site
estimate --train survey/train.csv --test forms/test.xlsx --sheet {More|Data|nosuch} --by site
estimate --train survey/train.csv --test forms/test.commas.csv {--decimal .|--decimal ,|--decimal , --by site}
estimate --train forms/train.csv --test forms/test.csv --decimal ,
estimate --train judge/graded.jsonl --test judge/answers.jsonl --label {human|human.right|judge|nosuch} --positive true --score {judge.mark|judge|id}

# Tables that are wrong.
estimate --train odd/tiny.csv --test odd/{score|p|w|g}-@CELL.csv --prob p --weight w --by g --method es,pacc --format csv
fit --train odd/{score|label|p|w|c}-@CELL.csv --prob p --label-weight w --label-cluster c --method es,pacc -o m.json
check --train odd/tiny.csv --test odd/{score|g}-@CELL.csv --by g
estimate --train odd/tiny.csv --test odd/@TABLE.csv --by g
{estimate --train odd/@TABLE.csv --test odd/tiny.csv --method all|fit --train odd/@TABLE.csv --method es,o-cs,t-ms -o m.json}
estimate --train odd/@LABELS.csv --test odd/tiny.csv --method {all|es|o-cs|t-ms|sld|edy|cs --threshold 0.99|o-cs --family {student-t|kernel|beta|auto}}
report --train odd/@LABELS.csv --test odd/{tiny|uneven}.csv --method all --items cases --are bad -o r.html
estimate --train odd/{few|lone|apart|outlier|weightless|cluster}.csv --test odd/tiny.csv {--interval bootstrap --resamples 60 --method es,o-cs,ac,dys|--label-weight w|--label-cluster c|--stratum g --few pool}
{check|plan --se 0.05 --method es,o-cs|evaluate --pool odd/tiny.csv --size 5 --samples 9|report --test odd/tiny.csv -o r.html} --train odd/@LABELS.csv
estimate --train odd/{other-labels|yes-no|upside-down}.csv --test odd/tiny.csv --positive {spam|yes|0|01|1.0|' 1'|''} --format csv
estimate --train odd/tiny.csv --test odd/{far|single|constant|many-groups|uneven}.csv {--by g|--weight w|--by g --weight w --total} --method es,ac,o-cs,cc,dys --format {table|json}
{check|report -o r.html|influence --format csv|audit --half-width 0.1|compare --format csv|estimate --interval bootstrap --resamples 40} --train odd/tiny.csv --test odd/many-groups.csv --by g
{estimate|check|compare|audit --half-width 0.1|influence|report -o r.html|monitor|tally -o t.tally} --train {nowhere.csv --test survey|survey --test -|- --test -} --by day < odd/tiny.csv
{estimate --format csv|estimate --interval bootstrap|check} --train odd/tiny.csv --test odd/crowd.csv --by g

# Studies and the LeQua solver, which may be another program's.
study {1|2|3|lequa|coverage|together|monitor|breach|audit} --reps 2 --seed 3 --out out
study {together|audit|monitor} --reps 1 --threads 1 --format {table|json|latex|parquet} --out out && study audit --reps 1 --out out
study pools spam/pool.csv survey/pool.csv --reps 1 {--threads 1|--format json|--score p --positive 0} --out out
study pools {odd/tiny.csv|odd/one-class.csv|spam/pool.csv spam/pool.csv|nowhere.csv|spam/pool.csv --label nosuch|} --out out
study {4|coverage|coverage --out out --reps 0|audit --out spam/pool.csv|audit --reps 1 --out spam}
lequa T1A --output out {|--method es,cc --family normal|--classifier svm --method sld|--tune --method o-cs|--samples dev|--seed 4 --threads 1} && lequa T1A --output out
lequa T1A --output out --method es {&& lequa T1A --output out --method cc|&& !rm out/predictions-es.csv && lequa T1A --output out --method cc}
!{rm -r T1A/test_samples|rm T1A/test_prevalences.txt|cp T1A/training_data.txt T1A/test_samples/x.txt|rm T1A/test_samples/3.txt|sed -i 1s/3/7,8/ T1A/test_samples/2.txt} && lequa T1A --method es --output out
!sed -i {2s/^./7/|2s/$/x/|2s/$/,1/|s/,.*//|'2,$d'} T1A/training_data.txt && lequa T1A --method es --output out
!sed -i {2s/^./9/|2s/^./x/|3s/^1/0/|4d} T1A/test_prevalences.txt && lequa T1A --method es --output out
lequa {T1B --output out|T1A|T1A --output T1A/training_data.txt|T1A --output out --method nosuch}
"""

# Experiments that cannot be run: what is wrong at the top, and below.
TOP = [
    'smaples = 3', 'methods = ["es", "nosuch"]', 'methods = "es"\nagainst = "sld"', "methods = 3", 'measure = "error"', "sizes = [2000]", "methods = []",
    "level = 2", "sizes = [20, 20]", 'family = "nosuch"', "samples = 0", "seed = -1", 'transform = "logit"', "methods = [",
    'samples = 100\n[[protocol]]\nprevalences = "grid"', '[[scores]]\ndata = "a"\ntrain = "pool.csv"\npool = "pool.csv"',
    'sizes = [20]\n[[scores]]\ndata = "b"\ntrain = "train.csv"\npool = "train-shuffled.csv"', '[[scores]]\ndata = "b"\ntrain = "nowhere.csv"\npool = "x"',
]  # fmt: skip
BELOW = [
    '[[scores]]\ndata = "a"\ntrain = "train.csv"\npool = "pool.csv"', "[[training]]\nsize = 500", "[[training]]\nsize = 0",
    "[[training]]\nsize = 50\n[[training]]\nsize = 50\nrepeats = 2", "[[protocol]]\n[[protocol]]", '[[protocol]]\nname = "–"',
    '[[protocol]]\ndata = ["b"]', "[[protocol]]\nprevalences = [0.3, 0.3]", '[[protocol]]\nshift = "covariate"', '[[protocol]]\nshift = "x"',
    '[[protocol]]\nshift = "covariate"\ndomain = "genre"', '[[protocol]]\nshift = "covariate"\ndomain = "site"\nis = "west"',
    '[[protocol]]\nshift = "covariate"\ngrade = "stars"', '[[protocol]]\nshift = "concept"\ngrade = "site"\ncuts = [3]',
    '[[protocol]]\nshift = "concept"\ngrade = "stars"\ncuts = [9]', '[[protocol]]\nshift = "concept"\ngrade = "stars"',
    '[[protocol]]\nshift = "concept"\ncuts = [3]', '[[protocol]]\nprevalences = "x"', '[[protocol]]\nprevalences = 3',
    '[[protocol]]\nshift = "local"\ndomain = "site"\nprevalences = "natural"', '[[protocol]]\nshift = "local"', '[[protocol]]\nshift = "local"\ndomain = "site"\nprevalences = [0.1]',
]  # fmt: skip
NAMES["BAD"] = "{" + "|".join(str(i) for i in range(len(TOP) + len(BELOW))) + "}"
SCORES = '[[scores]]\ndata = "{}"\nclassifier = "one"\ntrain = "{}.csv"\npool = "pool.csv"\n'
EXPERIMENT = (
    'methods = ["es", "sld", "pcc", "dys"]\nsamples = 21\nsizes = [40, 60]\nseed = 7\n'
    "[[training]]\nsize = 100\nrepeats = 2\n[[training]]\nsize = 80\nprevalence = 0.3\n"
    + SCORES.format("first", "train") + SCORES.format("second", "other-train")
    + '[[protocol]]\nprevalences = "grid"\n[[protocol]]\nname = "some"\nprevalences = [0.1, 0.5]\ndata = ["second"]\n'
    '[[protocol]]\nshift = "covariate"\ndomain = "site"\nis = "south"\nprevalences = [0.5]\n'
    '[[protocol]]\nname = "mixed"\nshift = "covariate"\ndomain = "site"\nshares = [0.2, 0.8]\n'
    '[[protocol]]\nshift = "local"\ndomain = "site"\n[[protocol]]\nshift = "concept"\ngrade = "stars"\ncuts = [2, 3, 4]\n'
)  # fmt: skip

# Labelled tables by what is odd about them, and the cells that may stand in the fifth line of a table.
ROWS = [
    (round(spread + 2.0 * label, 1), label, round(1.0 / (1.0 + math.exp(1.0 - spread - 2.0 * label)), 4), "abc"[i % 3], 1 + i % 2, f"c{i % 5}")
    for label in (1, 0)
    for i, spread in enumerate((-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3))
]  # fmt: skip
COLUMNS = ["score", "label", "p", "g", "w", "c"]
CELLS = {
    "nan": "NaN", "infinite": "inf", "text": "high", "empty": "", "comma": '"1,5"', "negative": "-2", "above": "1.5", "tiny": "1e-200",
    "hex": "0x1", "escape": "\x1b[31m1", "joiner": "\U0001f469\u200d\U0001f680 \u0915\u094d\u200d\u0937", "bidi": "\u202eabc\u2066",
}  # fmt: skip
LABELS = {
    "few": [ROWS[3], ROWS[9], ROWS[14], ROWS[19]], "one-class": ROWS[:12], "lone": ROWS[:1], "nobody": [],
    "three-labels": [(r[0], i % 3, *r[2:]) for i, r in enumerate(ROWS)], "upside-down": [(r[0], 1 - r[1], *r[2:]) for r in ROWS],
    "other-labels": [(r[0], ("ham", "spam")[r[1]], *r[2:]) for r in ROWS], "yes-no": [(r[0], ("no", "yes")[r[1]], *r[2:]) for r in ROWS],
    "equal": [(0.5, *r[1:]) for r in ROWS], "two-values": [(float(r[1]), *r[1:]) for r in ROWS], "overlap": [(r[0] - 2 * r[1], *r[1:]) for r in ROWS],
    "weightless": [(*r[:4], 1 - r[1], r[5]) for r in ROWS], "cluster": [(*r[:5], "c1") for r in ROWS], "constant-class": [(r[0] * r[1], *r[1:]) for r in ROWS],
    "huge": [(f"{r[0]}e305", *r[1:]) for r in ROWS], "small": [(f"{r[0]}e-312", *r[1:]) for r in ROWS], "apart": [(r[0] + 90 * r[1], *r[1:]) for r in ROWS],
    "flat": [(r[0], r[1], 0.5, *r[3:]) for r in ROWS], "miscalibrated": [(r[0], r[1], r[2] ** 3, *r[3:]) for r in ROWS * 9],
    "outlier": [(r[0] if i else -400.0, *r[1:]) for i, r in enumerate(ROWS)], "uniform": [(i / 60 + 0.3 * (i % 2), i % 2, *ROWS[0][2:]) for i in range(60)],
}  # fmt: skip
NAMES["LABELS"] = "{" + "|".join(LABELS) + "}"
TINY = "score,label,g\n1.5,1,a\n2.5,1,b\n2.25,1,a\n0.5,0,a\n0.1,0,b\n-1,0,a\n"
TABLES = {
    "nothing": "", "header": "score,label,g\n", "headless": TINY[14:], "twice": "score," + TINY.replace("\n", "\n1,", 6), "unnamed": "," + TINY.replace("\n", "\n1,", 6),
    "wide": TINY + "1,1,b,7\n", "narrow": TINY + "1,1\n", "quote": TINY + '"1,1,a\n', "quote-early": TINY + '1,1,"a"b\n', "latin": TINY.encode() + b"1,1,\xe9\n",
    "latin-header": b"score,label,g,\xe9\n", "mac": TINY.replace("\n", "\r"), "page": "<!DOCTYPE html><html></html>", "pdf": "%PDF-1.7\n", "zip": b"PK\3\4abc",
    "zeros": b"\0" * 90, "sixteen": TINY.encode("utf-16"), "blank": TINY.replace("a\n", "a\n\n"), "object": '{\n  "score": 1\n}\n', "pair": '{"score": 1} {"score": 2}\n',
    "bare": "{score: 1}\n", "cut-array": '[{"score": 1}', "number": '[{"score": 1}, 2]', "keys": '{"score":1,"g":"a"}\n{"g":"b"}\n', "null": '{"score":null,"g":"a"}\n',
    "nested": '{"score":{"a":1},"g":{"b":2}}\n', "double": '{"score":1,"g":"a","score":2}\n', "words": TINY.replace(".", "x"), "gz": b"\x1f\x8b\x08\0abcdefgh",
    "semicolons": TINY.replace(",", ";").replace(".", ","), "mixed": TINY.replace(",", ";").replace("1.5", "1,5"), "thousands": TINY.replace("1.5", '"1,234.5"'),
    "spaces": TINY.replace(",", " , "), "weightless-table": "score,label,g,w\n1,1,a,0\n2,0,b,0\n",
}  # fmt: skip
NAMES["TABLE"] = "{" + "|".join(TABLES) + "}"
HERDS = "herd,positives,tested,sensitivity,specificity,m\nA,8,210,0.60,0.90,50\nB,12,189,0.65,0.95,60\n"
SITES = "site,size\nsouth,3000\nnorth,9000\neasternmost,500\n"
AUDITED = "score,site,label\n1.5,north,1\n-0.5,north,0\n"
BINS = "site,method,bin,missing,n\nnorth,dys,0,0,7\nnorth,dys,5,0,9\n"
ESTIMATES = "sample,n,truth,a,a_lower,a_upper,b\n1,40,0.5,0.4,0.3,0.6,0.5\n2,40,0.25,0.3,0.2,0.4,0.2\n3,40,0.1,0.2,0.1,0.3,0.2\n4,40,0.9,0.8,0.7,0.95,0.7\n"
# Tables that are right but for one place: their name, its text, and what stands there instead.
CHANGED = {
    "counts": (HERDS, {
        "level": ("0.65,0.95", "0.65,0.35"), "high": ("0.65", "high"), "empty": ("0.65", ""), "part": ("12,189", "12.5,189"), "share": ("0.65", "65"),
        "above": ("12,189", "190,189"), "twice": ("\nB,", "\nA,"), "column": ("tested", "number"), "both": ("0.65", "9/10"),
    }),
    "sizes": (SITES, {
        "few": ("north,9000\n", ""), "many": ("north,", "west,4\nnorth,"), "twice": ("north,", "south,4\nnorth,"), "none": ("9000", "0"),
    }),
    "audited": (AUDITED, {
        "group": ("-0.5,north", "-0.5,west"), "outside": ("1.5,", "1.23456789,"), "labels": ("1\n", "spam\n"), "empty": (AUDITED[17:], ""),
    }),
    "bins": (BINS, {
        "method": ("dys,5", "es,5"), "bin": ("dys,5", "dys,8"), "n": ("0,9", "0,9.5"), "missing": ("missing", "lost"), "column": ("0,9", "0,x"), "group": ("site", "week"), "nobody": (BINS[26:], "north,dys,0,3,0\n"), "void": (BINS[26:], ""),
    }),
    "estimates": (ESTIMATES, {
        "fine": ("", ""), "above": ("0.4,0.3", "1.02,0.3"), "text": ("0.4,0.3", "high,0.3"), "empty": ("0.4,0.3", ",0.3"), "whole": ("1,40", "1,12.5"),
        "truth": ("truth", "t"), "upper": ("a_upper", "c"), "order": ("0.3,0.6", "0.3,0.2"), "noname": ("sample", ""), "twice": (",b\n", ",a\n"),
        "none": (ESTIMATES, "sample,n,truth\n1,10,0.5\n"), "id": ("\n2,", "\n1,"), "stray": ("a,a_lower", "z,a_lower"),
    }),
}  # fmt: skip


def csv(columns, rows, delimiter=",", decimal="."):
    """Returns a text table."""
    cells = (
        [str(cell).replace(".", decimal) if isinstance(cell, float) else str(cell) for cell in row] for row in rows
    )
    return "".join(delimiter.join(row) + "\n" for row in [columns, *cells]).encode()


def survey_row(rng, i, share, shift=0.0):
    """Returns a row with every column that an option names."""
    site, month = ("north", "south", "easternmost")[i * i % 7 % 3], 1 + i * 7 % 4
    stars = rng.choice((3, 4, 5)) if rng.random() < share[site] else rng.choice((1, 1, 2))
    score = round(0.5 * stars - 1.2 + shift + rng.gauss(0.0, 0.9), 4)
    return {
        "score": score, "p": round(1.0 / (1.0 + math.exp(-1.5 * score)), 5), "other": round(score + rng.gauss(0.0, 0.6), 4),
        "label": int(stars >= 3), "stars": stars, "site": site, "fold": i % 5, "lw": 1 + i % 3, "c": f"c{i % 90}",
        "month": f"2026-{month:02}", "day": f"2026-{month:02}-{1 + i % 28:02}", "quarter": f"2026-Q{month}", "audit_weight": 4 + i % 2,
        "time": f"2026-{month:02}-{1 + i % 28:02}T0{i % 10}:00", "household": i // 4, "w": (1.0, 0.5, 0.0, 2.25)[i % 9 % 4],
        "size": len(site) * 1000, "pop": len(site) * 700,
    }  # fmt: skip


def survey():
    """Returns labelled and unlabelled tables of three sites, and the labelled and unlabelled rows."""
    rng, files = random.Random(1), {}
    labelled, measured = (
        "score p other label stars site fold lw c month",
        "score p other site month day quarter time household w size pop",
    )

    def rows(n, share, shift=0.0):
        return [survey_row(rng, i, share, shift) for i in range(n)]

    def table(name, rows, columns):
        files[name + ".csv"] = csv(columns.split(), [[row[column] for column in columns.split()] for row in rows])

    alike = dict.fromkeys(("north", "south", "easternmost"), 0.45)
    train, test = rows(420, alike), rows(1200, {"north": 0.3, "south": 0.55, "easternmost": 0.15})
    table("survey/train", train, labelled)
    table("survey/train-shuffled", rng.sample(train, len(train)), labelled)
    table("survey/other-train", rows(300, alike), labelled)
    table("survey/pool", rows(1500, alike), labelled)
    table("survey/test", test, measured)
    table("survey/a", test[:700], measured)
    table("survey/b", test[700:], measured)
    table("survey/shifted", rows(900, alike, 1.5), measured)
    table("survey/audited", rng.sample(test, 160), "score site month audit_weight w label")
    table("odd/strata", [row for i, row in enumerate(train) if row["site"] != "easternmost" or i % 9 == 0], labelled)
    files["survey/sizes.csv"] = SITES.encode()
    for name, methods in {"bins": ("dys", "dys-topsoe"), "bins-dys": ("dys",)}.items():
        counted = itertools.product(alike, methods, range(8))
        cells = [
            [site, method, b, int(b == 0), sum(r["site"] == site and int(r["p"] * 8) == b for r in test)]
            for site, method, b in counted
        ]
        files[f"survey/{name}.csv"] = csv(["site", "method", "bin", "missing", "n"], cells)
    files["survey/all.toml"] = EXPERIMENT.encode()
    files["survey/small.toml"] = SCORES.format("a", "train").encode()
    scores = SCORES.format("a", "train").replace('classifier = "one"\n', "")
    for i, text in enumerate([f"{top}\n{scores}" for top in TOP] + [scores + below for below in BELOW]):
        files[f"survey/bad-{i}.toml"] = text.encode()
    return files, train, test


def odd():
    """Returns tables that are wrong, or right and unusual."""
    files = {f"odd/{name}.csv": csv(COLUMNS, rows) for name, rows in {**LABELS, "tiny": ROWS}.items()}
    files |= {f"odd/{name}.csv": text if isinstance(text, bytes) else text.encode() for name, text in TABLES.items()}
    for (at, column), (name, cell) in itertools.product(enumerate(COLUMNS), CELLS.items()):
        rows = [(*row[:at], cell, *row[at + 1 :]) if i == 3 else row for i, row in enumerate(ROWS)]
        files[f"odd/{column}-{name}.csv"] = csv(COLUMNS, rows)
    for kind, (text, places) in CHANGED.items():
        files |= {f"odd/{kind}-{name}.csv": text.replace(old, new, 1).encode() for name, (old, new) in places.items()}
    scores = {
        "far": [50.0 + i for i in range(60)], "single": [1.5], "constant": [0.25] * 40, "rounded": [float(round(r[0])) for r in ROWS * 20],
        "scaled": [5.0 * r[0] + 20.0 for r in ROWS * 20], "many-groups": [i * 7919 % 1009 / 250.0 - 1.0 for i in range(900)],
        "uneven": [i * 7919 % 1009 / 250.0 - 1.0 for i in range(90)], "crowd": [i * 7919 % 1009 / 250.0 - 1.0 for i in range(20500)],
    }  # fmt: skip
    groups = {"many-groups": 450, "crowd": 20500}
    for name, values in scores.items():
        rows = [(score, f"g{i % groups.get(name, 3)}", 1e6 if i == 5 else 1.0) for i, score in enumerate(values)]
        files[f"odd/{name}.csv"] = csv(["score", "g", "w"], rows)
    dates = {
        "one": ["2026-01-01"] * 2 + [""],
        "none": [""] * 2,
        "two": ["2026-01-01", "2026-01-02"],
        "some": ["2026-01-01", "soon"],
    }
    files |= {
        f"odd/dates-{name}.csv": csv(["day", "score"], [(day, 1.5) for day in days]) for name, days in dates.items()
    }
    return files


def competition():
    """Returns a small folder of the LeQua competition."""
    rng = random.Random(2)
    names = [str(i) for i in range(4)]

    def rows(n, share):
        labels = [int(rng.random() < share) for _ in range(n)]
        return [[label, *(round(rng.gauss(label * (i < 2), 1.0), 5) for i in range(4))] for label in labels]

    files = {"T1A/training_data.txt": csv(["label", *names], rows(200, 0.5))}
    for kind in ("test", "dev"):
        samples = [rows(50, 0.1 + 0.15 * i) for i in range(6)]
        files |= {
            f"T1A/{kind}_samples/{i}.txt": csv(names, [row[1:] for row in sample]) for i, sample in enumerate(samples)
        }
        shares = [sum(row[0] for row in sample) / 50 for sample in samples]
        files[f"T1A/{kind}_prevalences.txt"] = csv(
            ["id", "0", "1"], [(i, 1.0 - share, share) for i, share in enumerate(shares)]
        )
    return files


def forms(name, rows):
    """Returns a table in every form of text, and its columns."""
    columns = "score p label site month day w lw c".split()
    cells = [[row[column] for column in columns] for row in rows]
    plain = csv(columns, cells)
    objects = [
        "{" + ", ".join(f'"{k}": ' + (f'"{row[k]}"' if isinstance(row[k], str) else str(row[k])) for k in columns) + "}"
        for row in rows
    ]
    files = {
        "csv": plain, "tsv": csv(columns, cells, "\t"), "semicolon.csv": csv(columns, cells, ";"), "commas.csv": csv(columns, cells, ";", ","),
        "bom.csv": b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"), "csv.gz": gzip.compress(plain, mtime=0),
        "jsonl": "\n".join(objects).encode(), "json": ("[" + ",\n".join(objects) + "]").encode(),
    }  # fmt: skip
    return {f"forms/{name}.{ending}": content for ending, content in files.items()}, {
        k: [row[k] for row in rows] for k in columns
    }


def arrow_forms(tables):
    """Returns Parquet and Arrow files: the tables, every type of group, and damaged files."""
    import pyarrow
    import pyarrow.compute
    from pyarrow import ipc, parquet

    def written(table, form):
        buffer = io.BytesIO()
        if form == "parquet":
            parquet.write_table(table, buffer, row_group_size=200)
        else:
            with (ipc.new_file if form == "arrow" else ipc.new_stream)(buffer, table.schema) as writer:
                writer.write_table(table, max_chunksize=100)
        return buffer.getvalue()

    tables = {name: pyarrow.table(columns) for name, columns in tables.items()}
    scores, n = tables["test"]["score"], tables["test"].num_rows
    numbers, seconds = (
        pyarrow.array([i % 4 for i in range(n)]),
        pyarrow.array([1767225600 + i % 5 * 86400 for i in range(n)]),
    )
    texts = pyarrow.array([None if i % 7 == 0 else ("x,y", 'say "hi"', "two\nlines", "")[i % 4] for i in range(n)])
    tables["typed"] = pyarrow.table({
        "score": scores.cast("float32"), "i": numbers.cast("int8"), "d": seconds.cast(pyarrow.timestamp("s")).cast("date32"),
        "ts": seconds.cast(pyarrow.timestamp("s")).cast(pyarrow.timestamp("us", "UTC")), "flag": pyarrow.compute.equal(numbers, 1),
        "dec": numbers.cast(pyarrow.decimal128(22, 2)), "dict": texts.dictionary_encode(), "big": numbers.cast("uint64"), "text": texts,
        "site": numbers, "month": tables["test"]["month"], "list": pyarrow.array([[i] for i in range(n)]), "bytes": texts.cast("binary"),
    })  # fmt: skip
    files = {
        f"forms/{name}.{form}": written(table, form)
        for name, table in tables.items()
        for form in ("parquet", "arrow", "arrows")
    }
    nulls = pyarrow.table({"score": [1.0, None], "site": ["a", "b"]})
    files |= {f"forms/cut.{form}": files[f"forms/test.{form}"][:-300] for form in ("parquet", "arrow", "arrows")}
    return files | {
        "forms/nulls.parquet": written(nulls, "parquet"), "forms/empty.parquet": written(nulls.slice(0, 0), "parquet"),
        "forms/text.parquet": written(pyarrow.table({"score": ["high"], "site": ["a"]}), "parquet"),
        "forms/nan.arrow": written(pyarrow.table({"score": [1.0, math.nan], "site": ["a", "b"]}), "arrow"),
        "forms/joined.parquet": files["forms/test.parquet"] * 2,
    }  # fmt: skip


def workbooks(tables):
    """Returns Excel workbooks of the tables, with a second sheet."""
    import openpyxl

    files = {}
    for name, columns in tables.items():
        book = openpyxl.Workbook()
        for sheet in (book.active, book.create_sheet("More")):
            for row in [list(columns), *zip(*columns.values(), strict=True)]:
                sheet.append(row)
        book.active.title = "Data"
        buffer = io.BytesIO()
        book.save(buffer)
        files[f"forms/{name}.xlsx"] = buffer.getvalue()
    return files


def zstandard_forms(plain):
    """Returns the tables packed with Zstandard, and one that is cut off."""
    import zstandard

    files = {f"{name}.zst": zstandard.compress(content) for name, content in plain.items()}
    return files | {"forms/cut.csv.zst": files["forms/test.csv.zst"][:-200]}


def inputs(data):
    """Returns every input file by its name, and each missing module by the ending of its files."""
    files = {
        str(path.relative_to(data)): path.read_bytes()
        for path in sorted(data.rglob("*.*"))
        if path.suffix in (".csv", ".jsonl", ".toml")
    }
    made, train, test = survey()
    files |= made | odd() | competition()
    tables = {}
    for name, rows in {"train": train, "test": [{**row, "lw": 1, "label": 0} for row in test[:500]]}.items():
        texts, tables[name] = forms(name, rows)
        files |= texts
    files["forms/cut.csv.gz"] = files["forms/test.csv.gz"][:-500]
    plain = {name: files[name] for name in ("forms/train.csv", "forms/test.csv")}
    missing = {}
    for endings, make, of in (
        ((".parquet", ".arrow", ".arrows"), arrow_forms, tables),
        ((".xlsx",), workbooks, tables),
        ((".zst",), zstandard_forms, plain),
    ):
        try:
            files |= make(of)
        except ImportError as error:
            missing |= dict.fromkeys(endings, error.name)
    return files, missing


def expand(line):
    """Returns the command lines that a line of COMMANDS stands for."""
    while (name := re.search(r"@([A-Z]+)", line)) is not None:
        line = line.replace(name[0], NAMES[name[1]])
    inner = re.search(r"\{([^{}]*)\}", line)
    if inner is None:
        return [" ".join(line.split())]
    choices = (line[: inner.start()] + choice + line[inner.end() :] for choice in inner[1].split("|"))
    return list(dict.fromkeys(command for choice in choices for command in expand(choice)))


def command_lines():
    """Returns every command line once."""
    lines = (line for line in COMMANDS.splitlines() if line and not line.startswith("#"))
    return list(dict.fromkeys(command for line in lines for command in expand(line)))


def named_files(command, files):
    """Returns the names of the input files that a command line names, also by pattern or folder."""
    names = set()
    for word in set(re.findall(r"[^\s'\"<]+", command)):
        folder = word.rpartition("/")[0] if word.endswith(".toml") else word
        names.update([word] if word in files else fnmatch.filter(files, word) if "*" in word else ())
        names.update(name for name in files if name.startswith(folder + "/"))
    return names


ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}


def run_step(step, programs, folder):
    """Runs one command; returns its exit status, standard output and standard error."""
    words = shlex.split(step)
    source = folder / words[words.index("<") + 1] if "<" in words else os.devnull
    words = words[: words.index("<")] if "<" in words else words
    first = words[0] if words else ""
    program = programs["bench" if first in ("study", "lequa") else "truecount"]
    if first.startswith("!"):
        program, words = shutil.which(first[1:]), [first[1:], *words[1:]]
    elif first.startswith("tty"):
        shown = shlex.join([str(program), *words[1:]])
        program, words = (
            shutil.which("script"),
            ["script", "-qec", f"stty cols {first[3:]}; exec {shown} 2>errors.txt", os.devnull],
        )
    else:
        words = ["truecount", *words]
    with open(source, "rb") as given:
        settings = {
            "cwd": folder,
            "env": ENVIRONMENT,
            "stdin": given,
            "capture_output": True,
            "timeout": 200,
            "check": False,
        }
        try:
            done = subprocess.run(words, executable=program, **settings)
        except subprocess.TimeoutExpired:
            return -1, b"", b"not done after 200 s"
    return done.returncode, done.stdout, done.stderr


def run(command, programs, files):
    """Runs a command line in a fresh folder; returns exit statuses, outputs and files by part."""
    parts = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in named_files(command, files):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(files[name])
        for number, step in enumerate(command.split(" && "), 1):
            code, stdout, stderr = run_step(step, programs, folder)
            parts |= {f"exit status {number}": b"%d" % code, f"stdout {number}": stdout, f"stderr {number}": stderr}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and files.get(name := str(path.relative_to(folder))) != (content := path.read_bytes()):
                parts[name] = content
    return {part: normalise(content) for part, content in parts.items()}


def normalise(content):
    """Returns an output in which truecount-bench, which has the studies, is called truecount."""
    return content.replace(b"truecount-bench", b"truecount")


def difference(old, new):
    """Returns the first lines in which two outputs differ."""
    if old is None or new is None:
        return ["only the new program has it" if old is None else "only the old program has it"]
    try:
        texts = [re.sub(r"(?<=[>;,{])(?=[^\n]{100})", "\n", content.decode()).split("\n") for content in (old, new)]
    except UnicodeDecodeError:
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        return [f"{len(old)} and {len(new)} bytes, which differ from byte {at} on"]
    first = next((i for i, (a, b) in enumerate(zip(*texts)) if a != b), min(map(len, texts)))
    cut = [text[max(0, first - 1) : first + 200] for text in texts]
    return [line[:160] for line in difflib.unified_diff(*cut, lineterm="", n=1)][2:22] or ["the line ends differ"]


def compare(command, olds, news, files):
    """Returns the parts of a command's results, each with the lines in which it differs."""
    old, new = run(command, olds, files), run(command, news, files)
    return {
        part: difference(old.get(part), new.get(part)) if old.get(part) != new.get(part) else []
        for part in {**old, **new}
    }


def arguments():
    """Returns what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path, nargs="?", help="the program before the change")
    parser.add_argument("new", type=Path, nargs="?", help="the program after the change")
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="only command lines that a regular expression finds"
    )
    parser.add_argument("--list", action="store_true", help="print the command lines instead")
    parser.add_argument("--jobs", type=int, default=2, help="command lines that run at the same time [2]")
    parser.add_argument(
        "--new-bench", metavar="PATH", type=Path, help="the program that has the new `study` and `lequa`"
    )
    parser.add_argument("--data", type=Path, help="the folder `data` of the repository [beside this script's, or here]")
    parser.add_argument(
        "--inputs",
        metavar="DIR",
        type=Path,
        help="write the input files into a folder instead, to run commands by hand",
    )
    options = parser.parse_args()
    if options.new is None and not (options.list or options.inputs):
        parser.error("name the old and the new program")
    return options


def repository_data():
    """Returns the folder `data` of the repository that holds this script, or of the current folder."""
    folders = [
        folder / "data" for folder in (*Path(__file__).resolve().parents, Path.cwd()) if (folder / "data/spam").is_dir()
    ]
    return folders[0] if folders else sys.exit("there is no folder data here: name the repository's with --data")


def main():
    """Compares the programs; returns the exit status."""
    options = arguments()
    files, missing = inputs(options.data or repository_data())
    commands = [command for command in command_lines() if re.search(options.only, command)]
    for ending, module in missing.items():
        possible = [command for command in commands if not re.search(rf"forms/\S*{re.escape(ending)}\b", command)]
        print(f"{len(commands) - len(possible)} commands skipped: {ending} files need the Python module {module}")
        commands = possible
    if options.list:
        print("\n".join(commands))
        return 0
    if options.inputs:
        for name, content in files.items():
            (options.inputs / name).parent.mkdir(parents=True, exist_ok=True)
            (options.inputs / name).write_bytes(content)
        return 0
    olds, news = (
        {"truecount": program.resolve(), "bench": program.resolve()} for program in (options.old, options.new)
    )
    known = dict(KNOWN)
    if options.new_bench:
        news["bench"] = options.new_bench.resolve()
        known |= MOVED
    compared, differ, seen, alike = 0, 0, set(), set()
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda command: compare(command, olds, news, files), commands)
        for command, parts in zip(commands, results, strict=True):
            compared += 1
            unknown = 0
            for part, lines in parts.items():
                reasons = [pattern for pattern in known if re.search(pattern, f"{command} :: {part}")]
                (seen if lines else alike).update(reasons)
                if lines and not reasons:
                    unknown = 1
                    print(f"DIFFERS {command} :: {part}", *lines, sep="\n    ", flush=True)
            differ += unknown
    stale = [pattern for pattern in known if pattern not in seen and (pattern in alike or not options.only)]
    for pattern in stale:
        print(f"KNOWN DIFFERENCE THAT IS NONE {pattern}: {known[pattern]}")
    print(f"{compared} commands compared, {differ} differ")
    return 1 if differ or stale else 0


if __name__ == "__main__":
    sys.exit(main())
