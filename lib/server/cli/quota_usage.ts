import { isLimited, type QuotaUsage } from "../../shared/schemas/quota.ts";
import { Ledger } from "../features/quotas/ledger.ts";
import { areaOf, usageOf } from "../features/quotas/area_usage.ts";
import type { User } from "../features/accounts/users/user.ts";
import type { Call } from "./command.ts";
import { sizeText } from "./texts.ts";

/** The usage of users with a quota, by their ids; empty where none has one. */
export async function quotaTexts(
  { records }: Call,
  users: readonly User[],
): Promise<Map<number, string>> {
  const ledger = new Ledger(records.store);
  const texts = new Map<number, string>();
  const ids = new Set(users.map(({ id }) => id));
  for await (const part of records.users.actingParts()) {
    for (const { id, quota, ...user } of part) {
      if (!ids.has(id) || !isLimited(quota)) continue;
      texts.set(id, usageText(usageOf(quota, await ledger.read(areaOf(user)))));
    }
  }
  return texts;
}

/** The same of one user, for people. */
export function usageText({ bytes, files, usedBytes, usedFiles }: QuotaUsage): string {
  const parts: string[] = [];
  const used = usedBytes === null ? "?" : sizeText(usedBytes);
  if (bytes > 0) parts.push(`${used} of ${sizeText(bytes)}`);
  if (files > 0) parts.push(`${usedFiles ?? "?"} of ${files} files`);
  return parts.join(", ");
}
