import { escapeControls } from "./escape_controls.ts";
import { jsonLine, type LogFormat } from "./json_lines.ts";

/**
 * Makes `console.error` and `console.warn` of this thread print errors in the format of
 * `errorLines` or, for JSON, of `errorObject`, as the message of an error can contain an untrusted
 * name.
 */
export function formatErrors(format: LogFormat): void {
  const print = console.error;
  const lines = format === "json" ? errorObject : errorLines;
  console.error = (...values) => print(lines(values, new Date()));
  console.warn = console.error;
}

/**
 * The text of an error in the log: the time, then the message; further lines are indented, so that
 * none looks like a log entry.
 */
export function errorLines(values: unknown[], time: Date): string {
  const [first = "", ...rest] = textOf(values).split("\n").map(escapeControls);
  return [`${time.toISOString()} ${first}`, ...rest.map((line) => `    ${line}`)].join("\n");
}

/** The text of an error as a JSON object in one line: what follows its first line is its `stack`. */
export function errorObject(values: unknown[], time: Date): string {
  const [message = "", ...rest] = textOf(values).split("\n");
  const stack = rest.length === 0 ? undefined : rest.join("\n");
  return jsonLine(time, "error", { message, stack });
}

function textOf(values: unknown[]): string {
  return values.map((value) => typeof value === "string" ? value : Deno.inspect(value)).join(" ");
}
