//! What is learned of names and terms from those that people read: rows of how each is used, and weights fitted to them.

use crate::entity::{Learning, features, usages};
use crate::error::ExtractError;
use crate::feature::FeatureSink;
use crate::learned::{Class, RelationModel};
use crate::reading::Reading;
use crate::relation::Lessons;
use std::collections::BTreeSet;

/// Adds each entity of documents, which are numbered from `first`, to what is learned of entities, as a row of `corpus`.
pub(crate) fn learn(
    readings: &[Reading],
    (corpus, first): (usize, usize),
    lessons: &mut Lessons,
) -> Result<(), ExtractError> {
    let (usages, names) = usages(readings, &Learning::All)?;
    for (key, usage) in usages {
        let mut ids = Vec::new();
        features(&usage, |id| ids.push(id));
        let named = ids.iter().filter_map(|id| names.get(id).map(String::as_str));
        let places = usage
            .places
            .into_iter()
            .map(|(document, span)| (first + document, span));
        lessons.add_entity(corpus, key, places.collect(), named);
    }
    Ok(())
}

/// Weights for `classes`, fitted to the entities at `rows` of `lessons`; `gold` gives the classes of each row.
///
/// All classes are fitted as one question, whether an entity is of a class, so that what speaks for any class by its name
/// ("stated to be a *command*") counts the same for frequent and rare ones. `penalty` as in [`Lessons::fit`]. Cost
/// O(steps · features · classes).
pub fn fit(lessons: &Lessons, classes: &[String], gold: &[Option<BTreeSet<usize>>], penalty: f64) -> RelationModel {
    let rows: Vec<usize> = (0..gold.len()).filter(|at| gold[*at].is_some()).collect();
    let pairs = lessons.paired(&rows, |features, sink| {
        for class in classes {
            sink.put(&of_class(class, ""), &[]);
            for feature in features {
                sink.put(&of_class(class, feature), &[]);
                if let Some(any) = of_any(class, feature) {
                    sink.put(&any, &[]);
                }
            }
            sink.finish();
        }
    });
    let holds = |row: &usize, class: usize| gold[*row].as_ref().is_some_and(|classes| classes.contains(&class));
    let verdicts: Vec<Option<BTreeSet<usize>>> = rows
        .iter()
        .flat_map(|row| (0..classes.len()).map(move |class| holds(row, class)))
        .map(|is_right| Some(is_right.then_some(0).into_iter().collect()))
        .collect();
    let fitted = pairs.fit(&[(Class::default(), None)], &verdicts, penalty);
    let unfolded = classes.iter().map(|label| {
        let mut class = Class {
            label: label.clone(),
            ..Class::default()
        };
        for whole in fitted.classes() {
            class.bias += whole.bias;
            for (name, weight) in &whole.weights {
                let own = name.strip_prefix(&of_class(label, "")).map(str::to_owned);
                let any = || Some(name.strip_prefix(&of_class(ANY, ""))?.replace(ANY, label));
                match own.or_else(any) {
                    Some(own) if own.is_empty() => class.bias += weight,
                    Some(own) => *class.weights.entry(own).or_default() += weight,
                    None => {}
                }
            }
        }
        class
    });
    RelationModel::new(unfolded.collect())
}

/// Stands for the name of the class that is asked about.
const ANY: &str = "*";

/// A feature as it speaks for one class.
fn of_class(class: &str, feature: &str) -> String {
    format!("{class}|{feature}")
}

/// A feature whose value is the name of the class, as it speaks for any class.
fn of_any(class: &str, feature: &str) -> Option<String> {
    let (template, value) = feature.split_once('=')?;
    let shares = value.strip_prefix(class)?;
    (shares.is_empty() || shares.starts_with('&')).then(|| of_class(ANY, &format!("{template}={ANY}{shares}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_for_any_class_by_its_name_counts_for_one_that_was_never_shown() {
        let mut lessons = Lessons::default();
        let classes = ["river", "lake", "bay"].map(str::to_owned);
        let mut gold = Vec::new();
        for corpus in 0..20 {
            for (at, class) in classes.iter().take(2).enumerate() {
                let named = format!("named={class}");
                lessons.add_entity(corpus, class, Vec::new(), std::iter::once(named.as_str()));
                gold.push(Some(BTreeSet::from([at])));
            }
        }
        lessons.add_entity(20, "x", Vec::new(), std::iter::once("named=bay"));
        gold.push(None);
        let model = fit(&lessons, &classes, &gold, 0.1);
        let chances = &lessons.chances(&model)[40];
        assert!(chances[2] > 0.5 && chances[0] < 0.5 && chances[1] < 0.5, "{chances:?}");
    }
}
