// Returns the faults of the page as rendered at this width, each as a sentence.
(width) => {
  const faults = [];
  const report = (fault) => faults.push(fault);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const short = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const style = (element) => getComputedStyle(element);

  // Parses a CSS colour: red, green and blue in [0, 255], and opacity in [0, 1].
  const parseColour = (text) => {
    const numbers = text.match(/[\d.]+/g);
    return text === "none" || !numbers ? [0, 0, 0, 0] : [...numbers.slice(0, 3).map(Number), Number(numbers[3] ?? 1)];
  };
  // Blends a colour over an opaque one.
  const blend = (top, below) => below.map((c, i) => top[3] * top[i] + (1 - top[3]) * c);
  // WCAG 2.2, relative luminance and contrast ratio.
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  // Background colours are cached, because thousands of cells share that of their table.
  const backgrounds = new Map([[null, [255, 255, 255]]]);
  const background = (element) => {
    if (!backgrounds.has(element)) {
      backgrounds.set(element, blend(parseColour(style(element).backgroundColor), background(element.parentElement)));
    }
    return backgrounds.get(element);
  };
  const inside = ([x, y], box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const textElements = all("body *").filter((e) => !e.closest("script, svg") && hasText(e) && e.checkVisibility());
  if (textElements.length < 10) report(`only ${textElements.length} pieces of text are visible`);
  const contrasts = new Map();
  const checkContrast = (ink, paper, where) => {
    const ratio = contrast(blend(ink, paper), paper);
    // The minimum of WCAG 2.2, level AA.
    if (ratio < 4.5) contrasts.set(where, `contrast ${ratio.toFixed(2)} of the text of ${where}`);
  };
  for (const e of textElements) checkContrast(parseColour(style(e).color), background(e), `${e.localName}.${e.className}`);

  for (const svg of all("svg").filter((s) => s.checkVisibility())) {
    const label = svg.getAttribute("aria-label");
    if (svg.getAttribute("role") !== "img" || !label?.trim()) report(`a figure without role=img or words: ${short(svg.outerHTML)}`);
    const name = svg.closest("figure").querySelector("figcaption").textContent.split(".")[0];
    const texts = all("text", svg).filter((t) => t.textContent.trim());
    if (!texts.length) report(`${name} has no text`);
    if (texts.some((t) => style(t).userSelect === "none")) report(`the text of ${name} cannot be selected`);
    const frame = svg.getBoundingClientRect();
    const boxes = texts.map((t) => t.getBoundingClientRect());
    const rects = all("rect", svg);
    texts.forEach((t, i) => {
      const box = boxes[i];
      const overflow = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
      if (overflow > 1) report(`${name}: “${short(t.textContent)}” is cut off by ${overflow.toFixed(0)} px`);
      const before = rects.filter((r) => r.compareDocumentPosition(t) & Node.DOCUMENT_POSITION_FOLLOWING);
      const centre = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const under = before.filter((r) => inside(centre, r.getBoundingClientRect()));
      const paper = under.reduce((below, r) => {
        const [red, green, blue, alpha] = parseColour(style(r).fill);
        return blend([red, green, blue, alpha * Number(style(r).fillOpacity)], below);
      }, background(svg));
      checkContrast(parseColour(style(t).fill), paper, "a figure");
      // A small overlap is allowed, because fonts differ by a pixel.
      const clash = boxes.findIndex((o, j) =>
        j > i && Math.min(box.right, o.right) - Math.max(box.left, o.left) > 2 && Math.min(box.bottom, o.bottom) - Math.max(box.top, o.top) > 4);
      if (clash > i) report(`${name}: “${short(t.textContent)}” lies over “${short(texts[clash].textContent)}”`);
    });
    for (const [, id] of svg.outerHTML.matchAll(/url\(#([^)]*)\)/g)) {
      if (!svg.contains(document.getElementById(id))) report(`${name} refers to ${id}, which is not in it`);
    }
  }
  faults.push(...contrasts.values());

  const pageWidth = document.documentElement.scrollWidth;
  if (pageWidth > width) {
    const isClipped = (e) => e.parentElement !== document.body && (e.closest("svg") || style(e.parentElement).overflowX !== "visible" || isClipped(e.parentElement));
    const culprit = all("body *").find((e) => e.getBoundingClientRect().right > width + 0.5 && !isClipped(e));
    report(`the page is ${pageWidth} px wide instead of ${width}: ${short(culprit?.outerHTML ?? "?")}`);
  }

  const levels = all("h1, h2, h3, h4, h5, h6").map((h) => Number(h.localName[1]));
  if (levels[0] !== 1 || levels.filter((l) => l === 1).length !== 1) report(`headings begin with ${levels.slice(0, 3)}: one h1 is to be first`);
  if (levels.some((level, i) => i && level > levels[i - 1] + 1)) report(`a level of headings is left out: ${levels}`);
  if (document.documentElement.lang !== "en") report(`lang is “${document.documentElement.lang}”`);
  if (document.title !== document.querySelector(".answer").textContent) report(`the title is not the answer: “${short(document.title)}”`);
  const ids = all("[id]").map((e) => e.id);
  const duplicates = ids.filter((id, i) => ids.indexOf(id) !== i);
  if (duplicates.length) report(`ids that are there twice: ${duplicates}`);

  // Scripts of the type text/plain hold data and do not run.
  const scripts = [...document.scripts].filter(({ type }) => type !== "text/plain");
  if (scripts.length !== 1) report(`${scripts.length} scripts`);
  if (window.hacked !== undefined) report("a script from the data was run");
  for (const e of all("*")) {
    for (const { name, value } of e.attributes) {
      if (name.startsWith("on")) report(`a handler of events: ${name} of ${e.localName}`);
      if (/^(src|href|xlink:href|action|data)$/.test(name) && !/^(data:|blob:|#)/.test(value)) report(`${e.localName} refers to ${short(value)}`);
    }
  }
  const hidden = document.body.innerText.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  if (hidden) report(`U+${hidden[0].codePointAt(0).toString(16).padStart(4, "0")} is in the text, which should be an escape`);
  return faults;
}
