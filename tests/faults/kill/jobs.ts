/** Jobs, their undo, and what their users do to them meanwhile. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { begin, ends, type Entry, jobKind, type Kind, undoKind } from "./kind.ts";
import { bytesOf, manyFiles, type Place, plantAt, type Planted, timeless } from "./place.ts";

const count = 12;

/** Several files of different sizes, and the names that they replace. */
function pairs(isFar: boolean) {
  const names = Array.from({ length: count }, (_, index) => `file ${index}.bin`);
  const planted = (what: string, factor: number): Planted => ({
    ...{ from: null, to: null },
    ...Object.fromEntries(names.map((name, index) => [
      `${what}/${name}`,
      bytesOf(`${what} ${name}`, (index + 1) * factor),
    ])),
  });
  const to = (place: Place) => isFar ? place.farPath : place.nearPath;
  return {
    prepare(place: Place) {
      plantAt(place.near, planted("from", 90_000));
      plantAt(isFar ? place.far : place.near, planted("to", 30_000));
    },
    entries: (place: Place): Entry[] =>
      names.map((name) => ({
        path: `${place.nearPath}/from/${name}`,
        destination: `${to(place)}/to/${name}`,
        override: true,
      })),
  };
}

/** A folder that exists at the destination with some of the same names, and others. */
function merging(isFar: boolean) {
  return {
    prepare(place: Place) {
      plantAt(place.near, manyFiles("tree", 60, 4 * 1024 * 1024));
      const there = isFar ? place.far : place.near;
      plantAt(there, {
        ...{ "into": null, "into/tree": null, "into/tree/folder 1": null },
        "into/tree/folder 1/1.txt": bytesOf("former", 500),
        "into/tree/folder 1/own.txt": bytesOf("own", 400),
        "into/tree/large.bin": bytesOf("former large", 300_000),
      });
    },
    entries: (place: Place): Entry[] => [{
      path: `${place.nearPath}/tree`,
      destination: `${isFar ? place.farPath : place.nearPath}/into/tree`,
      override: true,
    }],
  };
}

const tree = (place: Place) => {
  plantAt(place.near, { ...manyFiles("tree"), "to": null });
  plantAt(place.far, { to: null });
};

/** Many entries of one folder. */
const many = (place: Place) => {
  plantAt(place.near, { to: null, ...Object.fromEntries(names.map((name) => [name, null])) });
  for (const name of names) {
    plantAt(`${place.near}/${name}`, { "a.txt": bytesOf(name, 1000), "b.txt": bytesOf(name, 9) });
  }
};
const names = Array.from({ length: 30 }, (_, index) => `entry ${index}`);

const treeTo = (isFar: boolean, name = "tree") => ({ nearPath, farPath }: Place): Entry[] => [
  { path: `${nearPath}/tree`, destination: `${isFar ? farPath : nearPath}/to/${name}` },
];
const eachTo = ({ nearPath }: Place): Entry[] =>
  names.map((name) => ({ path: `${nearPath}/${name}`, destination: `${nearPath}/to/${name}` }));
const each = ({ nearPath }: Place): Entry[] =>
  names.map((name) => ({ path: `${nearPath}/${name}` }));

/** A folder that becomes an archive, in place of a file where one is there. */
const toArchive = (place: Place) => {
  tree(place);
  plantAt(place.near, { "to/former.zip": bytesOf("former", 70_000) });
};
const archiveTo = (name: string, override: boolean) => ({ nearPath }: Place): Entry[] => [
  { path: `${nearPath}/tree`, destination: `${nearPath}/to/${name}`, override },
];

/** An archive beside its folder. */
async function archived(place: Place): Promise<void> {
  tree(place);
  await ends(place, await begin(place, "archive", archiveTo("tree.zip", false)(place)));
  place.isAccepted = false;
}
const extracted = ({ nearPath }: Place): Entry[] => [
  { path: `${nearPath}/to/tree.zip`, destination: `${nearPath}/to/extracted` },
];

const shapes = [
  ["copy", "copy", tree, treeTo(false)],
  ["copy to another disk", "copy", tree, treeTo(true)],
  ["move", "move", many, eachTo],
  ["move to another disk", "move", tree, treeTo(true, "other")],
  ["copy over files", "copy", pairs(false).prepare, pairs(false).entries],
  ["move over files", "move", pairs(false).prepare, pairs(false).entries],
  ["move over files of another disk", "move", pairs(true).prepare, pairs(true).entries],
  ["trash", "trash", many, each],
  ["archive", "archive", toArchive, archiveTo("tree.zip", false)],
  ["archive over a file", "archive", toArchive, archiveTo("former.zip", true)],
  ["extract", "extract", archived, extracted],
] as const;

const finalShapes = [
  ["copy into a folder", "copy", merging(false).prepare, merging(false).entries],
  ["move into a folder", "move", merging(false).prepare, merging(false).entries],
  ["move into a folder of another disk", "move", merging(true).prepare, merging(true).entries],
  ["delete", "delete", many, each],
] as const;

/** A copy that its user pauses, lets go on and gives up. */
const paused: Kind = {
  name: "pause, resume and cancel",
  isUnseen: true,
  prepare: tree,
  async run(place) {
    const id = await begin(place, "copy", treeTo(false)(place));
    for (const state of ["paused", "running", "cancelled"]) {
      // It may be over by then.
      const json = { state };
      await (await place.user.ask("PATCH", `/api/jobs/${id}`, { json })).body?.cancel();
    }
    await ends(place, id);
  },
  allows: (lines, { before }) =>
    isSame(lines, before) ||
    lines.filter((line) => line.startsWith("near/to/tree/large")).length === 1,
};

const hashed = bytesOf("hashed", 64 * 1024 * 1024);
const digest = createHash("sha256").update(hashed).digest("hex");

/** A checksum, of which nothing is to be seen but its result. */
const checksum: Kind = {
  name: "checksum",
  isUnseen: true,
  prepare: ({ near }) => plantAt(near, { "hashed.bin": hashed }),
  async run(place) {
    const entries = [{ path: `${place.nearPath}/hashed.bin` }];
    const id = await begin(place, "checksum", entries);
    place.notes.set("job", id);
    await ends(place, id);
  },
  async goOn(place) {
    const id = place.notes.get("job");
    if (id) assert.equal((await ends(place, id)).checksums[0]?.digest, digest);
  },
};

function isSame(a: string[], b: string[]): boolean {
  return a.join("\n") === b.join("\n");
}

/** All of them. */
export const jobKinds: Kind[] = [
  ...shapes.map(([name, action, prepare, entries]) =>
    jobKind(name, prepare, (place) => ({ action, entries: entries(place) }))
  ),
  // A merge that goes on merges into folders that it has made, and changes their times.
  ...finalShapes.map(([name, action, prepare, entries]) =>
    jobKind(
      name,
      prepare,
      (place) => ({ action, entries: entries(place) }),
      (lines, { after }) => timeless(lines) === timeless(after),
    )
  ),
  ...shapes.map(([name, action, prepare, entries]) =>
    undoKind(`undo of ${name}`, prepare, (place) => ({ action, entries: entries(place) }))
  ),
  checksum,
  paused,
];
