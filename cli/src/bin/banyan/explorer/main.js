// Which part of the page shows what; the address says it, so that every view can be gone back to and linked.

let atlas = null;
const get = (id) => document.getElementById(id);
const chart = new Chart(get("canvas"), get("tip"), ({ kind, number }) => { location.hash = `#${kind}/${number}`; });

/** Knowledge as a tree that is opened level by level: branches, communities, keywords, triples, attributes. */
const tree = {
  show() {
    const { rows } = atlas;
    const top = rows.branches.length;
    const all = top ? rows.branches[top - 1] : rows.communities;
    const roots = all.map((one, number) => ({ level: top, number, size: one ? one.members.length : 0 })).filter((one) => one.size).sort((a, b) => b.size - a.size || a.number - b.number);
    get("branches").replaceChildren(...this.leaves(roots.map((one) => this.group(one.level, one.number)), 1));
    const first = get("branches").querySelector(".leaf");
    if (first) first.tabIndex = 0;
  },
  group(level, number) {
    const { rows } = atlas;
    const one = level ? rows.branches[level - 1][number] : rows.communities[number];
    const children = () => {
      if (!level) return one.keywords.map(([entity]) => this.entity(entity, true)).concat(this.rest(one));
      return one.members.filter((child) => level > 1 || rows.communities[child]).map((child) => this.group(level - 1, child));
    };
    return { name: one.name, href: level ? `#branch/${level - 1}/${number}` : `#community/${number}`, count: one.members.length, tone: level ? null : hue(atlas.branchOf[0]?.[number] ?? number), children };
  },
  /** The members that are no keywords. */
  rest(one) {
    const keys = new Set(one.keywords.map(([entity]) => entity));
    const others = one.members.filter((member) => !keys.has(member)).sort((a, b) => atlas.rows.entities[b][3] - atlas.rows.entities[a][3]);
    return others.length ? [{ name: "other members", count: others.length, children: () => others.map((member) => this.entity(member, false)) }] : [];
  },
  entity(number, isKeyword) {
    const { rows } = atlas;
    const children = () => [
      ...atlas.facts[number].map((at) => { const [head, relation, tail] = rows.triples[at]; return { name: `${head === number ? "" : `${atlas.name(head)} `}${plain(rows.relations[relation])} ${tail === number ? "" : atlas.name(tail)}`.trim(), href: `#entity/${head === number ? tail : head}`, kind: "triple" }; }),
      ...atlas.values[number].map((at) => ({ name: `${plain(rows.attributes[rows.values[at][1]])}: ${rows.values[at][2]}`, href: `#entity/${number}`, kind: "attribute" })),
    ];
    const n = atlas.facts[number].length + atlas.values[number].length;
    return { name: atlas.name(number), href: `#entity/${number}`, count: n || null, kind: isKeyword ? "keyword" : atlas.type(number), children: n ? children : null };
  },
  leaves(nodes, level, from = 0) {
    const shown = nodes.slice(from, from + 200).map((node) => this.leaf(node, level));
    if (nodes.length > from + 200) {
      const more = h("button", { type: "button", onclick: () => more.replaceWith(...this.leaves(nodes, level, from + 200)) }, `${nodes.length - from - 200} more`);
      shown.push(more);
    }
    return shown;
  },
  leaf(node, level) {
    const row = h("div", { class: "leaf", role: "treeitem", "aria-level": level, "aria-expanded": node.children ? "false" : null, "aria-selected": "false", tabindex: -1, style: `padding-left:${level * 0.8 - 0.5}rem` },
      h("span", { class: "turn", "aria-hidden": "true" }, node.children ? "▸" : ""),
      node.tone !== null && node.tone !== undefined && h("span", { class: "dot", style: `background:hsl(${node.tone} 45% 50%)` }),
      h("span", { class: "name", title: node.name }, node.name),
      h("span", { class: "count" }, node.kind ?? (node.count ? `${node.count}` : "")));
    Object.assign(row, { node, level });
    row.addEventListener("click", (event) => {
      this.focus(row, false);
      if (event.target.classList.contains("turn") || !node.href) this.turn(row); else { if (row.getAttribute("aria-expanded") === "false") this.turn(row); location.hash = node.href; }
    });
    return row;
  },
  turn(row, isOpen = row.getAttribute("aria-expanded") !== "true") {
    if (!row.node.children || (row.getAttribute("aria-expanded") === "true") === isOpen) return;
    row.setAttribute("aria-expanded", String(isOpen));
    row.querySelector(".turn").textContent = isOpen ? "▾" : "▸";
    if (isOpen) row.after(...this.leaves(row.node.children(), row.level + 1));
    else while (row.nextSibling && (row.nextSibling.level === undefined || row.nextSibling.level > row.level)) row.nextSibling.remove();
  },
  focus(row, isFocused = true) {
    const box = get("branches");
    box.querySelectorAll('.leaf[tabindex="0"]').forEach((one) => { one.tabIndex = -1; });
    box.querySelectorAll('.leaf[aria-selected="true"]').forEach((one) => one.setAttribute("aria-selected", "false"));
    row.tabIndex = 0;
    row.setAttribute("aria-selected", "true");
    if (isFocused) row.focus();
  },
  press(event) {
    const row = event.target.closest(".leaf");
    if (!row) return;
    const rows = [...get("branches").querySelectorAll(".leaf")];
    const at = rows.indexOf(row);
    const isOpen = row.getAttribute("aria-expanded") === "true";
    const over = rows.slice(0, at).findLast((one) => one.level < row.level);
    const moves = {
      ArrowDown: () => rows[at + 1] && this.focus(rows[at + 1]),
      ArrowUp: () => rows[at - 1] && this.focus(rows[at - 1]),
      ArrowRight: () => (isOpen ? rows[at + 1] && this.focus(rows[at + 1]) : this.turn(row, true)),
      ArrowLeft: () => (isOpen ? this.turn(row, false) : over && this.focus(over)),
      Home: () => this.focus(rows[0]),
      End: () => this.focus(rows.at(-1)),
      Enter: () => row.click(),
      " ": () => row.click(),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  },
};

function search() {
  const text = get("find").value;
  const found = text.trim() ? atlas.search(text, 100) : [];
  get("found").hidden = !text.trim();
  get("branches").hidden = Boolean(text.trim());
  get("found").replaceChildren(...(found.length ? found.map((one) => h("li", {}, h("a", { href: `#${one.kind}/${one.number}` }, h("span", {}, one.kind === "entity" ? atlas.name(one.number) : atlas.rows.communities[one.number].name), h("span", { class: "count" }, one.kind === "entity" ? atlas.type(one.number) : "community")))) : [h("li", { class: "soft" }, "Nothing is called so.")]));
}

const pages = [["", "Overview"], ["ask", "Ask"], ["records", "Records"], ["schema", "Schema"], ["decisions", "Decisions"]];
let turn = 0;
/** Shows what the address says. */
async function route() {
  const own = ++turn;
  const [kind, ...rest] = location.hash.slice(1).split("/");
  const number = Number(rest[0] ?? 0);
  const panel = get("panel");
  const missing = () => [h("h2", {}, "Nothing here"), h("p", {}, "The store holds no such thing; it may have been changed since.")];
  let shown;
  if (kind !== "ask") chart.path = [];
  try {
    if (kind === "entity") shown = atlas.rows.entities[number] ? entity(number) : missing();
    else if (kind === "community") shown = atlas.rows.communities[number] ? community(number) : missing();
    else if (kind === "branch") shown = atlas.rows.branches[number]?.[rest[1]] ? branch(number, Number(rest[1])) : missing();
    else if (kind === "document") shown = atlas.rows.documents[number] ? await paper(number, Number(rest[1] ?? 0), Number(rest[2] ?? 0)) : missing();
    else if (kind === "ask" && server.isThere) shown = rest[2] ? await answered(rest[0], rest[1], decodeURIComponent(rest.slice(2).join("/"))) : [h("h2", {}, "Ask"), asking({})];
    else if (kind === "records" && atlas.rows.is_tabular) shown = await records();
    else if (kind === "schema") shown = schemaPage();
    else if (kind === "decisions") shown = decisions();
    else shown = home();
  } catch (error) {
    shown = [h("h2", {}, "That failed"), h("p", { class: "error", role: "alert" }, error.message)];
  }
  if (own !== turn) return;
  if (kind === "entity" || kind === "community") chart.select(kind, number);
  else if (kind === "branch") chart.select(number + 1, Number(rest[1]));
  get("main").dataset.page = kind;
  panel.replaceChildren(...shown.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  panel.scrollTop = 0;
  get("here")?.scrollIntoView({ block: "center" });
  if (kind) part_(kind === "branch" && get("main").dataset.part === "tree" ? "tree" : "panel");
  get("pages").replaceChildren(...pages.filter(([page]) => ({ ask: server.isThere, records: atlas.rows.is_tabular })[page] ?? true).map(([page, words]) => h("a", { href: `#${page}`, "aria-current": page === (kind || "") ? "page" : null }, words)));
  document.title = `${panel.querySelector("h2")?.textContent ?? "Banyan"} – ${atlas.rows.name}`;
  if (shown.later) await shown.later();
}

/** Which part a narrow window shows. */
function part_(name) {
  get("main").dataset.part = name;
  document.querySelectorAll("#parts button").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.part === name)));
}

