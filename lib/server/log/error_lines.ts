import { escapeControls } from "./escape_controls.ts";

/**
 * Has `console.error` and `console.warn` of this thread print errors as `errorLines` lays them out.
 * The message of an error can quote a name that somebody chose.
 */
export function layOutErrors(): void {
  const print = console.error;
  console.error = (...values) => print(errorLines(values, new Date()));
  console.warn = console.error;
}

/**
 * The text of an error in the log: the time, then the message; what follows on further lines is
 * indented, so that none of it looks like a line of its own.
 */
export function errorLines(values: unknown[], time: Date): string {
  const text = values.map((value) => typeof value === "string" ? value : Deno.inspect(value))
    .join(" ");
  const [first = "", ...rest] = text.split("\n").map(escapeControls);
  return [`${time.toISOString()} ${first}`, ...rest.map((line) => `    ${line}`)].join("\n");
}
