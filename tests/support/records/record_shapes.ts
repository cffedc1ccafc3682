/**
 * The declarations of everything that is in the store, as digests in `record_shapes.json` beside
 * the number of the schema. A record that changes while the number stays is a record that the last
 * release may misread.
 *
 * `deno run -A tests/support/records/record_shapes.ts` writes the file after a change, unless the
 * schema is that of the last release: then add a migration, or give the reason why that release
 * reads the record as it is meant, with `--compatible "reason"`.
 */
import { posix } from "node:path";
import { declaredIn } from "../run/architecture_reference.ts";
import { readSources } from "../run/imports.ts";
import { migrations } from "../../../lib/server/core/kv/schema.ts";
import release from "./last_release.json" with { type: "json" };

const top = new URL("../../../", import.meta.url);
const file = new URL("record_shapes.json", import.meta.url);

/** The file. */
export interface RecordShapes {
  /** The number of migrations. */
  schema: number;
  /** Changes since the last release that it reads as they are meant. */
  compatible: { records: string[]; reason: string }[];
  /** Digests of the declarations of records, by the first parts of their keys. */
  records: Record<string, string>;
}

/** The checked-in shapes. */
export async function recordedShapes(): Promise<RecordShapes> {
  return JSON.parse(await Deno.readTextFile(file));
}

/**
 * The digests of the code as it is: of the keys of each record, and of its type with every
 * declaration that the type names.
 */
export async function presentShapes(): Promise<Record<string, string>> {
  const found = new Map<string, string>();
  for (const [path, text] of await readSources(top)) {
    for (const { kind, name, type, text: declaration } of declaredIn(path, text)) {
      const declared = new Map<string, string>();
      for (const word of new Set(type.match(/[A-Za-z_]\w+/g))) {
        const from = find(path, word);
        if (from) collect(from.path, from.name, declared);
      }
      // What else a collection declares is not stored.
      const keys = kind === "Collection" ? `${name} ${type}` : declaration;
      const code = [keys.replace(/\s+/g, " "), ...[...declared.values()].sort()].join("\n");
      const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
      found.set(name, new Uint8Array(bytes).subarray(0, 8).toHex());
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => a < b ? -1 : 1));
}

/** Adds a declaration, and those that it names in its module or in modules of the repository. */
function collect(path: string, name: string, declared: Map<string, string>): void {
  const id = `${path}#${name}`;
  if (declared.has(id)) return;
  const text = declarationOf(path, name);
  if (text === null) throw new Error(`Cannot find ${id}`);
  declared.set(id, text);
  for (const word of new Set(text.match(/[A-Za-z_]\w+/g))) {
    const from = word === name ? null : find(path, word);
    if (from) collect(from.path, from.name, declared);
  }
}

/** Where the data that a module names is declared: in it, or in the one that it imports it from. */
function find(path: string, word: string): Place | null {
  const imported = importsOf(path).get(word);
  if (imported) return find(imported.path, imported.name);
  return declarationOf(path, word) === null ? null : { path, name: word };
}

/** A declaration in a module. */
interface Place {
  path: string;
  name: string;
}

const sources = new Map<string, string[]>();

/** The lines of a module without comments. */
function codeOf(path: string): string[] {
  let lines = sources.get(path);
  if (!lines) {
    const text = Deno.readTextFileSync(new URL(path, top));
    lines = text.replace(/^[ \t]*\/\*[^]*?\*\//gm, "").replace(/[ \t]*\/\/ .*$/gm, "").split("\n")
      .filter((line) => line.trim() !== "");
    sources.set(path, lines);
  }
  return lines;
}

/**
 * The text of a type or a constant, which ends where its brackets are closed. Null for functions
 * and classes, which are no data, and for what is not declared in the module.
 */
function declarationOf(path: string, name: string): string | null {
  const lines = codeOf(path);
  const begins = new RegExp(`^(?:export )?(?:interface|type|const) ${name}\\b`);
  const start = lines.findIndex((line) => begins.test(line));
  if (start < 0) return null;
  let depth = 0;
  const end = lines.findIndex((line, at) => {
    if (at < start) return false;
    for (const character of line) {
      if ("{([".includes(character)) depth++;
      if ("})]".includes(character)) depth--;
    }
    return depth <= 0 && /[;}]$/.test(line);
  });
  return lines.slice(start, end + 1).map((line) => line.trim().replace(/^export /, "")).join("\n");
}

/** The names that a module imports from others of the repository. */
function importsOf(path: string): Map<string, Place> {
  const found = new Map<string, Place>();
  const statements = codeOf(path).join("\n")
    .matchAll(/^(?:im|ex)port (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm);
  for (const [, names = "", specifier = ""] of statements) {
    const from = posix.join(posix.dirname(path), specifier);
    for (const each of names.split(",")) {
      const [name = "", as = name] = each.trim().replace(/^type /, "").split(" as ");
      if (name !== "" && from.endsWith(".ts")) found.set(as, { path: from, name });
    }
  }
  return found;
}

/** The records whose digests differ, or are in one of the two alone. */
export function changedRecords(
  former: Record<string, string>,
  present: Record<string, string>,
): string[] {
  const names = new Set([...Object.keys(former), ...Object.keys(present)]);
  return [...names].filter((name) => former[name] !== present[name]).sort();
}

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const former = await recordedShapes();
  const records = await presentShapes();
  const changed = changedRecords(former.records, records);
  const [flag, reason = ""] = Deno.args;
  const isCompatible = flag === "--compatible" && reason !== "";
  const isRaised = migrations.length > release.schema;
  if (changed.length > 0 && !isRaised && !isCompatible) {
    console.error(`Cannot record [${changed}]: add a migration, or --compatible "reason"`);
    return 1;
  }
  const compatible = isCompatible
    ? [...former.compatible, { records: changed, reason }]
    : former.compatible;
  const shapes: RecordShapes = { schema: migrations.length, compatible, records };
  await Deno.writeTextFile(file, JSON.stringify(shapes, null, 2) + "\n");
  console.log(`Recorded ${changed.length} changed records`);
  return 0;
}
