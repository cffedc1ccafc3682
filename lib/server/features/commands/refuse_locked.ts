import { pathBelow, type RealPath } from "../../core/disk/real_path.ts";
import type { HookedEvent, HookServices, HookSubject } from "./hooks.ts";

/**
 * Refuses an operation on what a program has locked by WebDAV. Only the program itself, by the
 * token of its lock, may change it: what a page saves would be overwritten by it, or the other way
 * round.
 *
 * @throws DomainError `locked`
 */
export async function refuseLocked<T>(
  { locks, config }: Pick<HookServices, "locks" | "config">,
  event: HookedEvent,
  { signedIn, path, file, destination, isLockChecked }: HookSubject<T>,
): Promise<void> {
  if (!locks || isLockChecked || (await locks.all()).length === 0) return;
  const place = (real: string) => pathBelow(real as RealPath, config.root);
  const all = { isDeep: true, isMember: true };
  const affected = [];
  if (event === "save") affected.push({ place: place(file()) });
  else if (event === "upload") affected.push({ place: place(file()), isMember: true });
  else if (event !== "copy") affected.push({ place: place(file()), ...all });
  if (destination) affected.push({ place: place(destination()), ...all });
  const holder = { userId: signedIn.user.id, tokens: new Set<string>() };
  await locks.assertFree(holder, affected, `Cannot change "${path}"`);
}
