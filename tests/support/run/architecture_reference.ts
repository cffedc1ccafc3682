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
function workersIn(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, kind }) => kind === "worker" && from.startsWith("lib/"))
    .sort((a, b) => a.to < b.to ? -1 : 1);
}

/** A row for each collection and index, from its declaration. */
function keysIn(sources: Sources): string[][] {
  const rows = new Map<string, string[]>();
  for (const [path, text] of [...sources].sort(([a], [b]) => a < b ? -1 : 1)) {
    const place = code(path.replace("lib/server/", ""));
    for (const each of declaredIn(path, text)) {
      const value = [lastComment(text.slice(0, each.index)), ...rulesOf(each)].join(" ");
      rows.set(each.name, [[code(each.name), ...each.parts].join(", "), value, place]);
    }
  }
  return [...rows.entries()].sort(([a], [b]) => a < b ? -1 : 1).map(([, row]) => row);
}

/** A collection or an index in the text of a module. */
interface Declared {
  index: number;
  text: string;
  kind: string;
  /** The type of its records, and of their ids unless these are one text. */
  type: string;
  /** The first part of its keys, and the names of the others. */
  name: string;
  parts: string[];
}

/** The collections and indexes that a module declares. */
export function declaredIn(path: string, text: string): Declared[] {
  if (!path.startsWith("lib/server/")) return [];
  const declarations = text.matchAll(
    /^(?:export )?const \w+ = new (Collection|PlaceIndex|Index)<([^;]*?),?\s*>\(\s*"(\w+)"[^]*?;\n(?=\n|$)/gm,
  );
  return [...declarations].map(({ 0: text, 1: kind = "", 2: type = "", 3: name = "", index }) => {
    const ids = /\[((?:\w+: [^\]]+)?)\]$/.exec(type)?.[1] ?? "id: string";
    const id = ids.split(", ").map((part) => part.replace(/:.*/, "")).filter(Boolean);
    const made = [...text.matchAll(/(?:=>|return|:) \[+(\w[\w, ()]*)\]/g)].at(-1)?.[1];
    const parts = kind === "Index" && made ? [made] : id;
    return {
      index,
      text,
      kind,
      type,
      name,
      parts: kind === "PlaceIndex" ? ["segments", ...id] : parts,
    };
  });
}

/** What a declaration says besides the key and the value. */
function rulesOf({ text, kind }: Declared): string[] {
  if (kind !== "Collection") return [];
  const owned = [.../\bowned: \[([^\]]*)\]/.exec(text)?.[1]?.matchAll(/\w+/g) ?? []];
  const max = /\bmax: ([\d_]+)/.exec(text)?.[1]?.replace("_", ",");
  return [
    ...max ? [`Maximum: ${max}.`] : [],
    .../\bexpires[:,]/.test(text) ? ["It expires."] : [],
    .../\bfollows:/.test(text) ? ["It follows moves and removals."] : [],
    ...owned.length > 0 ? [`With it ends: ${owned.map(([name]) => code(name)).join(", ")}.`] : [],
  ];
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
