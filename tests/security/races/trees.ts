/** The folders that change places with links, and what the links lead to. */
import { join } from "node:path";
import { createHash } from "node:crypto";
import { plant, type Tree } from "../../support/disks/files.ts";
import { bitmap } from "../../support/data/pictures.ts";
import { treeOf } from "../../support/disks/unpack.ts";

/** What every file and list in a swapped folder has in it, and nothing outside. */
export const insideMark = "INSIDE";

const secretSize = 7_771;
const secretTime = new Date("1999-12-31T12:00:00Z");

function textOf(mark: string): string {
  return `1\n00:00:01,000 --> 00:00:02,000\n${mark} text\n`;
}

/** The text of each file in a swapped folder: subtitles, so that it can be read as such, too. */
export const insideText = textOf(insideMark);

const secretText = textOf("SECRET").padEnd(secretSize, "\n");

/** What tells in an answer that it comes from outside: content, a name, a size, a time, a digest. */
const signs = [
  ...["SECRET", `"size":${secretSize}\\b`, "1999-12-31", digestOf(secretText)],
  // The store, and its write-ahead log.
  ...["SQLite format 3", "\x37\x7f\x06[\x82\x83]"],
];
const secret = new RegExp(signs.join("|"));

/** What is told of the outside in a text, or in bytes that were read as Latin-1; null for nothing. */
export function secretIn(text: string): string | null {
  const found = secret.exec(text);
  return found && JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 40));
}

/** What the files of a swapped folder have as their SHA-256. */
export const insideDigest = digestOf(insideText);

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What lies in the folder of an operation, unless it asks for more. */
export const plainTree: Tree = {
  "a.txt": insideText,
  "INSIDE.txt": insideText,
  deep: { "b.txt": insideText },
};

/** Names of so many empty files that a folder of them is read elsewhere than on the serving thread. */
export const largeTree: Tree = Object.fromEntries(
  Array.from({ length: 700 }, (_, index) => [`INSIDE ${index}.txt`, ""]),
);

const edge = 32;

/** A picture of one colour. */
export const insidePicture = pictureOf([200, 30, 30]);

function pictureOf(colour: number[]): Uint8Array<ArrayBuffer> {
  return bitmap(edge, Array.from({ length: edge * edge }, () => colour));
}

/** The same tree with other content, and one name more in each folder, all of one age. */
function secretTree(tree: Tree): Tree {
  const secrets: Tree = { "SECRET.txt": secretText };
  for (const [name, content] of Object.entries(tree)) {
    // Both names: one that can be asked for, and one that tells where it is from.
    const names = [name, name.replaceAll(insideMark, "SECRET")];
    for (const each of new Set(names)) secrets[each] = secretContent(content);
  }
  return secrets;
}

function secretContent(content: string | Uint8Array | Tree): string | Uint8Array | Tree {
  if (content instanceof Uint8Array) return pictureOf([30, 30, 200]);
  if (typeof content === "string") return content === "" ? "" : secretText;
  return secretTree(content);
}

/** Plants into a folder what an operation must not reach. */
export async function plantSecrets(folder: string, inside: Tree): Promise<void> {
  const tree = secretTree(inside);
  await plant(folder, tree);
  for (const name of Object.keys(tree)) makeOld(join(folder, name));
}

/** A folder's time is another as soon as anything was put into it, for however short a while. */
function makeOld(path: string): void {
  if (Deno.lstatSync(path).isDirectory) {
    for (const { name } of Deno.readDirSync(path)) makeOld(join(path, name));
  }
  Deno.utimeSync(path, secretTime, secretTime);
}

/** What differs between two looks at a folder: lines of `treeOf()`. */
export function changesOf(before: string[], after: string[]): string[] {
  const [former, present] = [new Set(before), new Set(after)];
  return [
    ...[...former.difference(present)].map((line) => `- ${line}`),
    ...[...present.difference(former)].map((line) => `+ ${line}`),
  ];
}

/** All that lies in a folder, but for the server's own files, if they are there. */
export function lookAt(folder: string): string[] {
  return treeOf(folder).filter((line) => !/^\/(cubby\.kv|cache)\b/.test(line));
}
