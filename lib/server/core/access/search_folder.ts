import type { FolderHandle } from "./folder_handle.ts";
import type { Child, FolderPlace } from "./folder_visibility.ts";
import { childOfEntry, factsOfChild, openFolder, visibilityOf } from "./folder_visibility.ts";
import { companionKind, isSpentCompanion } from "./companions.ts";
import type { Needle } from "../disk/directory_records.ts";
import type { Facts } from "../disk/facts.ts";
import type { Watch, WatchListener } from "../disk/disk.ts";
import { disk } from "../disk/this_disk.ts";
import type { Locator } from "./locator.ts";
import type { Bounds } from "./scopes.ts";
import { isTemporaryName, virtualTop } from "./names.ts";
import { belowRootName, rootNamed } from "../../../shared/named_roots.ts";
import type { NamedRoot } from "../../../shared/schemas/named_root.ts";
import { asRefusal } from "./os_errors.ts";
import { childrenOf, type EntryPath, joinPaths, ROOT } from "../../../shared/path.ts";
import { asRealPath, type RealPath, realPathBelow } from "../disk/real_path.ts";

/** The matches in one folder. */
export interface FoundEntry {
  /** Entries with a matching name. */
  hits: Child[];
  /** The folders to search next, whatever their names. */
  branches: SearchFolder[];
  /** Names of files of macOS that are left out, and whose entries are gone. */
  orphans: string[];
}

/** An entry with facts about it; about its target if it is a link that leads to one. */
export interface LookedEntry {
  child: Child;
  info: Facts;
}

/** A folder of a search. The queue may hold very many, so each keeps only its path. */
export class SearchFolder implements FolderPlace {
  readonly #top: FolderHandle;
  readonly #below: EntryPath;
  readonly #caseInsensitive: boolean;

  private constructor(top: FolderHandle, below: EntryPath, caseInsensitive: boolean) {
    this.#top = top;
    this.#below = below;
    this.#caseInsensitive = caseInsensitive;
  }

  /** The folder at which a walk begins. */
  static of(top: FolderHandle): SearchFolder {
    return new SearchFolder(top, ROOT, top.spelling.caseInsensitive);
  }

  /**
   * A folder of a walk that another thread has found.
   *
   * @param below its {@link below}
   */
  static below(top: FolderHandle, below: string, caseInsensitive: boolean): SearchFolder {
    return new SearchFolder(top, below as EntryPath, caseInsensitive);
  }

  get locator(): Locator {
    return this.#top.locator;
  }

  get bounds(): Bounds {
    return this.#root ? this.locator.scopes.bounds("Cannot search", this.#root) : this.#top.bounds;
  }

  get path(): EntryPath {
    return joinPaths(this.#top.path, this.#below);
  }

  /** The path relative to the start of the walk: "/" there. */
  get below(): EntryPath {
    return this.#below;
  }

  get real(): RealPath {
    return this.#root ? this.#inRoot(this.#root) : this.#under(this.#top.real);
  }

  /** Whether the folder that holds it takes several spellings for one name. */
  get caseInsensitive(): boolean {
    return this.#caseInsensitive;
  }

  /**
   * Facts about the folder itself; null when it is gone, or something else now.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  facts(): Facts | null {
    try {
      if (this.real === virtualTop) return this.#top.info;
      const info = disk.look(this.real);
      return info?.isDirectory ? info : null;
    } catch (error) {
      throw asRefusal(error, `Cannot read the folder "${this.path}"`);
    }
  }

  /**
   * A folder in this one that an earlier {@link pick} has found, while this one is unchanged.
   *
   * @param caseInsensitive as the folder that was found had it
   */
  branch(name: string, caseInsensitive: boolean): SearchFolder {
    return new SearchFolder(this.#top, childrenOf(this.#below)(name), caseInsensitive);
  }

  /**
   * Reads the folder. Entries that the viewer may not know of are left out; links count as their
   * targets, but are not entered.
   *
   * @param needle a text that every wanted name holds, if there is one: for speed
   * @throws {DomainError} `forbidden`, `not_found`
   */
  pick(isWanted: (name: string) => boolean, needle?: Needle): FoundEntry {
    const { locator, path, real, bounds } = this;
    const place = { locator, path, real, bounds };
    using folder = openFolder(place);
    // With rules, any name may tell whether the folder folds case.
    const { hasRules } = locator.visibility();
    const entries = folder.entries(hasRules ? undefined : needle);
    const spelling = {
      real: this.#root ? real : this.#under(this.#top.spelling.real),
      caseInsensitive: this.#caseInsensitive,
    };
    const { allows, caseInsensitive } = visibilityOf(place, spelling, { folder, entries });
    const { hidesCompanions } = locator.viewer;
    const pathOf = childrenOf(this.#below);
    const picked: FoundEntry = { hits: [], branches: [], orphans: [] };
    for (const entry of entries) {
      const { name, kind } = entry;
      const isHit = isWanted(name);
      if (!isHit && kind !== "folder") continue;
      if (isTemporaryName(name) || !allows(entry)) continue;
      const companion = hidesCompanions ? companionKind(folder, entry) : null;
      if (companion === "orphan") picked.orphans.push(name);
      if (companion) continue;
      if (kind === "folder") {
        picked.branches.push(new SearchFolder(this.#top, pathOf(name), caseInsensitive));
      }
      const child = isHit ? childOfEntry(place, entry) : null;
      if (child) picked.hits.push(child);
    }
    return picked;
  }

  /**
   * Facts about entries of {@link pick}, one by one; entries that are gone are left out. The folder
   * is open until the last one is read.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  *look(children: readonly Child[]): Generator<LookedEntry> {
    using folder = openFolder(this);
    for (const child of children) {
      const info = factsOfChild(this, child, folder);
      if (info) yield { child, info };
    }
  }

  /**
   * Those of the orphans of {@link pick} that hold nothing of worth.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  spent(orphans: readonly string[]): string[] {
    using folder = openFolder(this);
    return orphans.filter((name) => isSpentCompanion(folder, name));
  }

  /**
   * Reports changes in the folder until the result is disposed of.
   *
   * @throws {DiskError} `ENOSPC` or `EMFILE` at a limit of the system; others
   * @throws {DomainError} `forbidden`, `not_found`
   */
  watch(listener: WatchListener): Watch {
    using folder = openFolder(this);
    return folder.watch(listener);
  }

  /** The named root that it is in, for a walk from the virtual top. */
  get #root(): NamedRoot | undefined {
    if (this.#below === ROOT || this.#top.real !== virtualTop) return undefined;
    return rootNamed(this.locator.viewer.roots ?? [], this.#below);
  }

  #inRoot(root: NamedRoot): RealPath {
    const { scope } = this.locator.scopes.bounds("Cannot search", root);
    return realPathBelow(belowRootName(this.#below, root), scope);
  }

  #under(top: RealPath): RealPath {
    if (this.#below === ROOT) return top;
    return asRealPath(top === "/" ? this.#below : top + this.#below);
  }
}
