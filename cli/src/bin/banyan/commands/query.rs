//! `banyan query`: a question to a store, or many.

use super::tool::Form;
use crate::args::Query;
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use banyan::{AskOptions, Banyan, Environment, Worker, corpus, counted, read_columns};
use banyan_retrieve::Mode;
use banyan_retrieve::calibration::Calibration;
use banyan_retrieve::reason::{Listener, Told, Trail};
use serde::Serialize;
use std::path::Path;

mod batch;
mod view;

pub(crate) use view::View;

pub(crate) fn run(args: &Query, env: &Environment) -> Result<Outcome> {
    let options = options(args)?;
    let lines = args.batch.as_deref().map(batch::read).transpose()?;
    let banyan = Banyan::open(&args.target.store, env.clone())?;
    if args.dry_run {
        let typed = args.question.as_deref().into_iter();
        let listed = lines.iter().flatten().map(|line| line.question.as_str());
        let plan = banyan.plan_ask(&typed.chain(listed).collect::<Vec<_>>(), &options)?;
        return render::show(&plan, args.json);
    }
    match lines {
        Some(lines) => batch::run(&banyan, &lines, args, &options, env),
        None => one(args, &banyan, &options, env),
    }
}

/// The reply to the question; its steps are told to `hears`.
pub(crate) fn reply(banyan: &Banyan, args: &Query, form: Form, hears: Listener<'_>) -> Result<String> {
    let question = args.question.as_deref().unwrap_or_default();
    let options = options(args)?;
    let reply = banyan.session(&options, |session| {
        let answered = session.ask(question, hears)?;
        let view = View::of(session.knowledge(), &answered, options.top_k);
        match form {
            Form::Json => serde_json::to_string(&view).context("cannot encode JSON"),
            Form::Words => view.text(false, false),
            Form::Brief => render::page(include_str!("../templates/chat.txt"), &view),
        }
    });
    Ok(reply?)
}

/// How to ask, with what is in files.
fn options(args: &Query) -> Result<AskOptions> {
    let mut options = AskOptions {
        columns: args.columns.as_deref().map(read_columns).transpose()?,
        ..args.options()
    };
    if let Some(file) = &args.calibration {
        options.calibration = calibration(file)?;
    }
    if let Some(least) = args.min_confidence {
        if options.mode == Mode::Open {
            bail!("--min-confidence {least}: open mode gives every answer; leave one of the two out");
        }
        if options.reasoner == Worker::Llm {
            bail!("--min-confidence {least}: a model decides for itself whether it answers; leave it out");
        }
        options.calibration.threshold = least.into();
    }
    Ok(options)
}

/// Asks the question that was typed and prints the reply.
fn one(args: &Query, banyan: &Banyan, options: &AskOptions, env: &Environment) -> Result<Outcome> {
    let question = args.question.as_deref().unwrap_or_default();
    let mut printed = Ok(());
    let mut tell = |told: Told<'_>| {
        if args.trace && !args.json && printed.is_ok() {
            printed = trace(told);
        }
    };
    let (answered, shown) = banyan.session(options, |session| {
        let answered = session.ask(question, &mut tell)?;
        let view = View::of(session.knowledge(), &answered, options.top_k);
        let shown = if args.json {
            serde_json::to_string_pretty(&view).context("cannot encode JSON")?
        } else {
            view.text(args.explain, args.trace)?
        };
        Ok((answered, shown))
    })?;
    printed?;
    if args.json {
        render::encoded(&shown)?;
    } else {
        render::text(&shown)?;
    }
    if let Some(remark) = answered.reply.trail.as_ref().and_then(remark) {
        env.progress.remark(&remark);
    }
    Ok(if answered.reply.is_answered() {
        Outcome::Done
    } else {
        Outcome::NoAnswer
    })
}

/// Prints what is told while a question is reasoned about.
fn trace(told: Told<'_>) -> Result<()> {
    #[derive(Serialize)]
    struct Step<'a> {
        #[serde(flatten)]
        told: Told<'a>,
        defects: String,
    }
    let defects = match told {
        Told::Plan(plan) if plan.fallback.is_none() => plan.defects.to_string(),
        Told::Round(round) => round.defects.to_string(),
        _ => String::new(),
    };
    let step = Step { told, defects };
    render::text(&render::page(include_str!("../templates/trace.txt"), &step)?)
}

fn calibration(file: &Path) -> Result<Calibration> {
    let text = corpus::text(file)?;
    serde_json::from_str(&text).with_context(|| {
        format!(
            "{}: expected a calibration, as `banyan-eval calibrate` writes it",
            file.display()
        )
    })
}

/// What was odd about a model's replies and the passages that it was shown, in one line.
fn remark(trail: &Trail) -> Option<String> {
    let mut parts = Vec::new();
    let fallback = trail.plan.fallback.as_ref();
    parts.extend(fallback.map(|why| format!("sub-questions by rules: {why}")));
    if !trail.defects.is_empty() {
        parts.push(format!("defects in replies: {}", trail.defects));
    }
    if trail.n_orders > 0 {
        let passages = counted(trail.n_orders, "passage");
        parts.push(format!("{passages} shown that gives orders to its reader, as text"));
    }
    if trail.n_cut > 0 {
        parts.push(format!("no room for {}", counted(trail.n_cut, "further passage")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
