/** Draws line plots as one SVG that reads well on light and on dark pages. */

/** One line of a plot. A missing point is left out. */
export interface Series {
  name: string;
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

const width = 460;
const height = 280;
const margin = { left: 64, right: 16, top: 40, bottom: 36 };
const legend = 40;

/** Marks tell the lines apart without their colours. */
const marks = ["circle", "square", "triangle", "diamond"] as const;

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-weight: 600; }
.page { fill: #ffffff; }
.grid { stroke: #d1d9e0; }
.line { fill: none; stroke-width: 2; }
.s0 { stroke: #0969da; fill: #0969da; } .s1 { stroke: #bc4c00; fill: #bc4c00; }
.s2 { stroke: #1a7f37; fill: #1a7f37; } .s3 { stroke: #8250df; fill: #8250df; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .page { fill: #0d1117; }
  .grid { stroke: #3d444d; }
  .s0 { stroke: #4493f8; fill: #4493f8; } .s1 { stroke: #f0883e; fill: #f0883e; }
  .s2 { stroke: #3fb950; fill: #3fb950; } .s3 { stroke: #ab7df8; fill: #ab7df8; }
}
.line { fill: none !important; }
`;

/**
 * The plots, two in a row, below one legend.
 *
 * @param names of the series, in the order of their colours
 * @param caption says in a line what is shown
 */
export function drawPlots(
  plots: readonly Plot[],
  names: readonly string[],
  caption: string,
): string {
  const rows = Math.ceil(plots.length / 2);
  const [fullWidth, fullHeight] = [2 * width, legend + rows * height];
  const drawn = plots.map((plot, index) => {
    const place = `translate(${(index % 2) * width} ${legend + Math.floor(index / 2) * height})`;
    return `<g transform="${place}">${drawPlot(plot, names)}</g>`;
  });
  const keys = names.map((name, index) => {
    const x = margin.left + index * 140;
    return `${mark(index, x, 22)}<text x="${x + 12}" y="27">${escape(name)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" ` +
    `role="img" aria-label="${escape(caption)}">`,
    `<title>${escape(caption)}</title>`,
    `<style>${style}</style>`,
    `<rect class="page" width="${fullWidth}" height="${fullHeight}"/>`,
    ...keys,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function drawPlot({ title, ticks, series, show }: Plot, names: readonly string[]): string {
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
  for (const { name, points } of series) {
    const index = names.indexOf(name);
    const places = points.map(([x, y]) => [xOf(x), yOf(y)] as const);
    const path = places.map(([x, y]) => `${x},${y}`).join(" ");
    lines.push(`<polyline class="line s${index}" points="${path}"/>`);
    for (const [x, y] of places) lines.push(mark(index, x, y));
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

function mark(index: number, x: number, y: number): string {
  const shape = `class="s${index}"`;
  switch (marks[index % marks.length]) {
    case "square":
      return `<rect ${shape} x="${x - 4}" y="${y - 4}" width="8" height="8"/>`;
    case "triangle":
      return `<polygon ${shape} points="${x},${y - 5} ${x + 5},${y + 4} ${x - 5},${y + 4}"/>`;
    case "diamond":
      return `<polygon ${shape} points="${x},${y - 5} ${x + 5},${y} ${x},${y + 5} ${x - 5},${y}"/>`;
    default:
      return `<circle ${shape} cx="${x}" cy="${y}" r="4"/>`;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
