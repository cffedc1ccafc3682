import { commandNames } from "./app_folder.ts";
import { version } from "../../../shared/version.ts";
import {
  defaultText,
  optionGroups,
  type StartOption,
  startOptions,
  variablesOf,
} from "./options.ts";

/** The text of `--version`. */
export function versionText(): string {
  return `Cubby ${version} (Deno ${Deno.version.deno})`;
}

/** The text of `--help`. */
export function helpText(): string {
  const rows = startOptions.filter(({ instead }) => instead === undefined).map((option) =>
    [flagText(option), aboutText(option)] as const
  );
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return [
    `Usage: ${commandNames.start} [flags]`,
    "",
    ...rows.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}`),
    "",
    "Each flag is also an environment variable (FB_CACHE_DIR for --cache-dir) and a key in",
    ".filebrowser.json in the current folder, the home folder or /etc/filebrowser. Defaults are in",
    `brackets; "${commandNames.cubby} config set" stores others.`,
  ].join("\n");
}

function flagText({ name, short, value }: StartOption): string {
  const letter = short ? `-${short}, ` : "    ";
  return `${letter}--${name}${value ? ` ${value}` : ""}`;
}

function aboutText(option: StartOption): string {
  const usual = defaultText(option);
  return usual === undefined ? option.help : `${option.help} (${usual})`;
}

/** The reference of all options, in Markdown: `docs/configuration-options.md`. */
export function optionReference(): string {
  const parts = optionGroups.filter(({ title }) => title !== "Help").map(({ title, options }) => {
    const names = Object.keys(options);
    const rows = startOptions.filter(({ name }) => names.includes(name)).map((option) => [
      code(option.short ? `--${option.name}, -${option.short}` : `--${option.name}`),
      variablesOf(option).filter(isPreferred(option)).map(code).join(", "),
      option.value ?? "",
      defaultCell(option),
      option.stored ? "yes" : "no",
      escapeMarkdown(option.instead ?? option.help),
    ]);
    const head = ["option", "variable", "value", "default", "stored", "meaning"];
    return [`## ${title}`, "", ...markdownTable(head, rows)].join("\n");
  });
  return `${[referenceIntroduction, ...parts].join("\n\n")}\n`;
}

const referenceIntroduction = `# Options of the server

This page is generated from the declarations in \`lib/server/core/config/\`.
[configuration.md](configuration.md) explains where options are read from, and which of several
values applies. A key of the config file is the name of an option, such as \`cache-dir\` or
\`cacheDir\`. \`config set\` accepts the options that can be stored. An option without a value is a
switch.`;

/** Without the spelling that only lacks the underscores. */
function isPreferred({ name, aliases = [] }: StartOption): (variable: string) => boolean {
  const usual = `FB_${name.toUpperCase().replaceAll("-", "_")}`;
  return (variable) => variable === usual || aliases.includes(variable.slice("FB_".length));
}

function defaultCell(option: StartOption): string {
  const usual = option.value === undefined && !option.otherwise ? "off" : defaultText(option);
  if (usual === undefined || option.instead !== undefined) return "–";
  return option.default === usual ? code(usual) : escapeMarkdown(usual);
}

function code(text: string): string {
  return `\`${text}\``;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<|]/g, "\\$&");
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
