// What is told of one thing: an entity, a community, a document, an answer, the schema, decisions.

const link = {
  entity: (number) => h("a", { href: `#entity/${number}` }, atlas.name(number)),
  community: (number) => h("a", { href: `#community/${number}` }, atlas.rows.communities[number].name),
  place: (place) => h("a", { href: `#document/${place.join("/")}` }, atlas.whence(place)),
  /** What a name stands for where the store has such an entity. */
  name: (name) => { const number = atlas.find(name); return number === undefined ? name : link.entity(number); },
};
/** Words of ours, in which names of the schema stand between backticks. */
const worded = (text) => text.split("`").map((words, at) => (at % 2 ? h("i", {}, plain(words)) : words));
const percent = (share) => `${Math.round(share * 100)} %`;
const list = (items) => h("ul", {}, items.map((item) => h("li", {}, item)));
/** The first items of many, and the others when they are asked for. */
function some(items, n, show, tag = "ul") {
  const box = h(tag, { class: "plain" }, items.slice(0, n).map(show));
  if (items.length <= n) return box;
  const more = h("button", { type: "button", onclick: () => { box.append(...items.slice(n, n + 500).map(show)); n += 500; more.hidden = items.length <= n; more.textContent = rest(); } });
  const rest = () => `${(items.length - n).toLocaleString("en")} more`;
  more.textContent = rest();
  return [box, more];
}

