"use strict";
// What the page shows, by number: entities, facts between and about them, communities and the levels above, documents.

/** Makes an element; what is not an element is text, so that nothing a document says is ever markup. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const plural = (noun) => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}${noun.endsWith("ch") ? "es" : "s"}`);
const counted = (n, noun) => `${n.toLocaleString("en")} ${n === 1 ? noun : plural(noun)}`;
const plain = (name) => name.replaceAll("_", " ");
/** Colour of a community, far from those of its neighbours in number. */
const hue = (number) => Math.round((number * 137.508) % 360);

/** Asks the server that the page came from; a page in a file has none. */
const server = {
  isThere: location.protocol.startsWith("http"),
  async send(path, body, extra) {
    const headers = { ...extra };
    const token = sessionStorage.getItem("token");
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body) headers["Content-Type"] = "application/json";
    const reply = await fetch(path.slice(1), { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
    if (reply.status === 401) {
      const given = prompt("This store asks for a token");
      if (!given) throw new Error("the token is wrong or missing");
      sessionStorage.setItem("token", given);
      return server.send(path, body, extra);
    }
    if (reply.ok) return reply;
    const said = await reply.json().catch(() => ({}));
    throw new Error(said.error || `the server said ${reply.status}`);
  },
  async ask(path, body) {
    return (await server.send(path, body)).json();
  },
};

class Atlas {
  constructor(rows) {
    this.rows = rows;
    const n = rows.entities.length;
    this.community = new Int32Array(n).fill(-1);
    rows.communities.forEach((one, number) => one && one.members.forEach((member) => { this.community[member] = number; }));
    const around = () => Array.from({ length: n }, () => []);
    [this.facts, this.values, this.beside] = [around(), around(), around()];
    rows.triples.forEach(([head, , tail, count], number) => {
      if (!count) return;
      this.facts[head].push(number);
      if (tail !== head) this.facts[tail].push(number);
    });
    rows.values.forEach(([entity], number) => this.values[entity].push(number));
    rows.associations.forEach(([a, b], number) => { this.beside[a].push(number); this.beside[b].push(number); });
    this.texts = new Map();
    this.branchOf = rows.branches.map((level) => {
      const over = [];
      level.forEach((branch, number) => branch.members.forEach((child) => { over[child] = number; }));
      return over;
    });
    this.byName = new Map();
    rows.entities.forEach((one, number) => one && [one[0], ...one[2]].forEach((name) => this.byName.has(name.toLowerCase()) || this.byName.set(name.toLowerCase(), number)));
  }

  name(entity) { return this.rows.entities[entity]?.[0] ?? "?"; }
  type(entity) { return plain(this.rows.types[this.rows.entities[entity][1]]); }
  /** The entity of a name, or undefined. */
  find(name) { return this.byName.get(String(name).toLowerCase()); }
  /** Entities and communities whose name holds a text, those that begin with it first. */
  search(text, limit) {
    const wanted = text.trim().toLowerCase();
    const rate = (name) => {
      const at = name.toLowerCase().indexOf(wanted);
      if (at < 0) return 0;
      return name.length === wanted.length ? 4 : at === 0 ? 3 : /[\s\-("']/.test(name[at - 1]) ? 2 : 1;
    };
    const found = [];
    this.rows.entities.forEach((one, number) => {
      const rated = one ? Math.max(rate(one[0]), ...one[2].map((alias) => rate(alias) * 0.9)) : 0;
      if (rated) found.push({ kind: "entity", number, rated, size: one[3] });
    });
    this.rows.communities.forEach((one, number) => {
      const rated = one ? rate(one.name) : 0;
      if (rated) found.push({ kind: "community", number, rated, size: one.members.length });
    });
    return found.sort((a, b) => b.rated - a.rated || b.size - a.size).slice(0, limit);
  }

  /** The text of a document, as bytes: places are counted in these. */
  async text(number) {
    if (!this.texts.has(number)) {
      const own = this.rows.documents[number].text;
      const text = own ?? (await server.ask(`/v1/documents/${number}`)).text;
      this.texts.set(number, new TextEncoder().encode(text));
    }
    return this.texts.get(number);
  }
  /** The page that a byte of a document stands on, where it has pages. */
  page(number, at) {
    const pages = this.rows.documents[number]?.pages ?? [];
    return pages.findLast(([start]) => start <= at)?.[1] ?? pages[0]?.[1];
  }
  whence([number, start]) {
    const paper = this.rows.documents[number];
    const page = this.page(number, start);
    return page ? `${paper.title}, page ${page}` : paper.title;
  }
}

const decoder = new TextDecoder();
/** Bytes as text, from a letter to a letter. */
function part(bytes, start, end) {
  while (start > 0 && start < bytes.length && (bytes[start] & 0xc0) === 0x80) start -= 1;
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end += 1;
  return decoder.decode(bytes.subarray(start, end));
}
