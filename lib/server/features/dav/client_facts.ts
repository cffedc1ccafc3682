import { childOf, type EntryPath, isInside, nameOf, parentOf } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { virtualTop } from "../../core/access/names.ts";
import { realParent, type RealPath } from "../../core/disk/real_path.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import type { Users } from "../accounts/users/users.ts";
import type { MediaInfo } from "../../../shared/schemas/media.ts";
import { audienceNames } from "../links/shares/audience.ts";
import { termsOf } from "../links/shares/share.ts";
import type { Shares } from "../links/shares/shares.ts";
import type { Favorites } from "../places/favorites.ts";
import type { Checksums, FileChecksums } from "./file_checksums.ts";
import type { FolderState, FolderStates } from "./folder_states/folder_states.ts";
import type { DavEntry } from "./live_properties.ts";
import { identified, type IdLookups } from "./id_lookups.ts";
import { covers, type DavLock } from "./locks.ts";
import { placeInView } from "./paths_in_view.ts";
import { permissionsIn, permissionsOf } from "./permission_letters.ts";
import { keyOf, type PropertyQuery } from "./propfind.ts";
import { collaboration, davNamespace, nextcloud, ownCloud } from "./xml/write_xml.ts";

/** Whom an entry is shared with. */
export interface EntryShares {
  /** Whether anybody may open a link to it. */
  isPublic: boolean;
  /** The names of users, and of groups after an "@". */
  names: string[];
}

/** A lock, with its owner's name. */
export interface NamedLock extends DavLock {
  username: string;
  /** The viewer holds it. */
  isOwn: boolean;
}

/** What clients that sync ask of an entry besides its own facts; null for what is not asked. */
export interface ClientFacts {
  /** The name of the user whose files these are. */
  owner: string;
  /** Decimal digits. */
  id: string | null;
  /** The letters of `oc:permissions`. */
  permissions: string;
  /** Of a folder. */
  folder: FolderState | null;
  /** Of a folder whose entries are listed as well. */
  content: { folders: number; files: number } | null;
  checksums: Checksums | null;
  isFavorite: boolean;
  hasPreview: boolean;
  /** What a picture or a video tells of itself, as far as it has been read. */
  media: MediaInfo | null;
  shares: EntryShares | null;
  lock: NamedLock | null;
}

/** What is known of the pictures and videos in a folder, in the state that they have. */
export interface KnownMedia {
  find(name: string, info: Facts): MediaInfo | undefined;
}

/** The services that know these facts, and the viewer. */
export interface ClientTools {
  access: Access;
  user: { id: number; username: string };
  folderStates: FolderStates | null;
  idLookups: IdLookups | null;
  fileChecksums: FileChecksums | null;
  favorites: Favorites;
  /** What the server has read of the pictures and videos in a folder, for who may read files. */
  mediaIn(folder: RealPath): Promise<KnownMedia> | null;
  shares: Shares;
  users: Users;
  locks: readonly DavLock[];
  /** Whether previews are made of files with a name. */
  canPreview(name: string): boolean;
  signal: AbortSignal;
}

/** Most shares of an entry that are read to tell whom it is shared with. */
const maxShares = 50;

/** An entry of a listing, with what it is when it is no link. */
export interface ListedEntry extends DavEntry {
  child: Child;
}

/** Counts the entries in a folder. */
export function contentOf(children: readonly Child[]): NonNullable<ClientFacts["content"]> {
  const folders = children.filter(({ isFolder }) => isFolder).length;
  return { folders, files: children.length - folders };
}

/** Adds the facts to the entries of a folder, many at once. */
export type ReadAhead = (entries: readonly ListedEntry[]) => Promise<void>;

/** Reads the facts of a folder, or of a file, and of the entries in it. */
export class ClientReader {
  readonly #tools: ClientTools;
  readonly #asks: (ns: string, ...names: string[]) => boolean;
  /** The place of the entry, behind links. */
  readonly #place: EntryPath;
  readonly #own: ReturnType<typeof identified>;
  readonly #entry: EntryHandle;
  readonly #favorites = new Set<EntryPath>();
  #locks: NamedLock[] = [];

