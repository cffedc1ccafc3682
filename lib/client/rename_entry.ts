import { childOf, nameOf, parentOf } from "../access/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { cleanName } from "./names.ts";
import { isAboutName } from "./new_entries.ts";
import { reasonOf } from "./reasons.ts";
import { onlyName, showNames } from "./target.ts";

/** Asks for another name of the one selected entry, or of the file on screen, and gives it. */
export async function renameEntry(options: ActionsOptions): Promise<void> {
  const { api, listing, navigation, prompts, toasts, t } = options;
  const former = onlyName(listing);
  if (former === undefined) return;
  const at = listing.path.peek();
  const isAlone = listing.resource.peek()?.isDir === false;
  const folder = isAlone ? parentOf(at) : at;
  const rows = listing.rows.peek();
  const isDir = !isAlone && rows.at(rows.indexOf(former))?.isDir === true;
  const taken = (name: string) =>
    !isAlone && name !== former && listing.rows.peek().indexOf(name) >= 0;

  let typed = await prompts.open("rename", { taken, isDir, initial: former });
  while (typed !== null) {
    const name = cleanName(typed);
    if (name === former) return;
    const from = childOf(folder, former);
    const renamed = await api.transfer(from, childOf(folder, name), { action: "move" });
    if (renamed.ok) {
      const isHere = listing.path.peek() === from && nameOf(from) === former;
      if (isHere) return navigation.go(renamed.value, { folder: false, replace: true });
      return await showNames(listing, folder, [name]);
    }
    const reason = reasonOf(t, renamed);
    if (!isAboutName(renamed.code)) {
      toasts.error(t("failures.rename", { name: former, reason }));
      if (renamed.status === 404 && listing.path.peek() === folder) await listing.reload();
      return;
    }
    typed = await prompts.open("rename", {
      taken,
      isDir,
      initial: name,
      former,
      complaint: reason,
    });
  }
}
