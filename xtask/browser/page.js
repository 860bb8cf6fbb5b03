// What is wrong with the page as it is rendered at this width: a sentence each.
(width) => {
  const faults = [];
  const fault = (what) => faults.push(what);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const short = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const style = (element) => getComputedStyle(element);

  // Red, green, blue from 0 to 255, and opacity.
  const colour = (text) => {
    const numbers = text.match(/[\d.]+/g);
    return text === "none" || !numbers ? [0, 0, 0, 0] : [...numbers.slice(0, 3).map(Number), Number(numbers[3] ?? 1)];
  };
  const over = (top, below) => below.map((c, i) => top[3] * top[i] + (1 - top[3]) * c);
  // WCAG 2.2, relative luminance and contrast ratio.
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  // What is behind an element's text; thousands of cells share their table's.
  const known = new Map([[null, [255, 255, 255]]]);
  const behind = (element) => {
    if (!known.has(element)) known.set(element, over(colour(style(element).backgroundColor), behind(element.parentElement)));
    return known.get(element);
  };
  const inside = ([x, y], box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

  const text = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const words = all("body *").filter((e) => !e.closest("script, svg") && text(e) && e.checkVisibility());
  if (words.length < 10) fault(`only ${words.length} pieces of text are visible`);
  const contrasts = new Map();
  const compare = (ink, paper, where) => {
    const ratio = contrast(over(ink, paper), paper);
    if (ratio < 4.5) contrasts.set(where, `contrast ${ratio.toFixed(2)} of the text of ${where}`);
  };
  for (const e of words) compare(colour(style(e).color), behind(e), `${e.localName}.${e.className}`);

  for (const svg of all("svg").filter((s) => s.checkVisibility())) {
    const label = svg.getAttribute("aria-label");
    if (svg.getAttribute("role") !== "img" || !label?.trim()) fault(`a figure without role=img or words: ${short(svg.outerHTML)}`);
    const name = svg.closest("figure").querySelector("figcaption").textContent.split(".")[0];
    const texts = all("text", svg).filter((t) => t.textContent.trim());
    if (!texts.length) fault(`${name} has no text`);
    if (texts.some((t) => style(t).userSelect === "none")) fault(`the text of ${name} cannot be selected`);
    const frame = svg.getBoundingClientRect();
    const boxes = texts.map((t) => t.getBoundingClientRect());
    const rects = all("rect", svg);
    texts.forEach((t, i) => {
      const box = boxes[i];
      const beyond = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
      if (beyond > 1) fault(`${name}: “${short(t.textContent)}” is cut off by ${beyond.toFixed(0)} px`);
      const before = rects.filter((r) => r.compareDocumentPosition(t) & Node.DOCUMENT_POSITION_FOLLOWING);
      const centre = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const under = before.filter((r) => inside(centre, r.getBoundingClientRect()));
      const paper = under.reduce((below, r) => {
        const [red, green, blue, alpha] = colour(style(r).fill);
        return over([red, green, blue, alpha * Number(style(r).fillOpacity)], below);
      }, behind(svg));
      compare(colour(style(t).fill), paper, "a figure");
      // A pixel more or less is a matter of fonts.
      const clash = boxes.findIndex((o, j) =>
        j > i && Math.min(box.right, o.right) - Math.max(box.left, o.left) > 2 && Math.min(box.bottom, o.bottom) - Math.max(box.top, o.top) > 4);
      if (clash > i) fault(`${name}: “${short(t.textContent)}” lies over “${short(texts[clash].textContent)}”`);
    });
    for (const [, id] of svg.outerHTML.matchAll(/url\(#([^)]*)\)/g)) {
      if (!svg.contains(document.getElementById(id))) fault(`${name} refers to ${id}, which is not in it`);
    }
  }
  faults.push(...contrasts.values());

  const wide = document.documentElement.scrollWidth;
  if (wide > width) {
    const boxed = (e) => e.parentElement !== document.body && (e.closest("svg") || style(e.parentElement).overflowX !== "visible" || boxed(e.parentElement));
    const culprit = all("body *").find((e) => e.getBoundingClientRect().right > width + 0.5 && !boxed(e));
    fault(`the page is ${wide} px wide instead of ${width}: ${short(culprit?.outerHTML ?? "?")}`);
  }

  const levels = all("h1, h2, h3, h4, h5, h6").map((h) => Number(h.localName[1]));
  if (levels[0] !== 1 || levels.filter((l) => l === 1).length !== 1) fault(`headings begin with ${levels.slice(0, 3)}: one h1 is to be first`);
  if (levels.some((level, i) => i && level > levels[i - 1] + 1)) fault(`a level of headings is left out: ${levels}`);
  if (document.documentElement.lang !== "en") fault(`lang is “${document.documentElement.lang}”`);
  if (document.title !== document.querySelector(".answer").textContent) fault(`the title is not the answer: “${short(document.title)}”`);
  const ids = all("[id]").map((e) => e.id);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  if (twice.length) fault(`ids that are there twice: ${twice}`);

  // Others hold data, of a type that is never run.
  const scripts = [...document.scripts].filter(({ type }) => type !== "text/plain");
  if (scripts.length !== 1) fault(`${scripts.length} scripts`);
  if (window.hacked !== undefined) fault("a script from the data was run");
  for (const e of all("*")) {
    for (const { name, value } of e.attributes) {
      if (name.startsWith("on")) fault(`a handler of events: ${name} of ${e.localName}`);
      if (/^(src|href|xlink:href|action|data)$/.test(name) && !/^(data:|blob:|#)/.test(value)) fault(`${e.localName} refers to ${short(value)}`);
    }
  }
  const hidden = document.body.innerText.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  if (hidden) fault(`U+${hidden[0].codePointAt(0).toString(16).padStart(4, "0")} is in the text, which should be an escape`);
  return faults;
}
