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

const folder = "lib/server/kv/keys/";

/** A row for each collection, from the first function that makes one of its keys. */
function keysIn(sources: Sources): string[][] {
  const rows = new Map<string, string[]>();
  for (const [path, text] of [...sources].sort(([a], [b]) => a < b ? -1 : 1)) {
    if (!path.startsWith(folder)) continue;
    for (const { 1: name = "", 2: parts = "", index } of text.matchAll(KEY)) {
      if (rows.has(name)) continue;
      const key = [code(name), ...parts.split(", ").map(partName).slice(1)].join(", ");
      rows.set(name, [key, lastComment(text.slice(0, index)), code(path.slice(folder.length))]);
    }
  }
  return [...rows.entries()].sort(([a], [b]) => a < b ? -1 : 1).map(([, row]) => row);
}

const KEY = /\breturn \["(\w+)"(.*)\];/g;

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
