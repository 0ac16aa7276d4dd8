//! What a statement may do, and how long.

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Longest value and statement in bytes: texts of cells are short, and a value doubled in a loop grows no further.
pub(super) const MAX_LENGTH: u64 = 1 << 20;
/// Steps between two looks at the meter: often enough to stop within microseconds, seldom enough to cost nothing.
const STRIDE: u32 = 1_000;
/// Most memory of `SQLite` in this process: 2 GiB, twenty times what 100,000 records of 20 columns take.
const MAX_MEMORY: u64 = 2 << 30;

/// Functions that compute a value from values and from nothing else, and do not build long ones.
const FUNCTIONS: &str = "abs avg ceil ceiling coalesce count date dense_rank floor glob group_concat ifnull iif instr \
     julianday length like lower ltrim max median min nullif rank round row_number rtrim sign stddev strftime string_agg \
     substr substring sum total trim upper";

/// Counts steps and keeps what was refused.
#[derive(Default)]
pub(super) struct Meter {
    steps: AtomicU64,
    max: AtomicU64,
    refused: Mutex<Option<String>>,
}

impl Meter {
    pub(super) fn start(&self, max_steps: u64) {
        self.steps.store(0, Ordering::Relaxed);
        self.max.store(max_steps, Ordering::Relaxed);
        *self.lock() = None;
    }

    /// What the statement was refused for.
    pub(super) fn refused(&self) -> Option<String> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes a database that is loaded: from here on it can only be read, within limits.
pub(super) fn install(connection: &mut Connection, tables: BTreeSet<String>) -> rusqlite::Result<Arc<Meter>> {
    connection.execute_batch(&format!(
        "PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = {MAX_MEMORY}; PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;"
    ))?;
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LENGTH, 1 << 20),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 16),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
        (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 20),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, most)?;
    }
    let meter = Arc::new(Meter::default());
    let counted = Arc::clone(&meter);
    let is_over = move || {
        let done = counted.steps.fetch_add(STRIDE.into(), Ordering::Relaxed) + u64::from(STRIDE);
        done > counted.max.load(Ordering::Relaxed)
    };
    connection.progress_handler(i32::try_from(STRIDE).unwrap_or(i32::MAX), Some(is_over))?;
    let noted = Arc::clone(&meter);
    let authorize = move |context: AuthContext<'_>| match refusal(&context.action, &tables) {
        None => Authorization::Allow,
        Some(what) => {
            noted.lock().get_or_insert(what);
            Authorization::Deny
        }
    };
    connection.authorizer(Some(authorize))?;
    Ok(meter)
}

/// Why an action is not admitted; `None` where it is.
fn refusal(action: &AuthAction<'_>, tables: &BTreeSet<String>) -> Option<String> {
    match action {
        AuthAction::Select => None,
        // Columns of subqueries and common tables are not asked about: what those select was.
        AuthAction::Read { table_name, .. } => {
            let is_own = tables.contains(&table_name.to_lowercase());
            (!is_own).then(|| format!("reading `{table_name}`"))
        }
        AuthAction::Function { function_name } => {
            let name = function_name.to_lowercase();
            let is_known = FUNCTIONS.split(' ').any(|known| known == name);
            (!is_known).then(|| format!("the function `{function_name}`"))
        }
        AuthAction::Recursive => Some("a recursive query".to_owned()),
        other => Some(format!("{other:?}")),
    }
}
