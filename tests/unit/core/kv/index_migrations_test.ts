/** Stores of the former schema, which had no indexes of lists, as the migrations leave them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { digestsOf } from "../../../../lib/server/core/kv/path_digests.ts";
import { migrate, migrations } from "../../../../lib/server/core/kv/schema.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { openPasswords } from "../../../../lib/server/features/accounts/passwords/passwords.ts";
import { noLimits } from "../../../../lib/server/features/links/requests/request.ts";
import { Requests } from "../../../../lib/server/features/links/requests/requests.ts";
import { shareNumber } from "../../../../lib/server/features/links/shares/share_records.ts";
import { Shares } from "../../../../lib/server/features/links/shares/shares.ts";
import { membersOf } from "../../../../lib/server/features/accounts/users/user_records.ts";
import { type EntryPath, parsePath } from "../../../../lib/shared/path.ts";
import { type TrashPart, TrashRecords } from "../../../../lib/server/files/trash/trash_records.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";
import { backfillProgress, schemaVersion } from "../../../../lib/server/core/kv/server_records.ts";
import { idsIn } from "../../../../lib/server/core/kv/collection.ts";
import { requestRecords } from "../../../../lib/server/features/links/requests/request.ts";
import { shareTargets } from "../../../../lib/server/features/links/shares/share_targets.ts";

const passwords = await openPasswords();

/** The schema before the indexes. */
const formerSchema = 2;

/** Records of the former schema: a key and a value. */
type Records = [Deno.KvKey, unknown][];

const pathOf = (text: string): EntryPath => parsePath(text).path;
const [report, other] = [pathOf("/d/report #%?日本.txt"), pathOf("/d/below/other.txt")];
/** As deep as paths get, so that its keys are as long as keys get. */
const deepest = pathOf(`/${"a/".repeat(2_000)}end.txt`);

/** A share as the former version has written it. */
function formerShare(hash: string, userId: number, place: EntryPath, more: object = {}): Records {
  const share = { hash, userId, path: place, place, expire: 0, passwordHash: null, ...more };
  return [
    [["shares", hash], share],
    [["user_shares", userId, hash], null],
    [["share_places", ...digestsOf(place), hash], null],
  ];
}

function formerRequest(hash: string, userId: number, place: EntryPath): Records {
  const request = { hash, userId, path: place, place, expire: 0, passwordHash: null };
  return [[["requests", hash], { ...request, limits: noLimits, edition: 1 }]];
}

function formerUser(id: number, groups?: number[]): Records {
  return [[["users", id], { id, username: `user ${id}`, ...groups && { groups } }]];
}

