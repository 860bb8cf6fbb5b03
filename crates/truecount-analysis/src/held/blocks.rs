//! Which strata have a model together: those of too few labels one for all of them, each of the others its own.

use super::refused::{Refused, Untold};
use crate::results::visible;
use truecount::PerClass;
use truecount::inference::FEW_LABELLED;

/// What is done with strata of few labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Few {
    /// They are refused.
    Refused,
    /// They have one model for all of them, and for the next smallest ones until there are enough labels.
    Pooled,
}

/// The strata that have a model together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The strata of each block.
    pub members: Vec<Vec<usize>>,
    /// The block of each stratum.
    pub of_strata: Vec<usize>,
}

/// The blocks of the strata with test scores, which have these names in a column, in their order, and so many labelled scores.
///
/// # Errors
/// [`Refused::FewLabelled`] and [`Refused::FewTogether`].
pub fn blocks(column: &str, names: &[&str], sizes: &[PerClass<usize>], few: Few) -> Result<Blocks, Refused> {
    let least = |sizes: &PerClass<usize>| sizes.positive.min(sizes.negative);
    let is_few = |sizes: &PerClass<usize>| (least(sizes) as u64) < FEW_LABELLED;
    let small: Vec<usize> = (0..names.len()).filter(|stratum| is_few(&sizes[*stratum])).collect();
    if !small.is_empty() && few == Few::Refused {
        let told = |stratum: &usize| {
            let PerClass { positive, negative } = sizes[*stratum];
            format!("'{}' ({positive} positive and {negative} negative)", visible(names[*stratum]))
        };
        let told = Untold(small.iter().map(told).collect::<Vec<_>>().join(", "));
        let strata = small.iter().map(|stratum| names[*stratum].to_owned()).collect();
        return Err(Refused::FewLabelled { column: column.to_owned(), strata, told, least: FEW_LABELLED });
    }
    // Smallest first: the pool takes in as many as it needs.
    let mut by_size: Vec<usize> = (0..names.len()).collect();
    by_size.sort_by_key(|stratum| least(&sizes[*stratum]));
    let (mut pool, mut together) = (Vec::new(), PerClass::default());
    let mut members = Vec::new();
    for stratum in by_size {
        if is_few(&sizes[stratum]) || (!pool.is_empty() && is_few(&together)) {
            let PerClass { positive, negative } = sizes[stratum];
            together = PerClass { positive: together.positive + positive, negative: together.negative + negative };
            pool.push(stratum);
        } else {
            members.push(vec![stratum]);
        }
    }
    if !pool.is_empty() {
        if is_few(&together) {
            return Err(Refused::FewTogether { positive: together.positive, negative: together.negative });
        }
        members.push(pool);
    }
    let mut of_strata = vec![0; names.len()];
    for (block, strata) in members.iter().enumerate() {
        for stratum in strata {
            of_strata[*stratum] = block;
        }
    }
    Ok(Blocks { members, of_strata })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sizes: &[(usize, usize)], few: Few) -> Result<Blocks, Refused> {
        let sizes: Vec<_> =
            sizes.iter().map(|(positive, negative)| PerClass { positive: *positive, negative: *negative }).collect();
        blocks("shop", &["a", "b", "c", "d"][..sizes.len()], &sizes, few)
    }

    #[test]
    fn the_pool_takes_the_small_ones_and_as_many_more_as_it_needs() {
        let (many, few) = ((50, 40), (3, 30));
        let found = of(&[many, few, (12, 12), few], Few::Pooled).unwrap();
        assert_eq!(found, Blocks { members: vec![vec![0], vec![1, 3, 2]], of_strata: vec![0, 1, 1, 1] });
        let found = of(&[(20, 20), many, (10, 30)], Few::Pooled).unwrap();
        assert_eq!(found.members, [vec![2], vec![0], vec![1]]);
        // Two small ones may be enough by themselves.
        let found = of(&[(6, 30), many, (6, 30)], Few::Pooled).unwrap();
        assert_eq!(found.members, [vec![1], vec![0, 2]]);
    }

    #[test]
    fn too_few_labels_are_refused() {
        let refused = of(&[(50, 40), (9, 30), (0, 0)], Few::Refused).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "too few labelled scores for a model of its own: shop 'b' (9 positive and 30 negative), 'c' (0 positive and 0 negative); \
             label more, at least 10 of each class, or let such strata have a model together"
        );
        assert_eq!(of(&[(3, 5), (4, 9)], Few::Pooled), Err(Refused::FewTogether { positive: 7, negative: 14 }));
        assert!(of(&[(10, 10)], Few::Refused).is_ok());
    }
}
