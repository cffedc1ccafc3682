/** What the sync clients of Nextcloud and ownCloud do where the server refuses: they lose nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  assertSameTrees,
  ensureSyncClients,
  settle,
  type SyncClient,
  syncClients,
  type SyncedFolder,
  syncedFolders,
  textsIn,
} from "../support/clients/sync.ts";
import { basic } from "../support/clients/dav.ts";
import { deny } from "../support/data/rules.ts";
import { plant, temporaryFolder, type Tree } from "../support/disks/files.ts";
import { mountMemory } from "../support/disks/memory_disk.ts";
import { parsePath } from "../../lib/shared/path.ts";
import { startApp, type TestUser, userPassword } from "../support/server/app.ts";

await ensureSyncClients("refusals of sync clients");

/** Files that stay: a client asks before it loses all. */
const kept = { "x.txt": "x", "y.txt": "y", "z.txt": "z" };

const app = await startApp({ config: { webdav: true, syncClients: true } });
Deno.test.afterAll(app.close);
const { url } = app.listen();

/** A user of one test, and what that user's client syncs. */
interface Scene extends AsyncDisposable {
  username: string;
  /** The user's files on the server. */
  home: string;
  /** A new folder. @param password of the account, unless given */
  folder(password?: string): Promise<SyncedFolder>;
  id: number;
}

let count = 0;

async function openScene(
  client: SyncClient,
  tree: Tree,
  user: TestUser = {},
): Promise<Scene> {
  const username = `user ${++count}`;
  const home = join(app.root, username);
  await Deno.mkdir(home);
  await plant(home, { kept, ...tree });
  const { user: { id } } = await app.addUser(username, { ...user, scope: `/${username}` });
  const folders = await syncedFolders(client);
  return {
    ...{ username, home, id },
    folder: (password = userPassword) => folders.add({ url, username, password }),
    [Symbol.asyncDispose]: () => folders[Symbol.asyncDispose](),
  };
}

/** The requests of a test's user that change something, from one on. */
function changesBy({ username }: Scene, from: number): string[] {
  const own = encodeURIComponent(username);
  return app.log.requests.slice(from)
    .filter(({ method }) => /^(?:PUT|POST|MKCOL|MOVE|DELETE)$/.test(method))
    .filter(({ path }) => path.includes(own) || path.includes(username) || /\/bulk$/.test(path))
    .map(({ method, path, status }) => `${status} ${method} ${decodeURI(path)}`);
}

/** Clients ask for a file no more than this often in a run. */
const maxAsks = 4;

/** Writes a file of another time than before, after which clients forget that it was refused. */
async function rewrite(path: string, text: string, time: number): Promise<void> {
  await Deno.writeTextFile(path, text);
  await Deno.utime(path, time, time);
}

