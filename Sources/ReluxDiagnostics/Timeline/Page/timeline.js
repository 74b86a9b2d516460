"use strict";

// The trace, as Trace+Timeline.swift writes it.
//
// events: [kind, time, …], in order:
//   ["a", time, sequence, type, text, site, cause run or null, followed action or null, scope, lane, changes]
//   ["s", time, run] a run started, ["e", time, run] it ended, ["r", time, text, site] a refusal,
//   ["f", time, text, run] an unreceived failure, ["m", time, text, changes] a module, ["x", time, text, changes] a reset,
//   ["n", time, text] a note
// runs: {id: [saga, name, trigger or null, site, start, end, outcome, lane]}
// Sequences and ids are texts, because they are 64-bit numbers.
// lanes, types, sites, slots: names, to which the numbers above refer
// changes: [slot, path, tree or null, key before it or null, 1 if the state begins here, 2 if it goes]
// start: the changes before the first event
const trace = JSON.parse(document.getElementById("data").textContent);
const { events, runs, lanes, types, sites, slots } = trace;
const $ = (id) => document.getElementById(id);
const rowHeight = 26;

// ---------------------------------------------------------------------------------------------------- the model

// What is shown, as indices into the events.
let shown = [];
let chosen = -1;
const indexOfAction = new Map();
const startOfRun = new Map();
const effectsOfAction = new Map();
const actionsOfRun = new Map();

function add(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value); else map.set(key, [value]);
}

events.forEach((event, index) => {
  if (event[0] === "a") {
    indexOfAction.set(event[2], index);
    if (indexOfAction.has(event[7])) add(effectsOfAction, event[7], index);
    else if (event[6]) add(actionsOfRun, event[6], index);
  } else if (event[0] === "s") {
    startOfRun.set(event[2], index);
    const trigger = runs[event[2]][2];
    if (trigger) add(effectsOfAction, trigger, index);
  }
});

function changesOf(event) {
  return event[0] === "a" ? event[10] : event[0] === "m" || event[0] === "x" ? event[3] : null;
}

function textOf(event) {
  switch (event[0]) {
    case "a": return event[4];
    case "s": return runs[event[2]][1] + " started";
    case "e": return runs[event[2]][1] + " " + runs[event[2]][6];
    case "r": return "refused: " + event[2];
    default: return event[2];
  }
}

function laneOf(event) {
  return event[0] === "a" ? event[9] : event[0] === "s" || event[0] === "e" ? runs[event[2]][7] : -1;
}

function causeOf(index) {
  const event = events[index];
  if (event[0] === "a") {
    // What a rule has added to an action of a run comes from both.
    return indexOfAction.get(event[7]) ?? startOfRun.get(event[6]) ?? -1;
  }
  if (event[0] === "s") return indexOfAction.get(runs[event[2]][2]) ?? -1;
  if (event[0] === "e") return startOfRun.get(event[2]) ?? -1;
  if (event[0] === "f") return startOfRun.get(event[3]) ?? -1;
  return -1;
}

function effectsOf(index) {
  const event = events[index];
  if (event[0] === "a") return effectsOfAction.get(event[2]) ?? [];
  if (event[0] === "s") return actionsOfRun.get(event[2]) ?? [];
  return [];
}

function timeText(seconds) {
  if (seconds === 0) return "0 s";
  if (seconds < 0.001) return (seconds * 1e6).toFixed(0) + " µs";
  if (seconds < 1) return (seconds * 1e3).toFixed(1) + " ms";
  return seconds.toFixed(3) + " s";
}

// ------------------------------------------------------------------------------------------- states at a point

