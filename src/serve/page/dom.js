// Elements, made from data. Text is always text: nothing here reads markup.

const NS = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "value") element.value = value;
    else if (name === "data") for (const [key, v] of Object.entries(value)) element.dataset[key] = v;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
export const s = (tag, properties, ...children) => fill(document.createElementNS(NS, tag), properties, children);
export const $ = (selector, root = document) => root.querySelector(selector);

export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

// A message that goes away by itself; errors stay longer.
export function toast(text, kind = "info") {
  const box = $("#toasts");
  const note = h("div", { class: `toast ${kind}` }, text);
  box.append(note);
  while (box.children.length > 4) box.firstChild.remove();
  setTimeout(() => note.remove(), kind === "error" ? 9000 : 3500);
}

// A box over the page. It keeps the focus until it is closed, and gives it back then.
export function dialog(title, build, { wide = false, onclose } = {}) {
  const before = document.activeElement;
  const box = h("dialog", { class: wide ? "wide" : "", "aria-label": title });
  const close = () => { box.close(); };
  box.addEventListener("close", () => { box.remove(); onclose?.(); if (before?.isConnected) before.focus(); });
  box.addEventListener("click", (event) => { if (event.target === box) close(); });
  put(box, h("h2", {}, title), build(close));
  document.body.append(box);
  box.showModal();
  return close;
}

export function download(name, content, type = "application/octet-stream") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const range = (span) => (span[0] === span[1] ? `${span[0]}` : `${span[0]}–${span[1]}`);
export const key = (span) => `${span[0]}-${span[1]}`;
export const percent = (share) => `${Math.round(share * 100)}%`;
