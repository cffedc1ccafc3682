import { commandNames } from "./app_folder.ts";
import { version } from "../../shared/version.ts";
import { type StartOption, startOptions } from "./options.ts";

/** The text of `--version`. */
export function versionText(): string {
  return `Cubby ${version} (Deno ${Deno.version.deno})`;
}

/** The text of `--help`. */
export function helpText(): string {
  const options: readonly StartOption[] = startOptions;
  const rows = options.filter(({ instead }) => instead === undefined).map((option) =>
    [flagText(option), option.about] as const
  );
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return [
    `Usage: ${commandNames.start} [flags]`,
    "",
    ...rows.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}`),
    "",
    "Each flag may also be given as an environment variable (FB_CACHE_DIR for --cache-dir) or in",
    ".filebrowser.json in the current folder, the home folder or /etc/filebrowser. What nobody gives",
    `is as "${commandNames.cubby} config set" has stored it, or else as it is in brackets.`,
  ].join("\n");
}

function flagText({ name, short, value }: StartOption): string {
  const letter = short ? `-${short}, ` : "    ";
  return `${letter}--${name}${value ? ` ${value}` : ""}`;
}