// A tree is a text, or [name, key, tree, key, tree, …]. Trees are never changed in place, so points share their parts.
function replaced(tree, path, depth, value, after) {
  if (depth === path.length) return value;
  if (!Array.isArray(tree)) return tree;
  const key = path[depth];
  for (let place = 1; place < tree.length; place += 2) {
    if (tree[place] !== key) continue;
    const copy = tree.slice();
    if (depth + 1 === path.length && value === null) copy.splice(place, 2);
    else copy[place + 1] = replaced(tree[place + 1], path, depth + 1, value, after);
    return copy;
  }
  if (depth + 1 < path.length || value === null) return tree;
  const copy = tree.slice();
  let place = copy.length;
  if (after === "") place = 1;
  else if (after !== null) {
    for (let other = 1; other < tree.length; other += 2) if (tree[other] === after) place = other + 2;
  }
  copy.splice(place, 0, key, value);
  return copy;
}

function applied(states, changes) {
  let result = states;
  for (const [slot, path, value, after, mark] of changes ?? []) {
    if (result === states) result = new Map(states);
    if (mark === 2) result.delete(slot);
    else result.set(slot, path.length === 0 ? value : replaced(result.get(slot), path, 0, value, after));
  }
  return result;
}

const interval = 256;
const checkpoints = [applied(new Map(), trace.start)];

// The states before an event. Calls back at once if they are near a point that is known; otherwise, the points up to it
// are made in small pieces, so that the page stays fluid.
let wanted = 0;
function withStates(index, body) {
  const request = ++wanted;
  const goal = Math.floor(index / interval);
  const work = () => {
    if (request !== wanted) return;
    const end = performance.now() + 6;
    while (checkpoints.length <= goal) {
      let states = checkpoints[checkpoints.length - 1];
      const first = (checkpoints.length - 1) * interval;
      for (let place = first; place < first + interval; place += 1) states = applied(states, changesOf(events[place]));
      checkpoints.push(states);
      if (performance.now() > end && checkpoints.length <= goal) return setTimeout(work, 0);
    }
    let states = checkpoints[goal];
    for (let place = goal * interval; place < index; place += 1) states = applied(states, changesOf(events[place]));
    body(states);
  };
  work();
}

function part(tree, path) {
  for (const key of path) {
    if (!Array.isArray(tree)) return undefined;
    let next;
    for (let place = 1; place < tree.length; place += 2) if (tree[place] === key) next = tree[place + 1];
    tree = next;
  }
  return tree;
}

function treeText(tree, limit = 400) {
  if (tree === undefined || tree === null) return "nothing";
  if (!Array.isArray(tree)) return tree;
  const name = tree[0];
  const isList = name === "[]" || name === "[:]";
  let text = isList ? "[" : name + "(";
  for (let place = 1; place < tree.length; place += 2) {
    if (text.length > limit) return text + " …";
    if (place > 1) text += ", ";
    const key = tree[place];
    const isPlain = name === "[]" || /^\d/.test(key) || "." + key === name;
    text += (isPlain ? "" : (isList ? key.slice(1, -1) : key) + ": ") + treeText(tree[place + 1], limit - text.length);
  }
  return text + (isList ? "]" : ")");
}

function pathText(path) {
  return path.reduce((text, key) => text + (key.startsWith("[") || text === "" ? key : "." + key), "");
}

// -------------------------------------------------------------------------------------------------------- the list

const list = $("list");
const rows = $("rows");
const pool = [];

function makeRow() {
  const row = document.createElement("div");
  row.className = "row";
  row.setAttribute("role", "option");
  for (const name of ["number", "time", "what", "mark"]) {
    const span = document.createElement("span");
    span.className = name;
    row.append(span);
  }
  row.addEventListener("click", () => choose(Number(row.dataset.place)));
  rows.append(row);
  return row;
}

