/** What the command line says about its commands: their lists, their flags, a mistyped name. */
import { editDistance, maxDistance } from "../../shared/edit_distance.ts";
import { commandNames } from "../core/config/app_folder.ts";
import type { Command, StoreCommand } from "./command.ts";
import type { CommandFlag } from "./flags.ts";
import { tableLines } from "./texts.ts";

type AnyCommand = Command | StoreCommand;

/** The list of commands, for a terminal. */
export function helpLines(commands: readonly AnyCommand[]): string[] {
  const rows = commands.map(({ name, words, about }) => [`  ${name} ${words}`.trimEnd(), about]);
  return [
    `Usage: ${commandNames.cubby} <command> [words and flags]`,
    "",
    ...tableLines(["  command", ""], rows).slice(1),
    "",
    "Every command takes --database (-d), --database-ca, --config (-c) and --root, like the server.",
    `"${commandNames.cubby} <command> --help" shows the flags of a command.`,
  ];
}

/** The help of one command, for a terminal. */
export function commandHelp(
  { name, words, about }: AnyCommand,
  flags: readonly CommandFlag[],
): string[] {
  const usage = [commandNames.cubby, name, words, "[flags]"].filter(Boolean).join(" ");
  return [`Usage: ${usage}`, "", about, "", "Flags:", ...shown(flags).flatMap(flagLines)];
}

function flagLines({ name, short, value, about }: CommandFlag): string[] {
  const letter = short ? `-${short}, ` : "    ";
  const line = `  ${letter}--${name}${value ? ` ${value}` : ""}`;
  return about === undefined ? [line] : [line, `          ${about}`];
}

/** The flags of a command, besides those of every command. */
export async function flagsFor({ flags = [] }: AnyCommand): Promise<readonly CommandFlag[]> {
  return typeof flags === "function" ? await flags() : flags;
}

function shown(flags: readonly CommandFlag[]): readonly CommandFlag[] {
  return flags.filter(({ isAnswered = false }) => !isAnswered);
}

/** The page `docs/cli.md`: all commands with their flags. */
export async function commandReference(commands: readonly AnyCommand[]): Promise<string> {
  const lines = [introduction];
  const listed = new Map<string, string>();
  const groups = new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""));
  for (const group of groups) {
    lines.push(`## ${group}`, "");
    for (const command of groupOf(commands, group)) {
      const { name, words, about } = command;
      lines.push(
        `\`cubby ${[name, words].filter(Boolean).join(" ")}\``,
        "",
        `${sentence(about)}`,
        "",
      );
      const flags = shown(await flagsFor(command)).map(flagItem);
      const all = flags.join("\n");
      const same = listed.get(all);
      if (same !== undefined && flags.length > 5) {
        flags.splice(0, flags.length, `- the flags of \`${same}\``);
      } else listed.set(all, name);
      if (flags.length > 0) lines.push(...flags, "");
    }
  }
  return lines.join("\n");
}

const introduction = `<!-- Made by \`deno task docs\` from the commands. -->

# Commands

All commands and their flags. [The command line](configuration.md#the-command-line) describes how to
run them. Every command also takes \`--database\` (\`-d\`), \`--database-ca\`, \`--config\` (\`-c\`),
\`--root\` and \`--help\` (\`-h\`).
`;

function flagItem({ name, short, value, about }: CommandFlag): string {
  const letter = short ? `\`-${short}\`, ` : "";
  const flag = `- ${letter}\`--${name}${value ? ` ${value}` : ""}\``;
  return about === undefined ? flag : `${flag}: ${about}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The commands that begin with a word: `users add` and the like for `users`. */
export function groupOf(commands: readonly AnyCommand[], word: string | undefined): AnyCommand[] {
  return commands.filter(({ name }) => name.split(" ")[0] === word);
}

/**
 * Describes a command line that names no command: `unknown command "usr add", did you mean
 * "users add"?`.
 */
export function unknownCommand(commands: readonly AnyCommand[], args: readonly string[]): string {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const words = end === -1 ? args : args.slice(0, end);
  const candidates = commands.map(({ name }) => {
    const typed = words.slice(0, name.split(" ").length).join(" ");
    return { name, typed, distance: editDistance(typed, name) };
  });
  const near = candidates.filter(({ name, distance }) => distance <= maxDistance(name))
    .sort((a, b) => a.distance - b.distance)[0];
  if (near) return `unknown command ${quote(near.typed)}, did you mean ${quote(near.name)}?`;
  const isGroup = groupOf(commands, words[0]).length > 0;
  const typed = words.slice(0, isGroup ? 2 : 1).join(" ") || args[0] || "";
  const help = [commandNames.cubby, ...isGroup ? words.slice(0, 1) : [], "--help"].join(" ");
  return `unknown command ${quote(typed)}: ${quote(help)} lists the commands`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
