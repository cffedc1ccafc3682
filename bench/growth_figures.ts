/** The figures behind the drawings of `bench growth`. */
import { drawPlots, type Plot } from "./svg_plot.ts";
import { duration, markdown, rate } from "./table.ts";

/** The value of one line at one place. */
export interface Figure {
  /** What grows. */
  over: Growing;
  /** What was measured. */
  what: Measured;
  /** The server, or the call. */
  line: string;
  x: number;
  /** Seconds, requests a second or MB. */
  y: number;
}

/** What grows: for each server, or for Cubby alone. */
export type Growing = "entries" | "clients" | "users" | "shares" | "trash" | "activities";

type Measured = "listing" | "search" | "rate" | "memory" | "time";

const megabytes = (value: number) =>
  value >= 1_000 ? `${(value / 1_000).toFixed(1)} GB` : `${value.toFixed(0)} MB`;

/** How figures of each kind are shown. */
const showOf: Record<Measured, (value: number) => string> = {
  listing: duration,
  search: duration,
  time: duration,
  rate,
  memory: megabytes,
};

interface Drawing {
  file: string;
  caption: string;
  plots: readonly { over: Growing; what: Measured; title: string }[];
}

const drawings: readonly Drawing[] = [
  {
    file: "growth.svg",
    caption: "Time and memory of file managers over entries of a folder and over clients",
    plots: [
      { over: "entries", what: "listing", title: "Listing a folder of so many entries" },
      { over: "entries", what: "search", title: "Search in a folder of so many entries" },
      { over: "entries", what: "memory", title: "Memory after that (PSS)" },
      { over: "clients", what: "rate", title: "Listings of 50 entries, by so many clients" },
      { over: "clients", what: "memory", title: "Memory after that (PSS)" },
    ],
  },
  {
    file: "growth_records.svg",
    caption: "Time of Cubby's calls over users, shares, entries in the trash and activities",
    plots: [
      { over: "users", what: "time", title: "With so many users" },
      { over: "shares", what: "time", title: "With so many shares" },
      { over: "trash", what: "time", title: "With so many entries in the trash" },
      { over: "activities", what: "time", title: "With so many activities in the log" },
    ],
  },
];

/** Figures that mean nothing are not kept beside the others. */
function folderOf(isQuick: boolean): URL {
  return new URL(isQuick ? "../_fresh/" : "./", import.meta.url);
}

/**
 * Adds figures to those that were kept, and draws all. Figures of a line replace its former ones, so
 * that each curve, and each server, can be measured on its own.
 */
export async function keepFigures(figures: readonly Figure[], isQuick: boolean): Promise<void> {
  const folder = folderOf(isQuick);
  const file = new URL("growth.json", folder);
  const nameOf = ({ over, line }: Figure) => `${over} ${line}`;
  const measured = new Set(figures.map(nameOf));
  const kept = (await read(file)).filter((figure) => !measured.has(nameOf(figure)));
  const rounded = figures.map((figure) => ({ ...figure, y: Number(figure.y.toPrecision(4)) }));
  const all = [...kept, ...rounded];
  const lines = all.map((figure) => `  ${JSON.stringify(figure)}`);
  await Deno.writeTextFile(file, `[\n${lines.join(",\n")}\n]\n`);
  for (const drawing of drawings) {
    const plots = drawing.plots.flatMap((plot) => plotOf(plot, all) ?? []);
    if (plots.length === 0) continue;
    await Deno.writeTextFile(new URL(drawing.file, folder), drawPlots(plots, drawing.caption));
  }
}

/** Prints all figures of what grew. */
export async function printFigures(over: Growing, isQuick: boolean): Promise<void> {
  const all = await read(new URL("growth.json", folderOf(isQuick)));
  const grown = all.filter((figure) => figure.over === over);
  for (const [what, some] of Map.groupBy(grown, ({ what }) => what)) {
    console.log(tableOf(`${over}: ${what}`, some));
  }
}

/** A line for each server or call, a column for each size, and how much the last step costs. */
function tableOf(title: string, figures: readonly Figure[]): string {
  const sizes = sizesOf(figures);
  const rows = [...Map.groupBy(figures, ({ line }) => line)].map(([line, points]) => {
    const at = (size: number | undefined) => points.find(({ x }) => x === size);
    const [before, last] = sizes.slice(-2).map(at);
    return [
      line,
      ...sizes.map(at).map((point) => point ? showOf[point.what](point.y) : "-"),
      before && last ? `${(last.y / before.y).toFixed(1)}x` : "-",
    ];
  });
  return markdown([title, ...sizes.map((x) => x.toLocaleString("en")), "last step"], rows);
}

function sizesOf(figures: readonly Figure[]): number[] {
  return [...new Set(figures.map(({ x }) => x))].sort((a, b) => a - b);
}

async function read(file: URL): Promise<Figure[]> {
  try {
    return JSON.parse(await Deno.readTextFile(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function plotOf({ over, what, title }: Drawing["plots"][number], all: Figure[]): Plot | null {
  const figures = all.filter((figure) => figure.over === over && figure.what === what);
  if (figures.length === 0) return null;
  const xs = sizesOf(figures);
  // A server has one colour in all plots.
  const names = [...new Set(all.filter((figure) => figure.over === over).map(({ line }) => line))];
  return {
    title,
    show: showOf[what],
    ticks: xs.map((x) => [x, short(x)]),
    series: names.flatMap((name, colour) => {
      const points = figures.filter(({ line }) => line === name)
        .sort((a, b) => a.x - b.x).map(({ x, y }) => [x, y] as const);
      return points.length === 0 ? [] : [{ name, colour, points }];
    }),
  };
}

function short(count: number): string {
  if (count >= 1_000_000) return `${count / 1_000_000} M`;
  return count >= 1_000 ? `${count / 1_000} k` : String(count);
}