/** The sentence around a place, with its words marked. */
async function quote(place) {
  const [number, start, end] = place;
  const { from } = atlas.rows.documents[number];
  if (/^fact#/.test(from)) {
    const words = part(await atlas.text(number), 0, Infinity).trim();
    return h("blockquote", {}, h("span", { class: "soft" }, "A person states: "), words, " ", mayDecide() && deciding("", "Take it back", "remove", { documents: [from] }, []));
  }
  if (start === 0 && end === 0) return h("blockquote", {}, "in the title: ", h("mark", {}, atlas.rows.documents[number].title), " — ", link.place(place));
  const bytes = await atlas.text(number);
  const before = part(bytes, Math.max(0, start - 300), start);
  const after = part(bytes, end, Math.min(bytes.length, end + 300));
  const begin = Math.max(before.lastIndexOf("\n"), ...[...before.matchAll(/[.!?]\s+(?=[\p{Lu}"“(])/gu)].map((match) => match.index + 1));
  const close = after.search(/[.!?](\s|$)|\n/);
  return h("blockquote", {}, before.slice(begin + 1).trimStart(), h("mark", {}, part(bytes, start, end)), close < 0 ? `${after}…` : after.slice(0, close + 1).trimEnd(), " — ", link.place(place));
}

/** A fact that opens to the sentences that state it. */
function fact(words, count, places, decide) {
  const quotes = h("div", { hidden: true });
  const button = h("button", { class: "turn", type: "button", "aria-expanded": "false", "aria-label": "Where it is said" }, "▸");
  button.addEventListener("click", async () => {
    quotes.hidden = !quotes.hidden;
    button.setAttribute("aria-expanded", String(!quotes.hidden));
    button.textContent = quotes.hidden ? "▸" : "▾";
    if (quotes.hidden || quotes.childNodes.length) return;
    const found = await Promise.all(places.map((place) => quote(place).catch((error) => h("p", { class: "error" }, error.message))));
    quotes.replaceChildren(...found, count > places.length ? h("p", { class: "soft" }, `and ${count - places.length} more`) : "", decide ? decide() : "");
  });
  return h("div", { class: "fact" }, h("div", { class: "said" }, button, h("span", {}, words, " ", h("span", { class: "count" }, count > 1 ? `${count} places` : ""))), quotes);
}

/** Sends a decision, and shows what the store holds then. */
async function decide(name, given, box) {
  box.querySelectorAll("button").forEach((one) => { one.disabled = true; });
  const said = h("p", { role: "status" }, "The store is being changed …");
  box.append(said);
  try {
    const [kind, number] = location.hash.slice(1).split("/");
    const shown = kind === "entity" && (given.name ?? atlas.name(Number(number)));
    await server.ask(`/v1/${name}`, given);
    await reload();
    // What is shown has another number now, or is not there any more.
    const now = shown && atlas.find(shown);
    location.hash = !shown || name === "entity_delete" || now === undefined ? "#decisions" : `#entity/${now}`;
    await route();
  } catch (error) {
    said.replaceWith(h("p", { class: "error", role: "alert" }, error.message));
    box.querySelectorAll("button").forEach((one) => { one.disabled = false; });
  }
}
/** A form whose fields are the parameters of a decision; `fixed` are those that are known. */
function deciding(words, verb, name, fixed, fields, gather = (given) => given) {
  const form = h("form", {}, h("span", {}, words), fields.map(([field, shown, options]) => options
    ? h("select", { name: field, "aria-label": shown }, options.map((one) => h("option", { value: one }, plain(one))))
    : h("input", { name: field, required: true, placeholder: shown, "aria-label": shown })), h("button", {}, verb));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    decide(name, gather({ ...fixed, ...Object.fromEntries(new FormData(form)) }), form);
  });
  return form;
}
const mayDecide = () => server.isThere && atlas.rows.may_change;

function home() {
  const { rows } = atlas;
  const there = rows.communities.map((one, number) => [one, number]).filter(([one]) => one);
  const size = ([one]) => one.members.length;
  const entities = rows.entities.map((one, number) => [one, number]).filter(([one]) => one).sort((a, b) => b[0][3] - a[0][3]);
  return [
    h("h2", {}, rows.name),
    h("p", { class: "soft" }, [counted(rows.documents.filter(Boolean).length, "document"), counted(entities.length, "entity"), counted(rows.triples.filter((one) => one[3]).length, "triple"), counted(rows.values.length, "attribute"), counted(there.length, "community")].join(" · ")),
    server.isThere ? asking({}) : h("p", { class: "soft" }, "This page holds all that the store does. Questions are answered by ", h("code", {}, "banyan serve"), "."),
    h("h3", {}, "Largest communities"),
    some(there.sort((a, b) => size(b) - size(a)), 12, ([one, number]) => h("li", {}, link.community(number), " ", h("span", { class: "count" }, counted(one.members.length, "entity")), h("br"), h("span", { class: "soft" }, worded(one.description)))),
    h("h3", {}, "Named most"),
    some(entities, 20, ([one, number]) => h("li", {}, link.entity(number), " ", h("span", { class: "count" }, `${atlas.type(number)}, ${counted(one[3], "time")}`))),
    h("h3", {}, "Documents"),
    some(rows.documents.map((one, number) => [one, number]).filter(([one]) => one), 20, ([one, number]) => h("li", {}, h("a", { href: `#document/${number}/0/0` }, one.title), " ", h("span", { class: "count" }, one.from))),
  ];
}

function entity(number) {
  const { rows } = atlas;
  const [name, , aliases, count, places] = rows.entities[number];
  const own = atlas.community[number];
  const facts = atlas.facts[number].map((at) => ({ at, row: rows.triples[at] })).sort((a, b) => b.row[3] - a.row[3]);
  const told = ({ row: [head, relation, tail, n, where] }) => fact([head === number ? name : link.entity(head), " ", h("span", { class: "rel" }, plain(rows.relations[relation])), " ", tail === number ? name : link.entity(tail)], n, where,
    mayDecide() && (() => deciding("This does not hold.", "Take it out", "fact_remove", { head: atlas.name(head), relation: rows.relations[relation], tail: atlas.name(tail) }, [])));
  const kinds = rows.schema.schema.entity_types?.map((one) => one.name) ?? rows.types;
  return [
    h("h2", {}, name),
    h("p", {}, h("span", { class: "chip" }, atlas.type(number)), " ", own >= 0 && [h("span", { class: "soft" }, "in "), link.community(own)]),
    aliases.length > 0 && h("p", { class: "soft" }, "also ", aliases.join(", ")),
    atlas.values[number].length > 0 && [h("h3", {}, "Attributes"), atlas.values[number].map((at) => {
      const [, attribute, value, n, where] = rows.values[at];
      return fact([h("span", { class: "rel" }, plain(rows.attributes[attribute])), " ", value], n, where,
        mayDecide() && (() => deciding("This does not hold.", "Take it out", "fact_remove", { head: name, relation: rows.attributes[attribute], tail: value }, [])));
    })],
    h("h3", {}, counted(facts.length, "triple")),
    facts.length ? some(facts, 60, told, "div") : h("p", { class: "soft" }, "None that the schema admits."),
    atlas.beside[number].length > 0 && [h("h3", {}, "Named side by side with"), some(atlas.beside[number].map((at) => rows.associations[at]).sort((a, b) => b[2] - a[2]), 15, ([a, b, , place]) => fact([link.entity(a === number ? b : a)], 1, [place]), "div")],
    h("h3", {}, `Named ${counted(count, "time")}`),
    h("div", {}, places.map((place) => fact([link.place(place)], 1, [place]))),
    mayDecide() && h("details", { class: "decide" }, h("summary", {}, "Decide"),
      deciding("It is called", "Rename", "entity_rename", { entity: name }, [["name", "name"]]),
      deciding("It is a", "Retype", "entity_retype", { entity: name }, [["kind", "type", kinds]]),
      deciding("It is the same as", "Join", "resolve", {}, [["other", "other name"]], ({ other }) => ({ merge: [name, other] })),
      aliases.length > 0 && deciding("It is not", "Split", "resolve", {}, [["other", "name", aliases]], ({ other }) => ({ split: [name, other] })),
      deciding("It", "State", "fact_add", { head: name }, [["relation", "relation or attribute", [...rows.relations, ...rows.attributes]], ["tail", "entity or value"]]),
      deciding("It is no entity.", "Delete", "entity_delete", { entity: name }, [])),
  ];
}

function community(number) {
  const { rows } = atlas;
  const one = rows.communities[number];
  const most = Math.max(...one.keywords.map(([, score]) => score), 1e-9);
  const { why } = one;
  const above = atlas.branchOf[0]?.[number];
  const members = [...one.members].sort((a, b) => rows.entities[b][3] - rows.entities[a][3]);
  return [
    h("h2", {}, one.name),
    h("p", { class: "soft" }, `community #${number}, ${counted(one.members.length, "entity")}`, above !== undefined && [" in ", h("a", { href: `#branch/0/${above}` }, rows.branches[0][above].name)]),
    h("p", {}, worded(one.description)),
    h("h3", {}, "Why they belong together"),
    h("p", {}, why.n_inside + why.n_outside ? `${percent(why.cohesion)} of their triples stay inside: ${why.n_inside} inside, ${why.n_outside} lead out.` : "No triple is stated of them; they are named in the same places and mean alike."),
    why.relations.length > 0 && h("p", {}, "Relations: ", why.relations.map(([name, n]) => `${plain(name)} (${n})`).join(", ")),
    why.words.length > 0 && h("p", {}, "Words of their names: ", why.words.join(", ")),
    why.facts.map((at) => { const [head, relation, tail, n, where] = rows.triples[at]; return fact([link.entity(head), " ", h("span", { class: "rel" }, plain(rows.relations[relation])), " ", link.entity(tail)], n, where); }),
    h("h3", {}, "Keywords"),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "pivotal entity"), h("th", { title: "how central it is here, Eq. 5 of Youtu-GraphRAG" }, "φ"))), h("tbody", {}, one.keywords.map(([entity, score]) => h("tr", {}, h("td", {}, link.entity(entity)), h("td", {}, h("span", { class: "bar", style: `width:${(score / most) * 5}rem` }), " ", score.toFixed(2)))))),
    h("h3", {}, "Members"),
    some(members, 60, (member) => h("li", {}, link.entity(member), " ", h("span", { class: "count" }, atlas.type(member)))),
  ];
}

