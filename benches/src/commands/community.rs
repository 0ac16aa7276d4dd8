//! `banyan-eval community`: communities against known classes, beside what others find in the same graph.

use crate::args::Community;
use crate::eval::community::{Figures, Report};
use crate::render;
use anyhow::Result;
use banyan::Environment;
use std::collections::BTreeMap;

mod input;
mod method;

use input::Input;
use method::Method;

pub(crate) fn run(args: &Community, env: &Environment) -> Result<()> {
    let input = Input::read(args)?;
    let mut methods = BTreeMap::new();
    let bar = env.progress.bar("finding communities", Method::ALL.len());
    for method in Method::ALL {
        env.stop.check()?;
        methods.insert(method.name().to_owned(), method.measure(&input)?);
        bar.step();
    }
    drop(bar);
    for (name, of_nodes) in &input.stored {
        methods.insert(name.clone(), Figures::new(&input.graph, of_nodes));
    }
    let report = Report {
        graph: input.name.clone(),
        nodes: input.graph.names.len(),
        edges: input.graph.edges.len(),
        relations: input.graph.relations.len(),
        classes: input.graph.n_classes(),
        meaning: input.meaning.to_owned(),
        methods,
    };
    if args.json {
        render::json(&report)?;
    } else {
        super::print(vec![report.part()])?;
    }
    Ok(())
}
