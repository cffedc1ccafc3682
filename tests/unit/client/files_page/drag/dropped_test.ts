import assert from "node:assert/strict";
import { readInput, rootsOf } from "../../../../../lib/client/files_page/drag/dropped.ts";
import { readRoots } from "../../../../../lib/client/files_page/drag/read_roots.ts";

/** A folder or file on the desktop, as a browser hands it to a page. */
type Dropped = { name: string; children?: Dropped[]; broken?: boolean };

/** Browsers give the entries of a folder in batches of a hundred. */
const BATCH = 100;

function entryOf({ name, children, broken }: Dropped): FileSystemEntry {
  if (children === undefined) {
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
      broken ? reject(new Error("NotReadableError")) : resolve(new File(["x"], name));
    return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    let given = 0;
    const readEntries = (
      resolve: (batch: FileSystemEntry[]) => void,
      reject: (error: Error) => void,
    ) => {
      if (broken) return reject(new Error("NotReadableError"));
      const batch = children.slice(given, given += BATCH).map(entryOf);
      queueMicrotask(() => resolve(batch));
    };
    return { readEntries };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

/** A drop whose items are forgotten as soon as the event is over. */
function drop(...things: Dropped[]): Pick<DataTransfer, "items"> {
  let over = false;
  queueMicrotask(() => over = true);
  const items = things.map((thing) => ({
    kind: "file",
    webkitGetAsEntry: () => over ? null : entryOf(thing),
    getAsFile: () => null,
  }));
  return { items: items as unknown as DataTransferItemList };
}

const pathsOf = (incoming: { segments: string[] }[]) =>
  incoming.map(({ segments }) => segments.join("/"));

Deno.test("readRoots() marks what can't be read and goes on with the rest", async () => {
  const incoming = await readRoots(rootsOf(drop(
    { name: "locked.txt", broken: true },
    { name: "folder", children: [{ name: "a", broken: true }, { name: "b" }] },
    { name: "closed", children: [], broken: true },
  )));
  const broken = incoming.filter(({ unreadable }) => unreadable);
  assert.deepEqual(pathsOf(broken), ["locked.txt", "folder/a", "closed"]);
  assert.ok(incoming.some(({ segments, file }) => segments.join("/") === "folder/b" && file));
});

Deno.test("readRoots() takes folders with all that is in them, empty ones included", async () => {
  const incoming = await readRoots(rootsOf(drop(
    { name: "notes.txt" },
    {
      name: "album",
      children: [
        { name: "empty", children: [] },
        { name: "2026", children: [{ name: "sea.jpg" }] },
        { name: "cover.jpg" },
      ],
    },
  )));
  assert.deepEqual(pathsOf(incoming).toSorted(), [
    "album",
    "album/2026",
    "album/2026/sea.jpg",
    "album/cover.jpg",
    "album/empty",
    "notes.txt",
  ]);
  const folders = incoming.filter(({ file }) => file === null);
  assert.deepEqual(pathsOf(folders).toSorted(), ["album", "album/2026", "album/empty"]);
});

Deno.test("readRoots() reads a large folder batch after batch", async () => {
  const children = Array.from({ length: 1234 }, (_, index) => ({ name: `${index}` }));
  const incoming = await readRoots(rootsOf(drop({ name: "many", children })));
  assert.equal(incoming.length, 1235);
  assert.equal(new Set(pathsOf(incoming)).size, 1235);
});

Deno.test("readRoots() gives a folder up that holds itself", async () => {
  const loop: Dropped = { name: "loop", children: [] };
  loop.children?.push(loop);
  const incoming = await readRoots(rootsOf(drop(loop)));
  assert.equal(incoming.at(-1)?.unreadable, true);
  assert.ok(incoming.length < 1000);
});

Deno.test("readRoots() takes plain files where the browser knows no folders", async () => {
  const items = [
    { kind: "string", getAsFile: () => null },
    { kind: "file", getAsFile: () => new File(["x"], "a.txt") },
  ];
  const incoming = await readRoots(rootsOf({ items: items as unknown as DataTransferItemList }));
  assert.deepEqual(pathsOf(incoming), ["a.txt"]);
});

Deno.test("readInput() keeps the folders that were chosen with the files", () => {
  const plain = Object.assign(new File(["x"], "a.txt"), { webkitRelativePath: "" });
  const deep = Object.assign(new File(["x"], "b.txt"), { webkitRelativePath: "album/2026/b.txt" });
  assert.deepEqual(pathsOf(readInput([plain, deep])), ["a.txt", "album/2026/b.txt"]);
});