function branch(level, number) {
  const one = atlas.rows.branches[level][number];
  const below = (child) => (level ? h("a", { href: `#branch/${level - 1}/${child}` }, atlas.rows.branches[level - 1][child].name) : atlas.rows.communities[child] && link.community(child));
  return [
    h("h2", {}, one.name),
    h("p", { class: "soft" }, `level ${level + 5}, ${counted(one.members.length, level ? "branch" : "community")}`),
    h("p", {}, worded(one.description)),
    h("h3", {}, "Keywords"),
    h("p", {}, one.keywords.map(([entity], at) => [at ? ", " : "", link.entity(entity)])),
    h("h3", {}, "Below it"),
    some(one.members.filter((child) => level || atlas.rows.communities[child]), 60, (child) => h("li", {}, below(child))),
  ];
}

/** A document; of a long one what lies around the place. */
async function paper(number, start, end) {
  const one = atlas.rows.documents[number];
  const bytes = await atlas.text(number);
  const reach = 20000;
  let [from, to] = [Math.max(0, start - reach), Math.min(bytes.length, end + reach)];
  const page = atlas.page(number, start);
  const text = h("pre", { class: "text" });
  const fill = () => {
    text.replaceChildren(from > 0 ? "…" : "", part(bytes, from, start), end > start ? h("mark", { id: "here" }, part(bytes, start, end)) : "", part(bytes, end, to), to < bytes.length ? "…" : "");
  };
  fill();
  const isCut = from > 0 || to < bytes.length;
  return [
    h("h2", {}, one.title),
    h("p", { class: "soft" }, one.from, page && end > 0 && `, page ${page}`),
    isCut && h("button", { type: "button", onclick: (event) => { [from, to] = [0, bytes.length]; fill(); event.target.remove(); } }, "Show all of it"),
    text,
  ];
}

