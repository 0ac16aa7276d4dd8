use super::*;
use crate::schema::Schema;

/// Entities called by letters, with triples between them.
fn graph(schema: &Schema, n: usize, triples: &[(usize, &str, usize)]) -> KnowledgeGraph {
    let entity = |at: usize| {
        let name = format!("n{at}");
        Entity {
            key: name.clone(),
            name,
            aliases: Vec::new(),
            entity_type: schema.thing(),
            subject_of: Vec::new(),
            is_term: false,
            mentions: Vec::new(),
        }
    };
    let mut triples: Vec<Triple> = triples
        .iter()
        .map(|(head, relation, tail)| Triple {
            head: EntityId::at(*head),
            relation: schema.relation_id(relation).unwrap(),
            tail: EntityId::at(*tail),
            phrases: Vec::new(),
            sources: Vec::new(),
        })
        .collect();
    triples.sort_by_key(|triple| (triple.head, triple.relation, triple.tail));
    let attribute = Attribute {
        entity: EntityId::at(0),
        attribute: schema.attribute_id("birth_date").unwrap(),
        value: "1871".to_owned(),
        sources: Vec::new(),
    };
    KnowledgeGraph::new((0..n).map(entity).collect(), triples, vec![attribute])
}

const ALL: Ties<'_> = Ties {
    relations: &[],
    with_associations: true,
};

/// All simple paths, by trying everything.
fn tried(graph: &KnowledgeGraph, path: &mut Vec<EntityId>, to: EntityId, depth: usize, found: &mut Vec<Vec<EntityId>>) {
    let here = *path.last().unwrap();
    if here == to {
        found.push(path.clone());
    } else if depth > 0 {
        let next: std::collections::BTreeSet<EntityId> = graph.ties(here, ALL).into_iter().map(|(id, _)| id).collect();
        for id in next.into_iter().filter(|id| !path.contains(id)).collect::<Vec<_>>() {
            path.push(id);
            tried(graph, path, to, depth - 1, found);
            path.pop();
        }
    }
}

#[test]
fn simple_paths_are_all_there_are_and_the_shortest_come_first() {
    let schema = Schema::general().unwrap();
    let mut state = 7_usize;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..50 {
        let edges: Vec<(usize, &str, usize)> = (0..12).map(|_| (next(8), "uses", next(8))).collect();
        let graph = graph(&schema, 8, &edges);
        let ends = (EntityId::at(0), EntityId::at(7));
        let found = graph.simple_paths(ends, ALL, 5, usize::MAX);
        let lengths: Vec<usize> = found.paths.iter().map(|path| path.ties.len()).collect();
        assert!(lengths.is_sorted() && !found.is_cut, "{lengths:?}");
        let mut expected = Vec::new();
        tried(&graph, &mut vec![ends.0], ends.1, 5, &mut expected);
        let mut entities: Vec<Vec<EntityId>> = found.paths.into_iter().map(|path| path.entities).collect();
        entities.sort();
        expected.sort();
        assert_eq!(entities, expected);
        let few = graph.simple_paths(ends, ALL, 5, 1);
        assert_eq!(
            (few.paths.len(), few.is_cut),
            (expected.len().min(1), expected.len() > 1)
        );
    }
}

#[test]
fn patterns_join_on_their_variables_whichever_end_is_bound() {
    let schema = Schema::general().unwrap();
    let edges = [
        (0, "spouse", 1),
        (2, "born_in", 3),
        (1, "born_in", 3),
        (0, "born_in", 4),
    ];
    let graph = graph(&schema, 5, &edges);
    let relation = |name: &str| Predicate::Relation(schema.relation_id(name).unwrap());
    let variable = Term::Variable;
    let entity = |at: usize| Term::Entity(EntityId::at(at));
    let check = |patterns: &[(Term, Predicate, Term)], n: usize, expected: &[&[&str]]| {
        let pattern = |(head, predicate, tail): &(Term, Predicate, Term)| Pattern {
            head: head.clone(),
            predicate: *predicate,
            tail: tail.clone(),
        };
        let patterns: Vec<Pattern> = patterns.iter().map(pattern).collect();
        let found = graph.matching(&schema, &patterns, n, 10);
        let name = |bound: &Binding| match bound {
            Binding::Entity(id) => graph.entity(*id).name.clone(),
            Binding::Value(value) => value.clone(),
        };
        let mut rows: Vec<Vec<String>> = found
            .rows
            .iter()
            .map(|row| row.bindings.iter().map(name).collect())
            .collect();
        rows.sort();
        assert_eq!(rows, expected, "{patterns:?}");
        assert!(!found.is_cut && found.rows.iter().all(|row| row.witnesses.len() == patterns.len()));
        let few = graph.matching(&schema, &patterns, n, 1);
        assert_eq!((few.rows.len(), few.is_cut), (rows.len().min(1), rows.len() > 1));
    };
    let born = relation("born_in");
    check(&[(variable(0), born, entity(3))], 1, &[&["n1"], &["n2"]]);
    check(&[(entity(0), born, variable(0))], 1, &[&["n4"]]);
    // A marriage holds both ways round.
    let spouse = relation("spouse");
    check(
        &[(variable(0), spouse, variable(1))],
        2,
        &[&["n0", "n1"], &["n1", "n0"]],
    );
    let joined = [(variable(0), spouse, variable(1)), (variable(1), born, entity(3))];
    check(&joined, 2, &[&["n0", "n1"]]);
    check(&[(variable(0), born, variable(0))], 1, &[]);
    let birth = Predicate::Attribute(schema.attribute_id("birth_date").unwrap());
    check(
        &[
            (variable(0), birth, Term::Value("1871".to_owned())),
            (variable(0), born, variable(1)),
        ],
        2,
        &[&["n0", "n4"]],
    );
    check(&[(variable(0), birth, variable(1))], 2, &[&["n0", "1871"]]);
    check(&[(entity(0), spouse, entity(1))], 0, &[&[]]);
    check(&[(entity(0), spouse, entity(2))], 0, &[]);
}
