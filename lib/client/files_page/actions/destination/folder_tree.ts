import { computed, type ReadonlySignal, signal } from "@preact/signals";
import {
  childOf,
  type EntryPath,
  isInside,
  nameOf,
  parentOf,
  parsePath,
  ROOT,
} from "../../../../shared/path.ts";
import type { Entry, Resource } from "../../../../shared/schemas/entry.ts";
import type { Api } from "../../../base/api/api.ts";

/** The page size of a folder in the tree. */
const AT_ONCE = 200;

/** The most folders that are read again at once, when there is news. */
const MOST_REFRESHED = 12;

/** One line of the tree. */
export interface TreeRow {
  path: EntryPath;
  /** "" for the root. */
  name: string;
  /** The depth; the root is 1. */
  level: number;
  isOpen: boolean;
  /** Known to hold no folders. */
  isLeaf: boolean;
  isLoading: boolean;
  /** It could not be read. */
  hasFailed: boolean;
  /** On the last row of a folder that holds more folders than are shown: that folder, and how many. */
  more?: { of: EntryPath; count: number };
}

/** The state of one folder of the tree. */
interface Branch {
  names: readonly string[];
  /** The number of its subfolders. */
  total: number;
  state: "loading" | "read" | "failed";
}

/** The options of a tree. */
export interface FolderTreeOptions {
  /** The folders that are expanded at first. */
  opened?: readonly EntryPath[];
  /** The root has no row of its own. */
  hidesRoot?: boolean;
}

/** The folders of a scope as a tree; a folder is read when it is expanded. */
export class FolderTree {
  readonly #api: Pick<Api, "resource">;
  readonly #branches = signal<ReadonlyMap<EntryPath, Branch>>(new Map());
  readonly #opened;
  readonly #chosen;
  readonly #revealed;
  readonly #hidesRoot: boolean;
  /** The number of the last read of each folder: answers of earlier ones are dropped. */
  readonly #reads = new Map<EntryPath, number>();
  /** The rows to draw. */
  readonly rows: ReadonlySignal<readonly TreeRow[]>;

  /** The chosen folder: the one with the focus. */
  readonly chosen: ReadonlySignal<EntryPath>;

  /** The expanded folders. */
  readonly opened: ReadonlySignal<ReadonlySet<EntryPath>>;