let lastAsked = { question: "", mode: "reject", method: "auto" };
function asking(given) {
  Object.assign(lastAsked, given);
  const radio = (mode, words) => h("label", {}, h("input", { type: "radio", name: "mode", value: mode, checked: lastAsked.mode === mode }), " ", words);
  const form = h("form", { class: "ask" },
    h("textarea", { name: "question", rows: 2, required: true, placeholder: "What do you want to know?", "aria-label": "Question" }, lastAsked.question),
    h("div", { class: "row", role: "group", "aria-label": "Mode" },
      h("span", { title: "reject: an answer is stated only where it is likely enough to be right; open: the best there is" }, radio("reject", "reject what is unsure"), " ", radio("open", "open")),
      h("select", { name: "method", "aria-label": "Which system answers" }, [["auto", "as the question needs"], ["tree", "knowledge tree"], ["records", "records and SQL"], ["srag", "a table for the question"], ["schemarag", "structures for the question"]].map(([value, words]) => h("option", { value, selected: lastAsked.method === value }, words))),
      h("button", { class: "main" }, "Ask")));
  form.question.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); } });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { question, mode, method } = Object.fromEntries(new FormData(form));
    const wanted = `#ask/${mode}/${method}/${encodeURIComponent(question)}`;
    if (location.hash === wanted) route(); else location.hash = wanted;
  });
  return form;
}

/** Reads the events of a streamed reply; returns what the last one holds. */
async function streamed(path, body, tell) {
  const reply = await server.send(path, body, { Accept: "text/event-stream" });
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, found] = ["", null];
  for (;;) {
    const { value, done } = await reader.read();
    rest += value ?? "";
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const kind = /^event: ?(.*)$/m.exec(event)?.[1];
      const data = [...event.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n");
      if (kind === "step") tell(JSON.parse(data));
      if (kind === "reply") found = JSON.parse(data);
      if (kind === "error") throw new Error(JSON.parse(data).error);
    }
    if (done) break;
  }
  if (!found) throw new Error("the server ended before it answered");
  return found;
}

