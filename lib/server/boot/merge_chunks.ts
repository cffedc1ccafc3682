import { join } from "node:path";

const staticImport = /import(?:\{([^}]*)\}from)?"\.\/([^"]+)";?/g;

const dynamicImport = /import\("\.\/([^"]+)"\)/g;

/** A statement that names a component for developer tools, and keeps one that nothing uses. */
const displayName = /(?<=[;}])[\w$]+\.displayName="[^"\\]*";/g;

/** The last statement; licences may follow it. */
const exportList = /export\{([^}]*)\};?\s*(?:\/[*/][^]*)?$/;

/** Chunks below this length are small, in characters: some 2 KB compressed. */
const smallLength = 6_000;

/** Chunks below this length are tiny: a request for one takes as much as its code. */
const tinyLength = 600;

/** The code of scripts, by file name. */
type Texts = ReadonlyMap<string, string>;

/** A merged chunk, and by what name it exports each export of the chunks in it. */
interface Merged {
  file: string;
  text: string;
  names: Map<string, Map<string, string>>;
}

/**
 * Merges the scripts of a build that the same pages load. The bundler makes a chunk of the modules
 * that the same entries and dynamic imports need: with many dynamic imports, a page loads dozens of
 * small files, each a request, and compressed by itself. A page loads no more code at once than
 * before: only chunks that the same entries need, both at once and by dynamic imports, become one;
 * small ones also where dynamic imports differ, which then load a few KB more; tiny ones join what
 * all pages load. An entry whose code another needs at once does not count: a page has both.
 *
 * @param folder the minified scripts, without source maps; those with a hash in their names are
 * chunks, the others are the entries that pages load
 * @throws {Error} when the bundler cannot bundle its own output
 */
export async function mergeChunks(folder: string): Promise<void> {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".js")).sort();
  const texts = new Map(
    files.map((file) => [file, Deno.readTextFileSync(join(folder, file))] as const),
  );
  const entries = files.filter((file) => !/-[A-Z0-9]{8}\.js$/.test(file));
  const results: Merged[] = [];
  for (const group of groupsOf(texts, entries)) results.push(await merge(texts, group));
  for (const { file, text, names } of results) {
    for (const chunk of names.keys()) texts.delete(chunk);
    texts.set(file, text);
  }
  for (const file of files) {
    const path = join(folder, file);
    const text = texts.get(file);
    if (text === undefined) Deno.removeSync(path);
    else Deno.writeTextFileSync(path, shortenLicenses(pointAt(results, text)));
  }
}

/** The chunks to be merged with each other; an entry or the target of a dynamic import is none. */
function groupsOf(texts: Texts, entries: string[]): string[][] {
  const needed = new Map<string, string[]>();
  const targets = new Set([...texts.values()].flatMap((text) => filesIn(text, dynamicImport, 1)));
  const pages = pagesOf(texts, entries);
  for (const isEver of [false, true]) {
    for (const entry of pages) {
      for (const file of neededBy(texts, entry, isEver)) {
        needed.set(file, [...needed.get(file) ?? [], `${isEver} ${entry}`]);
      }
    }
  }
  const isFirst = ([first = ""]: string[]) => isAtOnce(first);
  const chunks = [...needed].filter(([file, needs]) =>
    !entries.includes(file) && !targets.has(file) && isFirst(needs)
  );
  const lengthOf = (group: typeof chunks) =>
    group.reduce((sum, [file]) => sum + (texts.get(file)?.length ?? 0), 0);
  const alike = [...Map.groupBy(chunks, ([, needs]) => needs.join()).values()];
  const small = alike.filter((group) => lengthOf(group) < smallLength).flat();
  const atOnce = Map.groupBy(small, ([, needs]) => needs.filter(isAtOnce).join());
  const groups = [...alike.filter((group) => lengthOf(group) >= smallLength), ...atOnce.values()]
    .map((group) => group.map(([file]) => file));
  const isTiny = (group: string[]) =>
    group.every((file) => (texts.get(file)?.length ?? 0) < tinyLength);
  const common = groups.find(([file = ""]) =>
    needed.get(file)?.filter(isAtOnce).length === pages.length
  );
  const merged = new Map<string, string>();
  const join = (group: string[], into: string) => {
    for (const file of group) merged.set(file, into);
    if (!isCyclic(texts, merged, into)) return true;
    for (const file of group) merged.delete(file);
    return false;
  };
  for (const group of groups) {
    const [first = ""] = group;
    const isJoined = group !== common && isTiny(group) && common?.[0] !== undefined &&
      join(group, common[0]);
    if (!isJoined) join(group, first);
  }
  return [...Map.groupBy(merged.keys(), (file) => merged.get(file)).values()]
    .filter(({ length }) => length > 1);
}

