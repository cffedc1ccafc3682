import type { Permissions, Rule } from "../../../shared/schemas/rights.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { permissionsWhere } from "../../../shared/schemas/choices/choices.ts";
import { isLimited, type Quota } from "../../../shared/schemas/quota.ts";
import type { NamedRoot } from "../../../shared/schemas/named_root.ts";
import type { Allowance } from "./allowance.ts";

/** The user whose access the gate decides about. Plain data, so that it can be sent to a Worker. */
export interface Viewer {
  /** The user's folder below the server root, "/" for the root itself. */
  scope: string;
  /**
   * Folders that the viewer finds under names in a virtual top folder, in place of the scope;
   * absent for none. Rules are about paths that begin with the name.
   */
  roots?: NamedRoot[];
  perm: Permissions;
  /** The global rules, then the user's: the last that matches wins. */
  rules: Rule[];
  hideDotfiles: boolean;
  /**
   * An entry inside the scope that the viewer is confined to: the target of a share, or the folder of
   * a sync client. All paths are
   * then counted from it and links may not leave it, while rules and hidden names still see the
   * path inside the scope.
   */
  base?: EntryPath;
  /** How much the scope, or the writable roots, may hold; absent without a limit. */
  quota?: Quota;
  /**
   * A folder inside the scope below which alone the viewer may know of anything: the bound of an
   * API token. Paths are counted from the scope nevertheless, and what a link leads to has to be
   * below the folder as well.
   */
  within?: EntryPath;
  /**
   * Whether files that macOS keeps beside others for itself are left out, and follow the entries that
   * they belong to: so for people, and not for programs, which have them as entries like others.
   */
  hidesCompanions?: boolean;
}

/** The gate's configuration. Plain data, so that a Worker can construct the same gate. */
export interface GateSpec {
  /** The served folder: absolute, links resolved. */
  root: string;
  /** Real paths closed to all: the store (with its -wal, -shm, -journal), cache, config file. */
  reserved: string[];
  /**
   * Real paths that may be read but never changed, with all below them: the program itself, where
   * the served folder holds it.
   */
  readOnly?: string[];
  /** Permission bits of new files and folders; the system's when absent. */
  fileMode?: number;
  dirMode?: number;
  /** Whether new entries get only names that Windows takes. */
  windowsNames?: boolean;
}

/** A record of what its owner may see and do: a user, in practice. */
export type ViewerSource =
  & Pick<
    Viewer,
    "scope" | "roots" | "perm" | "rules" | "hideDotfiles" | "within" | "base" | "quota"
  >
  & {
    /** Whether it is a client, such as Finder, that has to see the files of macOS. */
    seesCompanions?: boolean;
  };

/** The viewer for a user: the global rules come first, so the user's own prevail. */
export function viewerOf(
  user: ViewerSource,
  globalRules: Rule[],
  base: EntryPath | undefined = user.base,
): Viewer {
  const { scope, roots, perm, hideDotfiles, within, quota } = user;
  const viewer: Viewer = { scope, perm, hideDotfiles, rules: [...globalRules, ...user.rules] };
  if (roots && roots.length > 0) viewer.roots = roots;
  if (within !== undefined) viewer.within = within;
  if (!user.seesCompanions) viewer.hidesCompanions = true;
  if (isLimited(quota)) viewer.quota = quota;
  return base === undefined ? viewer : { ...viewer, base };
}

/** Records which folders get temporary files, to find leftovers after a crash. */
export interface UploadJournal {
  /** @param folder below the server root. Resolves once the note would survive a crash. */
  remember(folder: EntryPath): Promise<void>;
}

/** Finds the allowance of a viewer with a quota. */
export type FindAllowance = (viewer: Viewer & { quota: Quota }) => Allowance;

/** The server itself: the whole root and every permission, but no reserved path. */
export const SERVER: Viewer = {
  scope: "/",
  perm: allPermissions(),
  rules: [],
  hideDotfiles: false,
};

/** The server as it indexes files for people. */
export const INDEXER: Viewer = { ...SERVER, hidesCompanions: true };

/** Every permission, which is what `admin` implies. */
export function allPermissions(): Permissions {
  return permissionsWhere(() => true);
}

/** None at all. */
export function noPermissions(): Permissions {
  return permissionsWhere(() => false);
}