function step(told) {
  if (told.plan) return told.plan.steps.length > 1 && h("li", {}, "Sub-questions: ", list(told.plan.steps.map((one) => one.text)));
  if (told.round) return h("li", {}, `Round ${told.round.number}: ${counted(told.round.n_shown, "passage")} shown. `, told.round.assessment, list(told.round.found.map((one) => `#${one.step} ${one.answer} — ${one.title}`)));
  const { asked, filled, beliefs, n_passages: n } = told.step;
  return h("li", {}, asked, filled.filter((one) => one !== asked).map((one) => h("div", { class: "soft" }, "asked: ", one)), beliefs.length ? list(beliefs.map((one) => [link.name(one.text), h("span", { class: "soft" }, ` ${percent(one.share)} — ${one.citation.title}`)])) : h("div", { class: "soft" }, `nothing of that kind in ${counted(n, "passage")}`));
}

const numberOf = (title, origin) => atlas.rows.documents.findIndex((one) => one && one.title === title && one.from === origin);
function cited(citation, marked) {
  const number = numberOf(citation.title, citation.origin);
  const at = marked ? citation.quote.indexOf(marked) : -1;
  const words = at < 0 ? citation.quote : [citation.quote.slice(0, at), h("mark", {}, marked), citation.quote.slice(at + marked.length)];
  const where = [citation.title, citation.section].filter(Boolean).join(" › ") + (citation.page ? `, page ${citation.page}` : `, line ${citation.line}`);
  return h("blockquote", {}, words, " — ", number < 0 ? where : h("a", { href: `#document/${number}/${citation.start}/${citation.end}` }, where));
}

async function answered(mode, method, question) {
  const steps = h("ol");
  const said = h("p", { role: "status" }, "Looking …");
  const box = h("div", {}, said, steps);
  const panel = [h("h2", {}, "Ask"), asking({ question, mode, method }), box];
  panel.later = async () => {
    let seen = false;
    try {
      const tell = (told) => { const shown = step(told); if (shown) { seen = true; steps.append(shown); } };
      const reply = await streamed("/v1/query", { question, mode, method }, tell);
      box.replaceChildren(...replied(reply), ...(seen ? [h("h3", {}, "Steps"), steps] : []));
    } catch (error) {
      said.replaceWith(h("p", { class: "error", role: "alert" }, error.message));
    }
  };
  return panel;
}

function replied(reply) {
  const { answer, passages, points, work, routing } = reply;
  const table = work?.records ?? work?.srag;
  const held = answer.is_rejected && answer.likeliest ? `Not sure enough: “${answer.likeliest}” is right with probability ${answer.sufficiency.toFixed(2)}. The open mode states it.` : answer.is_rejected ? "Not sure enough to state an answer." : table?.refusal ?? "Nothing of the kind asked for was found.";
  const stated = answer.text !== null;
  const paths = passages.filter((one) => one.path && one.path.score > one.direct).map((one) => one.path.steps);
  const ways = paths.map((steps) => steps.map((name) => atlas.find(name)).filter((one, at, all) => one !== undefined && one !== all[at - 1])).filter((way) => way.length > 1);
  // What the steps found, one after the other, before the paths of passages.
  const chain = [...answer.history.map((one) => one.beliefs[0]?.text), answer.text].map((text) => text && atlas.find(text)).filter((one, at, all) => one !== undefined && one !== null && one !== all[at - 1]);
  chart.trace([...(chain.length > 1 ? [chain] : []), ...ways].slice(0, 3));
  const row = (one) => h("tr", {}, h("td", {}, one.title), one.cells.map((cell) => h("td", {}, `${cell.value ?? ""}`)));
  return [
    stated ? h("div", { class: "answer" }, link.name(answer.text)) : !points.length && h("div", { class: "answer none" }, held),
    answer.citations.map((citation) => cited(citation, answer.text ?? answer.likeliest)),
    table?.sql && [h("h3", {}, "SQL"), h("pre", { class: "code" }, table.sql)],
    table?.records?.length > 0 && [h("h3", {}, counted(table.records.length, "record")), h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "record"), table.records[0].cells.map((cell) => h("th", {}, plain(cell.column))))), h("tbody", {}, table.records.slice(0, 50).map(row))))],
    table?.completeness?.length > 0 && list(table.completeness.map((one) => `${plain(one.column)}: ${one.filled} of ${counted(one.documents, "record")} filled, ${one.unsure} unsure`)),
    points.map((point) => [h("h3", {}, point.heading), h("p", {}, point.text), point.facts.map((one) => cited(one.citation))]),
    paths.length > 0 && [h("h3", {}, "Paths of evidence"), paths.slice(0, 5).map((steps) => h("div", { class: "path" }, steps.map((name, at) => [at > 0 && h("span", { class: "rel" }, "→"), h("span", {}, link.name(name))])))],
    passages.length > 0 && [h("h3", {}, "Evidence"), h("ol", {}, passages.map((one) => {
      const number = numberOf(one.title, one.origin);
      return h("li", {}, number < 0 ? one.title : h("a", { href: `#document/${number}/${one.quote?.start ?? 0}/${one.quote?.end ?? 0}` }, one.title), " ", h("span", { class: "count" }, one.score.toFixed(3)), one.quote && h("div", { class: "soft" }, one.quote.quote));
    }))],
    h("p", { class: "soft" }, `Answered by ${routing.method}: ${routing.reason}`),
  ].flat(9).filter(Boolean);
}