  /** @param query only what it asks for is read */
  private constructor(tools: ClientTools, query: PropertyQuery, entry: EntryHandle) {
    this.#tools = tools;
    this.#entry = entry;
    this.#place = tools.access.placeOf(entry);
    this.#own = identified(tools.access, entry);
    const names = new Set(query.kind === "named" ? query.names.map(keyOf) : []);
    const isNamed = query.kind === "named";
    this.#asks = (ns, ...wanted) =>
      isNamed ? wanted.some((name) => names.has(keyOf({ ns, name }))) : query.kind === "names";
  }

  /** Reads what does not depend on the entry. */
  static async open(
    tools: ClientTools,
    query: PropertyQuery,
    entry: EntryHandle,
  ): Promise<ClientReader> {
    const reader = new ClientReader(tools, query, entry);
    if (reader.#asks(ownCloud, "favorite")) {
      const stored = await tools.favorites.lists.get(tools.user.id);
      for (const { place } of stored) reader.#favorites.add(place);
    }
    if (reader.#asks(nextcloud, ...lockNames)) reader.#locks = await reader.#readLocks();
    return reader;
  }

  /** The facts of the entry itself. */
  async own(): Promise<ClientFacts> {
    const { access, user, folderStates, signal } = this.#tools;
    const { path, isFolder, name, info, real } = this.#entry;
    const place = this.#place;
    const [id = null] = await this.#ids([this.#own]);
    const [checksums = null] = isFolder ? [] : await this.#checksums([{ place, info }]);
    const folder = isFolder && this.#asksState
      ? await folderStates?.of(access, path, signal)
      : null;
    const names = this.#asksShares && place !== "/"
      ? await this.#tools.shares.namesIn(parentOf(place), user.id)
      : null;
    return {
      owner: user.username,
      ...{ id, checksums, content: null, folder: folder ?? null },
      permissions: this.#asksPermissions ? permissionsOf(access, path, isFolder) : "",
      isFavorite: this.#favorites.has(place),
      hasPreview: this.#hasPreview({ name, info }),
      media: isFolder ? null : (await this.#mediaIn(realParent(real)))?.find(name, info) ?? null,
      shares: names?.has(nameOf(place)) ? await this.#sharesAt(place) : null,
      lock: this.#lockOn(place),
    };
  }

  /** Prepares to read those of the entries in it. @param isListed without it there are none */
  async below(isListed: boolean): Promise<ReadAhead> {
    if (!isListed || !this.#entry.isFolder) return () => Promise.resolve();
    const { access, folderStates, shares, signal, user } = this.#tools;
    const { path } = this.#entry;
    const states = this.#asksState ? await folderStates?.in(access, path, signal) : undefined;
    const shared = this.#asksShares ? await shares.namesIn(this.#place, user.id) : null;
    const media = await this.#mediaIn(this.#entry.real);
    const lettersOf = this.#asksPermissions ? permissionsIn(access, this.#entry) : () => "";
    return async (entries) => {
      const places = entries.map((entry) => this.#placeOf(entry));
      const ids = await this.#ids(entries.map((entry) => this.#identifiedIn(entry)));
      const files = entries.flatMap((entry, at) => {
        const place = places[at];
        return entry.info.isFile && place !== undefined ? [{ place, info: entry.info, at }] : [];
      });
      const sums = await this.#checksums(files);
      const sumsAt = new Map(files.map(({ at }, index) => [at, sums[index] ?? null]));
      for (const [at, entry] of entries.entries()) {
        const { name, info, child } = entry;
        const { isDirectory } = info;
        const place = places[at] ?? childOf(this.#place, name);
        entry.client = {
          owner: user.username,
          id: ids[at] ?? null,
          permissions: lettersOf(entry.path, isDirectory, child.target !== null),
          folder: isDirectory && this.#asksState
            ? states?.get(name) ?? await this.#stateOf(entry.path)
            : null,
          content: null,
          checksums: sumsAt.get(at) ?? null,
          isFavorite: this.#favorites.has(place),
          hasPreview: this.#hasPreview(entry),
          media: child.target === null ? media?.find(name, info) ?? null : null,
          shares: shared?.has(name) ? await this.#sharesAt(place) : null,
          lock: this.#locks.length > 0 ? this.#lockOn(place) : null,
        };
      }
    };
  }

  /** The state of a folder that has come since those of the others were read. */
  async #stateOf(path: EntryPath): Promise<FolderState | null> {
    try {
      return await this.#tools.folderStates?.of(this.#tools.access, path) ?? null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  get #asksState(): boolean {
    return this.#asks(davNamespace, "getetag") || this.#asks(ownCloud, "size");
  }

  get #asksPermissions(): boolean {
    return this.#asks(ownCloud, "permissions") || this.#asks(collaboration, "share-permissions");
  }

  /** Of nothing to one who may not share: the links of such a user are dead. */
  get #asksShares(): boolean {
    return this.#tools.access.may("share") &&
      (this.#asks(ownCloud, "share-types") || this.#asks(nextcloud, "sharees"));
  }

  /** Behind a link the target's, as everywhere. */
  #placeOf({ path, name, child }: ListedEntry): EntryPath {
    const { access } = this.#tools;
    if (child.target?.kind === "inside") return access.placeOf(child.target);
    return this.#isTop ? access.placeAt(path) : childOf(this.#place, name);
  }

  #identifiedIn({ path, name, info, child }: ListedEntry): ReturnType<typeof identified> {
    const { viewer } = this.#tools.access;
    const isLinked = this.#own.isLinked || child.target !== null;
    const place = this.#isTop ? placeInView(viewer, path) : null;
    return { info, place: place ?? childOf(this.#own.place, name), isLinked };
  }

  async #ids(entries: readonly ReturnType<typeof identified>[]): Promise<string[]> {
    if (!this.#asks(ownCloud, "id", "fileid")) return [];
    return await this.#tools.idLookups?.idsOf(entries) ?? [];
  }

  /** The entry is the folder of the named roots. */
  get #isTop(): boolean {
    return this.#entry.real === virtualTop;
  }

  async #checksums(
    files: readonly { place: EntryPath; info: DavEntry["info"] }[],
  ): Promise<(Checksums | null)[]> {
    if (!this.#asks(ownCloud, "checksums") || files.length === 0) return [];
    return await this.#tools.fileChecksums?.known(files) ?? [];
  }

  #hasPreview({ name, info }: Pick<DavEntry, "name" | "info">): boolean {
    if (!info.isFile || info.size === 0) return false;
    return this.#asks(nextcloud, "has-preview") && this.#tools.canPreview(name);
  }

  /** The facts that are known of the files in a folder, if they are asked for. */
  async #mediaIn(folder: RealPath): Promise<KnownMedia | null> {
    if (!this.#asks(nextcloud, ...mediaNames) || this.#isTop) return null;
    return await this.#tools.mediaIn(folder);
  }

  async #sharesAt(place: EntryPath): Promise<EntryShares> {
    const { shares, users, user } = this.#tools;
    const parts = shares.partsAt(place, { userId: user.id, size: maxShares });
    const { value: some = [] } = await parts.next();
    await parts.return();
    const found = some ?? [];
    const namesOf = await audienceNames(found, users);
    return {
      isPublic: found.some((share) => !termsOf(share).audience || termsOf(share).anyone),
      names: [...new Set(found.flatMap((share) => (namesOf(share) ?? []).map(({ name }) => name)))],
    };
  }

  async #readLocks(): Promise<NamedLock[]> {
    const { locks, user, users } = this.#tools;
    const near = locks.filter((lock) =>
      !lock.isShared && (covers(lock, this.#place) || isInside(lock.place, this.#place))
    );
    const holders = await users.some(near.map(({ userId }) => userId));
    const names = new Map(holders.map(({ id, username }) => [id, username]));
    return near.map((lock) => ({
      ...lock,
      username: names.get(lock.userId) ?? "",
      isOwn: lock.userId === user.id,
    }));
  }

  #lockOn(place: EntryPath): NamedLock | null {
    return this.#locks.find((lock) => covers(lock, place)) ?? null;
  }
}

/** The properties that tell of a lock. */
const lockNames = [
  ...["lock", "lock-owner", "lock-owner-displayname", "lock-owner-type"],
  ...["lock-time", "lock-timeout", "lock-token"],
];

/** The properties that tell what a picture or a video tells of itself. */
const mediaNames = ["size", "gps", "original_date_time"].map((name) => `metadata-photos-${name}`);
