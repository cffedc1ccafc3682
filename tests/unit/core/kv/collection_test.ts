import assert from "node:assert/strict";
import { type EntryPath, joinPaths, relativePath } from "../../../../lib/shared/path.ts";
import {
  Collection,
  idsIn,
  Index,
  movedWith,
  PlaceIndex,
} from "../../../../lib/server/core/kv/collection.ts";
import { digestsOf } from "../../../../lib/server/core/kv/path_digests.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { requestRecords } from "../../../../lib/server/features/links/requests/request.ts";
import { shareRecords } from "../../../../lib/server/features/links/shares/share_records.ts";
import { shareTargets } from "../../../../lib/server/features/links/shares/share_targets.ts";

interface Note {
  place: EntryPath;
  tags: string[];
}

const notes = new Collection<Note>("notes", {
  indexes: [
    new PlaceIndex<Note>("note_places", ({ place }) => [place]),
    new Index<Note>("note_tags", ({ tags }, id) => tags.map((tag) => [tag, id]), (_, id) => id),
  ],
  owned: ["note_uses"],
  expires: ({ tags }) => tags.includes("over"),
  follows: {
    moved: (note, from, to) => ({ ...note, place: joinPaths(to, relativePath(note.place, from)) }),
  },
});

const at = (path: string) => path as EntryPath;

async function keysIn(store: Store): Promise<string[]> {
  const all = await store.list([]);
  return all.map(({ key }) => key.map((part) => part instanceof Uint8Array ? "#" : part).join(" "))
    .filter((key) => key.startsWith("note"));
}

Deno.test("a collection writes, replaces and removes a record with its index entries", async () => {
  const store = await openStore(":memory:");
  try {
    const former = { place: at("/a/b"), tags: ["x", "y"] };
    await store.atomic((operation) =>
      notes.put(operation, ["one"], former).set(["note_uses", "one"], 1)
    );
    const written = ["note_places # # one", "note_tags x one", "note_tags y one"];
    assert.deepEqual(await keysIn(store), [...written, "note_uses one", "notes one"]);
    assert.equal((await store.get(["note_tags", "x", "one"])).value, "one");

    const entry = await store.get<Note>(notes.key("one"));
    assert.ok(entry.value);
    const next = { place: at("/c"), tags: ["y"] };
    const replace = () => store.atomic((op) => notes.replace(op, entry, next));
    assert.ok((await replace()).ok);
    const left = ["note_places # one", "note_tags y one"];
    assert.deepEqual(await keysIn(store), [...left, "note_uses one", "notes one"]);
    assert.ok(!(await replace()).ok, "a record that has changed meanwhile is left alone");

    await notes.remove(store, "one");
    assert.deepEqual(await keysIn(store), []);
  } finally {
    store.close();
  }
});

Deno.test("update() makes, changes, leaves and removes a record, each after a lost race again", async () => {
  const store = await openStore(":memory:");
  try {
    const add = (tag: string) =>
      notes.update(store, ["one"], (now) => ({ place: at("/a"), tags: [...now?.tags ?? [], tag] }));
    await Promise.all(["x", "y", "z"].map(add));
    assert.deepEqual((await notes.get(store, "one"))?.tags.sort(), ["x", "y", "z"]);
    assert.equal(await notes.update(store, ["one"], () => undefined), undefined);
    assert.equal((await keysIn(store)).length, 5);
    const also = (operation: Deno.AtomicOperation) => operation.set(["notes_gone"], true);
    assert.equal(await notes.update(store, ["one"], () => null, also), null);
    assert.deepEqual(await keysIn(store), ["notes_gone"]);
  } finally {
    store.close();
  }
});

Deno.test("removeExpired() removes the records that are over, with their index entries", async () => {
  const store = await openStore(":memory:");
  try {
    await notes.set(store, ["one"], { place: at("/a"), tags: ["over"] });
    await notes.set(store, ["two"], { place: at("/a"), tags: [] });
    await notes.removeExpired(store, Date.now());
    assert.deepEqual(await keysIn(store), ["note_places # two", "notes two"]);
  } finally {
    store.close();
  }
});

Deno.test("records follow entries, also many, and not those of a like name", async () => {
  const store = await openStore(":memory:");
  try {
    const ids = Array.from({ length: 120 }, (_, index) => `n${index}`);
    for (const id of ids) await notes.set(store, [id], { place: at(`/a/${id}`), tags: [] });
    await notes.set(store, ["other"], { place: at("/ab"), tags: [] });
    assert.deepEqual(await notes.follow(store, at("/a"), at("/b/c")), []);
    assert.ok(!await notes.hasBelow(store, at("/a")));
    assert.equal((await notes.get(store, "n119"))?.place, "/b/c/n119");
    const ended = await notes.follow(store, at("/b"), null);
    assert.deepEqual(idsIn(ended).sort(), ids.sort());
    assert.deepEqual(await keysIn(store), ["note_places # other", "notes other"]);
  } finally {
    store.close();
  }
});

Deno.test("the keys of shares and requests are those that former versions read", () => {
  const place = at("/a/b");
  const [one, two] = digestsOf(place);
  const share = {
    ...{ hash: "h", userId: 1, target: "t", expire: 0, passwordHash: null },
    terms: { name: "n", audience: { users: [2], groups: [3] } },
  };
  assert.deepEqual(shareRecords.key("h"), ["shares", "h"]);
  assert.deepEqual(shareRecords.indexKeys(share as never, "h"), [
    ["user_shares", 1, "h"],
    ["target_shares", "t", "h"],
    ["share_audience", "user", 2, "h"],
    ["share_audience", "group", 3, "h"],
    ["share_numbers", 1, 5_580_099, "h"],
    ["share_numbers", 1, 1_897_136_087, "h"],
    ["share_numbers", 1, 1_082_448_657, "h"],
    ["share_names", "n"],
  ]);
  const [places, marks] = shareTargets.indexKeys({ userId: 1, path: place, place, end: 0 }, "t");
  assert.deepEqual(places, ["share_places", one, two, "t"]);
  assert.deepEqual(marks?.toSpliced(2, 1), ["share_marks", 1, "b", "t"]);
  const request = { userId: 1, place } as Parameters<typeof requestRecords.indexKeys>[0];
  assert.deepEqual(requestRecords.indexKeys(request, "h"), [
    ["user_requests", 1, "h"],
    ["request_places", one, two, "h"],
  ]);
});

Deno.test("a record follows its entry, and a path through a link stays", () => {
  const own = { place: at("/a/b"), path: at("/a/b") };
  const linked = { place: at("/a/b"), path: at("/link") };
  assert.deepEqual(movedWith(own, at("/a"), at("/c")), { place: "/c/b", path: "/c/b" });
  assert.deepEqual(movedWith(linked, at("/a"), at("/c")), { place: "/c/b", path: "/link" });
  assert.equal(movedWith(own, at("/other"), at("/c")), own);
});