/** Tables of the documents: each cell leads to where it was read. */
async function records() {
  const found = atlas.rows.records ?? (await server.ask("/v1/records"));
  const numbers = new Map(atlas.rows.documents.map((one, number) => [one?.id, number]));
  const cell = (number, { value, raw, span, confidence, others }) => {
    const shown = (one) => (one === true ? "yes" : one === false ? "no" : one);
    const said = shown(value);
    const words = others.map((other) => ` or ${shown(other.value)}`).join("");
    return h("td", { class: said !== null && (confidence < 0.5 || others.length) ? "unsure" : null }, said !== null && (span && number !== undefined ? h("a", { href: `#document/${number}/${span.start}/${span.end}`, title: `“${raw}”, confidence ${confidence.toFixed(2)}` }, `${said}`) : `${said}`), words);
  };
  const table = ({ schema, records: rows }) => {
    const row = (one) => { const number = numbers.get(one.document); return h("tr", {}, h("th", { scope: "row" }, number === undefined ? one.title : h("a", { href: `#document/${number}/0/0` }, one.title)), one.cells.map((each) => cell(number, each))); };
    const [body, more] = [some(rows, 50, row, "tbody")].flat();
    const head = (one) => h("th", { title: one.description }, plain(one.name), one.unit && h("span", { class: "soft" }, ` in ${one.unit}`));
    return [h("h3", {}, found.others ? `${plain(schema.name)}: ` : "", counted(rows.length, "record")), h("div", { class: "wide records", tabindex: 0, role: "region", "aria-label": `Table of ${plain(schema.name)}` }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), schema.columns.map(head))), body)), more];
  };
  return [
    h("h2", {}, "Records"),
    h("p", { class: "soft" }, "What each document says in the columns that they share. A cell leads to its place; one that is marked is unsure, or its document says something else, too."),
    [found, ...(found.others ?? [])].map(table),
  ];
}

