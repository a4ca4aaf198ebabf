"use strict";
// The list of turns. Text of turns reaches the page through textContent alone, so that it is shown and never obeyed.
document.documentElement.classList.add("scripted");
const PAGE = 25;
const byId = (id) => document.getElementById(id);
const make = (name, style, text) => {
  const element = document.createElement(name);
  if (style) element.className = style;
  if (text !== undefined) element.textContent = text;
  return element;
};
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
const inflate = async (id) => {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};
const browser = async () => {
  const head = JSON.parse(byId("head").textContent);
  const [index, texts] = await Promise.all([inflate("index"), inflate("texts")]);
  const total = index.row.length;
  const lower = { question: texts.question.map((one) => one.toLowerCase()), sql: texts.sql.map((one) => one.toLowerCase()) };
  const blocks = new Map();
  const body = async (at) => {
    const number = Math.floor(at / head.block);
    if (!blocks.has(number)) blocks.set(number, inflate("block-" + number));
    return (await blocks.get(number))[at % head.block];
  };
  const kinds = ["run", "agent", "band", "cause", "finding", "filters", "verdict", "checked"].filter((kind) => byId("by-" + kind));
  let found = [], page = 0;
  const labels = { finding: (name) => name + " " + (head.titles[name] || ""), run: (name) => name };
  const fill = (kind) => {
    const names = kind === "run" ? head.runs : head.names[kind], counts = new Array(names.length).fill(0);
    for (const value of index[kind]) for (const one of [].concat(value)) if (one >= 0) counts[one] += 1;
    const order = names.map((_, number) => number).sort((a, b) => counts[b] - counts[a]);
    for (const number of order) {
      const said = (labels[kind] || ((name) => name.replaceAll("_", " ")))(names[number]);
      const option = make("option", "", said + " (" + counts[number].toLocaleString("en") + ")");
      option.value = number;
      byId("by-" + kind).append(option);
    }
  };
  const matches = (at, words, chosen) => {
    for (const [kind, value] of chosen) {
      const has = index[kind][at];
      if (Array.isArray(has) ? !has.includes(value) : has !== value) return false;
    }
    if (!words.length) return true;
    const id = String(index.id[at]).toLowerCase();
    return words.every((word) => lower.question[index.question[at]].includes(word) || lower.sql[index.sql[at]].includes(word) || id.includes(word));
  };
  const search = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = kinds.map((kind) => [kind, byId("by-" + kind).value]).filter(([, value]) => value !== "").map(([kind, value]) => [kind, Number(value)]);
    const order = byId("order").value === "worst" ? index.worst : [...Array(total).keys()].sort((a, b) => index.run[a] - index.run[b] || index.row[a] - index.row[b]);
    found = order.filter((at) => matches(at, words, chosen));
    page = 0;
    show();
  };
  const marked = (style, pieces) => {
    const pre = make("pre", style);
    for (const piece of pieces) {
      if (!Array.isArray(piece)) { pre.append(piece); continue; }
      const mark = make("mark", "m" + piece[0], piece[1]);
      mark.title = head.meanings[piece[0]];
      pre.append(mark);
    }
    return pre;
  };
  const side = (...parts) => {
    const box = make("div");
    for (const [title, style, pieces] of parts) if (pieces && pieces.length) box.append(make("p", "h", title), marked(style, pieces));
    return box;
  };
  const turn = async (at) => {
    const held = await body(at), box = make("div", "turn");
    box.append(make("p", "", held.head + (held.sum ? ": " + held.sum : "")));
    box.append(make("p", "soft", ["turn " + index.id[at], "row " + index.row[at], head.names.agent[index.agent[at]], ...held.about].join(" · ")));
    const sides = make("div", "sides");
    sides.append(side(["Question", "words", held.q], ["Enriched question", "words", held.e], ["Gold SQL", "", held.g]), side(["SQL", "", held.s.length ? held.s : ["(none)"]]));
    box.append(sides);
    const facts = make("div", "facts");
    for (const [title, lines] of held.lines) {
      const part = make("div"), list = make("ul", "lines");
      for (const [mark, text, why] of lines) {
        const item = make("li"), sign = make("b", "m" + mark, head.marks[mark]);
        sign.title = head.meanings[mark];
        item.append(sign, text, why ? make("span", "soft", " — " + why) : "");
        list.append(item);
      }
      part.append(make("p", "h", title), list);
      facts.append(part);
    }
    box.append(facts);
    return box;
  };
  const open = async (item, button, at) => {
    const shown = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!shown));
    if (shown) { item.querySelector(".turn").remove(); return; }
    item.append(await turn(at));
    for (const pre of item.querySelectorAll("pre")) if (pre.scrollHeight > pre.clientHeight) pre.tabIndex = 0;
  };
  const entry = (at) => {
    const item = make("li"), button = make("button", "row"), score = index.score[at];
    const band = index.band[at] < 0 ? "unscored" : head.names.band[index.band[at]];
    button.setAttribute("aria-expanded", "false");
    button.append(make("span", "n", score === null ? band : String(Math.round(score))), make("span", "", texts.question[index.question[at]].slice(0, 240)),
      make("span", "w", index.cause[at] < 0 ? "" : head.names.cause[index.cause[at]]), make("span", "w", head.names.agent[index.agent[at]]));
    button.addEventListener("click", () => open(item, button, at));
    item.append(button);
    return item;
  };
  const show = () => {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    byId("list").replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(entry));
    byId("found").textContent = found.length.toLocaleString("en") + " of " + total.toLocaleString("en") + " turns, page " + (page + 1) + " of " + pages;
    byId("before").disabled = page === 0;
    byId("after").disabled = page + 1 >= pages;
  };
  const turnPage = (by) => { page += by; show(); byId("turns").scrollIntoView(); };
  const clear = () => { byId("search").value = ""; for (const kind of kinds) byId("by-" + kind).value = ""; };
  const follow = async () => {
    const [, what, value] = /^#(turn|cause|finding|agent|checked)=(.+)$/.exec(decodeURIComponent(location.hash)) || [];
    if (!what) return;
    clear();
    if (what === "turn") {
      const [run, row] = value.split("-").map(Number);
      const at = index.row.findIndex((one, place) => one === row && index.run[place] === run);
      found = at < 0 ? [] : [at]; page = 0; show();
      if (at < 0) byId("found").textContent = "This turn is not among those that the page holds.";
      else byId("list").querySelector("button").click();
    } else {
      const number = head.names[what].indexOf(value);
      if (number >= 0) byId("by-" + what).value = String(number);
      search();
    }
    byId("turns").scrollIntoView();
    byId("found").focus({ preventScroll: true });
  };
  kinds.forEach(fill);
  let waiting;
  byId("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  for (const id of [...kinds.map((kind) => "by-" + kind), "order"]) byId(id).addEventListener("change", search);
  byId("clear").addEventListener("click", () => { clear(); search(); byId("search").focus(); });
  byId("before").addEventListener("click", () => turnPage(-1));
  byId("after").addEventListener("click", () => turnPage(1));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); byId("turns").scrollIntoView(); byId("search").focus(); }
    if (event.key === "Escape" && event.target === byId("search")) { clear(); search(); }
  });
  addEventListener("hashchange", follow);
  search();
  await follow();
  byId("turns").dataset.ready = "yes";
};
if (byId("index")) browser().catch((error) => { byId("found").textContent = "The turns cannot be shown by this browser: " + error.message; });
