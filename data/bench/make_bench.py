"""Scores of two classifiers on eight sets, and probabilities of several classes on three.

They are for `truecount experiment` with data/bench/bench.toml and with data/bench/classes.toml.

The sets come from ../../crates/truecount-bench/schumacher/sets.py, with the packages in its requirements.txt. A random
third of each set's rows trains the classifiers, a third is the labelled sample, the last third the pool. Of wine, whose
pool has two domains and several grades, 1,500 rows train, 1,000 are labelled, and the rest is the pool; its classifier
does not see which wine is red.

    python make_bench.py TABLES

TABLES is the folder that ../../crates/truecount-bench/schumacher/sets.R has filled; it may be empty for these sets.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

here = Path(__file__).parent
sys.path.insert(0, str(here / "../../crates/truecount-bench/schumacher"))
from sets import CLASSIFICATION, REGRESSION, keel, read  # noqa: E402


def thirds(n):
    return np.array_split(np.random.default_rng(20261123).permutation(n), 3)


def logistic():
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))


for name in ("car", "concrete", "contraceptive", "flare", "wdbc", "wisconsin", "yeast"):
    features, y = read(name, Path(sys.argv[1]))
    train, labelled, pool = thirds(len(y))
    forest = RandomForestClassifier(300, min_samples_leaf=3, random_state=1).fit(features[train], y[train])
    regression = logistic().fit(features[train], y[train])
    scores = {
        "logistic": regression.decision_function(features).round(3),
        "forest": forest.predict_proba(features)[:, 1].round(3),
    }
    table = pd.DataFrame({**scores, "label": y})
    table.iloc[labelled].to_csv(here / f"{name}-labelled.csv", index=False)
    table.iloc[pool].to_csv(here / f"{name}-pool.csv", index=False)

vehicles = [pd.read_csv(file, sep=r"\s+", header=None) for file in sorted((CLASSIFICATION / "vehicle").glob("xa*.txt"))]
for name, table in (
    ("contraceptive", pd.get_dummies(keel(CLASSIFICATION, "contraceptive"), columns=["Husband_occupation"])),
    ("segment", keel(CLASSIFICATION, "segment")),
    ("vehicle", pd.concat(vehicles).rename(columns={18: "Class"})),
):
    label = table.pop("Contraceptive_method" if name == "contraceptive" else "Class").to_numpy().astype(str)
    features = table.to_numpy(float)
    train, labelled, pool = thirds(len(label))
    regression = logistic().fit(features[train], label[train])
    probabilities = regression.predict_proba(features).round(3)
    table = pd.DataFrame(probabilities, columns=[f"p_{k}" for k in regression.classes_]).assign(label=label)
    table.iloc[labelled].to_csv(here / f"{name}-classes-labelled.csv", index=False)
    table.iloc[pool].to_csv(here / f"{name}-classes-pool.csv", index=False)

wines = [
    pd.read_csv(REGRESSION / f"winequality_{kind}/winequality-{kind}.csv", sep=";").assign(type=kind)
    for kind in ("white", "red")
]
table = pd.concat(wines, ignore_index=True)
quality, kind = table.pop("quality"), table.pop("type")
y = (quality > 5).to_numpy().astype(int)
order = np.random.default_rng(20261123).permutation(len(table))
train, labelled, pool = order[:1500], order[1500:2500], order[2500:]
score = logistic().fit(table.iloc[train], y[train]).decision_function(table).round(3)
table = pd.DataFrame({"score": score, "label": y, "type": kind, "quality": quality})
table.iloc[labelled].to_csv(here / "wine-labelled.csv", index=False)
table.iloc[pool].to_csv(here / "wine-pool.csv", index=False)
