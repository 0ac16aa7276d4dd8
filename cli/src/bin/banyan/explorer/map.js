// The map: communities as circles within those of their branches, entities as dots within their communities.

/** Places circles side by side around the middle, the largest first; returns their positions and the radius around all. */
function packed(radii, gap) {
  const order = radii.map((_, at) => at).sort((a, b) => radii[b] - radii[a] || a - b);
  const places = [];
  const cell = Math.max(...radii, 1) * 2 + gap;
  const grid = new Map();
  const key = (x, y) => `${Math.floor(x / cell)},${Math.floor(y / cell)}`;
  const isFree = (x, y, r) => {
    const [cx, cy] = [Math.floor(x / cell), Math.floor(y / cell)];
    for (let i = cx - 1; i <= cx + 1; i += 1) {
      for (let j = cy - 1; j <= cy + 1; j += 1) {
        for (const other of grid.get(`${i},${j}`) ?? []) {
          if (Math.hypot(places[other].x - x, places[other].y - y) < radii[other] + r + gap) return false;
        }
      }
    }
    return true;
  };
  let reach = 0;
  let area = 0;
  for (const at of order) {
    const r = radii[at];
    let [x, y] = [0, 0];
    // What is smaller than all before it fits no nearer than where their area ends.
    for (let turn = 0, d = places.length ? Math.max(0, Math.sqrt(area) * 0.8 - r) : 0; ; turn += 1) {
      [x, y] = [Math.cos(turn * 2.39996) * d, Math.sin(turn * 2.39996) * d];
      if (isFree(x, y, r)) break;
      d += (r + gap) * 0.045;
    }
    places[at] = { x, y };
    const own = key(x, y);
    if (grid.has(own)) grid.get(own).push(at); else grid.set(own, [at]);
    reach = Math.max(reach, Math.hypot(x, y) + r);
    area += (r + gap) ** 2;
  }
  return { places, reach };
}

