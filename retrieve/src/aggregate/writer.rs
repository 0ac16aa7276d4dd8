//! Parts of queries as SQL.

use super::catalogue::{Catalogue, Join};
use super::query::{Condition, Expr, Function, Operand, Operator};
use banyan_engine::table::Kind;
use banyan_engine::table::sql::{PARENT, ROW, TITLE, literal, quoted};
use std::collections::BTreeSet;

/// Writes SQL with the names of a catalogue.
pub(super) struct Writer<'a> {
    catalogue: &'a Catalogue,
    /// The joins that the statement needs; without any, names stand alone.
    joins: BTreeSet<usize>,
}

impl<'a> Writer<'a> {
    /// A writer of statements that read these columns.
    pub(super) fn new(catalogue: &'a Catalogue, read: &[usize]) -> Self {
        let joins = read.iter().filter_map(|at| catalogue.columns[*at].join).collect();
        Self { catalogue, joins }
    }

    /// What stands behind `FROM`.
    pub(super) fn table(&self) -> String {
        let joins = self.joins.iter().map(|at| {
            let Join { table, key } = &self.catalogue.joins[*at];
            let (alias, key) = (self.alias(*at), self.name(*key));
            format!(" LEFT JOIN {} AS {alias} ON {alias}.{TITLE} = {key}", quoted(table))
        });
        let joins: String = joins.collect();
        self.own() + &joins
    }

    fn own(&self) -> String {
        quoted(&self.catalogue.table)
    }

    /// What a joined table is called: as the key that leads to it.
    fn alias(&self, join: usize) -> String {
        let key = self.catalogue.joins[join].key;
        quoted(&format!("of_{}", self.catalogue.columns[key].column.name))
    }

    pub(super) fn name(&self, column: usize) -> String {
        let view = &self.catalogue.columns[column];
        let name = quoted(&view.column.name);
        match view.join {
            Some(join) => format!("{}.{name}", self.alias(join)),
            None if self.joins.is_empty() => name,
            None => format!("{}.{name}", self.own()),
        }
    }

    /// The position of a record.
    pub(super) fn row(&self) -> String {
        if self.joins.is_empty() {
            ROW.to_owned()
        } else {
            format!("{}.{ROW}", self.own())
        }
    }