function fill(row, place) {
  const index = shown[place];
  const event = events[index];
  const isChosen = place === chosen;
  if (row.dataset.place !== String(place) || row.dataset.index !== String(index)) {
    row.dataset.place = place;
    row.dataset.index = index;
    row.id = "row" + place;
    row.style.transform = `translateY(${place * rowHeight}px)`;
    row.setAttribute("aria-posinset", place + 1);
    const [number, time, what, mark] = row.children;
    number.textContent = event[0] === "a" ? "#" + event[2] : "";
    time.textContent = timeText(event[1]);
    const text = textOf(event);
    what.textContent = text.length > 240 ? text.slice(0, 240) + " …" : text;
    const count = changesOf(event)?.length ?? 0;
    mark.textContent = event[0] === "a" ? (count ? `${count} changed` : "") : { s: "run", e: "run", r: "refused", f: "failed", n: "note" }[event[0]] ?? "";
    const isFailure = event[0] === "r" || event[0] === "f" || (event[0] === "e" && runs[event[2]][6].startsWith("failed"));
    row.className = "row" + (isFailure ? " bad" : event[0] === "n" ? " note" : event[0] === "a" ? "" : " quiet")
      + (event[0] === "a" && (event[6] || event[7]) ? " caused" : "");
  }
  row.setAttribute("aria-setsize", shown.length);
  row.setAttribute("aria-selected", isChosen);
}

let isDrawing = false;
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawRows();
  });
}

function drawRows() {
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 6);
  const count = Math.min(shown.length - first, Math.ceil(list.clientHeight / rowHeight) + 12);
  while (pool.length < count) pool.push(makeRow());
  // Rows that stay visible keep their elements.
  pool.forEach((row, number) => {
    const place = first + ((number - (first % pool.length) + pool.length) % pool.length);
    row.hidden = place >= first + count || place >= shown.length;
    row.style.display = row.hidden ? "none" : "";
    if (!row.hidden) fill(row, place);
  });
}

list.addEventListener("scroll", drawSoon, { passive: true });

let resting;
function choose(place, isSlider = false) {
  if (shown.length === 0) return;
  chosen = Math.max(0, Math.min(shown.length - 1, place));
  const top = chosen * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  list.setAttribute("aria-activedescendant", "row" + chosen);
  if (!isSlider) $("position").value = chosen;
  $("position").setAttribute("aria-valuetext", textOf(events[shown[chosen]]).slice(0, 80));
  drawSoon();
  drawLanesSoon();
  // While the slider moves, the details wait for it to rest.
  clearTimeout(resting);
  if (isSlider) resting = setTimeout(showDetails, 80); else showDetails();
}

function placeOf(index) {
  let low = 0;
  let high = shown.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle] < index) low = middle + 1; else high = middle;
  }
  return low;
}

function goTo(index) {
  if (index < 0) return;
  if (shown[placeOf(index)] !== index) {
    $("search").value = "";
    $("lane").value = "";
    $("changing").checked = false;
    $("actionsOnly").checked = false;
    filter(index);
  } else {
    choose(placeOf(index));
  }
}

// ------------------------------------------------------------------------------------------------------- filtering

const lowered = [];
function filter(keep = shown[chosen]) {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const lane = $("lane").value;
  const [onlyChanges, onlyActions] = [$("changing").checked, $("actionsOnly").checked];
  shown = [];
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index];
    if (onlyActions && event[0] !== "a") continue;
    if (onlyChanges && !(changesOf(event)?.length > 0)) continue;
    if (lane !== "" && laneOf(event) !== Number(lane)) continue;
    if (words.length > 0) {
      lowered[index] ??= (textOf(event) + " " + (event[0] === "a" ? sites[event[5]] + " #" + event[2] : "")).toLowerCase();
      if (!words.every((word) => lowered[index].includes(word))) continue;
    }
    shown.push(index);
  }
  rows.style.height = shown.length * rowHeight + "px";
  $("position").max = Math.max(0, shown.length - 1);
  const counted = (count, name) => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;
  const dropped = trace.dropped ? `, ${trace.dropped.toLocaleString("en")} earlier events dropped` : "";
  $("counts").textContent = shown.length === events.length
    ? `${counted(indexOfAction.size, "action")}, ${counted(Object.keys(runs).length, "run")}${dropped}`
    : `${shown.length.toLocaleString("en")} of ${events.length.toLocaleString("en")} events shown`;
  pool.forEach((row) => { row.dataset.index = ""; });
  if (shown.length > 0) choose(keep === undefined ? 0 : placeOf(keep));
  else {
    chosen = -1;
    $("details").replaceChildren(paragraph("Nothing matches."));
    drawSoon();
    drawLanesSoon();
  }
}

