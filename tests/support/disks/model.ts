/** What files and folders should be after a call, worked out in the plainest way. */

/** A folder by its names; a text is a file with that content. */
export type ModelFolder = Map<string, string | ModelFolder>;

/** One call, with paths as names from the top. */
export type Step =
  | { call: "upload"; to: string[]; content: string; override: boolean }
  | { call: "make" | "delete"; to: string[] }
  | { call: "save"; to: string[]; content: string }
  | {
    call: "copy" | "move";
    from: string[];
    to: string[];
    override: boolean;
    rename: boolean;
  };

/**
 * Does a step to the model.
 *
 * @returns the status that the server has to answer with; only at 200 the model has changed
 */
export function doStep(top: ModelFolder, step: Step): number {
  switch (step.call) {
    case "upload":
      return upload(top, step.to, step.content, step.override);
    case "make":
      return make(top, step.to);
    case "save":
      return save(top, step.to, step.content);
    case "delete":
      return remove(top, step.to);
    case "copy":
    case "move":
      return transfer(top, step);
  }
}

/** What is at a path. */
function at(top: ModelFolder, path: string[]): string | ModelFolder | undefined {
  let entry: string | ModelFolder | undefined = top;
  for (const name of path) entry = entry instanceof Map ? entry.get(name) : undefined;
  return entry;
}

/** Whether a file bears the name of a folder on the way. */
function isBlocked(top: ModelFolder, path: string[]): boolean {
  return path.some((_, count) => typeof at(top, path.slice(0, count)) === "string");
}

function put(top: ModelFolder, path: string[], entry: string | ModelFolder): void {
  let folder = top;
  for (const name of path.slice(0, -1)) {
    const inner = folder.get(name) ?? new Map();
    folder.set(name, inner);
    if (inner instanceof Map) folder = inner;
  }
  folder.set(path.at(-1) ?? "", entry);
}

function take(top: ModelFolder, path: string[]): void {
  const folder = at(top, path.slice(0, -1));
  if (folder instanceof Map) folder.delete(path.at(-1) ?? "");
}

function upload(top: ModelFolder, path: string[], content: string, override: boolean): number {
  const there = at(top, path);
  if (isBlocked(top, path) || there instanceof Map) return 409;
  if (there !== undefined && !override) return 409;
  put(top, path, content);
  return 200;
}

function make(top: ModelFolder, path: string[]): number {
  const there = at(top, path);
  if (isBlocked(top, path) || typeof there === "string") return 409;
  if (!there) put(top, path, new Map());
  return 200;
}

function save(top: ModelFolder, path: string[], content: string): number {
  const there = at(top, path);
  // A path below a file is taken as one that wants folders where a file is.
  if (isBlocked(top, path) || there instanceof Map) return 409;
  if (there === undefined) return 404;
  put(top, path, content);
  return 200;
}

function remove(top: ModelFolder, path: string[]): number {
  if (at(top, path) === undefined) return 404;
  take(top, path);
  return 200;
}

function transfer(top: ModelFolder, step: Step & { call: "copy" | "move" }): number {
  const { from, to, override, rename } = step;
  const isCopy = step.call === "copy";
  const source = at(top, from);
  if (source === undefined) return 404;
  if (isBlocked(top, to)) return 409;
  const isFolder = source instanceof Map;
  const isItself = to.join("/") === from.join("/");
  if (isFolder && !isItself && isIn(to, from)) return 400;
  if (isItself && !(isCopy && rename)) return 400;
  const there = at(top, to);
  const copy = clone(source);
  if (there === undefined || rename) {
    const path = there === undefined ? to : free(top, to, isFolder);
    if (!isCopy) take(top, from);
    put(top, path, copy);
    return 200;
  }
  if (!override) return 409;
  if (there instanceof Map !== isFolder) return 409;
  if (there instanceof Map && copy instanceof Map) {
    if (isIn(from, to)) return 400;
    if (!canMerge(copy, there)) return 409;
    if (!isCopy) take(top, from);
    merge(copy, there);
    return 200;
  }
  if (!isCopy) take(top, from);
  put(top, to, copy);
  return 200;
}

function isIn(path: string[], folder: string[]): boolean {
  return folder.every((name, index) => path[index] === name);
}

function clone(entry: string | ModelFolder): string | ModelFolder {
  if (typeof entry === "string") return entry;
  return new Map([...entry].map(([name, inner]) => [name, clone(inner)]));
}

function free(top: ModelFolder, path: string[], isFolder: boolean): string[] {
  const name = path.at(-1) ?? "";
  const dot = isFolder ? -1 : name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1;; number++) {
    const other = [...path.slice(0, -1), `${stem}(${number})${extension}`];
    if (at(top, other) === undefined) return other;
  }
}

function canMerge(from: ModelFolder, into: ModelFolder): boolean {
  return [...from].every(([name, entry]) => {
    const there = into.get(name);
    if (there === undefined) return true;
    if (entry instanceof Map && there instanceof Map) return canMerge(entry, there);
    return typeof entry === typeof there && typeof entry === "string";
  });
}

function merge(from: ModelFolder, into: ModelFolder): void {
  for (const [name, entry] of from) {
    const there = into.get(name);
    if (entry instanceof Map && there instanceof Map) merge(entry, there);
    else into.set(name, entry);
  }
}

/** All entries with their contents, one a line, sorted. */
export function linesOf(folder: ModelFolder, above = ""): string[] {
  return [...folder].flatMap(([name, entry]) =>
    typeof entry === "string"
      ? [`${above}/${name}: ${entry}`]
      : [`${above}/${name}/`, ...linesOf(entry, `${above}/${name}`)]
  ).sort();
}
