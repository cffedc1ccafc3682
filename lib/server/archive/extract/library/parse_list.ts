import type { ArchivedEntry, Bytes } from "../archived_entry.ts";

/** An entry as 7-Zip lists it. */
export interface ListedEntry extends Omit<ArchivedEntry, "content"> {
  /** How many bytes 7-Zip prints for it. */
  printed: number;
  /** The CRC-32 of its content; null where the archive has none. */
  sum: number | null;
  /** How it is compressed. */
  method: string;
}

/** Before the entries. */
const beginning = "\n----------\n";

/** Reads the list that `7z l -slt` prints: for each entry lines of the form "Key = value". */
export function parseList(printed: Bytes): ListedEntry[] {
  const text = new TextDecoder().decode(printed).replaceAll("\r", "");
  const start = text.indexOf(beginning);
  if (start < 0) return [];
  const blocks = text.slice(start + beginning.length).split("\n\n");
  return blocks.flatMap((block) => entryOf(factsIn(block)));
}

function factsIn(block: string): Map<string, string> {
  const facts = new Map<string, string>();
  for (const line of block.split("\n")) {
    const at = line.indexOf(" =");
    // The first one counts: 7-Zip writes the path before all else.
    const key = line.slice(0, at);
    if (at > 0 && !facts.has(key)) facts.set(key, line.slice(at + 3));
  }
  return facts;
}

function entryOf(facts: ReadonlyMap<string, string>): ListedEntry[] {
  const path = facts.get("Path");
  if (!path) return [];
  const attributes = facts.get("Attributes") ?? "";
  const isFolder = facts.get("Folder") === "+" || /^D/.test(attributes);
  const isLink = Boolean(facts.get("Symbolic Link") || facts.get("Hard Link")) ||
    / l[r-][w-]/.test(attributes);
  const size = isFolder ? 0 : Number(facts.get("Size") || 0);
  const sum = facts.get("CRC");
  const modified = Date.parse(`${facts.get("Modified")?.slice(0, 23).replace(" ", "T")}Z`);
  return [{
    path,
    kind: isFolder ? "folder" : isLink ? "link" : "file",
    size: isLink ? 0 : size,
    modified: Number.isNaN(modified) ? null : modified,
    mode: modeIn(attributes),
    isEncrypted: facts.get("Encrypted") === "+",
    place: null,
    printed: size,
    sum: sum ? parseInt(sum, 16) : null,
    method: facts.get("Method") ?? "",
  }];
}

/** The permission bits among attributes such as `A -rwxr-xr-x`; null where there are none. */
function modeIn(attributes: string): number | null {
  const letters = / [-dl]((?:[r-][w-][xsStT-]){3})$/.exec(attributes.trimEnd())?.[1];
  if (letters === undefined) return null;
  return [...letters].reduce((mode, letter) => mode * 2 + Number(!/[-ST]/.test(letter)), 0);
}

const units: Record<string, number> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** The memory that a method asks for, in bytes: "LZMA2:24" is 2 ** 24, "v5:m3:32m" is 32 MiB. */
export function dictionaryOf(method: string): number {
  const sizes = method.toLowerCase().split(/[\s:]/).map((word) => {
    const [, digits, unit = ""] = /^(?:mem)?(\d{1,9})([bkmg]?)$/.exec(word) ?? [];
    if (digits === undefined) return 0;
    return unit === "" ? 2 ** Math.min(Number(digits), 63) : Number(digits) * (units[unit] ?? 1);
  });
  return Math.max(0, ...sizes);
}