for (const client of syncClients) {
  Deno.test(`${client} syncs the rest where the quota is full, and all once there is room`, async () => {
    await using scene = await openScene(client, {}, { quota: { bytes: 100_000 } });
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    const large = "l".repeat(300_000);
    await rewrite(join(one.path, "large.bin"), large, 1.6e9);
    await rewrite(join(one.path, "huge.bin"), "h".repeat(12_000_000), 1.6e9);
    await plant(one.path, { "medium.bin": "m".repeat(60_000), sub: { "s.txt": "s" } });
    let log = await settle(one, two);
    const arrived = await textsIn(scene.home);
    assert.deepEqual(await textsIn(two.path), arrived, log);
    assert.deepEqual([arrived["large.bin"], arrived["huge.bin"]], [undefined, undefined]);
    assert.deepEqual([arrived["medium.bin"]?.length, arrived["sub/s.txt"]], [60_000, "s"], log);
    const from = app.log.requests.length;
    log = await one.sync();
    const asked = changesBy(scene, from);
    assert.ok(asked.length <= maxAsks, `${asked.join("\n")}\n${log}`);
    assert.equal(await Deno.readTextFile(join(one.path, "large.bin")), large);

    await app.cubby.users.update(scene.id, { quota: { bytes: 100_000_000, files: 0 } });
    await rewrite(join(one.path, "large.bin"), large, 1.6e9 + 60);
    await rewrite(join(one.path, "huge.bin"), "h".repeat(12_000_000), 1.6e9 + 60);
    await assertSameTrees(await settle(one, two), scene.home, one, two);
  });

  Deno.test(`${client} keeps what an app password that only reads may not send`, async () => {
    await using scene = await openScene(client, {
      docs: { "changed.txt": "server's", "gone.txt": "gone", sub: { "moved.txt": "moved" } },
    });
    const draft = { name: "reader", write: false, share: false, expires: null };
    const { secret } = await app.cubby.apiTokens.create(scene.id, draft, null);
    const folder = await scene.folder(secret);
    await folder.sync();
    const before = await textsIn(scene.home);
    assert.deepEqual(await textsIn(folder.path), before);
    await plant(folder.path, { "new.txt": "new", "new folder": { "n.txt": "n" } });
    await Deno.writeTextFile(join(folder.path, "docs/changed.txt"), "changed here");
    await Deno.remove(join(folder.path, "docs/gone.txt"));
    await Deno.rename(join(folder.path, "docs/sub/moved.txt"), join(folder.path, "docs/away.txt"));
    let log = await folder.sync() + await folder.sync();
    const from = app.log.requests.length;
    log += await folder.sync();
    assert.deepEqual(changesBy(scene, from), [], log);
    assert.deepEqual(await textsIn(scene.home), before, log);
    const own = await textsIn(folder.path);
    for (const [path, text] of Object.entries(before)) assert.equal(own[path], text, log);
    const added = Object.entries(own).filter(([path]) => before[path] === undefined);
    assert.deepEqual(added.map(([, text]) => text).sort(), [
      "",
      "changed here",
      "moved",
      "n",
      "new",
    ]);
  });

  Deno.test(`${client} syncs one folder by an app password that only reads it`, async () => {
    await using scene = await openScene(client, {
      docs: { "d.txt": "d", sub: { "s.txt": "s" } },
      other: { "o.txt": "not of this folder" },
    });
    const draft = { name: "one folder", write: false, share: false, expires: null };
    const place = parsePath(`/${scene.username}/docs`).path;
    const { secret } = await app.cubby.apiTokens.create(scene.id, draft, place);
    const folder = await scene.folder(secret);
    const before = await textsIn(scene.home);
    let log = await folder.sync();
    const seen = { "d.txt": "d", "sub/": "", "sub/s.txt": "s" };
    assert.deepEqual(await textsIn(folder.path), seen, log);
    await Deno.writeTextFile(join(folder.path, "d.txt"), "changed here");
    await Deno.remove(join(folder.path, "sub"), { recursive: true });
    await plant(folder.path, { "new.txt": "new" });
    log = await folder.sync() + await folder.sync();
    const from = app.log.requests.length;
    log += await folder.sync();
    assert.deepEqual(changesBy(scene, from), [], log);
    assert.deepEqual(await textsIn(scene.home), before, log);
    const own = await textsIn(folder.path);
    for (const [path, text] of Object.entries(seen)) assert.equal(own[path], text, log);
    for (const text of ["changed here", "new"]) assert.ok(Object.values(own).includes(text), log);
  });

  Deno.test(`${client} keeps what rights and rules refuse, and does not ask again`, async () => {
    await using scene = await openScene(
      client,
      { open: { "o.txt": "o" }, closed: { "secret.txt": "secret" } },
      { rules: [deny("/closed")], perm: { create: true, delete: false } },
    );
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    const { "closed/": _, "closed/secret.txt": secret, ...seen } = await textsIn(scene.home);
    assert.equal(secret, "secret");
    assert.deepEqual(await textsIn(one.path), seen);
    await plant(one.path, { closed: { "mine.txt": "mine" } });
    await Deno.writeTextFile(join(one.path, "open/o.txt"), "changed");
    await Deno.writeTextFile(join(one.path, "open/new.txt"), "new");
    await Deno.remove(join(one.path, "kept/x.txt"));
    let log = await settle(one, two);
    const from = app.log.requests.length;
    log += await one.sync();
    assert.deepEqual(changesBy(scene, from), [], log);
    const { "closed/": _closed, "closed/secret.txt": still, ...now } = await textsIn(scene.home);
    assert.equal(still, "secret");
    assert.deepEqual(now, { ...seen, "open/o.txt": "changed", "open/new.txt": "new" }, log);
    assert.deepEqual(await textsIn(two.path), now, log);
    const mine = { "closed/": "", "closed/mine.txt": "mine" };
    assert.deepEqual(await textsIn(one.path), { ...now, ...mine }, log);
  });

  Deno.test(`${client} changes files where it may make none`, async () => {
    const tree = { "o.txt": "o", "large.bin": "" };
    await using scene = await openScene(client, tree, { perm: { create: false } });
    const folder = await scene.folder();
    await folder.sync();
    await Deno.writeTextFile(join(folder.path, "o.txt"), "changed");
    await Deno.writeTextFile(join(folder.path, "large.bin"), "l".repeat(11_000_000));
    await plant(folder.path, { "new.txt": "new", "new folder": {} });
    let log = await folder.sync() + await folder.sync();
    const from = app.log.requests.length;
    log += await folder.sync();
    assert.deepEqual(changesBy(scene, from), [], log);
    const server = await textsIn(scene.home);
    assert.equal(server["o.txt"], "changed", log);
    assert.match(server["large.bin"] ?? "", /^11000000 bytes/, log);
    const own = { "new.txt": "new", "new folder/": "" };
    assert.deepEqual(await textsIn(folder.path), { ...server, ...own }, log);
  });

  Deno.test(`${client} sends a file that is locked once it is free`, async () => {
    await using scene = await openScene(client, { "locked.txt": "before", "free.txt": "before" });
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    const authorization = basic(scene.username, userPassword);
    const address = "/dav/locked.txt";
    const body = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>` +
      `</D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
    const lock = await app.call("LOCK", address, { headers: { authorization }, body });
    await lock.body?.cancel();
    const token = lock.headers.get("lock-token") ?? "";
    await rewrite(join(one.path, "locked.txt"), "while it is locked", 1.6e9);
    await rewrite(join(one.path, "free.txt"), "after", 1.6e9);
    let log = await settle(one, two);
    assert.equal(await Deno.readTextFile(join(scene.home, "locked.txt")), "before", log);
    assert.equal(await Deno.readTextFile(join(two.path, "free.txt")), "after", log);
    assert.equal(await Deno.readTextFile(join(one.path, "locked.txt")), "while it is locked", log);
    const headers = { authorization, "lock-token": token };
    assert.equal((await app.call("UNLOCK", address, { headers })).status, 204);
    await rewrite(join(one.path, "locked.txt"), "once it is free", 1.6e9 + 60);
    log = await settle(one, two);
    await assertSameTrees(log, scene.home, one, two);
    assert.equal(await Deno.readTextFile(join(two.path, "locked.txt")), "once it is free", log);
  });

  Deno.test(`${client} syncs the rest where the disk is full, and all once there is room`, async () => {
    await using place = await temporaryFolder();
    await using _disk = await mountMemory(place.path, "size=2m");
    await plant(place.path, { kept });
    await using small = await startApp({
      inProcess: true,
      config: { root: place.path, syncClients: true },
    });
    const account = { url: small.listen().url, ...small.admin };
    await using folders = await syncedFolders(client);
    const [one, two] = [await folders.add(account), await folders.add(account)];
    await settle(one, two);
    await rewrite(join(one.path, "large.bin"), "l".repeat(3_000_000), 1.6e9);
    await plant(one.path, { "small.txt": "small", sub: { "s.txt": "s" } });
    let log = await settle(one, two);
    const { "large.bin": large, ...rest } = await textsIn(one.path);
    assert.deepEqual(await textsIn(place.path), rest, log);
    assert.deepEqual(await textsIn(two.path), rest, log);
    await remount(place.path, "size=20m");
    await rewrite(join(one.path, "large.bin"), "l".repeat(3_000_000), 1.6e9 + 60);
    log = await settle(one, two);
    await assertSameTrees(log, place.path, one, two);
    assert.equal((await textsIn(two.path))["large.bin"], large);
  });
}

async function remount(path: string, options: string): Promise<void> {
  const args = ["-o", `remount,${options}`, path];
  assert.ok((await new Deno.Command("mount", { args }).output()).success);
}