function schemaPage() {
  const { schema, versions, open, rejected } = atlas.rows.schema;
  const under = (parent) => {
    const kinds = (schema.entity_types ?? []).filter((one) => (one.parent ?? null) === parent);
    return kinds.length > 0 && h("ul", {}, kinds.map((one) => h("li", {}, plain(one.name), one.description && h("span", { class: "soft" }, ` ${one.description}`), under(one.name))));
  };
  const ends = (kinds) => (kinds?.length ? kinds.map(plain).join(", ") : "any");
  const verdict = (name, isAccepted) => { const button = h("button", { type: "button", onclick: () => decide("schema_decide", { [isAccepted ? "accept" : "reject"]: [name] }, button.parentNode) }, isAccepted ? "Accept" : "Reject"); return button; };
  const elementOf = (one) => Object.values(one.element)[0];
  const kindOf = (one) => (one.element.kind ? one.element.kind : Object.keys(one.element)[0]);
  const named = (one) => (elementOf(one).name ? elementOf(one).name : one.element.name);
  const proposal = (one) => [h("b", {}, plain(named(one))), " ", h("span", { class: "soft" }, `${plain(kindOf(one))}${one.alias_of ? `, a phrase for ${plain(one.alias_of)}` : ""}, confidence ${one.confidence.toFixed(2)} from ${counted(one.n_documents, "document")}`)];
  return [
    h("h2", {}, `Schema ${schema.name ?? ""}`),
    h("p", { class: "soft" }, schema.version !== undefined && `version ${schema.version}, `, [counted(schema.entity_types?.length ?? 0, "type"), counted(schema.relations?.length ?? 0, "relation"), counted(schema.attributes?.length ?? 0, "attribute")].join(", ")),
    open.length > 0 && [h("h3", {}, `${counted(open.length, "proposal")}`), some(open, 20, (one) => h("li", {}, proposal(one), " ", mayDecide() && [verdict(named(one), true), " ", verdict(named(one), false)]))],
    versions.length > 0 && [h("h3", {}, "How it grew"), versions.map((version) => [h("p", {}, `Version ${version.number}, ${plain(`by ${version.by}`)}`), h("ul", {}, version.accepted.map((one) => h("li", {}, proposal(one), " ", mayDecide() && verdict(named(one), false))), version.withdrawn.map(([, name]) => h("li", {}, h("s", {}, plain(name)))))])],
    rejected.length > 0 && [h("h3", {}, "Rejected"), h("p", {}, rejected.map(([, name]) => plain(name)).join(", "))],
    h("h3", {}, "Types"), under(null),
    h("h3", {}, "Relations"),
    h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "relation"), h("th", {}, "from"), h("th", {}, "to"))), h("tbody", {}, (schema.relations ?? []).map((one) => h("tr", {}, h("td", { title: one.description }, plain(one.name)), h("td", {}, ends(one.domain)), h("td", {}, ends(one.range))))))),
    h("h3", {}, "Attributes"),
    h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "attribute"), h("th", {}, "of"), h("th", {}, "value"))), h("tbody", {}, (schema.attributes ?? []).map((one) => h("tr", {}, h("td", { title: one.description }, plain(one.name)), h("td", {}, ends(one.domain)), h("td", {}, plain(one.kind ?? "text"), one.unit && ` in ${one.unit}`)))))),
  ];
}

function decisions() {
  const { entities, decisions: decided } = atlas.rows.resolution;
  const undo = h("button", { type: "button", onclick: () => decide("resolve", { undo: true }, undo.parentNode) }, "Undo the last");
  const words = (one) => (one.correction ? one.correction : one.kind === "merge" ? `${one.a} and ${one.b} are one` : `${one.b} is not ${one.a}`);
  return [
    h("h2", {}, "Decisions"),
    h("p", { class: "soft" }, "What people decided counts whatever the documents say, and outlives rebuilds. A fact that somebody stated is a document of its own, and is taken back where it is shown."),
    decided.length ? h("ol", {}, decided.map((one) => h("li", {}, words(one), one.author && h("span", { class: "soft" }, ` — ${one.author}`), one.note && h("span", { class: "soft" }, `: ${one.note}`), !one.has_effect && h("span", { class: "soft" }, " (without effect now)")))) : h("p", {}, "Nothing was decided yet."),
    mayDecide() && decided.length > 0 && h("p", {}, undo),
    server.isThere && !mayDecide() && h("p", { class: "soft" }, "Served to be read; ", h("code", {}, "banyan serve --write"), " lets you decide here."),
    h("h3", {}, `${counted(entities.length, "entity")} of several names`),
    some(entities, 40, (one) => h("li", {}, link.name(one.name), " ", h("details", {}, h("summary", { class: "soft" }, one.names.filter((name) => name !== one.name).join(", ")),
      h("ul", {}, one.merges.map((merge) => h("li", {}, `${merge.from} = ${merge.into} `, h("span", { class: "count" }, merge.score.toFixed(2)), h("div", { class: "soft" }, merge.evidence.map((reason) => (reason.quote ? `“${reason.quote}” (${reason.origin})` : plain(reason.kind))).join("; ")))))))),
  ];
}
