//! `banyan-eval community`: communities in graphs whose classes are known, beside what others find in the same graph.

use crate::args::Community;
use crate::render;
use anyhow::Result;
use banyan::Environment;
use banyan::eval::report::Part;
use figures::Figures;
use input::Input;
use serde::Serialize;
use std::collections::BTreeMap;

mod features;
mod figures;
mod graph;
mod input;
mod method;
mod metric;
mod read;

#[derive(Serialize)]
struct Report {
    graph: String,
    nodes: usize,
    edges: usize,
    relations: usize,
    /// Number of gold classes, 0 where none are known.
    classes: usize,
    /// Where the semantic side comes from: `embeddings`, `features` or `none`.
    meaning: &'static str,
    methods: BTreeMap<String, Figures>,
}

pub(crate) fn run(args: &Community, env: &Environment) -> Result<()> {
    let input = &Input::read(args)?;
    let graph = &input.graph;
    let mut methods = BTreeMap::new();
    let bar = env.progress.bar("finding communities", method::ALL.len());
    for (name, find) in method::ALL {
        env.stop.check()?;
        methods.insert(name.to_owned(), method::measure(find, input)?);
        bar.step();
    }
    drop(bar);
    for (name, of_nodes) in &input.stored {
        methods.insert(name.clone(), Figures::new(graph, of_nodes));
    }
    let report = Report {
        graph: input.name.clone(),
        nodes: graph.names.len(),
        edges: graph.edges.len(),
        relations: graph.relations.len(),
        classes: graph.n_classes(),
        meaning: input.meaning,
        methods,
    };
    if args.json {
        return render::json(&report);
    }
    let mut part = Part {
        set: input.name.clone(),
        ..Part::default()
    };
    for (name, figures) in &report.methods {
        render::set_down(&mut part, name, report.nodes, figures)?;
    }
    render::parts(vec![part])
}