/** An entry in the trash: of a user, with its path. */
function formerTrashed(id: string, userId: number, path: EntryPath, more: object = {}): Records {
  const entry = { id, userId, path, isDir: false, size: 1, at: 1, top: "/", ino: null, ...more };
  return [[["trash", userId, id], entry]];
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const digits = (at: number) => String(at).padStart(4, "0");
const manyGroups = numbers(40).map((at) => at + 10);

/** A share that is for one user. */
const namedTerms = {
  ...{ name: "", downloadLimit: 0, viewOnly: false, linkPreview: false, edition: 1 },
  audience: { users: [9], groups: [] },
};

/** More of each than one batch has. */
const records: Records = [
  ...numbers(120).flatMap((at) => formerShare(`same-${digits(at)}`, 1, report)),
  ...numbers(120).flatMap((at) =>
    formerShare(`each-${digits(at)}`, 1, pathOf(`/many/file-${at}`), { expire: 4e9 })
  ),
  ...numbers(60).flatMap((at) => formerShare(`deep-${digits(at)}`, 2, deepest)),
  ...formerShare("others", 2, report),
  ...formerShare("scoped", 3, other, { path: pathOf("/other.txt"), terms: namedTerms }),
  ...numbers(120).flatMap((at) => formerRequest(`ask-${digits(at)}`, at % 2 + 1, pathOf("/d"))),
  ...numbers(60).flatMap((at) => formerRequest(`deep-${digits(at)}`, 3, deepest)),
  ...formerUser(1),
  ...numbers(160).flatMap((at) => formerUser(at + 2, at % 2 === 0 ? [1, 2] : [])),
  ...numbers(60).flatMap((at) => formerUser(at + 1_000, manyGroups)),
  ...numbers(120).flatMap((at) => formerTrashed(`gone-${digits(at)}`, 1, report)),
  ...numbers(60).flatMap((at) =>
    formerTrashed(`old-${digits(at)}`, 1, deepest, { isVersion: true })
  ),
];

/** Makes a store one of the former schema with these records. */
async function plantFormer(store: Store, planted: Records): Promise<void> {
  await store.atomic((operation) => operation.set(schemaVersion.key(), formerSchema));
  for (let start = 0; start < planted.length; start += 30) {
    const some = planted.slice(start, start + 30);
    await store.atomic((operation) =>
      some.reduce((all, [key, value]) => all.set(key, value), operation)
    );
  }
}

async function hashesOf(parts: AsyncIterable<readonly { hash: string }[]>): Promise<string[]> {
  return (await Array.fromAsync(parts)).flat().map(({ hash }) => hash).sort();
}

/** Asserts that everything is found by all ways, and can be moved and removed. */
async function assertMigrated(store: Store): Promise<void> {
  assert.equal((await store.get(schemaVersion.key())).value, migrations.length);
  assert.equal((await store.get(backfillProgress.key())).value, null);
  const [shares, requests] = [new Shares(store, passwords), new Requests(store, passwords)];
  const same = numbers(120).map((at) => `same-${digits(at)}`);

  assert.deepEqual([...await shares.namesIn(pathOf("/d"), 1)], ["report #%?日本.txt"]);
  assert.deepEqual([...await shares.namesIn(pathOf("/d/below"), 3)], ["other.txt"]);
  assert.deepEqual([...await shares.namesIn(pathOf("/d/below"), 1)], []);
  assert.equal((await shares.namesIn(pathOf("/many"), 1)).size, 120);
  assert.equal((await hashesOf(shares.parts())).length, 302);
  assert.equal((await hashesOf(shares.parts({ userId: 1 }))).length, 240);
  assert.deepEqual(await hashesOf(shares.partsAt(report)), ["others", ...same]);
  const { path, place } = await shares.get("scoped");
  assert.deepEqual([path, place], ["/other.txt", other]);
  assert.equal((await shares.get("each-0007")).expire, 4e9);
  for (const [hash, userId, key] of [["each-0007", 1, "link"], ["scoped", 3, "user 9"]] as const) {
    const found = await shares.numbered(userId, shareNumber({ hash }, key));
    assert.deepEqual([found?.share.hash, found?.key], [hash, key]);
  }
  assert.equal((await hashesOf(requests.parts({ userId: 2 }))).length, 60);
  assert.equal((await requests.at(pathOf("/d"))).length, 120);
  assert.deepEqual(await membersOf(store, 2), numbers(80).map((at) => at * 2 + 2));
  for (const group of [10, 49]) assert.equal((await membersOf(store, group)).length, 60);

  const trash = new TrashRecords(store);
  const idsOf = async (of: TrashPart["of"]) =>
    (await trash.page(1, { of, limit: 1_000 })).entries.map(({ id }) => id).reverse();
  assert.deepEqual(await idsOf("deleted"), numbers(120).map((at) => `gone-${digits(at)}`));
  assert.deepEqual(await idsOf(deepest), numbers(60).map((at) => `old-${digits(at)}`));
  assert.deepEqual(await idsOf(report), []);

  await shareTargets.follow(store, report, pathOf("/new.txt"));
  assert.equal((await shares.get("same-0119")).path, "/new.txt");
  assert.equal((await shares.get("others")).place, "/new.txt");
  assert.deepEqual([...await shares.namesIn(pathOf("/d"), 1)], []);
  await shareTargets.follow(store, pathOf("/a"), pathOf("/moved"));
  assert.match((await shares.get("deep-0059")).path, /^\/moved\/a\//);
  await requestRecords.follow(store, pathOf("/d"), pathOf("/e"));
  assert.equal((await requests.at(pathOf("/e"))).length, 120);
  await shares.remove({ hash: "same-0003" });
  assert.equal((await store.get(["user_shares", 1, "same-0003"])).versionstamp, null);
  await shares.removeLed(idsIn(await shareTargets.follow(store, pathOf("/new.txt"), null)));
  await assert.rejects(shares.get("same-0004"), { code: "not_found" });
  await shares.removeOf(1);
  await shares.removeOf(2);
  await shares.removeOf(3);
  // No index keeps what the former schema wrote.
  for (
    const prefix of [
      ...["shares", "share_places", "share_marks", "share_targets", "target_shares"],
      "share_numbers",
    ]
  ) {
    assert.deepEqual(await store.list([prefix]), [], prefix);
  }
}

Deno.test("a store of the former schema gets its indexes, whatever its records are", async () => {
  const store = await openStore(":memory:");
  await plantFormer(store, records);
  await migrate(store);
  await assertMigrated(store);
  store.close();
});

Deno.test("the indexes are filled after a kill at any batch", async () => {
  const store = await openStore(":memory:");
  await plantFormer(store, records);
  let kills = 0;
  for (let isDone = false; !isDone; kills++) {
    // A batch takes several operations: later starts live longer.
    let left = kills + 1;
    const dying: Store = {
      ...store,
      atomic(build) {
        if (left-- === 0) throw new Error("killed");
        return store.atomic(build);
      },
    };
    isDone = await migrate(dying).then(() => true, (error) => {
      assert.equal(error.message, "killed");
      return false;
    });
  }
  assert.ok(kills > 5, `${kills} starts`);
  await assertMigrated(store);
  store.close();
});

Deno.test("several processes fill the indexes of one store at once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const former = await openStore(path);
  await plantFormer(former, records);
  former.close();
  const stores = await Promise.all([1, 2, 3].map(() => openStore(path)));
  await assertMigrated(stores[0] as Store);
  for (const store of stores) store.close();
});
