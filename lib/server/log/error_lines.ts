import { escapeControls } from "./escape_controls.ts";

/**
 * Makes `console.error` and `console.warn` of this thread print errors in the format of
 * `errorLines`, as the message of an error can contain an untrusted name.
 */
export function formatErrors(): void {
  const print = console.error;
  console.error = (...values) => print(errorLines(values, new Date()));
  console.warn = console.error;
}

/**
 * The text of an error in the log: the time, then the message; further lines are indented, so that
 * none looks like a log entry.
 */
export function errorLines(values: unknown[], time: Date): string {
  const text = values.map((value) => typeof value === "string" ? value : Deno.inspect(value))
    .join(" ");
  const [first = "", ...rest] = text.split("\n").map(escapeControls);
  return [`${time.toISOString()} ${first}`, ...rest.map((line) => `    ${line}`)].join("\n");
}
