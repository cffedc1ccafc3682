import assert from "node:assert/strict";
import { join } from "node:path";
import { parsePath } from "../../../lib/shared/path.ts";
import { newJob } from "../../../lib/server/features/jobs/job.ts";
import { JobRecords } from "../../../lib/server/features/jobs/job_records.ts";
import { type UploadPart, UploadParts } from "../../../lib/server/files/upload/upload_parts.ts";
import type { Store } from "../../../lib/server/core/kv/store.ts";
import { digestsOf } from "../../../lib/server/core/kv/path_digests.ts";
import { Favorites } from "../../../lib/server/features/places/favorites.ts";
import { addShare } from "../../../lib/server/features/links/shares/share_records.ts";
import { requestRecords } from "../../../lib/server/features/links/requests/request.ts";
import { plant } from "../../support/disks/files.ts";
import { admit, assertHealthy, assertMends, findingsOf, letAge, withStore } from "./doctor.ts";
import { openTerminal } from "./terminal.ts";
import { pendingChanges } from "../../../lib/server/files/entry_observers.ts";
import {
  sessionRecords,
  userHomes,
  userNames,
  userRecords,
} from "../../../lib/server/features/accounts/users/user_records.ts";
import { userCounts } from "../../../lib/server/features/accounts/users/user_counts.ts";

const temporary = (digit: string) => `.cubby-upload-${digit.repeat(32)}`;
const at = (text: string) => parsePath(text).path;

async function share(store: Store, hash: string, place: string, userId = 1) {
  const record = { hash, userId, path: at(place), place: at(place), expire: 0, passwordHash: null };
  await store.atomic(await addShare(store, record));
}

function partOf(part: Partial<UploadPart>): Omit<UploadPart, "expires"> {
  const place = { path: at("/big.iso"), folder: at("/up"), name: temporary("a") };
  return { userId: 1, ...place, ino: 0, length: 9, override: false, ...part };
}

Deno.test("the doctor refuses words, an unnamed root and a store without users, with status 2", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const refused = async (env: Record<string, string>, args: string[], reason: RegExp) => {
    const { status, printed, warned } = await terminal.runWith(env, "doctor", ...args);
    assert.match(warned.join("\n"), reason);
    assert.deepEqual([status, printed], [2, []]);
  };
  await refused({}, ["--mend"], /^Cannot use --mend/);
  await refused({}, ["everything"], /^Cannot use "everything": doctor takes only flags$/);
  await refused({}, ["--fix"], /^Cannot check the store: it has no users/);
  await admit(terminal);
  await refused({ FB_ROOT: "" }, ["--fix"], /^Cannot run the command: --root is missing/);
  await assertHealthy(terminal);
  const { status } = await terminal.runWith({ FB_ROOT: "" }, "doctor", "--root", terminal.root);
  assert.equal(status, 0);
});

Deno.test("the doctor removes shares of what is gone, and of users who are gone", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await plant(terminal.root, { "here.txt": "here", sub: { "x": "x" } });
  await Deno.symlink("nowhere", join(terminal.root, "broken"));
  await withStore(terminal, async (store) => {
    for (const place of ["/", "/here.txt", "/sub", "/broken"]) await share(store, place, place);
    await share(store, "lost", "/gone/file.txt");
    await share(store, "orphan", "/here.txt", 7);
  });
  await assertMends(terminal, [
    /^share of "\/gone\/file\.txt" by "root": there is no such entry$/,
    /^share of "\/here\.txt" by a user who is gone$/,
  ]);
  await withStore(terminal, async (store) => {
    const left = await store.list(["shares"]);
    assert.equal(left.length, 4);
    for (const index of ["user_shares", "share_places"]) {
      assert.equal((await store.list([index])).length, 4, index);
    }
  });
});

Deno.test("the doctor removes requests for folders that are gone, and of users who are gone", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await plant(terminal.root, { inbox: { "a.txt": "a" } });
  await withStore(terminal, async (store) => {
    const limits = { title: "", note: "", maxFiles: 0, maxFileSize: 0, maxTotalSize: 0, kinds: [] };
    const requests = [["kept", "/inbox", 1], ["lost", "/gone", 1], [
      "orphan",
      "/inbox",
      7,
    ]] as const;
    for (const [hash, place, userId] of requests) {
      const record = {
        hash,
        userId,
        path: place,
        place,
        expire: 0,
        passwordHash: null,
        edition: 0,
      };
      await store.atomic((operation) =>
        requestRecords.put(operation, [hash], {
          ...record,
          path: at(place),
          place: at(place),
          limits,
        }).set(["request_uses", hash], {})
      );
    }
  });
  await assertMends(terminal, [
    /^request for "\/gone" by "root": there is no such folder$/,
    /^request for "\/inbox" by a user who is gone$/,
  ]);
  await withStore(terminal, async (store) => {
    for (const prefix of ["requests", "request_uses"]) {
      assert.deepEqual((await store.list([prefix])).map(({ key }) => key.at(-1)), ["kept"]);
    }
  });
});

