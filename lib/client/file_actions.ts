import type { TFunction } from "i18next";
import { type EntryPath, nameOf } from "../access/path.ts";
import type { Api } from "./api.ts";
import type { Prompts } from "./prompts.ts";
import { reasonOf } from "./reasons.ts";
import type { Toasts } from "./toasts.ts";

/** What actions on the one file on screen work with. */
export interface FileActionsOptions {
  api: Pick<Api, "remove" | "rawAddress" | "tryDownload" | "ticket">;
  prompts: Pick<Prompts, "open">;
  toasts: Pick<Toasts, "success" | "error">;
  t: TFunction;
  /** Has the browser save what lies at an address. */
  save: (address: string) => void;
}

/**
 * Asks, then deletes a file.
 *
 * @returns whether it is gone
 */
export async function deleteFile(options: FileActionsOptions, at: EntryPath): Promise<boolean> {
  const { api, prompts, toasts, t } = options;
  const name = nameOf(at);
  if (await prompts.open("delete", { count: 1, name }) === null) return false;
  const answer = await api.remove(at);
  if (!answer.ok && answer.status !== 404) {
    toasts.error(t("failures.deleteOne", { name, reason: reasonOf(t, answer) }));
    return false;
  }
  toasts.success(t("toasts.deleted", { count: 1 }));
  return true;
}

/** Has the browser save a file; where the cookie does not open it, a ticket does. */
export async function downloadFile(options: FileActionsOptions, at: EntryPath): Promise<void> {
  const { api, toasts, save, t } = options;
  const address = api.rawAddress(at);
  const tried = await api.tryDownload(address);
  if (tried.ok) return save(address);
  const ticket = tried.status === 401 ? await api.ticket(at) : tried;
  if (ticket.ok) return save(api.rawAddress(at, { ticket: ticket.value }));
  toasts.error(t("failures.download", { reason: reasonOf(t, ticket) }));
}