let typing;
$("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(filter, 120);
});
for (const id of ["lane", "changing", "actionsOnly"]) $(id).addEventListener("change", () => filter());
$("filters").addEventListener("submit", (event) => event.preventDefault());
$("position").addEventListener("input", () => choose(Number($("position").value), true));

// --------------------------------------------------------------------------------------------------------- details

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function paragraph(text, className) { return element("p", text, className); }

function link(index) {
  const button = element("button", (events[index][0] === "a" ? "#" + events[index][2] + " " : "") + textOf(events[index]).slice(0, 200), "link");
  button.type = "button";
  button.addEventListener("click", () => {
    goTo(index);
    list.focus({ preventScroll: true });
  });
  return button;
}

function siteOf(event) {
  if (event[0] === "a") return sites[event[5]];
  if (event[0] === "s" || event[0] === "e") return sites[runs[event[2]][3]];
  return event[0] === "r" ? event[3] : null;
}

function showDetails() {
  const index = shown[chosen];
  const event = events[index];
  const parts = [element("h2", (event[0] === "a" ? "#" + event[2] + " " : "") + textOf(event))];
  const facts = [timeText(event[1])];
  if (event[0] === "a" && event[8]) facts.push("in " + event[8]);
  const site = siteOf(event);
  if (site) facts.push(site);
  parts.push(paragraph(facts.join(" · "), "site"));

  const chain = [];
  for (let next = causeOf(index); next >= 0 && chain.length < 100; next = causeOf(next)) chain.push(next);
  if (chain.length > 0) {
    parts.push(element("h3", "Because of"));
    const causes = element("ol");
    chain.forEach((cause, number) => {
      const item = element("li");
      item.append(link(cause));
      const place = siteOf(events[cause]);
      if (place) item.append(element("div", (number === chain.length - 1 ? "began at " : "") + place, "site"));
      causes.append(item);
    });
    parts.push(causes);
  }
  const effects = effectsOf(index);
  if (effects.length > 0) {
    parts.push(element("h3", "Led to"));
    const items = element("ul");
    for (const effect of effects.slice(0, 50)) {
      const item = element("li");
      item.append(link(effect));
      items.append(item);
    }
    if (effects.length > 50) items.append(element("li", `and ${effects.length - 50} more`));
    parts.push(items);
  }
  const later = element("div");
  parts.push(later);
  $("details").replaceChildren(...parts);
  $("details").scrollTop = 0;
  withStates(index, (before) => {
    const changes = changesOf(event) ?? [];
    const after = applied(before, changes);
    later.replaceChildren(...changeParts(changes, before, after), ...stateParts(changes, after));
  });
}

function changeParts(changes, before, after) {
  if (changes.length === 0) return [];
  const items = element("ul", undefined, "change");
  for (const [slot, path, value, , mark] of changes.slice(0, 100)) {
    const item = element("li");
    const name = slots[slot] + (path.length > 0 ? (path[0].startsWith("[") ? "" : ".") + pathText(path) : "");
    item.append(element("span", name + ": ", "key"));
    if (mark === 1) item.append(element("ins", "begins as " + treeText(value)));
    else if (mark === 2) item.append(element("del", "gone"));
    else {
      const old = part(before.get(slot), path);
      if (old !== undefined) item.append(element("del", treeText(old)), " ");
      if (value === null) item.append(element("ins", "removed"));
      else item.append(element("ins", treeText(part(after.get(slot), path))));
    }
    items.append(item);
  }
  if (changes.length > 100) items.append(element("li", `and ${changes.length - 100} more`));
  return [element("h3", "Changed"), items];
}