/** Reads the store again, after a change. */
async function reload() {
  atlas = new Atlas(await server.ask("/v1/atlas"));
  chart.chosen = null;
  chart.show(atlas);
  tree.show();
}

async function start() {
  get("panel").replaceChildren(h("p", { role: "status" }, "Loading …"));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = (name) => { if (name) document.documentElement.dataset.theme = name; chart.repaint(); };
  get("theme").addEventListener("click", () => theme((document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark"));
  dark.addEventListener("change", () => theme());
  get("find").addEventListener("input", search);
  get("branches").addEventListener("keydown", (event) => tree.press(event));
  get("zoom").addEventListener("click", ({ target }) => { const way = Number(target.dataset.zoom); if (way) chart.zoom(way > 0 ? 1.5 : 1 / 1.5); else chart.fit(); });
  get("parts").addEventListener("click", ({ target }) => part_(target.dataset.part));
  addEventListener("hashchange", route);
  part_("panel");
  try {
    atlas = new Atlas(JSON.parse(get("atlas").textContent) ?? (await server.ask("/v1/atlas")));
  } catch (error) {
    get("panel").replaceChildren(h("h2", {}, "The store cannot be shown"), h("p", { class: "error", role: "alert" }, error.message));
    return;
  }
  get("name").textContent = atlas.rows.name;
  tree.show();
  await route();
  // The words first, then the map.
  requestAnimationFrame(() => setTimeout(() => { chart.show(atlas); const [kind, number] = location.hash.slice(1).split("/"); if (kind === "entity" || kind === "community") chart.select(kind, Number(number)); }));
}
start();
