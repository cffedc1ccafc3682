import { DomainError } from "../../../shared/errors.ts";
import { pathIn } from "../../../shared/named_roots.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import { dayMs } from "../../../shared/time.ts";
import type { Access } from "../../core/access/access.ts";
import { changedAt, isSpentCompanion } from "../../core/access/companions.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER, viewerOf } from "../../core/access/viewer.ts";
import type { EntryObservers } from "../../files/entry_observers.ts";
import { removeSpentCompanion } from "../../files/remove.ts";
import type { Users } from "../accounts/users/users.ts";
import type { User } from "../accounts/users/user.ts";
import type { SettingsStore } from "../settings/settings_store.ts";
import type { Locks } from "./locks.ts";

/** How long a file without its entry rests, and the folder that holds it, in milliseconds. */
const restMs = dayMs;

/** The most files that are removed for one walk. */
const maxRemoved = 1_000;

/** Files that are tried in a folder at most, for one user after another. */
const maxTries = 10_000;

/** The dependencies of {@linkcode CompanionSweep}. */
export interface CompanionSweepOptions {
  gate: Gate;
  users: Pick<Users, "actingParts">;
  settings: Pick<SettingsStore, "get">;
  locks: Locks | null;
  observers: EntryObservers;
  /** Takes what was removed, before anybody asks again. */
  notifyChanged(access: Access, ...paths: EntryPath[]): Promise<void>;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/** Files in a folder whose entries are gone. */
interface Found {
  /** Below the server root. */
  folder: EntryPath;
  names: readonly string[];
}

/** The files of a folder that a user may remove. */
interface Removable {
  access: Access;
  userId: number;
  paths: EntryPath[];
}

/**
 * Removes files that macOS has kept beside entries which are gone, as far as they hold nothing of
 * worth. The walks of the indexes find them; here each is looked at again.
 *
 * - Both the file and its folder are unchanged for a day: Finder may write the file before its entry,
 *   and other programs replace an entry by deleting it first.
 * - A file goes only where a user may delete it, as by that user: scope, rules, read-only roots,
 *   locks and quotas hold as for every deletion. It does not go to the trash.
 */
export class CompanionSweep {
  readonly #options: CompanionSweepOptions;
  /** Number of files that were removed for the present walk. */
  #removed = 0;

  constructor(options: CompanionSweepOptions) {
    this.#options = options;
  }

  /**
   * Takes what a walk has found in a folder; null at the end of the walk, which is logged. It does
   * not fail.
   */
  async take(found: Found | null): Promise<void> {
    try {
      if (found) await this.#remove(found.folder, found.names);
      else this.#end();
    } catch (error) {
      // The folder is gone, or its disk does not answer now: another walk comes.
      if (!(error instanceof DomainError)) this.#note(`Cannot remove files of macOS: ${error}`);
    }
  }

  async #remove(folder: EntryPath, names: readonly string[]): Promise<void> {
    const left = maxRemoved - this.#removed;
    const before = Date.now() - restMs;
    const due = this.#dueIn(folder, names, before).slice(0, left);
    if (due.length === 0) return;
    const places = due.map((name) => childOf(folder, name));
    const removable = await this.#removable(places);
    if (!removable) return;
    const { access, userId, paths } = removable;
    const gone: EntryPath[] = [];
    for (const path of paths) {
      if (await this.#isRemoved(access, userId, path, before)) gone.push(path);
    }
    this.#removed += gone.length;
    if (gone.length > 0) await this.#options.notifyChanged(access, ...gone);
  }

  #dueIn(path: EntryPath, names: readonly string[], before: number): string[] {
    const handle = this.#options.gate.enter(SERVER).folder(path);
    if (changedAt(handle.info) >= before) return [];
    using folder = handle.open();
    return names.filter((name) => isSpentCompanion(folder, name, before));
  }

  /** What the first user may remove who may remove any of it; null where nobody may. */
  async #removable(places: readonly EntryPath[]): Promise<Removable | null> {
    const { users, settings } = this.#options;
    const { rules } = await settings.get();
    let tries = 0;
    for await (const part of users.actingParts()) {
      for (const user of part) {
        const access = this.#options.gate.enter(viewerOf(user, rules));
        const reaches = places.some((place) => pathIn(user, place) !== null);
        if (!reaches || !access.may("delete") || user.hideDotfiles) continue;
        tries += places.length;
        if (tries > maxTries) return null;
        const paths = places.flatMap((place) => removablePath(access, user, place) ?? []);
        if (paths.length > 0) return { access, userId: user.id, paths };
      }
    }
    return null;
  }

  async #isRemoved(
    access: Access,
    userId: number,
    path: EntryPath,
    before: number,
  ): Promise<boolean> {
    const { locks, observers } = this.#options;
    try {
      const change = { place: access.remove(path).belowRoot, isDeep: true, isMember: true };
      const holder = { userId, tokens: new Set<string>() };
      await locks?.assertFree(holder, [change], `Cannot delete "${path}"`);
      await removeSpentCompanion(access, path, before, observers);
      return true;
    } catch (error) {
      // Locked, changed, or gone.
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  #end(): void {
    const count = this.#removed;
    this.#removed = 0;
    if (count === 0) return;
    this.#note(
      `Removed ${count} ${count === 1 ? "file" : "files"} of macOS (._name) without a file`,
    );
  }

  #note(sentence: string): void {
    this.#options.note(sentence);
  }
}

/** The path by which a user may remove what is at a place; null for none. */
function removablePath(access: Access, user: User, place: EntryPath): EntryPath | null {
  const path = pathIn(user, place);
  if (path === null) return null;
  try {
    return access.remove(path).belowRoot === place ? path : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
