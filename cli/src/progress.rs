//! What long work tells while it goes on. The library draws nothing: a caller passes a function and shows what it likes.

use crate::stop::Stop;
use banyan_extract::Watch;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One thing to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Work of `total` steps begins; 0 where the number is not known yet.
    Begin {
        /// What is being done, in a word or two.
        what: &'a str,
        /// Steps in all.
        total: u64,
        /// What a step is.
        unit: Unit,
    },
    /// So many of so many steps are done.
    At {
        /// Steps done.
        done: u64,
        /// Steps in all.
        total: u64,
    },
    /// The work that began last has ended.
    End,
    /// A line for the user that is not a result.
    Remark(&'a str),
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Documents, passages, calls or rows.
    Item,
    /// Bytes of a download.
    Byte,
}

/// The function that hears of progress, or none. It may be called from several threads at once.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Listener>>);

type Listener = dyn Fn(Event<'_>) + Send + Sync;

impl Progress {
    /// Calls `listener` with every event.
    pub fn new(listener: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    /// Tells a line.
    pub fn remark(&self, line: &str) {
        self.tell(Event::Remark(line));
    }

    /// Begins work of `total` steps.
    pub fn bar(&self, what: &str, total: usize) -> Bar {
        self.begin(what, total as u64, Unit::Item)
    }

    /// Begins a transfer whose size becomes known on the way.
    pub(crate) fn transfer(&self, what: &str) -> Bar {
        self.begin(what, 0, Unit::Byte)
    }

    fn begin(&self, what: &str, total: u64, unit: Unit) -> Bar {
        self.tell(Event::Begin { what, total, unit });
        Bar {
            progress: self.clone(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(total),
        }
    }

    fn tell(&self, event: Event<'_>) {
        if let Some(listener) = &self.0 {
            listener(event);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Progress(listener)"
        } else {
            "Progress(none)"
        })
    }
}

/// Work under way; its end is told when it is dropped.
#[derive(Debug)]
pub struct Bar {
    progress: Progress,
    done: AtomicU64,
    total: AtomicU64,
}

impl Bar {
    /// One more step is done.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let total = self.total.load(Ordering::Relaxed);
        self.progress.tell(Event::At { done, total });
    }

    /// `done` of `total` steps are done.
    pub fn at(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.progress.tell(Event::At { done, total });
    }

    /// Nothing is done yet: the work begins once more.
    pub(crate) fn restart(&self) {
        self.at(0, self.total.load(Ordering::Relaxed));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.progress.tell(Event::End);
    }
}

/// Draws the progress of reading and hands on the user's wish to stop.
pub struct Watched<'a> {
    /// What is told of every document, or reply of a model.
    pub bar: &'a Bar,
    /// The wish to stop.
    pub stop: &'a Stop,
}

impl Watch for Watched<'_> {
    fn on_document(&self) {
        self.bar.step();
    }

    fn on_reply(&self) {
        self.bar.step();
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }
}

/// `1 document`, `2 documents`.
pub fn counted(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("1 {noun}"),
        Some(stem) => format!("{n} {stem}ies"),
        None if noun.ends_with("ch") => format!("{n} {noun}es"),
        None => format!("{n} {noun}s"),
    }
}

/// How many documents are new, gone, or as they were in other places, for people; nothing where all is as it was.
pub(crate) fn changes(n_new: usize, n_gone: usize, n_moved: usize) -> String {
    let all = [
        (n_new, "added"),
        (n_gone, "removed"),
        (n_moved, "kept, from other files now"),
    ];
    let some = all.iter().filter(|(n, _)| *n > 0);
    let some: Vec<String> = some
        .map(|(n, what)| format!("{} {what}", counted(*n, "document")))
        .collect();
    some.join(", ")
}