  /** @param start the folder selected at first; its ancestors are expanded */
  constructor(
    api: Pick<Api, "resource">,
    start: EntryPath,
    { opened = [], hidesRoot = false }: FolderTreeOptions = {},
  ) {
    this.#api = api;
    this.#hidesRoot = hidesRoot;
    this.chosen = this.#chosen = signal(start);
    this.#revealed = signal(start);
    this.opened = this.#opened = signal<ReadonlySet<EntryPath>>(new Set([ROOT, ...opened]));
    this.rows = computed(() => this.#rowsBelow(ROOT, 1).slice(hidesRoot ? 1 : 0));
  }

  /** Reads the ancestors of the selected folder. */
  async start(): Promise<void> {
    const way = wayTo(this.#chosen.peek());
    this.#opened.value = new Set([...this.#opened.peek(), ...way]);
    await Promise.all([...this.#opened.peek()].map((at) => this.#read(at)));
  }

  /**
   * Shows where a folder is: its ancestors are expanded.
   *
   * @param chooses selects it, too
   */
  async reveal(path: EntryPath, chooses: boolean): Promise<void> {
    const way = wayTo(path).slice(0, -1);
    this.#revealed.value = path;
    if (chooses) this.#chosen.value = path;
    this.#opened.value = new Set([...this.#opened.peek(), ROOT, ...way]);
    const unread = [...this.#opened.peek()].filter((at) => !this.#branches.peek().has(at));
    await Promise.all(unread.map((at) => this.#read(at)));
  }

  /** Reads the expanded folders again that are in sight: their folders may be others by now. */
  async refresh(): Promise<void> {
    const shown = new Set([ROOT, ...this.rows.peek().map(({ path }) => path)]);
    const due = [...this.#opened.peek()].filter((path) => shown.has(path));
    const near = this.#revealed.peek();
    // Folders around the folder on screen first.
    due.sort((a, b) => Number(isInside(near, b)) - Number(isInside(near, a)));
    await Promise.all(due.slice(0, MOST_REFRESHED).map((path) => this.#read(path)));
  }

  /** Whether a folder, as it was read now, has other folders than the tree shows. */
  hasNews({ path, items = [], numDirs }: Resource): boolean {
    const branch = this.#branches.peek().get(parsePath(path).path);
    if (branch?.state !== "read" || numDirs === undefined) return false;
    const isNew = ({ isDir, name }: Entry) => isDir && !branch.names.includes(name);
    const isWhole = branch.names.length >= branch.total;
    return branch.total !== numDirs || isWhole && items.some(isNew);
  }

  /** Selects a folder. */
  choose(path: EntryPath): void {
    this.#chosen.value = path;
  }

  /** Expands a folder. */
  async open(path: EntryPath): Promise<void> {
    this.#opened.value = new Set(this.#opened.peek()).add(path);
    if (this.#branches.peek().get(path)?.state !== "read") await this.#read(path);
  }

  /** Collapses a folder; a selection inside moves to the folder itself. */
  close(path: EntryPath): void {
    const opened = new Set(this.#opened.peek());
    opened.delete(path);
    this.#opened.value = opened;
    if (isInside(this.#chosen.peek(), path)) this.#chosen.value = path;
  }

  /** Shows more of the subfolders of a folder. */
  async more(path: EntryPath): Promise<void> {
    await this.#read(path, this.#branches.peek().get(path)?.names.length ?? 0);
  }

  /** Shows a newly created folder, and selects it. */
  async add(folder: EntryPath, name: string): Promise<void> {
    this.#opened.value = new Set(this.#opened.peek()).add(folder);
    this.#chosen.value = childOf(folder, name);
    await this.#read(folder);
  }

  /** Moves the selection as a key does in a tree: up, down, in or out, to the ends. */
  async step(key: string): Promise<void> {
    const rows = this.rows.peek();
    const at = rows.findIndex(({ path }) => path === this.#chosen.peek());
    const row = rows[at];
    const to = (index: number) => {
      const target = rows[Math.min(rows.length - 1, Math.max(0, index))];
      if (target) this.choose(target.path);
    };
    if (key === "ArrowDown") return to(at + 1);
    if (key === "ArrowUp") return to(at - 1);
    if (key === "Home") return to(0);
    if (key === "End") return to(rows.length - 1);
    if (!row) return;
    if (key === "in") {
      if (!row.isOpen) await this.open(row.path);
      else if (rows[at + 1]?.level === row.level + 1) to(at + 1);
      return;
    }
    if (row.isOpen && !row.isLeaf && row.level > 1) return this.close(row.path);
    const parent = parentOf(row.path);
    if (parent !== ROOT || !this.#hidesRoot) this.choose(parent);
  }

  /** Selects the next shown folder whose name begins with a character (type-ahead). */
  type(character: string): void {
    const rows = this.rows.peek();
    const at = rows.findIndex(({ path }) => path === this.#chosen.peek());
    const ordered = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
    const found = ordered.find(({ name }) =>
      name.toLowerCase().startsWith(character.toLowerCase())
    );
    if (found) this.choose(found.path);
  }

  /** Reads a folder from its first subfolder on, as many as are shown; or more behind those. */
  async #read(path: EntryPath, offset = 0): Promise<void> {
    const before = this.#branches.peek().get(path);
    const names = before?.names ?? [];
    const read = (this.#reads.get(path) ?? 0) + 1;
    this.#reads.set(path, read);
    this.#put(path, { names, total: before?.total ?? 0, state: "loading" });
    const shown = offset === 0 ? Math.ceil(names.length / AT_ONCE) * AT_ONCE : 0;
    const limit = Math.max(AT_ONCE, shown);
    const window = { offset, limit, sorting: { by: "name", asc: true } as const };
    const answer = await this.#api.resource(path, window);
    if (this.#reads.get(path) !== read) return;
    if (!answer.ok) return this.#put(path, { names, total: 0, state: "failed" });
    // Folders come before files in any order.
    const found = (answer.value.items ?? []).filter(({ isDir }) => isDir).map(({ name }) => name);
    const all = offset === 0 ? found : [...names, ...found];
    this.#put(path, { names: all, total: answer.value.numDirs ?? all.length, state: "read" });
  }

  #put(path: EntryPath, branch: Branch): void {
    this.#branches.value = new Map(this.#branches.peek()).set(path, branch);
  }

  #rowsBelow(path: EntryPath, level: number): TreeRow[] {
    const branch = this.#branches.value.get(path);
    const isOpen = this.#opened.value.has(path);
    const row: TreeRow = {
      path,
      name: nameOf(path),
      level,
      isOpen,
      isLeaf: branch?.state === "read" && branch.total === 0,
      isLoading: branch?.state === "loading",
      hasFailed: branch?.state === "failed",
    };
    if (!isOpen || !branch) return [row];
    const rows = this.#shownIn(path, branch).map((name) =>
      this.#rowsBelow(childOf(path, name), level + 1)
    ).flat();
    const count = branch.total - branch.names.length;
    const last = rows.at(-1) ?? row;
    if (count > 0 && branch.state === "read") last.more = { of: path, count };
    return [row, ...rows];
  }

  /** The subfolders of a folder, with those on the way to the selection even if not read yet. */
  #shownIn(path: EntryPath, { names, total, state }: Branch): readonly string[] {
    if (state === "failed" || state === "read" && names.length >= total) return names;
    const missing = new Set<string>();
    for (const goal of [this.#chosen.value, this.#revealed.value]) {
      if (goal === path || !isInside(goal, path)) continue;
      const below = goal.slice(path === ROOT ? 1 : path.length + 1).split("/")[0] ?? "";
      if (!names.includes(below)) missing.add(below);
    }
    return missing.size === 0 ? names : [...names, ...missing];
  }
}

/** The folders from the root to a folder, with both. */
function wayTo(path: EntryPath): EntryPath[] {
  const way: EntryPath[] = [path];
  for (let at = path; at !== ROOT; at = parentOf(at)) way.unshift(parentOf(at));
  return way;
}
