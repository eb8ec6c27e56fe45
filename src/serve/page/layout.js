// Where everything of a tree stands: EDUs in columns, a floor for each level, as RST people draw it.

const LEVEL = 74;
const MARGIN = 26;
const GAP = 14;
const NARROW = 92;
const WIDE = 196;
const LINE = 18;
const MOST_LINES = 9;
const FOLDED = 128;

// About how wide a letter is at 13 pixels: Chinese letters are square.
export function letter(c) {
  const code = c.codePointAt(0);
  return code < 0x2e80 ? (/[A-Z%@mwMW]/.test(c) ? 9.5 : c === " " ? 4 : 7.3) : 13.2;
}

export const measure = (text) => { let sum = 0; for (const c of text) sum += letter(c); return sum; };

// Lines of a text no wider than so many pixels; the last one ends in … where there are too many. Numbers and
// Latin words stay together, and no line begins with a mark that closes something.
export function wrap(text, width, most = MOST_LINES) {
  const lines = [];
  let line = "", used = 0;
  const pieces = text.trim().match(/[\p{Script=Latin}\p{N}.%+-]+[，。、；：？！”』」）》,;]*|.[，。、；：？！”』」）》]*/gsu) || [];
  for (const piece of pieces) {
    const parts = measure(piece) > width ? [...piece] : [piece];
    for (const part of parts) {
      const own = measure(part);
      if (used + own > width + 4 && line) { lines.push(line); line = ""; used = 0; }
      line += part; used += own;
    }
  }
  if (line) lines.push(line);
  if (lines.length > most) { lines.length = most; lines[most - 1] = `${lines[most - 1].slice(0, -1)}…`; }
  return lines;
}

// `view`: what the server says of a tree. `folded`: keys of nodes whose inside is not drawn.
export function place(view, folded) {
  const { nodes, edus, roots } = view;
  const placed = new Array(nodes.length);
  const order = [];
  // Down from the roots; whatever is folded ends there.
  const pending = [...roots].reverse().map((at) => ({ at, depth: 0, parent: -1, role: "N", relation: "", sole: true }));
  let deepest = 0;
  while (pending.length) {
    const item = pending.pop();
    const node = nodes[item.at];
    const isFolded = node.children?.length > 0 && folded.has(`${node.span[0]}-${node.span[1]}`);
    const children = isFolded ? [] : node.children || [];
    placed[item.at] = { ...item, node, children, folded: isFolded, leaf: children.length === 0, lines: [] };
    order.push(item.at);
    deepest = Math.max(deepest, item.depth);
    for (let i = children.length - 1; i >= 0; i -= 1) {
      pending.push({ at: children[i], depth: item.depth + 1, parent: item.at, role: node.roles[i], relation: node.relation });
    }
  }
  let x = MARGIN;
  for (const at of order) {
    const own = placed[at];
    if (!own.leaf) continue;
    const text = own.folded ? edus.slice(own.node.span[0] - 1, own.node.span[1]).map((edu) => edu.text).join("") : edus[own.node.span[0] - 1]?.text ?? "";
    const pixels = measure(text);
    own.width = own.folded ? FOLDED : Math.max(NARROW, Math.min(WIDE, Math.ceil(pixels / 5) + 30));
    own.lines = wrap(text, own.width - 14, own.folded ? 3 : MOST_LINES);
    own.text = text;
    own.x0 = x; own.x1 = x + own.width; own.anchor = x + own.width / 2;
    x += own.width + GAP;
  }
  // Children before parents: the other way round than we came.
  for (let i = order.length - 1; i >= 0; i -= 1) {
    const own = placed[order[i]];
    own.y = MARGIN + 22 + own.depth * LEVEL;
    if (own.leaf) { own.bottom = own.y + 14 + own.lines.length * LINE; continue; }
    const below = own.children.map((child) => placed[child]);
    own.x0 = below[0].x0; own.x1 = below[below.length - 1].x1;
    own.bottom = Math.max(...below.map((child) => child.bottom));
    const nuclei = below.filter((child) => child.role === "N");
    own.anchor = nuclei.length === 1 ? nuclei[0].anchor : (nuclei[0].anchor + nuclei[nuclei.length - 1].anchor) / 2;
  }
  const height = Math.max(120, ...roots.map((at) => placed[at].bottom)) + MARGIN;
  return { placed, order, width: Math.max(x + MARGIN - GAP, 200), height, deepest };
}
