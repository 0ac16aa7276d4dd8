//! What tells documents apart by their titles.

use crate::record::literal::year_of;
use banyan_engine::table::{Column, Kind};
use std::collections::BTreeSet;

/// The column that names a record, and a year where nearly all titles have one.
pub(super) fn columns(titles: &[&str]) -> Vec<Column> {
    let n = titles.len();
    let years: BTreeSet<u16> = titles.iter().filter_map(|title| year_of(title)).collect();
    let n_dated = titles.iter().filter(|title| year_of(title).is_some()).count();
    let title = Column {
        description: "The document's title.".to_owned(),
        ..Column::new("name", Kind::Text)
    };
    if n > 1 && n_dated * 10 >= n * 9 {
        let year = Column {
            description: "The year in the title.".to_owned(),
            ..Column::new("year", Kind::Year)
        };
        // Titles that differ in nothing but the year are named by it.
        return if years.len() == n {
            vec![year, title]
        } else {
            vec![title, year]
        };
    }
    vec![title]
}
