import assert from "node:assert/strict";
import { join } from "node:path";
import { plant } from "../../support/disks/files.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

async function stored(terminal: TestTerminal): Promise<Record<string, string>> {
  return JSON.parse((await terminal.ok("config", "cat")).join("")).server;
}

Deno.test("an option that no server would start with is refused, and nothing is stored", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  await plant(terminal.folder, { "c.pem": "c" });
  const refused: [string[], RegExp][] = [
    [["--port", "eighty"], /^Cannot use --port "eighty": expected a whole number/],
    [["--root", "gone"], /^Cannot serve ".*\/gone": the folder does not exist$/],
    [["--cert", "gone.pem"], /^Cannot use --cert ".*\/gone\.pem": the file does not exist$/],
    [["--cert", "c.pem"], /^Cannot use --cert: --key must be given as well$/],
    [["--cache-dir", "."], /^Cannot keep the cache in ".*": the served folder lies in it$/],
    [["--baseurl", "http://h/x"], /expected a path such as/],
    [["--token-expiration-time", "2"], /expected a duration/],
    [["--workers", "0"], /expected a whole number from 1/],
    [["--disable-thumbnails=maybe"], /expected true or false$/],
    [["--port", "9000", "--address", "h:80"], /expected an IP address or a host name$/],
  ];
  for (const [flags, message] of refused) {
    const { status, warned } = await terminal.run("config", "set", "--signup", ...flags);
    assert.match(warned.join("\n"), message);
    assert.equal(status, 2, flags.join(" "));
  }
  const printed = JSON.parse((await terminal.ok("config", "cat")).join(""));
  assert.deepEqual([printed.server, printed.signup], [{}, false]);
});

Deno.test("what says where the store is, or lets everybody in, is not stored", async () => {
  await using terminal = await openTerminal();
  const names = ["username", "password", "noauth", "noauth-anywhere", "exec-sandbox"];
  for (const name of names) {
    const { status, warned } = await terminal.run("config", "set", `--${name}=x`);
    assert.equal(warned.join(), `Cannot use --${name}: this command has no such flag`);
    assert.equal(status, 2);
  }
  assert.equal((await terminal.run("config", "set", "-d", terminal.database)).status, 2);
});

Deno.test("options are stored, shown, changed and forgotten, with their paths whole", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.folder, { "c.pem": "c", "k.pem": "k", files: {} });
  await terminal.ok("config", "set", "-p", "9000", "--root", "files", "--disableThumbnails");
  await terminal.ok("config", "set", "--cert=c.pem", "--key=k.pem", "--cacheDir", "cache");
  const at = (name: string) => join(terminal.folder, name);
  assert.deepEqual(await stored(terminal), {
    port: "9000",
    root: at("files"),
    "disable-thumbnails": "true",
    cert: at("c.pem"),
    key: at("k.pem"),
    "cache-dir": at("cache"),
  });

  assert.equal((await terminal.run("config", "set", "--key", "")).status, 2, "half of a pair");
  await terminal.ok(
    "config",
    "set",
    "--key=",
    "--cert=",
    "--cache-dir=",
    "--root",
    "",
    "-p",
    "9001",
  );
  assert.deepEqual(await stored(terminal), { port: "9001", "disable-thumbnails": "true" });
});

Deno.test("a stored option that went bad is told with its remedy, and can be mended", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.folder, { files: {}, other: {} });
  const env = { FB_ROOT: "" };
  await terminal.ok("config", "set", "--createUserDir", "--root", "files");
  await Deno.remove(join(terminal.folder, "files"));

  const add = ["users", "add", "anna", "otters hold 9 hands"];
  const { status, warned } = await terminal.runWith(env, ...add);
  assert.equal(status, 2);
  assert.match(
    warned.join("\n"),
    /^Cannot serve ".*\/files": the folder does not exist; ".* config set --root" changes .*$/,
  );
  assert.equal((await terminal.ok("users", "ls")).length, 1, "there is no user without a home");

  await terminal.ok("config", "set", "--port", "9000");
  await terminal.ok("config", "set", "--root", "other");
  assert.equal((await terminal.runWith(env, ...add)).status, 0);
  assert.ok(Deno.statSync(join(terminal.folder, "other", "users", "anna")).isDirectory);
});

Deno.test("a database that is another program's file is refused and left as it is", async () => {
  await using terminal = await openTerminal();
  await Deno.writeTextFile(terminal.database, "something else entirely");
  const { status, warned } = await terminal.run("users", "ls");
  assert.equal(status, 2);
  assert.match(warned.join(), /: it is not a store of this program$/);
  assert.equal(await Deno.readTextFile(terminal.database), "something else entirely");
});