Deno.test("a share is kept while its disk may not be mounted, or a move of its entry is under way", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await plant(terminal.root, { empty: {}, usb: { "note.txt": "not the disk's" }, "a.txt": "a" });
  await withStore(terminal, async (store) => {
    await share(store, "one", "/empty/film.mp4");
    await share(store, "two", "/usb/film.mp4");
    await share(store, "three", "/moving/film.mp4");
    await store.atomic((operation) => operation.set(["trash_tops", "digest"], "/usb"));
    const change = { from: "/moving", to: "/moved", ino: 1 };
    await store.atomic((operation) => operation.set(pendingChanges.key("1"), change));
  });
  for (const flags of [[], ["--fix"]]) {
    const { status, lines, summary } = await findingsOf(terminal, ...flags);
    assert.deepEqual(lines.sort(), [
      'share of "/empty/film.mp4" by "root": "/empty" is empty, so a disk may not be mounted - not checked',
      'share of "/usb/film.mp4" by "root": its disk is not mounted - not checked',
    ]);
    assert.equal(status, 0);
    assert.match(summary ?? "", /^Found: 0;.* not checked: 2$/);
  }
  await withStore(terminal, async (store) => {
    assert.equal((await store.list(["shares"])).length, 3);
  });
});

Deno.test("the doctor makes the indexes of shares say what the shares do", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await plant(terminal.root, { "a.txt": "a" });
  await withStore(terminal, async (store) => {
    await share(store, "one", "/a.txt");
    await store.atomic((operation) =>
      operation.delete(["user_shares", 1, "one"]).set(["user_shares", 3, "one"], null)
        .set(["user_shares", 1, "none"], null)
        .set(["share_places", ...digestsOf(at("/b.txt")), "one"], null)
    );
  });
  await assertMends(terminal, [
    /^share of "\/a\.txt" by "root": it is missing from an index$/,
    /^index "user_shares": 2 of its records name no such share$/,
    /^index "share_places": 1 of its records name no such share$/,
  ]);
  await withStore(terminal, async (store) => {
    assert.notEqual((await store.get(["user_shares", 1, "one"])).versionstamp, null);
    assert.notEqual((await store.get(["shares", "one"])).versionstamp, null);
  });
});

Deno.test("the doctor mends the indexes and counts of users, and ends sessions of nobody", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await withStore(terminal, async (store) => {
    await store.atomic((operation) =>
      operation.delete(userNames.prefix("root")).set(userNames.prefix("ghost"), 9)
        .set(userHomes.prefix("/users/root"), 1)
        .set(userCounts.key(), { nextId: 1, users: 4, admins: 2 })
        .set(sessionRecords.key(9, "s1"), {}).set(sessionRecords.key(9, "s2"), {})
    );
  });
  await assertMends(terminal, [
    /^name "ghost": kept for the user 9, who does not have it$/,
    /^user 1: the name "root" is not kept for this user$/,
    /^home "\/users\/root": kept for the user 1, who does not have it$/,
    /^counts of users: they say 4 \(administrators: 2, next id: 1\), but there are 1 \(administrators: 1, next id: 2\)$/,
    /^sessions of the user 9, who is gone: 2$/,
  ]);
  assert.match((await terminal.ok("users", "find", "root")).join(), /root/);
});

Deno.test("two users of one name are left to a person", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await withStore(terminal, async (store) => {
    const { value } = await store.get<Record<string, unknown>>(userRecords.key(1));
    await store.atomic((operation) =>
      operation.set(userRecords.key(2), { ...value, id: 2 })
        .set(userCounts.key(), { nextId: 3, users: 2, admins: 2 })
    );
  });
  for (const flags of [[], ["--fix"]]) {
    const { status, lines } = await findingsOf(terminal, ...flags);
    assert.deepEqual(lines, ['user 2: the name "root" is that of the user 1, too - by hand']);
    assert.equal(status, 1);
  }
});

Deno.test("the doctor makes missing homes, and leaves those that are no folders to a person", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await plant(terminal.root, { "file.txt": "", "real": { "x": "x" } });
  await Deno.symlink("real", join(terminal.root, "link"));
  const password = "otters hold 9 hands";
  await terminal.ok("users", "add", "anna", password, "--scope", "/homes/anna");
  await assertMends(terminal, [/^user "anna": the folder "\/homes\/anna" is not there$/]);
  assert.ok(Deno.statSync(join(terminal.root, "homes/anna")).isDirectory);

  await terminal.ok("users", "add", "bert", password, "--scope", "/file.txt");
  await terminal.ok("users", "add", "carl", password, "--scope", "/link/x");
  const { status, lines } = await findingsOf(terminal, "--fix");
  assert.deepEqual(lines, [
    'user "bert": the folder "/file.txt" is not a folder - by hand',
    'user "carl": the folder "/link/x" is behind a link - by hand',
  ]);
  assert.equal(status, 1);
});

