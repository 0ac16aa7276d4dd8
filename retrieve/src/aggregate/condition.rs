//! Conditions: which values, numbers, dates and flags of a question bind to which columns.

use super::catalogue::Catalogue;
use super::keyword::{Keyword, Measure};
use super::query::{Condition, Operand, Operator};
use super::tagging::{Label, Run, certain, measured};
use banyan_engine::table::Kind;
use banyan_extract::record::literal::{convert, unit_of};

/// A question while it is read: whatever has done its work is used, and what stays unused refuses the question.
pub(super) struct Reading<'a> {
    pub(super) runs: Vec<Run>,
    pub(super) catalogue: &'a Catalogue,
    pub(super) used: Vec<bool>,
    pub(super) conditions: Vec<Condition>,
    pub(super) notes: Vec<String>,
    /// Whether a value is what the question is about, and the records are not about it: "the age of Jon Eld", who is only
    /// somebody's brother there.
    is_of_other: bool,
}

/// Words that place a record by a value: "the prices in Orle".
const PLACING: [&str; 9] = ["at", "by", "for", "from", "in", "on", "under", "with", "within"];

impl<'a> Reading<'a> {
    /// A question with everything bound that restricts records.
    pub(super) fn new(runs: Vec<Run>, catalogue: &'a Catalogue) -> Self {
        let is_small = |run: &Run| matches!(run.label, Label::Keyword(Keyword::Small | Keyword::And));
        let mut reading = Self {
            used: runs.iter().map(is_small).collect(),
            runs,
            catalogue,
            conditions: Vec::new(),
            notes: Vec::new(),
            is_of_other: false,
        };
        for at in 0..reading.runs.len() {
            reading.compare(at);
        }
        for at in 0..reading.runs.len() {
            match reading.runs[at].label {
                Label::Number { .. } | Label::Year(_) | Label::Date(_) => reading.equal(at),
                Label::Value { .. } => reading.value(at),
                Label::Column(_) => reading.flag(at),
                _ => {}
            }
        }
        reading.keys();
        reading
    }

    /// A key is used where what its records have is: `in cities with a population above 1,000`.
    fn keys(&mut self) {
        for at in 0..self.runs.len() {
            let Some(column) = self.column(at, |_| true) else {
                continue;
            };
            let joins = self.catalogue.joins.iter().enumerate();
            let mut own = joins.filter(|(_, join)| join.key == column);
            let is_read =
                |condition: &Condition, join: usize| self.catalogue.columns[condition.column].join == Some(join);
            self.used[at] = own.any(|(join, _)| self.conditions.iter().any(|one| is_read(one, join)));
        }
    }

    /// Whether the question names no records, and asks of something else than they are about.
    pub(super) fn is_of_other(&self) -> bool {
        self.is_of_other && !self.has_record()
    }

    pub(super) fn has_record(&self) -> bool {
        self.runs.iter().any(|run| run.label == Label::Record)
    }

    /// The next run that is no word of grammar.
    pub(super) fn next(&self, at: usize) -> Option<usize> {
        (at + 1..self.runs.len()).find(|at| !self.is_small(*at))
    }

