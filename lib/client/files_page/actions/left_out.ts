import { nameOf, parsePath } from "../../../shared/path.ts";
import type { LeftOutInfo } from "../../../shared/schemas/job.ts";
import { formatList, isolated } from "../../base/core/format.ts";
import type { ActionsOptions } from "./actions_options.ts";

/** Most names in the message: it has to fit on a phone. */
const maxNames = 5;

const keys = {
  archive: "failures.leftOutArchive",
  copy: "failures.leftOutCopy",
  extract: "failures.leftOutExtract",
  move: "failures.leftOutMove",
} as const;

/**
 * Says that folders were copied, moved or archived but for pipes, sockets and devices, or archives
 * extracted but for pipes, devices and absolute paths, and names the first of these.
 */
export function leftOutText(
  { t, language }: Pick<ActionsOptions, "t" | "language">,
  action: keyof typeof keys,
  all: readonly LeftOutInfo[],
): string {
  const names = all.flatMap(({ folder, first }) => {
    // An archive is made of entries of a folder, not of that itself.
    const above = action === "archive" || action === "extract"
      ? ""
      : `${nameOf(parsePath(folder).path)}/`;
    return first.map((path) => isolated(above + path));
  }).slice(0, maxNames);
  const more = all.reduce((sum, { count }) => sum + count, 0) - names.length;
  const name = formatList(names, language);
  const told = more > 0 ? t("history.more", { name, more }) : name;
  return t(keys[action], { names: told });
}
