//! Queries as SQL.

use super::catalogue::{Catalogue, Join};
use super::query::{Condition, Expr, Function, Operand, Operator, Query, Shape};
use banyan_engine::table::Kind;
use banyan_engine::table::sql::{ROW, TITLE, literal, quoted};
use std::collections::BTreeSet;

impl Query {
    /// The statement. The columns of the answer come first; others explain it.
    pub fn sql(&self, catalogue: &Catalogue) -> String {
        let sql = Writer::new(catalogue, &self.columns());
        let (from, all) = (sql.table(), &self.conditions);
        match &self.shape {
            Shape::Select(columns) => {
                format!(
                    "SELECT DISTINCT {} FROM {from}{}",
                    sql.list(columns),
                    sql.clause(all, columns)
                )
            }
            Shape::Value(value) => format!("SELECT {} FROM {from}{}", sql.expr(*value), sql.clause(all, &[])),
            Shape::Extreme {
                columns,
                by,
                is_max,
                top,
            } => sql.extreme(columns, *by, *is_max, *top, all),
            Shape::Group { by, value, best } => sql.group(*by, *value, *best, all),
            Shape::Percentage { base } => format!(
                "SELECT 100.0 * (SELECT count(*) FROM {from}{}) / nullif((SELECT count(*) FROM {from}{}), 0)",
                sql.clause(all, &[]),
                sql.clause(base, &[])
            ),
            Shape::Exists => format!("SELECT count(*) > 0, count(*) FROM {from}{}", sql.clause(all, &[])),
        }
    }

    /// The statement for the records that the answer rests on.
    pub fn provenance_sql(&self, catalogue: &Catalogue) -> String {
        let sql = Writer::new(catalogue, &self.columns());
        let row = sql.row();
        let clause = match &self.shape {
            Shape::Extreme {
                by, is_max, top: None, ..
            } => sql.extreme_clause(*by, *is_max, &self.conditions),
            Shape::Percentage { base } => sql.clause(base, &[]),
            _ => sql.clause(&self.conditions, &[]),
        };
        format!("SELECT {row} FROM {}{clause} ORDER BY {row}", sql.table())
    }
}

/// Writes SQL with the names of a catalogue.
struct Writer<'a> {
    catalogue: &'a Catalogue,
    /// The joins that the statement needs; without any, names stand alone.
    joins: BTreeSet<usize>,
}

impl<'a> Writer<'a> {
    /// A writer of statements that read these columns.
    fn new(catalogue: &'a Catalogue, read: &[usize]) -> Self {
        let joins = read.iter().filter_map(|at| catalogue.columns[*at].join).collect();
        Self { catalogue, joins }
    }

    fn table(&self) -> String {
        let joins = self.joins.iter().map(|at| {
            let Join { table, key } = &self.catalogue.joins[*at];
            let (alias, key) = (self.alias(*at), self.name(*key));
            format!(" LEFT JOIN {} AS {alias} ON {alias}.{TITLE} = {key}", quoted(table))
        });
        quoted(&self.catalogue.table) + &joins.collect::<String>()
    }

    /// What a joined table is called: as the key that leads to it.
    fn alias(&self, join: usize) -> String {
        let key = self.catalogue.joins[join].key;
        quoted(&format!("of_{}", self.catalogue.columns[key].column.name))
    }

    fn name(&self, column: usize) -> String {
        let view = &self.catalogue.columns[column];
        let name = quoted(&view.column.name);
        match view.join {
            Some(join) => format!("{}.{name}", self.alias(join)),
            None if self.joins.is_empty() => name,
            None => format!("{}.{name}", quoted(&self.catalogue.table)),
        }
    }

    fn row(&self) -> String {
        if self.joins.is_empty() {
            ROW.to_owned()
        } else {
            format!("{}.{ROW}", quoted(&self.catalogue.table))
        }
    }

