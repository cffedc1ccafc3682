import { families, type Family } from "./families.ts";

/** The media type of the text format, version 0.0.4. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** Endings of the series of a histogram. */
const parts = /_(?:bucket|sum|count)$/;

/**
 * The text that Prometheus scrapes: each family with its description, then its series in the order
 * in which they were first counted.
 *
 * @param sums by the names of series with their labels
 */
export function exposition(sums: ReadonlyMap<string, number>): string {
  const byFamily = new Map<string, string[]>();
  for (const [series, value] of sums) {
    const name = series.replace(/\{.*/, "");
    const family = Object.hasOwn(families, name) ? name : name.replace(parts, "");
    const lines = byFamily.get(family) ?? [];
    lines.push(`${series} ${value}`);
    byFamily.set(family, lines);
  }
  const described: [string, Family][] = Object.entries(families);
  return described.flatMap(([name, { type, help }]) => {
    const lines = byFamily.get(name);
    return lines ? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines] : [];
  }).join("\n") + "\n";
}
