import { type Import, listImports, type Sources } from "./imports.ts";

const introduction = `<!-- Made by \`deno task docs\` from the comments in the code. -->

# Reference for the architecture

What [architecture.md](architecture.md) leaves to the code. Each sentence is the comment of the
module or function.
`;

/** The page `docs/architecture-reference.md`: the Workers and processes, and the keys of the store. */
export function architectureReference(sources: Sources): string {
  const rows = workersIn(listImports(sources)).map(({ from, to }) => [
    code(to),
    code(from),
    firstSentence(lastComment((sources.get(to) ?? "").split(/^import /m)[0])),
  ]);
  return [
    introduction,
    "## Workers and processes\n",
    table(["module", "started by", "what it is"], rows),
    "## Keys of the store\n",
    table(["key", "value", "declared in"], keysIn(sources)),
  ].join("\n");
}

/** The modules of the product that start others, as Workers or processes. */
export function workersIn(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, kind }) => kind === "worker" && from.startsWith("lib/"))
    .sort((a, b) => a.to < b.to ? -1 : 1);
}

/** Modules whose functions make keys. */
const folder = "lib/server/core/kv/keys/";

/** A row for each collection and index, from its declaration or the first function that makes a key. */
function keysIn(sources: Sources): string[][] {
  const rows = new Map<string, string[]>();
  for (const [path, text] of [...sources].sort(([a], [b]) => a < b ? -1 : 1)) {
    const place = code(path.replace(folder, "").replace("lib/server/", ""));
    for (const { index, name, parts } of [...madeIn(path, text), ...declaredIn(path, text)]) {
      if (rows.has(name)) continue;
      rows.set(name, [[code(name), ...parts].join(", "), lastComment(text.slice(0, index)), place]);
    }
  }
  return [...rows.entries()].sort(([a], [b]) => a < b ? -1 : 1).map(([, row]) => row);
}

/** Keys of the store in the text of a module: the first part and the names of the others. */
interface Keys {
  index: number;
  name: string;
  parts: string[];
}

/** The keys that functions of a module make. */
function madeIn(path: string, text: string): Keys[] {
  if (!path.startsWith(folder)) return [];
  return [...text.matchAll(/\breturn \["(\w+)"(.*)\];/g)].map((
    { 1: name = "", 2: parts = "", index },
  ) => ({
    index,
    name,
    parts: parts.split(", ").map(partName).slice(1),
  }));
}

/** A collection or an index in the text of a module. */
interface Declared extends Keys {
  text: string;
  kind: string;
  /** The type of its records. */
  type: string;
}

/** The collections and indexes that a module declares. */
export function declaredIn(path: string, text: string): Declared[] {
  if (!path.startsWith("lib/server/")) return [];
  const declarations = text.matchAll(
    /\bnew (Collection|PlaceIndex|Index)<(.+)>\(\s*"(\w+)"[^]*?;\n(?=\n|$)/g,
  );
  return [...declarations].map(({ 0: text, 1: kind = "", 2: type = "", 3: name = "", index }) => {
    const parts = [...text.matchAll(/(?:=>|return|:) \[+(\w[\w, ]*)\]/g)].at(-1)?.[1] ?? "id";
    return {
      index,
      name,
      text,
      kind,
      type,
      parts: [...kind === "PlaceIndex" ? ["segments"] : [], parts],
    };
  });
}

/** A part of a key without its syntax: `...segments` and `${issuer} ${subject}`. */
function partName(part: string): string {
  return part.replace(/^\.\.\.\[?/, "").replace(/[`${}[\]]|\.filter.*/g, "");
}

/** The last doc comment of a text, as one line without its tags. */
function lastComment(text = ""): string {
  const comment = [...text.matchAll(/\/\*\*([^]*?)\*\//g)].at(-1)?.[1] ?? "";
  return comment.replace(/^ *\* ?/gm, "").replace(/@\w[^]*/, "").replace(/\s+/g, " ").trim();
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");
}