const opened = new Set();

function stateParts(changes, states) {
  if (states.size === 0) return [];
  const tree = element("div", undefined, "tree");
  const fresh = new Set(changes.map(([slot, path]) => slot + "/" + path.join("/")));
  const touched = new Set(changes.map(([slot]) => slot));
  for (const slot of [...states.keys()].sort((one, other) => one - other)) {
    tree.append(branch(slots[slot], states.get(slot), String(slot) + "/", fresh, touched.has(slot) || states.size === 1, true));
  }
  return [element("h3", "States after it"), tree];
}

function branch(key, value, path, fresh, isOpen, isRoot = false) {
  const isFresh = fresh.has(path) || fresh.has(path.replace(/\/$/, ""));
  if (!Array.isArray(value) || value.length === 1) {
    const leaf = element("div", undefined, "leaf" + (isFresh ? " fresh" : ""));
    leaf.append(element("span", key + ": ", "key"), treeText(value));
    return leaf;
  }
  const details = element("details");
  const summary = element("summary", undefined, isFresh ? "fresh" : "");
  const count = (value.length - 1) / 2;
  summary.append(element("span", key, "key"), /^\[:?\]$/.test(value[0]) ? ` (${count})` : isRoot ? "" : " " + value[0]);
  details.append(summary);
  const show = () => {
    if (details.childElementCount > 1) return;
    for (let place = 1; place < value.length && place < 400; place += 2) {
      const inner = (isRoot ? path : path + "/") + value[place];
      details.append(branch(value[place], value[place + 1], inner, fresh, false));
    }
    if (count > 200) details.append(element("div", `and ${count - 200} more`, "leaf"));
  };
  const containsFresh = () => [...fresh].some((other) => other.startsWith(path));
  if (isOpen || opened.has(path) || (!isRoot && containsFresh())) {
    details.open = true;
    show();
  }
  details.addEventListener("toggle", () => {
    if (details.open) { opened.add(path); show(); } else opened.delete(path);
  });
  return details;
}

// ----------------------------------------------------------------------------------------------------------- lanes

const canvas = $("canvas");
const context = canvas.getContext("2d");
const laneHeight = 22;
const labelWidth = 170;
let span = Math.min(events.length, 120);
let colours = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "soft", "line", "accent", "run", "bad", "panel", "paper", "chosen", "good"]) {
    colours[name] = style.getPropertyValue("--" + name).trim();
  }
}

let isDrawingLanes = false;
function drawLanesSoon() {
  if (isDrawingLanes) return;
  isDrawingLanes = true;
  requestAnimationFrame(() => {
    isDrawingLanes = false;
    drawLanes();
  });
}

// The first and the last event in view.
function view() {
  const middle = chosen < 0 ? 0 : shown[chosen];
  const first = Math.max(0, Math.min(middle - Math.floor(span / 2), events.length - span));
  return [first, Math.min(events.length, first + span)];
}

function scale() {
  const [first, end] = view();
  const width = canvas.clientWidth - labelWidth - 12;
  if ($("byTime").checked && events.length > 0) {
    const from = events[first][1];
    const length = Math.max(events[end - 1][1] - from, 1e-9);
    return { first, end, x: (index) => labelWidth + ((events[index][1] - from) / length) * width };
  }
  return { first, end, x: (index) => labelWidth + ((index - first + 0.5) / (end - first)) * width };
}

