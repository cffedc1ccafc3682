import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { ServerOptionsStore } from "../../../lib/server/features/settings/server_options.ts";
import { resolveWithStore } from "../../../lib/server/boot/stored.ts";
import { plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { timesOpen } from "../../support/disks/open_files.ts";

interface Given {
  /** What the store keeps. */
  kept?: Record<string, string>;
  args?: string[];
  env?: Record<string, string>;
  tree?: Tree;
}

/** Resolves settings in a folder of their own that has a store. */
async function resolve({ kept = {}, args = [], env = {}, tree = {} }: Given) {
  await using folder = await temporaryFolder();
  await plant(folder.path, tree);
  const database = join(folder.path, "filebrowser.kv");
  const store = await openStore(database);
  await new ServerOptionsStore(store).update(kept);
  store.close();
  const environment = { args, env: new Map(Object.entries(env)), cwd: folder.path };
  const { config } = await resolveWithStore(environment);
  assert.equal(timesOpen(database), 0, "nobody holds the store any more");
  return { config, cwd: folder.path };
}

Deno.test("a stored option that cannot be used is refused in one line that tells the remedy", async () => {
  const refused: [Record<string, string>, RegExp][] = [
    [{ port: "eighty" }, /^Cannot use the stored "port" "eighty": expected .* config set --port" /],
    [{ root: "/gone/away" }, /^Cannot serve "\/gone\/away": the folder .* config set --root" /],
    [{ "cache-dir": "/" }, /^Cannot keep the cache in "\/": .* config set --cache-dir" /],
    [{ "disable-exec": "maybe" }, /^Cannot use the stored "disable-exec" "maybe": expected true/],
    [{ cert: "/gone.pem" }, /^Cannot use the stored "cert" "\/gone\.pem": the file does not/],
  ];
  for (const [kept, message] of refused) {
    await assert.rejects(resolve({ kept }), (error: Error) => {
      assert.equal(error.name, "StartRefusal");
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
});

Deno.test("a stored option does not open noauth to others", async () => {
  const kept = { address: "0.0.0.0" };
  await assert.rejects(resolve({ kept, args: ["--noauth"] }), /^StartRefusal: Cannot use noauth/);
});

Deno.test("a store of another program, or of a newer version, is refused in one line", async () => {
  await using folder = await temporaryFolder();
  const database = join(folder.path, "filebrowser.kv");
  const start = () => resolveWithStore({ args: [], env: new Map(), cwd: folder.path });
  await Deno.writeTextFile(database, "something else entirely");
  await assert.rejects(start, { name: "StartRefusal", message: /not a store of this program$/ });

  await Deno.remove(database);
  const store = await openStore(database);
  await store.atomic((operation) => operation.set(["schema"], 1_000));
  store.close();
  await assert.rejects(start, { name: "StartRefusal", message: /its schema is version 1000/ });
});

Deno.test("flags come before environment, config file, store and default", async () => {
  const kept = { port: "1", address: "127.0.0.2", baseurl: "/kept", workers: "3" };
  const tree = { ".filebrowser.json": '{"port": 2, "address": "127.0.0.3", "baseurl": "/file"}' };
  const env = { FB_PORT: "4", FB_ADDRESS: "127.0.0.5" };
  const { config } = await resolve({ kept, tree, env, args: ["--port", "6"] });
  const { port, address, baseUrl, workers, disableThumbnails } = config;
  assert.deepEqual(
    [port, address, baseUrl, workers, disableThumbnails],
    [6, "127.0.0.5", "/file", 3, false],
  );
});

Deno.test("names that only another version stores mean nothing, nor does what is said at a start alone", async () => {
  const kept = { sparkle: "on", database: "/elsewhere.kv", password: "x", noauth: "true" };
  const { config, cwd } = await resolve({ kept });
  assert.equal(config.database, join(cwd, "filebrowser.kv"));
  assert.deepEqual([config.authMethod, config.password], ["json", undefined]);
});

Deno.test("where there is no store, none is made", async () => {
  await using folder = await temporaryFolder();
  await resolveWithStore({ args: [], env: new Map(), cwd: folder.path });
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});
