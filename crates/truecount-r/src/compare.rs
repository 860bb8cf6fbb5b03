//! How far estimates are apart: groups, methods, and samples, which may be by another model.

use crate::asked::Asked;
use crate::executor::Threads;
use crate::failure::{Failure, answer};
use crate::grouped::{Tallied, strata, summed};
use crate::listed;
use crate::model::{self, Model};
use crate::tested::{Tested, reporting};
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use std::ops::Range;
use truecount::{Against, Error, Labelled, Overlap, Tallies};
use truecount_analysis::held::{self, Differences, Kinship, Levels};
use truecount_analysis::results::{DifferenceRow, Table, percent};

type Compared = std::result::Result<Value, Failure>;

/// Groups, which stand in their order, with others of their level, with all of them or with the rest; by these models if there is one for
/// each stratum.
#[savvy]
pub fn compare_groups(models: ListSexp, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| apart(&model::all(&models)?, &Tested::new(&columns.into())?, &asked.into(), threads))
}

fn apart(models: &[&Model], tested: &Tested, asked: &Asked, threads: i32) -> Compared {
    let ranges = ranges(&asked.numbered("starts")?.unwrap_or_default());
    let levels = Levels { order: ranges.iter().cloned().flatten().collect(), ranges };
    let names = asked.texts("names")?;
    let against = against(asked, &levels, &names)?;
    let from = match &against {
        Against::Group(places) => {
            let first = levels.ranges.iter().zip(places).find_map(|(level, place)| Some(level.start + (*place)?));
            first.map_or_else(String::new, |group| names[group].clone())
        }
        word => Against::WORDS.into_iter().find(|(_, known, _)| known == word).map_or("", |(.., what)| what).to_owned(),
    };
    let sets = tested.sets()?;
    let threads = Threads::new(threads, sets.scores());
    let summed = summed(asked)?;
    let found = if let Some(strata) = strata(&threads, models, &sets, asked)? {
        strata.groups_apart(&threads, &summed, &levels, &against)?
    } else {
        let fitted = (&models[0].fitted, asked.flag("check")?);
        let tallied = Tallied::new(&threads, models[0], &sets, asked)?;
        held::groups_apart(&threads, fitted, &tallied.cells(), &summed, &levels, &against)?
    };
    Ok(listed(by_group(found, &names), &format!("differences from {from}")))
}

/// Each method with the first one, on the same scores.
#[savvy]
pub fn compare_methods(model: &Model, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| {
        let (tested, asked) = (Tested::new(&columns.into())?, Asked::from(asked));
        let tallies = tallied(model, &tested, threads)?;
        let of = model.fitted.checked_if(asked.flag("check")?);
        let rows = held::methods_apart(&Threads::all(threads), of, &tallies, &reporting(&asked)?)?;
        let from = rows.first().map_or_else(String::new, |row| row.against.clone());
        let others = vec![None; rows.len()];
        Ok(listed(by_group((rows, others), &[]), &format!("differences from {from} on the same scores")))
    })
}

/// Groups with those of other scores, pair by pair, which may be by another model.
#[savvy]
pub fn compare_samples(
    models: ListSexp,
    columns: ListSexp,
    other_columns: ListSexp,
    asked: ListSexp,
    threads: i32,
) -> Result<Sexp> {
    answer(|| {
        let models = model::all(&models)?;
        let (first, second, asked) = (models[0], models.get(1).copied(), Asked::from(asked));
        let tallies = tallied(first, &Tested::new(&columns.into())?, threads)?;
        let others = tallied(second.unwrap_or(first), &Tested::new(&other_columns.into())?, threads)?;
        let kinship = Kinship {
            labelled: if asked.flag("paired")? { Labelled::Paired } else { Labelled::Apart },
            overlap: if asked.flag("same")? { Overlap::All } else { Overlap::None },
        };
        let numbers = |name: &str| Ok::<_, Failure>(asked.numbered(name)?.unwrap_or_default());
        let pairs: Vec<(usize, usize)> = numbers("own")?
            .into_iter()
            .zip(numbers("others")?)
            .map(|(of, other)| (of as usize, other as usize))
            .collect();
        let check = asked.flag("check")?;
        let of = (first.fitted.checked_if(check), tallies.as_slice());
        let with = (second.map(|model| model.fitted.checked_if(check)), others.as_slice());
        let name = asked.text("other")?.unwrap_or_default();
        let rows = held::samples_apart(&Threads::all(threads), of, with, &pairs, kinship, &name, &reporting(&asked)?)?;
        let others = vec![None; rows.len()];
        Ok(listed(by_group((rows, others), &[]), &format!("differences from {name}")))
    })
}

fn tallied(model: &Model, tested: &Tested, threads: i32) -> std::result::Result<Vec<Tallies>, Failure> {
    let sets = tested.sets()?;
    Ok(held::tallied(&Threads::new(threads, sets.scores()), model.fitted.model(), &sets)?)
}

/// The levels, by where each begins and the last one ends.
fn ranges(starts: &[u32]) -> Vec<Range<usize>> {
    starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize).collect()
}

/// What groups with these names are compared with: what a word says, a group of that name, or what is usual.
fn against(asked: &Asked, levels: &Levels, names: &[String]) -> std::result::Result<Against, Failure> {
    let Some(value) = asked.text("against")? else { return Ok(levels.usual(names)) };
    if let Some((_, against, _)) = Against::WORDS.into_iter().find(|(word, ..)| *word == value) {
        return Ok(against);
    }
    let place = |level: &Range<usize>| names[level.clone()].iter().position(|name| *name == value);
    let places: Vec<Option<usize>> = levels.ranges.iter().map(place).collect();
    if places.iter().all(Option::is_none) {
        return Err(Error::GroupUnknown { column: asked.text("column")?.unwrap_or_default(), value }.into());
    }
    Ok(Against::Group(places))
}

/// Differences in the groups' order, each with the name of the group that it is from, where that is a single one.
fn by_group((rows, others): Differences, names: &[String]) -> Differences {
    let mut found: Vec<(DifferenceRow, Option<usize>)> = rows.into_iter().zip(others).collect();
    found.sort_by_key(|(row, _)| row.group);
    for (row, other) in &mut found {
        if let Some(other) = other {
            row.against.clone_from(&names[*other]);
        }
    }
    found.into_iter().unzip()
}

fn listed((rows, others): Differences, title: &str) -> Value {
    let table = || Table::new(&rows);
    let mut methods: Vec<String> = rows.iter().map(|row| row.method.to_string()).collect();
    methods.dedup();
    let shown = if methods.len() > 1 { table() } else { table().hidden("method") };
    let mut found = listed::of(&rows, &table(), &shown);
    let title = rows.first().map(|row| format!("{title}, with {} % intervals", percent(row.level)));
    let only = (methods.len() == 1).then(|| format!("method: {}", methods[0]));
    let note = DifferenceRow::note(&rows).map(|note| note.sentence().to_owned());
    found.push(("notes".to_owned(), Value::texts(title.into_iter().chain(only).chain(note))));
    if let Some(others) = others.into_iter().collect::<Option<Vec<_>>>() {
        found.push(("others".to_owned(), Value::places(others)));
    }
    Value::List(found)
}