Deno.test("the doctor forgets unfinished uploads whose file is gone", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.root, { up: { [temporary("b")]: "half" } });
  await admit(terminal);
  const { ino } = Deno.statSync(join(terminal.root, "up", temporary("b")));
  await withStore(terminal, async (store) => {
    const parts = new UploadParts(store);
    await parts.put(partOf({}));
    await parts.put(partOf({ path: at("/of.nobody"), userId: 5 }));
    await parts.put(partOf({ path: at("/kept.iso"), name: temporary("b"), ino }));
  });
  await assertMends(terminal, [
    /^upload of "\/big\.iso" by "root": its partial file is missing$/,
    /^upload of "\/of\.nobody" by a user who is gone$/,
  ]);
  assert.equal(await Deno.readTextFile(join(terminal.root, "up", temporary("b"))), "half");
});

Deno.test("the doctor removes what uploads and copies have left anywhere, and follows no link", async () => {
  await using terminal = await openTerminal();
  const outside = join(terminal.folder, "outside");
  await plant(terminal.folder, { outside: { [temporary("c")]: "another's" } });
  await plant(terminal.root, {
    a: { b: { c: { [temporary("1")]: "left", "kept.txt": "kept" } } },
    [temporary("2")]: { deep: { "copy.txt": "half" } },
    [`${temporary("3")}0`]: "has another name",
  });
  await Deno.symlink(outside, join(terminal.root, "out"));
  await Deno.symlink(outside, join(terminal.root, temporary("4")));
  await letAge();
  await admit(terminal);
  await assertMends(terminal, [
    /^folder "\/": \.cubby-upload-2{32} is a leftover of an upload or a copy from \d{4}-\d\d-\d\d$/,
    /^folder "\/a\/b\/c": \.cubby-upload-1{32} is a leftover of an upload or a copy from/,
  ]);
  assert.equal(await Deno.readTextFile(join(terminal.root, "a/b/c/kept.txt")), "kept");
  assert.deepEqual([...Deno.readDirSync(outside)].length, 1);
});

Deno.test("what may be of an upload under way is left alone", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.root, { up: { [temporary("d")]: "coming" } });
  await admit(terminal);
  await letAge();
  const folder = await Deno.open(join(terminal.root, "up"));
  try {
    await folder.lock(false);
    await assertHealthy(terminal);
  } finally {
    folder.close();
  }
  assert.equal((await findingsOf(terminal)).status, 1);
});

Deno.test("what a job that is not over has copied is left alone", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  const entries = [{ path: at("/a"), to: at("/b") }];
  const job = newJob({ userId: 1, address: "", action: "copy" }, entries);
  await withStore(terminal, (store) => new JobRecords(store).add(job, entries));
  await plant(terminal.root, { [job.staging]: { "half.txt": "half" } });
  await letAge();
  await assertHealthy(terminal);
});

Deno.test("the doctor drops favourites of what is gone, lists of users who are gone, and mends their indexes", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await plant(terminal.root, { "here.txt": "here", sub: { "x": "x" } });
  const item = (place: string) => ({ path: at(place), place: at(place), isDir: false });
  await withStore(terminal, async (store) => {
    const { lists } = new Favorites(store);
    await lists.change(1, () => ["/here.txt", "/gone/file.txt", "/moving"].map(item));
    await lists.change(7, () => [item("/here.txt")]);
    const pending = { from: "/moving", to: "/sub/moved", ino: 1 };
    await store.atomic((operation) =>
      operation
        .set(pendingChanges.key("one"), pending)
        .delete(["favorite_places", ...digestsOf(at("/here.txt")), 1])
        .set(["recent_places", ...digestsOf(at("/sub")), 1], null)
    );
  });
  await assertMends(terminal, [
    /^favourites of the user 7 who is gone$/,
    /^favourite "\/gone\/file\.txt" of "root": there is no such entry$/,
    /^index "favorite_places": a record of the user 1 is missing$/,
    /^index "recent_places": a record of the user 1 names nothing that is listed$/,
  ]);
  await withStore(terminal, async (store) => {
    const left = await new Favorites(store).lists.get(1);
    assert.deepEqual(left.map(({ place }) => place), ["/here.txt", "/moving"]);
    assert.equal((await store.list(["favorite_places"])).length, 2);
    assert.equal((await store.list(["recent_places"])).length, 0);
  });
});
