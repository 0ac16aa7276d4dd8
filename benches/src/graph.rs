//! How long the graph of a store takes to be asked: neighbours, paths and patterns, each from places drawn by a seed.

use crate::args::Graph;
use crate::draw::Draw;
use crate::render;
use anyhow::{Context, Result, ensure};
use banyan_engine::graph::{Pattern, Predicate, Term, Ties};
use banyan_engine::{EntityId, KnowledgeGraph, RelationId, Schema, store};
use std::time::{Duration, Instant};

/// Edges of a path at most, and rows of a pattern.
const MAX_DEPTH: usize = 4;
const LIMIT: usize = 100;

/// Opens the store anew for each kind of question, so that the first turn pays for what it reads; the second asks the same
/// again.
pub(crate) fn run(args: &Graph) -> Result<()> {
    let open = || -> Result<_> { Ok(store::open(&args.store)?.0) };
    let known = open()?;
    let graph = &known.graph;
    ensure!(
        graph.n_triples() > 0,
        "{}: a graph without triples",
        args.store.display()
    );
    let edges = graph.n_triples() + graph.n_associations();
    let mut lines = vec![format!(
        "{} entities, {} triples, {} associations: {edges} edges; {} draws of each",
        graph.n_entities(),
        graph.n_triples(),
        graph.n_associations(),
        args.draws
    )];
    let mut draw = Draw::new(42);
    // Ends of triples, so that what is asked for has facts.
    let mut ends = || {
        let triple = graph.triple(banyan_engine::TripleId::at(draw.below(graph.n_triples())));
        (triple.head, triple.relation)
    };
    let drawn: Vec<[(EntityId, RelationId); 2]> = (0..args.draws).map(|_| [ends(), ends()]).collect();
    let which = Ties {
        relations: &[],
        with_associations: true,
    };
    let mut time = |what: &str, ask: &dyn Fn(&KnowledgeGraph, &Schema, usize) -> usize| -> Result<()> {
        let fresh = open()?;
        for turn in ["cold", "warm"] {
            let (mut times, mut n_found) = (Vec::new(), 0);
            for at in 0..drawn.len() {
                let start = Instant::now();
                n_found += ask(&fresh.graph, &fresh.schema, at);
                times.push(start.elapsed());
            }
            lines.push(told(&format!("{what}, {turn}"), times, n_found)?);
        }
        Ok(store::sound(&fresh)?)
    };
    time("neighbours", &|graph, _, at| graph.ties(drawn[at][0].0, which).len())?;
    time("paths of at most 4", &|graph, _, at| {
        let [(from, _), (to, _)] = drawn[at];
        graph.simple_paths((from, to), which, MAX_DEPTH, LIMIT).paths.len()
    })?;
    time("?a R ?b . ?b S ?c", &|graph, schema, at| {
        let [(_, first), (_, second)] = drawn[at];
        let pattern = |head, relation, tail| Pattern {
            head: Term::Variable(head),
            predicate: Predicate::Relation(relation),
            tail: Term::Variable(tail),
        };
        let patterns = [pattern(0, first, 1), pattern(1, second, 2)];
        graph.matching(schema, &patterns, 3, LIMIT).rows.len()
    })?;
    time("A R ?b . ?b S ?c", &|graph, schema, at| {
        let [(entity, first), (_, second)] = drawn[at];
        let bound = Pattern {
            head: Term::Entity(entity),
            predicate: Predicate::Relation(first),
            tail: Term::Variable(0),
        };
        let open = Pattern {
            head: Term::Variable(0),
            predicate: Predicate::Relation(second),
            tail: Term::Variable(1),
        };
        graph.matching(schema, &[bound, open], 2, LIMIT).rows.len()
    })?;
    render::text(&lines.join("\n"))
}

fn told(what: &str, mut times: Vec<Duration>, n_found: usize) -> Result<String> {
    let first = *times.first().context("no draws; expected --draws of at least 1")?;
    times.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let quantile = |share: usize| milliseconds(times[(times.len() - 1) * share / 100]);
    Ok(format!(
        "{what:26} p50 {:8.3} ms  p95 {:8.3} ms  the first {:8.3} ms  {n_found} found",
        quantile(50),
        quantile(95),
        milliseconds(first)
    ))
}
