import { childOf } from "../../shared/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { cleanName } from "./names.ts";
import { isAboutName } from "./new_entries.ts";
import { reasonOf } from "../api/reasons.ts";
import { showNames } from "./show_names.ts";
import type { Target } from "./target.ts";

/** Asks for another name of one entry, and gives it. */
export async function renameEntry(options: ActionsOptions, target: Target): Promise<void> {
  const { api, listing, navigation, prompts, toasts, t } = options;
  const { folder } = target;
  const names = await target.names();
  if (!names.ok) return toasts.error(reasonOf(t, names));
  const [former] = names.value;
  if (former === undefined) return;
  const isDir = target.known()[0]?.isDir === true;
  const taken = (name: string) =>
    listing.path.peek() === folder && name !== former && listing.rows.peek().indexOf(name) >= 0;

  let typed = await prompts.open("rename", { taken, isDir, initial: former });
  while (typed !== null) {
    const name = cleanName(typed);
    if (name === former) return;
    const from = childOf(folder, former);
    const renamed = await api.transfer(from, childOf(folder, name), { action: "move" });
    if (renamed.ok) {
      if (listing.path.peek() === from) {
        return navigation.go(renamed.value, { folder: false, replace: true });
      }
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