function drawLanes() {
  const [width, height] = [canvas.parentElement.clientWidth, lanes.length * laneHeight + 4];
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  const { first, end, x } = scale();
  const y = (lane) => lane * laneHeight + laneHeight / 2 + 2;
  lanes.forEach((name, lane) => {
    if (lane % 2 === 0) {
      context.fillStyle = colours.panel;
      context.fillRect(0, lane * laneHeight + 2, width, laneHeight);
    }
    context.fillStyle = colours.soft;
    let label = name;
    while (context.measureText(label).width > labelWidth - 16 && label.length > 4) label = label.slice(0, -2);
    context.fillText(label === name ? name : label + "…", 4, y(lane));
  });
  context.save();
  context.beginPath();
  context.rect(labelWidth - 4, 0, width, height);
  context.clip();
  drawRuns(first, end, x, y, width);
  const mark = Math.max(2, Math.min(9, ((width - labelWidth) / (end - first)) * 0.7));
  const taken = new Set();
  const near = end - first <= 400;
  for (let index = first; index < end; index += 1) {
    const event = events[index];
    if (event[0] !== "a") continue;
    const place = Math.round(x(index));
    // Of many in one column, one is drawn.
    const key = event[9] * 100000 + place;
    if (!near && taken.has(key)) continue;
    taken.add(key);
    context.fillStyle = changesOf(event).length > 0 ? colours.accent : colours.soft;
    context.fillRect(x(index) - mark / 2, y(event[9]) - 6, mark, 12);
  }
  drawProblems(first, end, x, height);
  drawArrows(x, y, first, end, near && end - first <= 150);
  if (chosen >= 0) {
    context.strokeStyle = colours.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x(shown[chosen]), 0);
    context.lineTo(x(shown[chosen]), height);
    context.stroke();
  }
  context.restore();
  $("range").textContent = events.length === 0 ? "" : `${timeText(events[first][1])} – ${timeText(events[end - 1][1])}`;
}

function drawRuns(first, end, x, y, width) {
  const begun = new Map();
  const drawn = new Set();
  const bar = (run, from, to, isOpen) => {
    const lane = runs[run][7];
    const outcome = runs[run][6];
    const key = lane * 1e10 + Math.round(from) * 1e5 + Math.round(to);
    if (drawn.has(key)) return;
    drawn.add(key);
    context.fillStyle = outcome.startsWith("failed") ? colours.bad : colours.run;
    context.fillRect(from, y(lane) - 4, Math.max(2, to - from), 8);
    if (!isOpen) {
      context.fillStyle = colours.soft;
      context.fillRect(to - 1, y(lane) - 6, 2, 12);
    }
  };
  // Runs that began before what is in view.
  for (const run of running(first)) begun.set(run, labelWidth - 4);
  for (let index = first; index < end; index += 1) {
    const event = events[index];
    if (event[0] === "s") begun.set(event[2], x(index));
    else if (event[0] === "e" && begun.has(event[2])) {
      bar(event[2], begun.get(event[2]), x(index), false);
      begun.delete(event[2]);
    }
  }
  for (const [run, from] of begun) bar(run, from, width, true);
}

// The runs that have started and not ended before an event, from points that are made once.
const runningPoints = [new Set()];
function running(index) {
  const size = 1024;
  while (runningPoints.length <= Math.floor(index / size)) {
    runningPoints.push(advanced(runningPoints[runningPoints.length - 1], (runningPoints.length - 1) * size, runningPoints.length * size));
  }
  const point = Math.floor(index / size);
  return advanced(runningPoints[point], point * size, index);
}

function advanced(start, from, to) {
  const result = new Set(start);
  for (let index = from; index < to; index += 1) {
    if (events[index][0] === "s") result.add(events[index][2]);
    else if (events[index][0] === "e") result.delete(events[index][2]);
  }
  return result;
}

function drawProblems(first, end, x, height) {
  context.fillStyle = colours.bad;
  for (let index = first; index < end; index += 1) {
    const kind = events[index][0];
    if (kind === "r" || kind === "f") context.fillRect(x(index) - 1, 0, 2, height);
  }
}