    pub(super) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|at| !self.is_small(*at))
    }

    fn is_small(&self, at: usize) -> bool {
        self.keyword(at) == Some(Keyword::Small)
    }

    pub(super) fn keyword(&self, at: usize) -> Option<Keyword> {
        match self.runs[at].label {
            Label::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// The column that an unused run names for certain among those of a fitting kind.
    pub(super) fn column(&self, at: usize, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        match &self.runs[at].label {
            Label::Column(found) if !self.used[at] => certain(found, self.catalogue, fits),
            _ => None,
        }
    }

    /// Whether a run is denied; the word that denies it is used.
    fn denied(&mut self, at: usize) -> bool {
        let not = self
            .before(at)
            .filter(|before| self.keyword(*before) == Some(Keyword::Not));
        if let Some(not) = not {
            self.used[not] = true;
        }
        not.is_some()
    }

    /// What a run without a comparison says of its column; the word that denies it is used.
    fn equality(&mut self, at: usize) -> Operator {
        if self.denied(at) {
            Operator::Unequal
        } else {
            Operator::Equal
        }
    }

    /// `more than 300 passengers`, `opened before 1966`, `cheaper than $60`, `between 1980 and 2005`.
    fn compare(&mut self, at: usize) {
        let Some(keyword) = self.keyword(at) else { return };
        let (operator, measure) = match keyword {
            Keyword::Compare(operator, degree) => (operator, degree.and_then(|degree| degree.measure)),
            Keyword::Between => (Operator::AtLeast, None),
            Keyword::Small if self.is_by(at) => (Operator::AtMost, None),
            Keyword::OrBeyond(operator) => {
                let operand = self.before(at).filter(|before| self.is_operand(*before));
                if let Some(operand) = operand {
                    self.bind(operator, (operand, operand), at, None);
                }
                return;
            }
            _ => return,
        };
        let Some(first) = self.next(at).filter(|next| self.is_operand(*next)) else {
            return;
        };
        if keyword != Keyword::Between {
            self.bind(operator, (first, first), at, measure);
            return;
        }
        let and = self.next(first).filter(|and| self.keyword(*and) == Some(Keyword::And));
        let second = and
            .and_then(|and| self.next(and))
            .filter(|second| self.is_operand(*second));
        if let Some(second) = second
            && let Some(column) = self.bind(operator, (first, second), at, None)
        {
            self.push(column, Operator::AtMost, second);
        }
    }

    fn is_operand(&self, at: usize) -> bool {
        !self.used[at]
            && matches!(
                self.runs[at].label,
                Label::Number { .. } | Label::Year(_) | Label::Date(_)
            )
    }

    /// Whether a word says until when: `opened by 2003`.
    fn is_by(&self, at: usize) -> bool {
        let follows = self.runs.get(at + 1).map(|run| &run.label);
        self.runs[at].text.eq_ignore_ascii_case("by") && matches!(follows, Some(Label::Year(_) | Label::Date(_)))
    }

    /// Binds the first of two operands to the column that a comparison at `at` is about; `None` where none is for
    /// certain.
    fn bind(
        &mut self,
        operator: Operator,
        (first, last): (usize, usize),
        at: usize,
        measure: Option<&'static Measure>,
    ) -> Option<usize> {
        let start = at.min(first);
        let end = at.max(last);
        let after = self
            .next(end)
            .filter(|after| self.column(*after, Kind::is_number).is_some());
        let is_plain = matches!(self.runs[first].label, Label::Number { .. }) || after.is_some();
        let is_plain = is_plain && !matches!(self.runs[first].label, Label::Date(_));
        let fits = |kind: Kind| if is_plain { kind.is_number() } else { kind.is_time() };
        let before = self.before(start).filter(|before| self.column(*before, fits).is_some());
        let linked = match (before, after.filter(|_| is_plain)) {
            // Which of the two is compared cannot be told.
            (Some(_), Some(_)) => return None,
            (one, other) => one.or(other),
        };
        let by_word = linked.and_then(|run| Some((self.column(run, fits)?, Some(run))));
        let by_measure = || measured(measure?, self.catalogue).filter(|column| fits(self.catalogue.kind(*column)));
        let by_unit = || self.of_dimension(first);
        let by_time = || self.catalogue.only(Kind::is_time).filter(|_| !is_plain);
        let alone = || {
            by_measure()
                .or_else(by_unit)
                .or_else(by_time)
                .map(|column| (column, None))
        };
        let (column, run) = by_word.or_else(alone)?;
        if let Some(run) = run {
            self.used[run] = true;
        }
        self.used[at] = true;
        self.push(column, operator, first);
        Some(column)
    }

    /// The only column whose unit is of the dimension that a number has.
    fn of_dimension(&self, at: usize) -> Option<usize> {
        let Label::Number { unit, .. } = &self.runs[at].label else {
            return None;
        };
        let wanted = unit_of(unit)?.dimension;
        let is_own = |at: &usize| {
            let unit = self.catalogue.columns[*at].column.unit.as_deref().and_then(unit_of);
            unit.is_some_and(|unit| unit.dimension == wanted)
        };
        let mut all = (0..self.catalogue.columns.len()).filter(is_own);
        all.next().filter(|_| all.next().is_none())
    }

    /// Adds a condition with the number or date of a run.
    fn push(&mut self, column: usize, operator: Operator, at: usize) {
        let is_time = self.catalogue.kind(column).is_time();
        let operand = match &self.runs[at].label {
            Label::Number { value, unit } => {
                let wanted = self.catalogue.columns[column].column.unit.as_deref().and_then(unit_of);
                let converted = unit_of(unit)
                    .zip(wanted)
                    .and_then(|(from, to)| convert(*value, from, to));
                Operand::Number(converted.unwrap_or(*value))
            }
            Label::Year(year) if is_time => Operand::Years(vec![*year]),
            Label::Year(year) => Operand::Number(f64::from(*year)),
            Label::Date(date) if self.catalogue.kind(column) == Kind::Date => Operand::Date(date.clone()),
            _ => return,
        };
        self.used[at] = true;
        self.add(
            Condition {
                column,
                operator,
                operand,
            },
            at,
        );
    }

    /// Adds a condition. Texts and years that one column would have to equal at once are alternatives where `and` or `or`
    /// joins them; where nothing does the later one stays unused, unless a record can have several.
    fn add(&mut self, condition: Condition, at: usize) {
        let can_have_several = self.catalogue.columns[condition.column].has_lists;
        let is_joined = self
            .before(at)
            .filter(|join| matches!(self.keyword(*join), Some(Keyword::And | Keyword::Or)));
        let is_same = |other: &&mut Condition| {
            other.column == condition.column && [other.operator, condition.operator] == [Operator::Equal; 2]
        };
        let same = self
            .conditions
            .iter_mut()
            .rev()
            .find(is_same)
            .filter(|_| !can_have_several);
        match (same.map(|same| &mut same.operand), &condition.operand, is_joined) {
            (None, ..) => self.conditions.push(condition),
            (Some(Operand::Texts(known)), Operand::Texts(more), Some(join)) => {
                known.extend(more.iter().cloned());
                self.used[join] = true;
            }
            (Some(Operand::Years(known)), Operand::Years(more), Some(join)) => {
                known.extend(more);
                self.used[join] = true;
            }
            _ => self.used[at] = false,
        }
    }

    /// `16 teams`, `a rating of 9`, `in 2010`, `on 3 May 1990`.
    fn equal(&mut self, at: usize) {
        if self.used[at] || at.checked_sub(1).is_some_and(|before| self.is_by(before)) {
            return;
        }
        let is_number = matches!(self.runs[at].label, Label::Number { .. });
        let fits = |kind: Kind| if is_number { kind.is_number() } else { kind.is_time() };
        let near = [self.next(at).filter(|_| is_number), self.before(at)]
            .into_iter()
            .flatten();
        let linked = { near }.find_map(|run| Some((self.column(run, fits)?, Some(run))));
        let timed = || {
            self.catalogue
                .only(Kind::is_time)
                .filter(|_| !is_number)
                .map(|column| (column, None))
        };
        let Some((column, run)) = linked.or_else(timed) else {
            return;
        };
        if let Some(run) = run {
            self.used[run] = true;
        }
        let operator = self.equality(at);
        self.push(column, operator, at);
    }

    /// A value binds to the column that a word beside it names, else to the only one that holds it.
    fn value(&mut self, at: usize) {
        let Label::Value { text, columns } = &self.runs[at].label else {
            return;
        };
        let holds = |found: &[(usize, f32)]| {
            found
                .iter()
                .map(|(column, _)| *column)
                .find(|column| columns.contains(column))
        };
        let role = |run: usize| match &self.runs[run].label {
            Label::Column(found) if !self.used[run] => Some((holds(found)?, Some(run))),
            _ => None,
        };
        let near = [self.before(at), self.next(at)].into_iter().flatten();
        let only = || {
            if let [only] = columns[..] {
                Some((only, None))
            } else {
                None
            }
        };
        let joined = || {
            let other = self.before(
                self.before(at)
                    .filter(|join| self.keyword(*join) == Some(Keyword::Or))?,
            )?;
            matches!(self.runs[other].label, Label::Value { .. }).then_some(())?;
            let last = self.conditions.last().filter(|last| columns.contains(&last.column))?;
            Some((last.column, None))
        };
        let Some((column, run)) = { near }.find_map(role).or_else(only).or_else(joined) else {
            return;
        };
        let operand = Operand::Texts(vec![text.clone()]);
        if let Some(run) = run {
            self.used[run] = true;
        }
        let before = at.checked_sub(1).map(|before| self.runs[before].text.to_lowercase());
        let is_placing = before.is_some_and(|before| PLACING.contains(&&*before));
        self.is_of_other |= run.is_none() && Some(column) != self.catalogue.key && !is_placing;
        self.used[at] = true;
        let operator = self.equality(at);
        self.add(
            Condition {
                column,
                operator,
                operand,
            },
            at,
        );
    }

    /// A flag, asked for or denied; what is denied with `or` before it is denied, too.
    fn flag(&mut self, at: usize) {
        let Some(column) = self
            .column(at, |_| true)
            .filter(|column| self.catalogue.kind(*column) == Kind::Boolean)
        else {
            return;
        };
        let or = self.before(at).filter(|or| self.keyword(*or) == Some(Keyword::Or));
        let last = self.conditions.last().map(|last| &last.operand);
        let goes_on = or.filter(|_| last == Some(&Operand::Flag(false)));
        if let Some(or) = goes_on {
            self.used[or] = true;
        }
        let is_denied = self.denied(at) || goes_on.is_some();
        self.used[at] = true;
        self.conditions.push(Condition {
            column,
            operator: Operator::Equal,
            operand: Operand::Flag(!is_denied),
        });
    }
}
