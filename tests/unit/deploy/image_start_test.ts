import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type Chosen, layouts, openImage, settingsFile } from "./image.ts";

for (const [name, { volumes, mounted, chosen }] of Object.entries(layouts)) {
  Deno.test(`the image imports File Browser's database, and commands follow: ${name}`, async () => {
    await using image = await openImage(volumes, mounted);
    const usual = { FB_ADDRESS: "0.0.0.0", FB_ROOT: "/srv", FB_CACHE_DIR: "/data/cache" };
    const wanted: Chosen = { ...usual, ...chosen };
    const server = await image.run("image-start");
    assert.deepEqual(server.env, wanted, server.told);
    const beside = dirname(wanted.FB_DATABASE) === dirname(wanted.FB_IMPORT_FROM);
    assert.equal(server.told.includes('keep "/data" in a volume'), !beside, server.told);
    assert.doesNotMatch(server.told, /No File Browser/);

    for (const [command, ...args] of [["cubby-files", "users", "ls"], ["image-start", "health"]]) {
      const ran = await image.run(command ?? "", ...args);
      assert.deepEqual([ran.env, ran.args], [wanted, args.join(" ")]);
    }

    // A later start, with the store in place and the old file removed.
    const { FB_IMPORT_FROM: old, ...rest } = wanted;
    await Deno.writeTextFile(image.path + wanted.FB_DATABASE, "store");
    await Deno.remove(image.path + old);
    assert.deepEqual((await image.run("image-start")).env, rest);
  });
}

Deno.test("without a File Browser database, the image says what it looked for, once", async () => {
  await using image = await openImage({
    "config/settings.json": settingsFile({ database: "/gone/fb.db" }),
    "database/filebrowser.db": "",
  });
  const { env, told } = await image.run("image-start");
  assert.equal(env.FB_DATABASE, "/data/cubby.kv");
  assert.equal(env.FB_IMPORT_FROM, undefined);
  assert.equal(
    told,
    'No File Browser database was found: looked for "/gone/fb.db" ("/config/settings.json"), ' +
      '"/database/filebrowser.db" and "/database.db"; the store is "/data/cubby.kv"\n',
  );
  await Deno.writeTextFile(join(image.path, "data/cubby.kv"), "store");
  assert.equal((await image.run("image-start")).told, "");
});

Deno.test("a store that a variable or a flag names counts, for commands as well", async () => {
  await using image = await openImage({ "database/filebrowser.db": "bolt" });
  const named = { FB_DATABASE: "/volume/my.db" };
  const { env } = await image.runWith(named, "image-start");
  assert.deepEqual([env.FB_DATABASE, env.FB_IMPORT], ["/volume/my.db", "true"]);
  for (
    const flags of [
      ["--database", "/x/a b.kv"],
      ["--database=/x/a b.kv"],
      ["-d", "/x/a b.kv"],
      ["-d=/x/a b.kv"],
      ["-d/x/a b.kv"],
      ["--port", "9000", "-d", "/x/a b.kv", "--noauth"],
    ]
  ) {
    const server = await image.run("image-start", ...flags, "-r", "/files");
    assert.equal(server.args, [...flags, "-r", "/files"].join(" "));
    const ran = await image.run("cubby-files", "users", "ls");
    assert.deepEqual([ran.env.FB_DATABASE, ran.env.FB_ROOT], ["/x/a b.kv", "/files"]);
    assert.equal(ran.env.FB_IMPORT_FROM, undefined, flags.join(" "));
  }
});

Deno.test("a command of its own container chooses as a server would, and leaves nothing", async () => {
  await using image = await openImage({ "database/filebrowser.db": "bolt" });
  const ran = await image.run("image-start", "users", "ls");
  assert.deepEqual([ran.env.FB_DATABASE, ran.args], ["/database/filebrowser.kv", "users ls"]);
  assert.deepEqual([...Deno.readDirSync(join(image.path, "tmp"))], []);
  const plain = await image.run("cubby-files", "users", "ls");
  assert.deepEqual([plain.env.FB_DATABASE, plain.told], ["/data/cubby.kv", ""]);
});

Deno.test("a store of Cubby's own beside a database to import is named, as it is not used", async () => {
  await using image = await openImage({
    "database/filebrowser.db": "bolt",
    "data/cubby.kv": "store",
  });
  const { env, told } = await image.run("image-start");
  assert.equal(env.FB_DATABASE, "/database/filebrowser.kv");
  assert.equal(told, 'Not used: the store "/data/cubby.kv"\n');
});

Deno.test("what else stands in the file of the choice is no variable of commands", async () => {
  await using image = await openImage({});
  await Deno.writeTextFile(
    join(image.path, "tmp/cubby-files.env"),
    "PATH=/tmp\nFB_ROOT=/a$(touch x)\nLD_PRELOAD=x\nFB_AUTH_METHOD=noauth\n",
  );
  const { env } = await image.run("cubby-files", "users", "ls");
  assert.equal(env.FB_ROOT, "/a$(touch x)");
  assert.equal(env.FB_AUTH_METHOD, undefined);
});
