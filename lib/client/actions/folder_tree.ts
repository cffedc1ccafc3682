import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { childOf, type EntryPath, isInside, nameOf, parentOf, ROOT } from "../../shared/path.ts";
import type { Api } from "../api/api.ts";

/** The page size of a folder in the tree. */
const AT_ONCE = 200;

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

/** The folders of a scope as a tree; a folder is read when it is expanded. */
export class FolderTree {
  readonly #api: Pick<Api, "resource">;
  readonly #branches = signal<ReadonlyMap<EntryPath, Branch>>(new Map());
  readonly #opened = signal<ReadonlySet<EntryPath>>(new Set([ROOT]));
  readonly #chosen;
  /** The rows to draw. */
  readonly rows: ReadonlySignal<readonly TreeRow[]>;

  /** The chosen folder. */
  readonly chosen: ReadonlySignal<EntryPath>;

  /** @param start the folder selected at first; its ancestors are expanded */
  constructor(api: Pick<Api, "resource">, start: EntryPath) {
    this.#api = api;
    this.chosen = this.#chosen = signal(start);
    this.rows = computed(() => this.#rowsBelow(ROOT, 1));
  }

  /** Reads the ancestors of the selected folder. */
  async start(): Promise<void> {
    const way: EntryPath[] = [this.#chosen.peek()];
    for (let at = way[0] ?? ROOT; at !== ROOT; at = parentOf(at)) way.unshift(parentOf(at));
    this.#opened.value = new Set(way);
    await Promise.all(way.map((at) => this.#read(at)));
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
    if (row.isOpen && !row.isLeaf && row.level > 1) this.close(row.path);
    else this.choose(parentOf(row.path));
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

  async #read(path: EntryPath, offset = 0): Promise<void> {
    const before = this.#branches.peek().get(path);
    this.#put(path, { names: before?.names ?? [], total: before?.total ?? 0, state: "loading" });
    const window = { offset, limit: AT_ONCE, sorting: { by: "name", asc: true } as const };
    const answer = await this.#api.resource(path, window);
    if (!answer.ok) {
      return this.#put(path, { names: before?.names ?? [], total: 0, state: "failed" });
    }
    // Folders come before files in any order.
    const read = (answer.value.items ?? []).filter(({ isDir }) => isDir).map(({ name }) => name);
    const names = offset === 0 ? read : [...before?.names ?? [], ...read];
    this.#put(path, { names, total: answer.value.numDirs ?? names.length, state: "read" });
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

  /** The subfolders of a folder, with the ancestor of the selection even if not read yet. */
  #shownIn(path: EntryPath, { names, state }: Branch): readonly string[] {
    const chosen = this.#chosen.value;
    if (state === "failed" || chosen === path || !isInside(chosen, path)) return names;
    const below = chosen.slice(path === ROOT ? 1 : path.length + 1).split("/")[0] ?? "";
    return names.includes(below) ? names : [...names, below];
  }
}
