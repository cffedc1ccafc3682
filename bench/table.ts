/** One line of the table. */
export interface Row {
  what: string;
  /** Our result in its unit: "312 ms". */
  cubby: string;
  /** What it is held against: "`ls -l`", with its result. */
  against?: string;
  /** Ours divided by theirs; by convention above 1 is slower, also for rates. */
  ratio?: number;
  /** What we want, and whether we have it. */
  target?: { text: string; met: boolean };
}

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  return markdown(["", "Cubby", "against", "ratio", "target"], rows.map(cellsOf));
}

function cellsOf({ what, cubby, against, ratio, target }: Row): string[] {
  return [
    what,
    cubby,
    against ?? "",
    ratio === undefined ? "" : `${ratio.toFixed(2)}x`,
    target ? `${target.text}: ${target.met ? "met" : "missed"}` : "",
  ];
}

/** A Markdown table. */
export function markdown(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0))
  );
  const draw = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [draw(head), draw(rule), ...lines.map(draw)].join("\n");
}

/** A target of the form "at most so many". */
export function atMost(value: number, limit: number, text: string): Row["target"] {
  return { text: `at most ${text}`, met: value <= limit };
}

/** Seconds for people: "312 ms", "2.41 s". */
export function duration(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}

/** A rate for people: "12,345/s". */
export function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString("en")}/s`;
}