    pub(super) fn list(&self, columns: &[usize]) -> String {
        columns
            .iter()
            .map(|column| self.name(*column))
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub(super) fn expr(&self, value: Expr) -> String {
        match value {
            Expr::Count => "count(*)".to_owned(),
            // A record that lacks one of the two says nothing about their ratio.
            Expr::Ratio(a, b) => {
                let (a, b) = (self.name(a), self.name(b));
                format!(
                    "1.0 * sum(CASE WHEN {b} IS NOT NULL THEN {a} END) / nullif(sum(CASE WHEN {a} IS NOT NULL THEN {b} END), 0)"
                )
            }
            Expr::Of(function, column) => {
                let name = self.name(column);
                match function {
                    Function::Mean => format!("avg({name})"),
                    Function::Sum => format!("sum({name})"),
                    Function::Median => format!("median({name})"),
                    Function::Deviation => format!("stddev({name})"),
                    Function::Min => format!("min({name})"),
                    Function::Max => format!("max({name})"),
                    Function::Distinct => format!("count(DISTINCT {name})"),
                }
            }
        }
    }

    /// ` WHERE …` for conditions, and for columns that have to be filled; empty for none.
    pub(super) fn clause(&self, conditions: &[Condition], filled: &[usize]) -> String {
        let all = self.all(conditions, filled);
        if all.is_empty() {
            String::new()
        } else {
            format!(" WHERE {all}")
        }
    }

    pub(super) fn all(&self, conditions: &[Condition], filled: &[usize]) -> String {
        let filled = filled
            .iter()
            .map(|column| format!("{} IS NOT NULL", self.name(*column)));
        conditions
            .iter()
            .map(|condition| self.condition(condition))
            .chain(filled)
            .collect::<Vec<_>>()
            .join(" AND ")
    }

    pub(super) fn condition(&self, condition: &Condition) -> String {
        let name = self.name(condition.column);
        let sign = match condition.operator {
            Operator::Equal => "=",
            Operator::Unequal => "<>",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::More => ">",
            Operator::AtLeast => ">=",
        };
        let is_date = self.catalogue.kind(condition.column) == Kind::Date;
        let text = match &condition.operand {
            Operand::Number(number) => format!("{name} {sign} {number}"),
            Operand::Flag(is) => format!("{name} {sign} {}", u8::from(*is)),
            Operand::Date(date) => format!("{name} {sign} {}", literal(date)),
            Operand::Column(other) => format!("{name} {sign} {}", self.name(*other)),
            Operand::Years(years) => {
                let name = if is_date {
                    format!("substr({name}, 1, 4)")
                } else {
                    name.clone()
                };
                let years: Vec<String> = years
                    .iter()
                    .map(|year| {
                        if is_date {
                            literal(&year.to_string())
                        } else {
                            year.to_string()
                        }
                    })
                    .collect();
                match &years[..] {
                    [one] => format!("{name} {sign} {one}"),
                    several => format!("{name} IN ({})", several.join(", ")),
                }
            }
            Operand::Texts(texts) => {
                let each = texts.iter().map(|text| self.equals(condition.column, text));
                let any = each.collect::<Vec<_>>().join(" OR ");
                let any = if texts.len() > 1 { format!("({any})") } else { any };
                if condition.operator == Operator::Unequal {
                    format!("NOT ({any})")
                } else {
                    any
                }
            }
        };
        // What has no text has not this one; of a number that is not known nothing can be said.
        if condition.operator == Operator::Unequal && matches!(condition.operand, Operand::Texts(_)) {
            format!("({name} IS NULL OR {text})")
        } else {
            text
        }
    }

    /// A text is equal, or one of the items of a list.
    pub(super) fn equals(&self, column: usize, text: &str) -> String {
        let name = self.name(column);
        let (own, whole) = (quoted(&self.catalogue.columns[column].column.name), literal(text));
        if let Some(child) = &self.catalogue.columns[column].child {
            let (child, row) = (quoted(child), format!("{}.{ROW}", self.own()));
            format!("EXISTS (SELECT 1 FROM {child} AS item WHERE item.{PARENT} = {row} AND item.{own} = {whole})")
        } else if self.catalogue.columns[column].has_lists {
            format!(
                "({name} = {whole} OR instr('; ' || {name} || ';', {}) > 0)",
                literal(&format!("; {text};"))
            )
        } else {
            format!("{name} = {whole}")
        }
    }

    pub(super) fn extreme_clause(&self, by: usize, is_max: bool, conditions: &[Condition]) -> String {
        let function = if is_max { "max" } else { "min" };
        let name = self.name(by);
        let inner = format!(
            "{name} = (SELECT {function}({name}) FROM {}{})",
            self.table(),
            self.clause(conditions, &[])
        );
        let outer = self.all(conditions, &[]);
        if outer.is_empty() {
            format!(" WHERE {inner}")
        } else {
            format!(" WHERE {outer} AND {inner}")
        }
    }

    pub(super) fn extreme(
        &self,
        columns: &[usize],
        by: usize,
        is_max: bool,
        top: Option<usize>,
        conditions: &[Condition],
    ) -> String {
        let mut shown = columns.to_vec();
        if !shown.contains(&by) {
            shown.push(by);
        }
        let list = self.list(&shown);
        match top {
            None => format!(
                "SELECT DISTINCT {list} FROM {}{}",
                self.table(),
                self.extreme_clause(by, is_max, conditions)
            ),
            Some(top) => format!(
                "SELECT {list} FROM {}{} ORDER BY {} {}, {} LIMIT {top}",
                self.table(),
                self.clause(conditions, &[by]),
                self.name(by),
                if is_max { "DESC" } else { "ASC" },
                self.row()
            ),
        }
    }

    pub(super) fn group(
        &self,
        by: usize,
        value: Expr,
        having: Option<(Operator, f64)>,
        best: Option<(bool, Option<usize>)>,
        shows_value: bool,
        conditions: &[Condition],
    ) -> String {
        let (name, value) = (self.name(by), self.expr(value));
        let from = format!(
            "FROM {}{} GROUP BY {name}",
            self.table(),
            self.clause(conditions, &[by])
        );
        let mut limits = Vec::new();
        if let Some((operator, number)) = having {
            let sign = match operator {
                Operator::Equal => "=",
                Operator::Unequal => "<>",
                Operator::Less => "<",
                Operator::AtMost => "<=",
                Operator::More => ">",
                Operator::AtLeast => ">=",
            };
            limits.push(format!("{value} {sign} {number}"));
        }
        if let Some((is_max, None)) = best {
            let function = if is_max { "max" } else { "min" };
            limits.push(format!(
                "{value} = (SELECT {function}(n) FROM (SELECT {value} AS n {from}))"
            ));
        }
        let having = if limits.is_empty() {
            String::new()
        } else {
            format!(" HAVING {}", limits.join(" AND "))
        };
        let is_max = best.is_none_or(|(is_max, _)| is_max);
        let direction = if is_max { "DESC" } else { "ASC" };
        let order = if having.is_empty() && best.is_none() && !shows_value {
            format!(" ORDER BY {name}")
        } else {
            format!(" ORDER BY 2 {direction}, 1")
        };
        let limit = best
            .and_then(|(_, top)| top)
            .map_or_else(String::new, |top| format!(" LIMIT {top}"));
        format!("SELECT {name}, {value} AS n {from}{having}{order}{limit}")
    }

    pub(super) fn side(&self, value: Expr, common: &[Condition], side: &[Condition]) -> String {
        let both: Vec<Condition> = common.iter().chain(side).cloned().collect();
        format!(
            "SELECT {} FROM {}{}",
            self.expr(value),
            self.table(),
            self.clause(&both, &[])
        )
    }
}
