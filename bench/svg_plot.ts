/** Draws line plots as one SVG that reads well on light and on dark pages. */

/** One line of a plot. A missing point is left out. */
export interface Series {
  name: string;
  /** The number of its colour and mark. */
  colour: number;
  points: readonly (readonly [x: number, y: number])[];
}

/** One plot, with logarithmic axes. */
export interface Plot {
  title: string;
  /** The values of the horizontal axis, each with its label. */
  ticks: readonly (readonly [x: number, label: string])[];
  series: readonly Series[];
  /** Labels a value of the vertical axis. */
  show(value: number): string;
}

const width = 500;
const height = 280;
const margin = { left: 64, right: 150, top: 40, bottom: 36 };

/** Between the names beside a plot. */
const lineHeight = 17;

/** Marks tell the lines apart without their colours. */
const marks = ["circle", "square", "triangle", "diamond", "ring"] as const;

/** Colours on light and on dark pages. */
const colours = [
  ["#0969da", "#4493f8"],
  ["#bc4c00", "#f0883e"],
  ["#1a7f37", "#3fb950"],
  ["#8250df", "#ab7df8"],
  ["#bf3989", "#f778ba"],
  ["#9a6700", "#d29922"],
  ["#0a7ea4", "#39c5cf"],
  ["#cf222e", "#ff7b72"],
  ["#59636e", "#9198a1"],
] as const;

const styleOf = (page: number) =>
  colours.map((shades, index) => `.s${index} { stroke: ${shades[page]}; fill: ${shades[page]}; }`)
    .join("\n");

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-weight: 600; }
.page { fill: #ffffff; }
.grid { stroke: #d1d9e0; }
${styleOf(0)}
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.page { fill: #0d1117; }
.grid { stroke: #3d444d; }
${styleOf(1)}
}
.line { fill: none !important; stroke-width: 2; }
.ring { fill: none !important; stroke-width: 2; }
`;

/**
 * The plots, two in a row, each with the names of its lines beside it.
 *
 * @param caption says in a line what is shown
 */
export function drawPlots(plots: readonly Plot[], caption: string): string {
  const [fullWidth, fullHeight] = [2 * width, Math.ceil(plots.length / 2) * height];
  const drawn = plots.map((plot, index) => {
    const place = `translate(${(index % 2) * width} ${Math.floor(index / 2) * height})`;
    return `<g transform="${place}">${drawPlot(plot)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" ` +
    `role="img" aria-label="${escape(caption)}">`,
    `<title>${escape(caption)}</title>`,
    `<style>${style}</style>`,
    `<rect class="page" width="${fullWidth}" height="${fullHeight}"/>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function drawPlot({ title, ticks, series, show }: Plot): string {
  const values = series.flatMap(({ points }) => points.map(([, y]) => y));
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const xs = ticks.map(([x]) => x);
  const xOf = scale([Math.min(...xs), Math.max(...xs)], [
    margin.left + 12,
    width - margin.right - 12,
  ]);
  const yOf = scale([low, Math.max(high, low * 10)], [height - margin.bottom, margin.top]);
  const lines: string[] = [
    `<text class="title" x="${margin.left}" y="24">${escape(title)}</text>`,
  ];
  for (let value = low; value <= high * 1.001; value *= 10) {
    const y = yOf(value);
    lines.push(
      `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y}" y2="${y}"/>`,
      `<text x="${margin.left - 8}" y="${y + 4}" text-anchor="end">${escape(show(value))}</text>`,
    );
  }
  for (const [x, label] of ticks) {
    const y = height - margin.bottom + 20;
    lines.push(`<text x="${xOf(x)}" y="${y}" text-anchor="middle">${escape(label)}</text>`);
  }
  const ends: { name: string; colour: number; y: number }[] = [];
  for (const { name, colour, points } of series) {
    const places = points.map(([x, y]) => [xOf(x), yOf(y)] as const);
    const path = places.map(([x, y]) => `${x},${y}`).join(" ");
    lines.push(`<polyline class="line s${colour % colours.length}" points="${path}"/>`);
    for (const [x, y] of places) lines.push(mark(colour, x, y));
    ends.push({ name, colour, y: places.at(-1)?.[1] ?? 0 });
  }
  // Each name where its line ends, or below the one before.
  ends.sort((a, b) => a.y - b.y);
  const last = height - margin.bottom - lineHeight * (ends.length - 1);
  let free = margin.top;
  for (const [index, { name, colour, y }] of ends.entries()) {
    const at = Math.min(Math.max(y, free), last + lineHeight * index);
    free = at + lineHeight;
    const x = width - margin.right + 12;
    lines.push(`${mark(colour, x, at)}<text x="${x + 10}" y="${at + 4}">${escape(name)}</text>`);
  }
  return lines.join("\n");
}

/** A logarithmic scale, rounded to tenths of a pixel. */
function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  const length = Math.log(to / from) || 1;
  return (value) => Math.round((start + Math.log(value / from) / length * (end - start)) * 10) / 10;
}

function mark(colour: number, x: number, y: number): string {
  const shape = `class="s${colour % colours.length}"`;
  switch (marks[colour % marks.length]) {
    case "square":
      return `<rect ${shape} x="${x - 4}" y="${y - 4}" width="8" height="8"/>`;
    case "triangle":
      return `<polygon ${shape} points="${x},${y - 5} ${x + 5},${y + 4} ${x - 5},${y + 4}"/>`;
    case "diamond":
      return `<polygon ${shape} points="${x},${y - 5} ${x + 5},${y} ${x},${y + 5} ${x - 5},${y}"/>`;
    case "ring":
      return `<circle class="ring s${colour % colours.length}" cx="${x}" cy="${y}" r="4"/>`;
    default:
      return `<circle ${shape} cx="${x}" cy="${y}" r="4"/>`;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