Deno.test("guides to File Browser begin with config init, with or without flags, before it or after", async () => {
  await using terminal = await openTerminal();
  const at = (name: string) => join(terminal.folder, name);
  for (
    const args of [
      ["config", "init"],
      ["config", "init", "-d", at("a.kv")],
      ["-d", at("b.kv"), "config", "init"],
      [`--database=${at("c.kv")}`, "--root", at("root"), "config", "init", "--signup"],
    ]
  ) {
    const printed = await terminal.ok(...args);
    assert.equal(JSON.parse(printed.join("")).signup, args.includes("--signup"), args.join(" "));
  }
  for (const name of ["a.kv", "b.kv", "c.kv"]) assert.ok(Deno.statSync(at(name)).size > 0, name);
  const before = await terminal.run(
    "-d",
    at("b.kv"),
    "users",
    "add",
    "anna",
    "four herons at dawn",
  );
  assert.equal(before.status, 0, before.warned.join());
  assert.match((await terminal.ok("users", "ls", "-d", at("b.kv"))).join("\n"), /anna/);
  assert.equal((await terminal.run("-d", at("b.kv"), "config", "init")).status, 1, "it has users");
});

Deno.test("flags of File Browser without an effect here are answered, and the rest of the line holds", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const unsafe = await terminal.run("config", "set", "--signup", "--followExternalSymlinks");
  assert.match(unsafe.warned.join(), /^Cannot use --follow-external-symlinks: links never lead/);
  assert.equal(unsafe.status, 2);
  assert.equal(JSON.parse((await terminal.ok("config", "cat")).join("")).signup, false);

  const answered: [string[], RegExp][] = [
    [["--disableTypeDetectionByHeader"], /^Not used: --disable-type-detection-by-header: types/],
    [["--disableImageResolutionCalc"], /^Not used: --disable-image-resolution-calc: /],
    [["--imageProcessors", "8"], /^Not used: --image-processors: previews are made by/],
    [["--img-processors=8"], /^Not used: --image-processors: /],
    [["--redisCacheUrl", "redis://a"], /^Not used: --redis-cache-url: previews are cached/],
    [["--lockPassword"], /^Not used: --lockPassword: "users add" and "users update" lock/],
    [["--minimumPasswordLength", "6"], /^Not used: --minimumPasswordLength 6: .* at least 12/],
  ];
  for (const [flags, answer] of answered) {
    const { status, printed, warned } = await terminal.run("config", "set", ...flags);
    assert.equal(status, 0, flags.join(" "));
    assert.match(warned.join("\n"), answer);
    assert.equal(JSON.parse(printed.join("")).minimumPasswordLength, 12);
  }
  const every = answered.flatMap(([flags]) => flags);
  const line = await terminal.run("config", "set", ...every, "--signup", "--auth.logoutPage=/bye");
  const settings = JSON.parse(line.printed.join(""));
  assert.deepEqual([settings.signup, settings.logoutPage], [true, "/bye"]);
  assert.equal(line.warned.length, answered.length - 1);
  for (const usual of [["--followExternalSymlinks=false"], ["--imageProcessors=4"]]) {
    const { warned } = await terminal.run("config", "set", ...usual, "--signup");
    assert.deepEqual(warned, []);
  }
  const help = await terminal.ok("config", "set", "--help");
  assert.doesNotMatch(help.join("\n"), /image-?processors|lockPassword/i);
});

Deno.test("variables that no option has are named, with the one that was meant", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const env = { FB_DATABSE: "x.kv", FB_NOPE: "1", FB_EMPTY: "", FBX: "1", FB_IMG_PROCESSORS: "4" };
  const { status, warned } = await terminal.runWith(env, "users", "ls");
  assert.equal(status, 0);
  assert.deepEqual(warned, [
    "Not used: FB_DATABSE: there is no such variable, did you mean FB_DATABASE?",
    "Not used: FB_NOPE: there is no such variable",
  ]);
});

Deno.test("a way to sign in is stored without what the server needs with it, and that is said", async () => {
  await using terminal = await openTerminal();
  const line = ["--auth.method=proxy", "--auth.header", "X-User", "--signup", "--port", "9000"];
  const { status, printed, warned } = await terminal.run("config", "set", ...line);
  assert.equal(status, 0);
  assert.deepEqual(warned, [
    "Stored, but the server does not start with it: Cannot use the proxy method: --trusted-proxies " +
    "names no proxy, such as 127.0.0.1 for one on this machine",
  ]);
  const { signup, server } = JSON.parse(printed.join(""));
  const proxy = { "auth-method": "proxy", "auth-header": "X-User" };
  assert.deepEqual([signup, server], [true, { ...proxy, port: "9000" }]);

  await terminal.ok("config", "set", "--trusted-proxies", "127.0.0.1");
  const again = await terminal.run("config", "set", "--auth.method=proxy");
  assert.deepEqual([again.status, again.warned], [0, []], "the proxy is stored");

  const open = ["config", "set", "--auth-method", "noauth", "--address", "0.0.0.0"];
  const all = await terminal.run(...open);
  assert.equal(all.status, 0);
  assert.match(
    all.warned.join("\n"),
    /^Stored, but .*: Cannot use noauth on "0\.0\.0\.0": .*--noauth-anywhere allows it$/,
  );
  const bad = await terminal.run("config", "set", "--auth.method=hook", "--branding.name", "Other");
  assert.equal(bad.status, 2);
  assert.match(bad.warned.join("\n"), /--auth-command names no program$/);
  assert.doesNotMatch((await terminal.ok("config", "cat")).join(""), /Other/);
});
