import type { Command } from "./command.ts";
import { tableLines } from "./table.ts";

/** The help text, for a terminal. */
export function helpLines(commands: readonly Command[]): string[] {
  const rows = commands.map(({ name, words, about }) => [`  ${name} ${words}`.trimEnd(), about]);
  return [
    "Usage: deno task cubby <command> [words and flags]",
    "",
    ...tableLines(["  command", ""], rows).slice(1),
    "",
    "Every command takes --database (-d), --config (-c) and --root, as the server does.",
  ];
}