/** The entries without those that need nothing but what another one needs. */
function pagesOf(texts: Texts, entries: string[]): string[] {
  const needsOf = (entry: string) => {
    const needs = [false, true].flatMap((isEver) =>
      [...neededBy(texts, entry, isEver)].map((file) => `${isEver} ${file}`)
    );
    return new Set(needs.filter((need) => !need.endsWith(` ${entry}`)));
  };
  const isPart = (own: Set<string>, others: Set<string>) =>
    own.size > 0 && own.size < others.size && own.isSubsetOf(others);
  return entries.filter((entry) =>
    !entries.some((other) => isPart(needsOf(entry), needsOf(other)))
  );
}

/** All scripts that a script needs, itself included. @param isEver also by dynamic imports */
function neededBy(texts: Texts, from: string, isEver: boolean): Set<string> {
  const seen = new Set([from]);
  for (const file of seen) {
    const text = texts.get(file) ?? "";
    for (const next of filesIn(text, staticImport, 2)) seen.add(next);
    if (isEver) { for (const next of filesIn(text, dynamicImport, 1)) seen.add(next); }
  }
  return seen;
}

/** Whether a merged chunk would import itself by way of others, and run before what it needs. */
function isCyclic(texts: Texts, merged: ReadonlyMap<string, string>, chunk: string): boolean {
  const members = Map.groupBy(merged.keys(), (file) => merged.get(file));
  const importsOf = (name: string) =>
    (members.get(name) ?? [name])
      .flatMap((file) => filesIn(texts.get(file) ?? "", staticImport, 2))
      .map((file) => merged.get(file) ?? file)
      .filter((file) => file !== name);
  const seen = new Set(importsOf(chunk));
  for (const file of seen) for (const next of importsOf(file)) seen.add(next);
  return seen.has(chunk);
}

/** Whether a need is one that a page has at once, not by a dynamic import. */
function isAtOnce(need: string): boolean {
  return need.startsWith("false");
}

function filesIn(text: string, pattern: RegExp, group: number): string[] {
  return [...text.matchAll(pattern)].flatMap((found) => found[group] ?? []);
}

/** Makes one chunk of a group, under the name of the first: the build lists that file already. */
async function merge(texts: Texts, group: string[]): Promise<Merged> {
  let count = 0;
  const names = new Map(group.map((chunk) => {
    const [, list = ""] = exportList.exec(texts.get(chunk) ?? "") ?? [];
    const exported = list.split(",").flatMap((part) => part.split(" as ").at(-1) || []);
    return [chunk, new Map(exported.map((name) => [name, `m${(count++).toString(36)}`]))];
  }));
  const folder = await Deno.makeTempDir({ prefix: "cubby-" });
  try {
    for (const chunk of group) {
      const text = (texts.get(chunk) ?? "").replaceAll(displayName, "");
      await Deno.writeTextFile(join(folder, chunk), text);
    }
    const entry = join(folder, "entry.js");
    const lines = [...names].map(([chunk, renamed]) =>
      `export{${[...renamed].map((pair) => pair.join(" as "))}}from"./${chunk}";\n`
    );
    await Deno.writeTextFile(entry, lines.join(""));
    const { success, outputFiles, errors } = await Deno.bundle({
      entrypoints: [entry],
      outputDir: folder,
      write: false,
      format: "esm",
      platform: "browser",
      minify: true,
      external: [...texts.keys()].filter((name) => !group.includes(name)).map((name) =>
        `./${name}`
      ),
    });
    const text = outputFiles?.[0]?.text();
    if (!success || text === undefined) {
      throw new Error(`Cannot merge the chunks: ${errors.map(({ text }) => text).join("; ")}`);
    }
    return { file: group[0] ?? "", text, names };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A script that imports from the merged chunks. */
function pointAt(results: Merged[], text: string): string {
  const imported = new Set<string>();
  return text.replaceAll(staticImport, (found, list: string | undefined, file: string) => {
    const merged = results.find(({ names }) => names.has(file));
    if (!merged) return found;
    const isFirst = !imported.has(merged.file);
    imported.add(merged.file);
    if (list === undefined) return isFirst ? `import"./${merged.file}";` : "";
    const renamed = list.split(",").map((part) => {
      const [name = "", local = name] = part.split(" as ");
      return `${merged.names.get(file)?.get(name)} as ${local}`;
    });
    return `import{${renamed}}from"./${merged.file}";`;
  });
}

/** The licences that end a script, with the package of each instead of all its modules. */
function shortenLicenses(text: string): string {
  return text.replace(
    /\/\*! Bundled license information:\n[^]*?\n\*\//g,
    (comment) =>
      comment.split("\n")
        .map((line) => line.replace(/^((?:@[^/\s]+\/)?[^/\s]+)\/\S*:$/, "$1:"))
        .filter((line, at, lines) => line === "" || line !== lines[at - 1])
        .join("\n"),
  );
}
