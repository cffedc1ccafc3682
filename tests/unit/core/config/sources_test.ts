import assert from "node:assert/strict";
import { join } from "node:path";
import { resolveConfig } from "../../../../lib/server/core/config/resolve_config.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { refuses, resolve } from "./resolving.ts";

const configNames = ["json", "yaml", "yml", "toml"].map((kind) => `.filebrowser.${kind}`);

Deno.test("resolveConfig() refuses a flag it does not know, and a stray word", async () => {
  await refuses({ args: ["--rot", "x"] }, "Cannot use --rot: no such flag; see --help");
  await refuses({ args: ["-x"] }, "Cannot use -x: no such flag; see --help");
  await refuses({ args: ["photos"] }, 'Cannot use "photos": it is not a flag');
});

Deno.test("resolveConfig() refuses a flag without its value", async () => {
  await refuses({ args: ["--port"] }, "Cannot use --port: its value is missing");
  await refuses({ args: ["-r"] }, "Cannot use -r: its value is missing");
});

Deno.test("resolveConfig() refuses a config file that is missing, broken or in another format", async () => {
  await refuses({ args: ["-c", "my.json"] }, /my\.json": it does not exist$/);
  await refuses({ tree: { ".filebrowser.json": "{port" } }, /: it is not valid JSON$/);
  await refuses({ tree: { ".filebrowser.json": "[1]" } }, /: it does not contain a JSON object$/);
  await refuses({ tree: { ".filebrowser.json": {} } }, /: it is not a readable file$/);
  await refuses({ tree: { ".filebrowser.yaml": "port: [80" } }, /: it is not valid YAML/);
  const bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
  await refuses({ tree: { ".filebrowser.yml": bomb } }, /: it is not valid YAML/);
  await refuses({ tree: { ".filebrowser.toml": "port 80" } }, /: it is not valid TOML/);
  await refuses(
    { tree: { ".filebrowser.json": '{"port": {"a": 1}}' } },
    /^Cannot use "port" in ".*": expected a string, a number or a boolean$/,
  );
});

Deno.test("a config file that is not there yet can be made by nobody: the next start would obey it", async () => {
  await using home = await temporaryFolder();
  const env = { HOME: home.path };
  const missing = await resolve({ env });
  for (const folder of [missing.cwd, Deno.realPathSync(home.path)]) {
    for (const name of configNames) {
      assert(missing.config.reserved.includes(join(folder, name)), `${folder}/${name}`);
    }
  }
  await Deno.writeTextFile(join(home.path, ".filebrowser.json"), "{}");
  const found = await resolve({ env });
  assert(found.config.reserved.includes(join(found.cwd, ".filebrowser.json")), "looked for first");

  await Deno.symlink(join(home.path, ".filebrowser.json"), join(home.path, "named.json"));
  const named = await resolve({ args: ["--config", join(home.path, "named.json")] });
  for (const name of [".filebrowser.json", "named.json"]) {
    assert(named.config.reserved.includes(join(Deno.realPathSync(home.path), name)), name);
  }
  assert(!named.config.reserved.includes(join(named.cwd, ".filebrowser.json")));
});

Deno.test("resolveConfig() takes flags before environment before config file", async () => {
  const tree = { ".filebrowser.json": '{"port": 1, "address": "::1", "baseURL": "/file"}' };
  const env = { FB_PORT: "2", FB_ADDRESS: "127.0.0.2" };
  const { config } = await resolve({ args: ["--port", "3"], env, tree });
  assert.deepEqual([config.port, config.address, config.baseUrl], [3, "127.0.0.2", "/file"]);
});

Deno.test("resolveConfig() reads a flag in each of its spellings", async () => {
  const spellings = [
    ["--port", "81"],
    ["--port=81"],
    ["-p", "81"],
    ["-p81"],
    ["-p=81"],
    ["-p", "80", "--port=81"],
  ];
  for (const args of spellings) {
    assert.equal((await resolve({ args })).config.port, 81, args.join());
  }
  const { config } = await resolve({ args: ["--cacheDir", "c", "--disableThumbnails"] });
  assert.match(config.cacheDir, /\/c$/);
  assert.equal(config.disableThumbnails, true);
});

Deno.test("resolveConfig() reads switches with and without a value", async () => {
  const on = await resolve({ args: ["--disable-thumbnails", "--disable-exec=false"] });
  assert.deepEqual([on.config.disableThumbnails, on.config.disableExec], [true, false]);
  const off = await resolve({ args: ["--disable-thumbnails=0"], env: { FB_DISABLE_EXEC: "f" } });
  assert.deepEqual([off.config.disableThumbnails, off.config.disableExec], [false, false]);
  await refuses({ args: ["--disable-exec=maybe"] }, /: expected true or false$/);
  await refuses({ args: ["--disable-exec", "false"] }, 'Cannot use "false": it is not a flag');
});

Deno.test("resolveConfig() reads File Browser's own config file", async () => {
  const content = { port: 80, baseURL: "", address: "", log: "stdout", database: "/tmp/x.kv" };
  const tree = { ".filebrowser.json": JSON.stringify({ ...content, root: "." }) };
  const { config, notices, cwd } = await resolve({ tree });
  assert.deepEqual([config.address, config.port, config.root], ["0.0.0.0", 80, cwd]);
  assert.equal(config.database, "/tmp/x.kv");
  assert.deepEqual(notices, []);
  assert(config.reserved.includes(join(cwd, ".filebrowser.json")));
});

Deno.test("resolveConfig() says which keys of the config file mean nothing here", async () => {
  const { notices } = await resolve({
    args: ["-c", "f.json"],
    tree: { "f.json": '{"sparkle":"s","tus":{"retryCount":5}}' },
  });
  const told = /^Not used from the config file ".*\/f\.json": "sparkle", "tus\.retryCount"$/;
  assert.match(notices.join(), told);
});

Deno.test("resolveConfig() looks for the config file in the home folder as well", async () => {
  await using home = await temporaryFolder();
  await plant(home.path, { ".filebrowser.json": '{"port": 4}' });
  const { config } = await resolve({ env: { HOME: home.path } });
  assert.equal(config.port, 4);
});

Deno.test("what only File Browser has is answered by one line, and never ignored in silence", async () => {
  await refuses({ args: ["--followExternalSymlinks"] }, /: links never lead outside the root/);
  await using folder = await temporaryFolder();
  const log = join(folder.path, "c.json");
  await Deno.writeTextFile(
    log,
    '{"redisCacheUrl": "redis://r", "imageProcessors": 8, "sparkle": 1}',
  );
  const { notices } = resolveConfig({ args: ["-c", log], env: new Map(), cwd: folder.path });
  assert.equal(notices.length, 3);
  assert.match(
    notices[0] ?? "",
    /^Not used: "redisCacheUrl" in ".*": previews are cached on the disk/,
  );
  assert.match(notices[2] ?? "", /"sparkle"/);
  await Deno.writeTextFile(log, '{"log": "stdout", "followExternalSymlinks": false}');
  const usual = resolveConfig({ args: ["-c", log], env: new Map(), cwd: folder.path });
  assert.deepEqual(usual.notices, []);
});

Deno.test("a variable is read in either spelling, and not in two that differ", async () => {
  await using folder = await temporaryFolder();
  const read = (env: Record<string, string>) =>
    resolveConfig({ args: [], env: new Map(Object.entries(env)), cwd: folder.path }).config;
  for (const name of ["FB_BASE_URL", "FB_BASEURL"]) {
    assert.equal(read({ [name]: "/b" }).baseUrl, "/b");
  }
  assert.equal(read({ FB_CACHEDIR: "c" }).cacheDir, join(folder.path, "c"));
  await refuses(
    { env: { FB_BASE_URL: "/a", FB_BASEURL: "/b" } },
    /: FB_BASEURL has another value$/,
  );
});
