import { nameOf, parsePath } from "../../../shared/path.ts";
import type { LeftOutInfo } from "../../../shared/schemas/job.ts";
import { isolated } from "../../base/core/format.ts";
import type { ActionsOptions } from "./actions_options.ts";

/** Most names in the message: it has to fit on a phone. */
const mostNames = 5;

/**
 * Says that folders were copied or moved but for pipes, sockets and devices, and names the first of
 * these.
 */
export function leftOutText(
  { t, language }: Pick<ActionsOptions, "t" | "language">,
  action: "copy" | "move",
  all: readonly LeftOutInfo[],
): string {
  const names = all.flatMap(({ folder, first }) =>
    first.map((path) => isolated(`${nameOf(parsePath(folder).path)}/${path}`))
  ).slice(0, mostNames);
  const more = all.reduce((sum, { count }) => sum + count, 0) - names.length;
  const name = names.join(separatorOf(language));
  const told = more > 0 ? t("history.more", { name, more }) : name;
  const key = action === "copy" ? "failures.leftOutCopy" : "failures.leftOutMove";
  return t(key, { names: told });
}

/** The sign between the items of a list. */
function separatorOf(language: string): string {
  return new Intl.ListFormat(language).formatToParts(["a", "b", "c"])[1]?.value ?? ", ";
}