    fn list(&self, columns: &[usize]) -> String {
        columns
            .iter()
            .map(|column| self.name(*column))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn expr(&self, value: Expr) -> String {
        let Expr::Of(function, column) = value else {
            return "count(*)".to_owned();
        };
        let name = self.name(column);
        match function {
            Function::Mean => format!("avg({name})"),
            Function::Sum => format!("sum({name})"),
            Function::Median => format!("median({name})"),
            Function::Min => format!("min({name})"),
            Function::Max => format!("max({name})"),
            Function::Distinct => format!("count(DISTINCT {name})"),
        }
    }

    /// ` WHERE …` for conditions, and for columns that have to be filled; empty for none.
    fn clause(&self, conditions: &[Condition], filled: &[usize]) -> String {
        let filled = filled
            .iter()
            .map(|column| format!("{} IS NOT NULL", self.name(*column)));
        let parts = conditions
            .iter()
            .map(|condition| self.condition(condition))
            .chain(filled);
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", parts.join(" AND "))
        }
    }

    fn condition(&self, condition: &Condition) -> String {
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
        match &condition.operand {
            Operand::Number(number) => format!("{name} {sign} {number}"),
            Operand::Flag(is) => format!("{name} {sign} {}", u8::from(*is)),
            // Of a date that names a month no more than that is compared.
            Operand::Date(date) => format!("substr({name}, 1, {}) {sign} {}", date.len(), literal(date)),
            Operand::Years(years) => {
                let written = |year: &u16| {
                    if is_date {
                        literal(&year.to_string())
                    } else {
                        year.to_string()
                    }
                };
                let name = if is_date { format!("substr({name}, 1, 4)") } else { name };
                match &years.iter().map(written).collect::<Vec<_>>()[..] {
                    [one] => format!("{name} {sign} {one}"),
                    several => format!("{name} IN ({})", several.join(", ")),
                }
            }
            Operand::Texts(texts) => {
                let each = texts.iter().map(|text| self.equals(condition.column, text));
                let any = each.collect::<Vec<_>>().join(" OR ");
                // What has no text has not this one.
                match condition.operator {
                    Operator::Unequal => format!("({name} IS NULL OR NOT ({any}))"),
                    _ if texts.len() > 1 => format!("({any})"),
                    _ => any,
                }
            }
        }
    }

    /// A text is equal, or one of the items of a list.
    fn equals(&self, column: usize, text: &str) -> String {
        let (name, whole) = (self.name(column), literal(text));
        if self.catalogue.columns[column].has_lists {
            let item = literal(&format!("; {text};"));
            format!("({name} = {whole} OR instr('; ' || {name} || ';', {item}) > 0)")
        } else {
            format!("{name} = {whole}")
        }
    }

    fn extreme_clause(&self, by: usize, is_max: bool, conditions: &[Condition]) -> String {
        let (function, name) = (if is_max { "max" } else { "min" }, self.name(by));
        let outer = self.clause(conditions, &[]);
        let best = format!("{name} = (SELECT {function}({name}) FROM {}{outer})", self.table());
        let glue = if outer.is_empty() { " WHERE" } else { " AND" };
        format!("{outer}{glue} {best}")
    }

    fn extreme(&self, columns: &[usize], by: usize, is_max: bool, top: Option<usize>, all: &[Condition]) -> String {
        let mut shown = columns.to_vec();
        if !shown.contains(&by) {
            shown.push(by);
        }
        let (list, from) = (self.list(&shown), self.table());
        let Some(top) = top else {
            return format!(
                "SELECT DISTINCT {list} FROM {from}{}",
                self.extreme_clause(by, is_max, all)
            );
        };
        let direction = if is_max { "DESC" } else { "ASC" };
        format!(
            "SELECT {list} FROM {from}{} ORDER BY {} {direction}, {} LIMIT {top}",
            self.clause(all, &[by]),
            self.name(by),
            self.row()
        )
    }

    fn group(&self, by: usize, value: Expr, best: Option<bool>, all: &[Condition]) -> String {
        let (name, value) = (self.name(by), self.expr(value));
        let from = format!("FROM {}{} GROUP BY {name}", self.table(), self.clause(all, &[by]));
        let having = best.map_or_else(String::new, |is_max| {
            let function = if is_max { "max" } else { "min" };
            format!(" HAVING {value} = (SELECT {function}(n) FROM (SELECT {value} AS n {from}))")
        });
        format!("SELECT {name}, {value} AS n {from}{having} ORDER BY 2 DESC, 1")
    }
}
