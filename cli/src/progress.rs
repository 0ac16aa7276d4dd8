//! Progress on a terminal; silence when stderr is piped.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::io::IsTerminal;
use std::io::Write;

const TEMPLATE: &str = "{msg:<28} {wide_bar:.green/dim} {human_pos}/{human_len} {eta:>5}";
const BYTES: &str = "{msg:<28} {wide_bar:.green/dim} {bytes}/{total_bytes} {eta:>5}";

/// Where progress and remarks go.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    is_drawn: bool,
    is_quiet: bool,
}

impl Progress {
    pub fn new(is_quiet: bool) -> Self {
        Self {
            is_drawn: !is_quiet && std::io::stderr().is_terminal(),
            is_quiet,
        }
    }

    /// A bar of `total` steps.
    pub fn bar(self, message: &str, total: usize) -> ProgressBar {
        self.styled(message, total as u64, TEMPLATE)
    }

    /// Bars for downloads and other work that names itself.
    pub fn transfers(self) -> Transfers {
        Transfers {
            bar: self.styled("", 0, BYTES),
            progress: self,
            current: RefCell::default(),
        }
    }

    fn styled(self, message: &str, total: u64, template: &str) -> ProgressBar {
        let target = if self.is_drawn {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_message(message.to_owned());
        bar
    }

    /// A line for the user that is not a result.
    pub fn remark(self, line: &str) {
        if !self.is_quiet {
            // Remarks are a courtesy: a closed stderr must not end the work.
            drop(writeln!(std::io::stderr(), "{line}"));
        }
    }
}

/// One bar for a sequence of transfers, each with its own name and size.
pub struct Transfers {
    bar: ProgressBar,
    progress: Progress,
    current: RefCell<String>,
}

impl Transfers {
    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl crate::model::Progress for Transfers {
    fn report(&self, what: &str, done: u64, total: u64) {
        if *self.current.borrow() != what {
            what.clone_into(&mut self.current.borrow_mut());
            self.bar.set_message(what.to_owned());
            self.bar.reset_eta();
            if !self.progress.is_drawn {
                self.progress.remark(&format!("{what} …"));
            }
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}