function drawArrows(x, y, first, end, all) {
  const arrow = (from, to, colour) => {
    if (laneOf(events[from]) < 0 || laneOf(events[to]) < 0) return;
    const [y1, x2, y2] = [y(laneOf(events[from])), x(to), y(laneOf(events[to]))];
    // A run dispatches somewhere on its bar, just before the action.
    const x1 = events[from][0] === "s" && events[to][0] === "a" ? Math.max(x(from), x2 - 24) : x(from);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.3;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2 - 4, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 6, y2 - 3);
    context.lineTo(x2 - 6, y2 + 3);
    context.fill();
  };
  if (all) {
    context.globalAlpha = 0.35;
    for (let index = first; index < end; index += 1) {
      const cause = events[index][0] === "e" ? -1 : causeOf(index);
      if (cause >= 0) arrow(cause, index, colours.soft);
    }
    context.globalAlpha = 1;
  }
  if (chosen < 0) return;
  let index = shown[chosen];
  for (const effect of effectsOf(index).slice(0, 100)) arrow(index, effect, colours.good);
  for (let cause = causeOf(index), steps = 0; cause >= 0 && steps < 100; cause = causeOf(index), steps += 1) {
    if (events[index][0] !== "e") arrow(cause, index, colours.accent);
    index = cause;
  }
}

canvas.addEventListener("click", (event) => {
  const { first, end, x } = scale();
  const lane = Math.floor((event.offsetY - 2) / laneHeight);
  let best = -1;
  for (let index = first; index < end; index += 1) {
    if (laneOf(events[index]) !== lane) continue;
    if (best < 0 || Math.abs(x(index) - event.offsetX) < Math.abs(x(best) - event.offsetX)) best = index;
  }
  goTo(best);
});

function zoom(factor) {
  span = Math.max(10, Math.min(events.length, Math.round(span * factor)));
  drawLanesSoon();
}

$("zoomIn").addEventListener("click", () => zoom(0.5));
$("zoomOut").addEventListener("click", () => zoom(2));
$("byTime").addEventListener("change", drawLanesSoon);
new ResizeObserver(() => {
  drawSoon();
  drawLanesSoon();
}).observe(document.body);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readColours();
  drawLanesSoon();
});

// ------------------------------------------------------------------------------------------------------------ keys

function toggleKeys() {
  $("keys").hidden = !$("keys").hidden;
  $("help").setAttribute("aria-expanded", !$("keys").hidden);
}

$("help").addEventListener("click", toggleKeys);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  // Letters choose from the list of lanes.
  if (target === $("search") || target === $("lane")) {
    if (event.key === "Escape" || event.key === "Enter") list.focus();
    return;
  }
  const inDetails = $("details").contains(target);
  const isNative = target.matches("select, input[type=range], input[type=checkbox]") || inDetails;
  const page = Math.max(1, Math.floor(list.clientHeight / rowHeight) - 1);
  const plain = {
    "/": () => $("search").focus(), "?": toggleKeys, "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
    j: () => choose(chosen + 1), k: () => choose(chosen - 1),
    c: () => goTo(causeOf(shown[chosen])), e: () => goTo(effectsOf(shown[chosen])[0] ?? -1),
  };
  const moving = {
    ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1),
    PageDown: () => choose(chosen + page), PageUp: () => choose(chosen - page),
    Home: () => choose(0), End: () => choose(shown.length - 1),
    ArrowLeft: () => goTo(causeOf(shown[chosen])), ArrowRight: () => goTo(effectsOf(shown[chosen])[0] ?? -1),
  };
  const act = plain[event.key] ?? (isNative ? undefined : moving[event.key]);
  if (!act || (chosen < 0 && moving[event.key])) return;
  event.preventDefault();
  act();
});

// ----------------------------------------------------------------------------------------------------------- start

readColours();
lanes.forEach((name, lane) => {
  const option = element("option", name);
  option.value = lane;
  $("lane").append(option);
});
if (trace.lead) {
  $("lead").hidden = false;
  $("lead").firstElementChild.textContent = trace.lead;
}
$("byTime").checked = false;
if (events.length === 0) $("details").replaceChildren(paragraph("The trace is empty."));
filter(trace.focus >= 0 ? trace.focus : events.findIndex((event) => event[0] === "a"));
list.focus({ preventScroll: true });
