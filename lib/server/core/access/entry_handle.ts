import type { Facts } from "../disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { LocatedEntry } from "./locator.ts";
import type { Bounds } from "./scopes.ts";
import type { RealPath } from "../disk/real_path.ts";

/** An entry that the viewer may know of. */
export class EntryHandle {
  readonly path: EntryPath;
  /** "" for the root of a scope; the root of a share has the name of what is shared. */
  readonly name: string;
  /** The target of a link, or the entry itself. For lib/server alone: never shown. */
  readonly real: RealPath;
  /** Facts about the target of a link, or about the link itself when it is broken. */
  readonly info: Facts;
  readonly isLink: boolean;
  /** A broken link. */
  readonly isBroken: boolean;
  /** The confinement under which it was found. */
  readonly bounds: Bounds;

  /** @throws {DomainError} `not_found` when no entry exists */
  constructor(place: LocatedEntry, action: string) {
    const { found } = place;
    if (found.kind === "missing") throw new DomainError("not_found", `${action}: it is not there`);
    const target = found.target?.kind === "inside" ? found.target : null;
    this.path = place.path;
    this.bounds = place.bounds;
    this.name = place.name;
    this.real = target?.real ?? found.real;
    this.info = target?.info ?? found.info;
    this.isLink = found.target !== null;
    this.isBroken = this.isLink && target === null;
  }

  /** A folder, or a link to one. */
  get isFolder(): boolean {
    return this.info.isDirectory;
  }

  /** A regular file, or a link to one: not a pipe, a socket or a device. */
  get isFile(): boolean {
    return this.info.isFile;
  }
}
