import type { Attributes } from "../disk/attributes.ts";
import type { OpenFile, OpenFolder, WatchListener } from "../disk/disk.ts";
import { DiskError } from "../disk/disk_error.ts";
import { type DirectoryEntry, type Facts, unknownFacts } from "../disk/facts.ts";
import { disk } from "../disk/this_disk.ts";
import type { Locator } from "./locator.ts";
import { type NamedRoot } from "../../shared/named_roots.ts";
import { virtualTop } from "./names.ts";

/**
 * The folder in which a viewer finds the named roots. It is on no disk: its entries are the roots
 * whose folders are there, and every change of it is refused.
 */
export class VirtualTop implements OpenFolder {
  readonly real = virtualTop;
  readonly #locator: Locator;

  constructor(locator: Locator) {
    this.#locator = locator;
  }

  facts(): Facts {
    return unknownFacts("folder");
  }

  look(name: string): Facts | null {
    const root = this.#roots.find((each) => each.name === name);
    return root ? this.#locator.scopes.look(root) : null;
  }

  entries(): DirectoryEntry[] {
    return this.#roots.flatMap((root): DirectoryEntry[] => {
      const info = this.#locator.scopes.look(root);
      return info ? [{ name: root.name, kind: "folder", ino: info.ino ?? 0 }] : [];
    });
  }

  folder(name: string): OpenFolder {
    const root = this.#roots.find((each) => each.name === name);
    if (!root) throw new DiskError("ENOENT", "open");
    return disk.folder(this.#locator.scopes.bounds(`Cannot open "${name}"`, root).base);
  }

  /** Which roots there are changes with their user alone, and that ends what the user has open. */
  watch(_listener: WatchListener): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  free(): Promise<number> {
    return Promise.resolve(Infinity);
  }

  usage(): Promise<{ total: number; used: number }> {
    return Promise.resolve({ total: 0, used: 0 });
  }

  lock(): boolean {
    return refuse();
  }

  readLink(): string {
    throw new DiskError("EINVAL", "readlink");
  }

  file(): OpenFile {
    return refuse();
  }

  makeFolder(): void {
    refuse();
  }

  makeLink(): void {
    refuse();
  }

  addName(): void {
    refuse();
  }

  rename(): void {
    refuse();
  }

  renameToFree(): void {
    refuse();
  }

  removeFile(): void {
    refuse();
  }

  removeFolder(): void {
    refuse();
  }

  attributes(): Attributes {
    return new Map();
  }

  setAttribute(): void {
    refuse();
  }

  setMode(): void {
    refuse();
  }

  setOwner(): void {
    refuse();
  }

  setTimes(): void {
    refuse();
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  syncAll(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.dispose](): void {}

  get #roots(): readonly NamedRoot[] {
    return this.#locator.viewer.roots ?? [];
  }
}

function refuse(): never {
  throw new DiskError("EPERM", "virtual top");
}