class Chart {
  constructor(canvas, tip, choose) {
    Object.assign(this, { canvas, tip, choose, view: { k: 1, x: 0, y: 0 }, chosen: null, path: [], pointers: new Map() });
    this.pen = canvas.getContext("2d");
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0016), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, event);
      this.moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => {
        const wasClick = end === "pointerup" && this.pointers.size === 1 && this.moved < 5;
        this.pointers.delete(event.pointerId);
        if (wasClick) this.pick(event);
      });
    }
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("dblclick", (event) => this.zoom(2, event.offsetX, event.offsetY));
    canvas.addEventListener("keydown", (event) => this.press(event));
  }

  show(atlas) {
    this.atlas = atlas;
    const { rows } = atlas;
    const n = rows.entities.length;
    [this.x, this.y, this.r] = [new Float32Array(n), new Float32Array(n), new Float32Array(n)];
    const spacing = 13;
    // Circles of each level, the communities first; positions are within the circle above until all are known.
    const order = rows.communities.map((one) => one && [...one.members].sort((a, b) => rows.entities[b][3] - rows.entities[a][3] || a - b));
    const levels = [order.map((members) => ({ x: 0, y: 0, r: members ? spacing * (0.75 + Math.sqrt(members.length)) * 0.62 : 0 }))];
    for (const level of rows.branches) {
      const below = levels.at(-1);
      levels.push(level.map((branch) => {
        const { places, reach } = packed(branch.members.map((child) => below[child].r), spacing * 0.8);
        branch.members.forEach((child, at) => Object.assign(below[child], places[at]));
        return { x: 0, y: 0, r: reach + spacing };
      }));
    }
    const top = levels.at(-1);
    const { places, reach } = packed(top.map((one) => one.r), spacing * 1.5);
    top.forEach((one, at) => Object.assign(one, places[at]));
    for (let level = rows.branches.length - 1; level >= 0; level -= 1) {
      rows.branches[level].forEach((branch, number) => branch.members.forEach((child) => {
        levels[level][child].x += levels[level + 1][number].x;
        levels[level][child].y += levels[level + 1][number].y;
      }));
    }
    order.forEach((members, number) => members?.forEach((member, at) => {
      const [d, turn] = [spacing * 0.56 * Math.sqrt(at + (members.length > 1 ? 0.4 : 0)), at * 2.39996];
      this.x[member] = levels[0][number].x + d * Math.cos(turn);
      this.y[member] = levels[0][number].y + d * Math.sin(turn);
      this.r[member] = Math.min(5, 1.6 + Math.log2(1 + rows.entities[member][3]) * 0.6);
    }));
    Object.assign(this, { levels, order, reach: Math.max(reach, 1) });
    this.shapes = new Map();
    this.within = order.map(() => []);
    const between = new Map();
    rows.triples.forEach(([head, , tail, count]) => {
      if (!count) return;
      const [a, b] = [atlas.community[head], atlas.community[tail]];
      if (a < 0 || b < 0) return;
      if (a === b) this.within[a].push(head, tail);
      else {
        const pair = a < b ? a * order.length + b : b * order.length + a;
        between.set(pair, (between.get(pair) ?? 0) + 1);
      }
    });
    this.between = [...between].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 250);
    this.resize();
    this.fit();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const wasNothing = !this.width;
    Object.assign(this, { width, height, ratio });
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    if (wasNothing && width && this.atlas) this.fit();
    this.redraw();
  }
  fit() {
    if (!this.width) return;
    this.view = { k: Math.min(this.width, this.height) / (2.06 * this.reach), x: this.width / 2, y: this.height / 2 };
    this.redraw();
  }
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const { view } = this;
    const k = Math.min(40, Math.max(view.k * factor, Math.min(this.width, this.height) / (8 * this.reach)));
    this.view = { k, x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * k) / view.k };
    this.redraw();
  }
  /** Brings a circle into sight, so that it fills some of it. */
  go(x, y, r) {
    if (!this.width) { this.later = [x, y, r]; return; }
    const k = Math.min(6, (Math.min(this.width, this.height) * 0.36) / r);
    this.view = { k, x: this.width / 2 - x * k, y: this.height / 2 - y * k };
    this.redraw();
  }
  select(kind, number) {
    if (!this.atlas) return;
    this.chosen = { kind, number };
    if (kind === "entity") {
      const own = this.levels[0][this.atlas.community[number]];
      if (own) this.go(this.x[number], this.y[number], Math.min(Math.max(own.r, 30), 140));
    } else {
      const circle = this.levels[kind === "community" ? 0 : kind]?.[number];
      if (circle) this.go(circle.x, circle.y, circle.r);
    }
  }
  /** Draws paths of evidence, each a list of entities. */
  trace(paths) {
    this.path = paths;
    this.chosen = null;
    if (!this.atlas) return;
    const ends = paths.flat();
    if (ends.length) {
      const [xs, ys] = [ends.map((one) => this.x[one]), ends.map((one) => this.y[one])];
      const [left, right, up, down] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      this.go((left + right) / 2, (up + down) / 2, Math.max(30, right - left, down - up) * 0.75);
    }
    this.redraw();
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.hover(event);
    const [dx, dy] = [event.offsetX - before.offsetX, event.offsetY - before.offsetY];
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const far = (one) => Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY);
      this.zoom(far(event) / Math.max(far(before), 1), (event.offsetX + other.offsetX) / 2, (event.offsetY + other.offsetY) / 2);
    } else {
      this.view.x += dx;
      this.view.y += dy;
      this.redraw();
    }
    this.pointers.set(event.pointerId, event);
  }
  press(event) {
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (moves[event.key]) {
      this.view.x += moves[event.key][0];
      this.view.y += moves[event.key][1];
      this.redraw();
    } else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  /** What lies under a point: the entity there if its dot can be seen, else the community. */
  at(px, py) {
    const { k, x, y } = this.view;
    const [mx, my] = [(px - x) / k, (py - y) / k];
    const number = this.levels[0].findIndex((one) => one.r && Math.hypot(one.x - mx, one.y - my) <= one.r);
    if (number < 0) return null;
    if (k > 1.1) {
      const near = this.order[number].find((member) => Math.hypot(this.x[member] - mx, this.y[member] - my) <= Math.max(this.r[member], 6 / k));
      if (near !== undefined) return { kind: "entity", number: near };
    }
    return { kind: "community", number };
  }
  pick(event) {
    const found = this.atlas && this.at(event.offsetX, event.offsetY);
    if (found) this.choose(found);
  }
  hover(event) {
    const found = this.atlas && this.at(event.offsetX, event.offsetY);
    this.tip.hidden = !found;
    if (!found) return;
    const { rows } = this.atlas;
    this.tip.textContent = found.kind === "entity" ? this.atlas.name(found.number) : `${rows.communities[found.number].name} (${counted(this.order[found.number].length, "entity")})`;
    this.tip.style.left = `${Math.min(event.offsetX + 14, this.width - 180)}px`;
    this.tip.style.top = `${event.offsetY + 14}px`;
  }

  /** Reads the colours again. */
  repaint() {
    this.palette = null;
    this.redraw();
  }
  redraw() {
    if (this.frame || !this.atlas) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.later && this.width) { const later = this.later; this.later = null; this.go(...later); }
      this.draw();
    });
  }
  draw() {
    const { pen, width, height, ratio, atlas, levels } = this;
    if (!width) return;
    const { k, x, y } = this.view;
    if (!this.palette) {
      // A variable may hold light-dark(), which only a property resolves.
      const probe = h("span", { style: "display:none" });
      document.body.append(probe);
      const read = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
      this.palette = { ink: read("--ink"), soft: read("--soft"), line: read("--line"), accent: read("--accent"), paper: read("--paper") };
      probe.style.color = "light-dark(#fff, #000)";
      this.isDark = getComputedStyle(probe).color === "rgb(0, 0, 0)";
      probe.remove();
    }
    const { ink, soft, line, accent, paper } = this.palette;
    const light = this.isDark ? 62 : 42;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const isIn = (cx, cy, r) => cx + r > 0 && cx - r < width && cy + r > 0 && cy - r < height;
    const spot = (one) => [one.x * k + x, one.y * k + y, one.r * k];
    const circle = (cx, cy, r) => { pen.moveTo(cx + r, cy); pen.arc(cx, cy, r, 0, 7); };
    for (let level = levels.length - 1; level > 0; level -= 1) {
      pen.beginPath();
      for (const one of levels[level]) { const [cx, cy, r] = spot(one); if (isIn(cx, cy, r) && r > 3) circle(cx, cy, r); }
      pen.strokeStyle = line;
      pen.lineWidth = 1;
      pen.stroke();
    }
    const near = k * 13;
    if (near < 16) {
      pen.strokeStyle = soft;
      for (const [pair, weight] of this.between) {
        const [a, b] = [levels[0][Math.floor(pair / this.order.length)], levels[0][pair % this.order.length]];
        const [[ax, ay], [bx, by]] = [spot(a), spot(b)];
        const share = weight / this.between[0][1];
        pen.globalAlpha = 0.06 + share * 0.34;
        pen.lineWidth = 0.7 + share * 2.3;
        pen.beginPath();
        pen.moveTo(ax, ay);
        pen.quadraticCurveTo((ax + bx) / 2 + (by - ay) * 0.12, (ay + by) / 2 - (bx - ax) * 0.12, bx, by);
        pen.stroke();
      }
      pen.globalAlpha = 1;
    }
    const seen = [];
    levels[0].forEach((one, number) => {
      const [cx, cy, r] = spot(one);
      if (!one.r || r < 0.6 || !isIn(cx, cy, r)) return;
      seen.push(number);
      const tone = hue(atlas.branchOf[0]?.[number] ?? number);
      const isChosen = this.chosen?.kind === "community" && this.chosen.number === number;
      pen.beginPath();
      circle(cx, cy, r);
      pen.fillStyle = `hsl(${tone} 45% ${light}% / ${isChosen ? 0.26 : 0.12})`;
      pen.fill();
      pen.strokeStyle = isChosen ? accent : `hsl(${tone} 45% ${light}% / .5)`;
      pen.lineWidth = isChosen ? 2.5 : 1;
      pen.stroke();
      if (r < 5) return;
      pen.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
      if (r > 60 && this.within[number].length < 8000) {
        pen.strokeStyle = `hsl(${tone} 30% ${light}% / .35)`;
        pen.lineWidth = 0.8 / k;
        pen.stroke(this.shape("ties", number));
      }
      pen.fillStyle = `hsl(${tone} 45% ${light}%)`;
      pen.fill(this.shape(k < 0.6 ? "squares" : "dots", number));
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    });
    const ties = [];
    if (this.chosen?.kind === "entity") {
      const own = this.chosen.number;
      for (const fact of atlas.facts[own].slice(0, 300)) { const [head, , tail] = atlas.rows.triples[fact]; ties.push(head === own ? tail : head); }
      pen.beginPath();
      for (const other of ties) { pen.moveTo(this.x[own] * k + x, this.y[own] * k + y); pen.lineTo(this.x[other] * k + x, this.y[other] * k + y); }
      pen.strokeStyle = accent;
      pen.globalAlpha = 0.7;
      pen.lineWidth = 1.6;
      pen.stroke();
      pen.globalAlpha = 1;
    }
    for (const path of this.path) {
      pen.beginPath();
      path.forEach((one, at) => (at ? pen.lineTo(this.x[one] * k + x, this.y[one] * k + y) : pen.moveTo(this.x[one] * k + x, this.y[one] * k + y)));
      pen.strokeStyle = accent;
      pen.lineWidth = 3;
      pen.lineJoin = "round";
      pen.stroke();
    }
    const marked = [...(this.chosen?.kind === "entity" ? [this.chosen.number] : []), ...this.path.flat()];
    for (const one of marked) {
      pen.beginPath();
      circle(this.x[one] * k + x, this.y[one] * k + y, Math.max(this.r[one] * k, 4) + 3);
      pen.strokeStyle = accent;
      pen.lineWidth = 2.5;
      pen.stroke();
    }
    this.label(seen, [...marked, ...ties], near, { ink, paper, spot });
  }

  /** The dots of a community or the lines between them, in the map's own measure, made once; far off a square is enough. */
  shape(kind, number) {
    const key = kind + number;
    if (!this.shapes.has(key)) {
      const path = new Path2D();
      if (kind === "ties") {
        const ties = this.within[number];
        for (let at = 0; at < ties.length; at += 2) {
          path.moveTo(this.x[ties[at]], this.y[ties[at]]);
          path.lineTo(this.x[ties[at + 1]], this.y[ties[at + 1]]);
        }
      } else {
        for (const member of this.order[number]) {
          const [x, y, r] = [this.x[member], this.y[member], this.r[member]];
          if (kind === "squares") path.rect(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7);
          else { path.moveTo(x + r, y); path.arc(x, y, r, 0, 7); }
        }
      }
      this.shapes.set(key, path);
    }
    return this.shapes.get(key);
  }
  /** Names, the weightiest first, none over another. */
  label(seen, first, near, { ink, paper, spot }) {
    const { pen, atlas, width, height } = this;
    const { k, x, y } = this.view;
    const taken = [];
    const write = (text, cx, cy, size, bold) => {
      if (taken.length > 140 || cx < -50 || cy < 0 || cx > width + 50 || cy > height) return;
      pen.font = `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;
      const half = pen.measureText(text).width / 2 + 3;
      const box = [cx - half, cy - size, cx + half, cy + 4];
      if (taken.some((one) => one[0] < box[2] && one[2] > box[0] && one[1] < box[3] && one[3] > box[1])) return;
      taken.push(box);
      pen.strokeStyle = paper;
      pen.lineWidth = 3.5;
      pen.lineJoin = "round";
      pen.strokeText(text, cx, cy);
      pen.fillStyle = ink;
      pen.fillText(text, cx, cy);
    };
    const short = (text, n) => (text.length > n ? `${text.slice(0, n - 1).trimEnd()}…` : text);
    pen.textAlign = "center";
    for (const one of new Set(first)) write(short(atlas.name(one), 40), this.x[one] * k + x, this.y[one] * k + y - Math.max(this.r[one] * k, 4) - 5, 12.5, true);
    const large = [...seen].sort((a, b) => this.levels[0][b].r - this.levels[0][a].r);
    for (const number of large) {
      const [cx, cy, r] = spot(this.levels[0][number]);
      const { name } = atlas.rows.communities[number];
      if (r > 60) write(short(name, Math.round(r / 3.5)), cx, r > height * 0.6 ? cy : cy - r + 15, r > 90 ? 14 : 12, true);
      else if (r > 14) write(short(name.split(/, | and /)[0], 18), cx, cy + 4, 11, true);
    }
    if (near < 13) return;
    const dots = seen.flatMap((number) => this.order[number].slice(0, 400));
    dots.sort((a, b) => this.r[b] - this.r[a]);
    for (const one of dots) write(short(atlas.name(one), 26), this.x[one] * k + x, this.y[one] * k + y - this.r[one] * k - 3, 11.5, false);
  }
}
