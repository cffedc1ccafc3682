import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { importMark } from "../../lib/server/core/kv/server_records.ts";
import { openStore } from "../../lib/server/core/kv/store.ts";
import { plant } from "../support/disks/files.ts";
import { startApp } from "../support/server/app.ts";
import { startServer } from "../support/server/server.ts";
import { openTerminal, type TestTerminal } from "../unit/cli/terminal.ts";
import { readAnswers } from "./move/check.ts";
import { fixture } from "./move/installation.ts";

/**
 * A database that File Browser 2.63.23 wrote, with values that it does not check: a locale and a
 * sorting that do not exist, a name with a tab, two names that differ in a space, a rule that matches
 * nothing. Its users sign in through a proxy; the administrator may not change the password.
 */
const odd = new URL("../support/data/filebrowser/odd/filebrowser.db", import.meta.url).pathname;

const full = new URL("../support/data/filebrowser/full/filebrowser.db", import.meta.url).pathname;

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Puts a database where `--database` would name it, and the name of the store beside it. */
async function place(terminal: TestTerminal, source: string): Promise<Record<"db" | "kv", string>> {
  const db = join(terminal.folder, "filebrowser.db");
  await Deno.copyFile(source, db);
  return { db, kv: join(terminal.folder, "filebrowser.kv") };
}

Deno.test("a value that cannot be imported is replaced, a user that cannot is named, and no more", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.root, { t: { sub: { "in.txt": "in" } }, bob: { "b.txt": "b" } });
  const told = await terminal.ok("import", odd);
  for (
    const line of [
      "  as an administrator, the user may change the password: lockPassword is off",
      '  sorting is the default: it must be one of "name", "size", "modified", "taken"',
      '  locale is the default: "zh_CN" is not a language code such as "en" or "zh-cn"',
      '  without the rule for "/../x": no entry can have this path',
      '  left out: Cannot run "echo \\"open" on after_upload: a quote or a backslash is not closed',
      "  minimumPasswordLength is 12, not 8: shorter existing passwords keep working",
      'Not imported: the user " bob": another user has this name here',
      'Left out: the share "WYekAbfW": its owner is gone, or was not imported',
      "Imported: 2 shares",
    ]
  ) assert.ok(told.includes(line), `${line}\n${told.join("\n")}`);
  const named = told.filter((line) => line.startsWith("Not imported: "));
  assert.match(named[0] ?? "", /^Not imported: the user "tab.+here": Cannot use this user name: /);
  assert.equal(named.length, 2);

  await using app = await startApp({
    config: { database: terminal.database, root: terminal.root },
  });
  const users = (await app.cubby.users.list()).map(({ username }) => username);
  assert.deepEqual(users, ["admin", "carla", "bob"]);
  const bob = await app.cubby.users.byName("bob");
  assert.deepEqual([bob?.locale, bob?.scope], ["en", "/bob"]);
  const { rules, branding, commands, minimumPasswordLength } = await app.cubby.settings.get();
  assert.deepEqual(commands.after_upload, ["echo done"]);
  assert.deepEqual(rules.map(({ path }) => path), ["/secret"]);
  assert.deepEqual([branding.name, minimumPasswordLength], ["Odd files", 12]);
  for (const [address, text] of [["NuC65mkb/t/sub/in.txt", "in"], ["lqWQVt4B/b.txt", "b"]]) {
    const answer = await app.call("GET", `/api/public/dl/${address}`);
    assert.deepEqual([answer.status, await answer.text()], [200, text]);
  }
});

Deno.test("settings that could let somebody in are replaced by stricter ones", async () => {
  await using terminal = await openTerminal();
  const rule = { regex: true, allow: false, path: "", regexp: { raw: "(" } };
  const file = join(terminal.folder, "config.json");
  const settings = {
    signup: true,
    tus: { chunkSize: -1, retryCount: 3 },
    branding: { name: "Den", color: "blueish" },
    rules: [rule, { ...rule, allow: true }, { ...rule, regex: false, path: "/a" }],
    defaults: { locale: "zh_CN", scope: "../up", perm: { create: true } },
  };
  await Deno.writeTextFile(file, JSON.stringify({ settings, server: {}, auther: null }));
  const told = (await terminal.ok("config", "import", file)).join("\n");
  for (const name of ["tus.chunkSize", "branding.color", "defaults.locale", "defaults.scope"]) {
    assert.match(told, new RegExp(`^  ${RegExp.escape(name)} is the default: `, "m"));
  }
  assert.match(told, /^ {2}signup is off until /m);
  assert.match(told, /^ {2}a rule denies everything until you correct it: /m);
  assert.match(told, /^ {2}without a rule that allows: /m);
  const taken = JSON.parse((await terminal.ok("config", "cat")).join(""));
  assert.deepEqual(
    taken.rules.map(({ allow, path }: { allow: boolean; path: string }) => [allow, path]),
    [[false, "/"], [false, "/a"]],
  );
  assert.deepEqual(
    [taken.signup, taken.branding.name, taken.tus.retryCount, taken.defaults.scope],
    [false, "Den", 3, "/"],
  );
});

Deno.test("how users sign in is imported, also where the server alone knows the proxy", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("import", odd);
  const { server } = JSON.parse((await terminal.ok("config", "cat")).join(""));
  assert.deepEqual([server["auth-method"], server["auth-header"]], ["proxy", "X-User"]);
  // Commands need no proxy; the server is refused without one.
  await terminal.ok("shares", "ls", "--root", terminal.root);

  const methods = [
    ["hook", { command: "/usr/local/bin/check user" }, {
      "auth-command": "/usr/local/bin/check user",
    }],
    ["noauth", null, {}],
  ] as const;
  for (const [method, auther, options] of methods) {
    await using other = await openTerminal();
    const file = join(other.folder, "config.json");
    const content = { settings: { authMethod: method }, server: {}, auther };
    await Deno.writeTextFile(file, JSON.stringify(content));
    // As in a container: the start refuses that, rather than asking everybody for a password.
    const { printed } = await other.runWith({ FB_ADDRESS: "0.0.0.0" }, "config", "import", file);
    assert.ok(!printed.some((line) => line.startsWith("Left out: auth")), printed.join("\n"));
    const kept = JSON.parse((await other.ok("config", "cat")).join("")).server;
    assert.equal(kept["auth-method"], method);
    for (const [name, value] of Object.entries(options)) assert.equal(kept[name], value);
  }
});

Deno.test("a database that File Browser has open is imported, and that is said", async () => {
  await using terminal = await openTerminal();
  const { db } = await place(terminal, full);
  using file = await Deno.open(db, { read: true, write: true });
  await file.lock(true);
  const told = await terminal.ok("import", db);
  assert.match(told.at(-1) ?? "", /^File Browser is running on ".*": what it changes from now on/);
  await file.unlock();
  const again = await terminal.ok("import", db);
  assert.ok(!again.join("\n").includes("File Browser is running"));
});

Deno.test("a command that fails or only reads makes no store of a mistyped name", async () => {
  await using terminal = await openTerminal();
  const kv = join(terminal.folder, "typo.kv");
  const reading = [
    ...[["users", "ls"], ["groups", "ls"], ["tokens", "ls"], ["config", "cat"], ["shares", "ls"]],
    ...[["users", "export", "users.json"], ["audit", "verify"], ["audit", "export"], ["doctor"]],
    ...[["rules", "ls"], ["cmds", "ls"], ["users", "find", "anna"], ["webhooks", "ls"]],
    ...[["users", "rm", "anna"], ["config", "export", "config.json"], ["index", "status"]],
  ];
  for (const args of reading) {
    const { status, printed, warned } = await terminal.run(...args, "--database", kv);
    assert.deepEqual([status, printed], [2, []], args.join(" "));
    assert.match(
      warned.join("\n"),
      /^Cannot use the database ".*typo\.kv": there is no store in it/,
    );
  }
  const failing = [
    ["users", "add", "anna", "short"],
    ["config", "set", "--port", "eighty"],
    ["import", "none.db"],
    ["import", terminal.root],
    ["users", "import", "none.json"],
  ];
  for (const args of failing) {
    assert.notEqual((await terminal.run(...args, "--database", kv)).status, 0, args.join(" "));
  }
  for (const args of [["version"], ["hash", "otters hold 9 hands"], ["mail", "test", "a@b.c"]]) {
    await terminal.run(...args, "--database", kv);
  }
  assert.deepEqual([...Deno.readDirSync(terminal.folder)].map(({ name }) => name).sort(), [
    "data",
    "root",
  ]);
  await terminal.ok("users", "add", "anna", "otters hold 9 hands", "--database", kv);
  assert.equal((await terminal.ok("users", "ls", "--database", kv)).length, 2);
});

Deno.test("a command that failed keeps a new store with what it has written", async () => {
  await using terminal = await openTerminal();
  const [hash] = await terminal.ok("hash", "otters hold 9 hands");
  const users = [{ username: "anna", password: hash }, { username: "bert", password: "no hash" }];
  await Deno.writeTextFile(join(terminal.folder, "users.json"), JSON.stringify(users));
  assert.equal((await terminal.run("users", "import", "users.json")).status, 1);
  assert.match((await terminal.ok("users", "ls")).join("\n"), /anna/);
});

Deno.test("with the settings of the server, commands work on the store that was imported", async () => {
  await using terminal = await openTerminal();
  const { db, kv } = await place(terminal, full);
  const env = { FB_DATABASE: db, FB_IMPORT: "true" };
  const users = async (name = db) =>
    await terminal.runWith({ ...env, FB_DATABASE: name }, "users", "ls");
  const early = await users();
  assert.equal(early.status, 2);
  assert.match(early.warned.join(), /it is a File Browser database; "cubby import .*" imports it$/);
  assert.ok(!await isThere(kv));
  assert.equal((await terminal.runWith(env, "import", db, "--dry-run")).status, 0);
  assert.ok(!await isThere(kv));

  assert.equal((await terminal.runWith(env, "import", db)).status, 0);
  assert.ok(await isThere(kv));
  assert.equal((await users()).printed.length, 7);
  assert.equal((await terminal.runWith(env, "backup", "copy.kv")).status, 0);
  const added = ["users", "add", "new", "otters hold 9 hands"];
  assert.equal((await terminal.runWith(env, ...added)).status, 0);
  assert.equal((await terminal.run("users", "ls", "--database", kv)).printed.length, 8);
  assert.equal((await terminal.run("users", "ls", "-d", "filebrowser.db")).printed.length, 8);

  await Deno.remove(db);
  assert.equal((await users()).printed.length, 8, "the old file may be removed");

  // Half an import is none.
  await place(terminal, full);
  const store = await openStore(kv);
  await importMark.set(store, [], { from: db, at: 0, isComplete: false });
  store.close();
  assert.match((await users()).warned.join(), /it is a File Browser database/);
});

Deno.test("a start imports a database once, also after a command or an import that failed", async () => {
  await using terminal = await openTerminal();
  const { db, kv } = await place(terminal, full);
  await terminal.ok("config", "init", "--hideLoginButton", "--database", kv);
  const data = terminal.folder;
  const start = async (...more: string[]) => {
    const flags = ["--database", db, "--import", ...more];
    return await startServer({ data, root: terminal.root, flags });
  };
  const signIn = async (url: string, username: string, password: string) => {
    const body = JSON.stringify({ username, password });
    const answer = await fetch(`${url}/api/login`, { method: "POST", body });
    await answer.body?.cancel();
    return answer.status;
  };
  {
    await using server = await start();
    assert.match(server.output(), /^Importing ".*filebrowser\.db" into ".*filebrowser\.kv"$/m);
    assert.doesNotMatch(server.output(), /First run/);
    assert.equal(await signIn(server.url, "admin", "Correct-Horse-9!!"), 200);
    await server.stop();
  }
  await Deno.rename(db, `${db}.old`);
  {
    await using server = await start();
    assert.equal(
      await signIn(server.url, "admin", "Correct-Horse-9!!"),
      200,
      "without the old file",
    );
    await server.stop();
  }
  await Deno.rename(`${db}.old`, db);
  {
    await using server = await start();
    assert.match(server.output(), /^Using ".*\.kv", which was imported from ".*\.db"$/m);
    await server.stop();
  }
  for (const file of [kv, `${kv}-wal`, `${kv}-shm`]) await Deno.remove(file).catch(() => {});
  for (const name of ["anna", "bert"]) {
    await terminal.ok("users", "add", name, "otters hold 9 hands", "--database", kv);
  }
  {
    await using server = await start();
    assert.match(server.output(), /which has users already; nothing is imported from ".*\.db"/);
    assert.equal(await signIn(server.url, "anna", "otters hold 9 hands"), 200);
    await server.stop();
  }
  await Deno.remove(db);
  {
    await using server = await start();
    assert.equal(await signIn(server.url, "anna", "otters hold 9 hands"), 200, "without a record");
    await server.stop();
  }
  for (const file of [kv, `${kv}-wal`, `${kv}-shm`]) await Deno.remove(file).catch(() => {});
  {
    await using server = await start();
    assert.match(server.output(), /^Nothing to import: there is no ".*filebrowser\.db"$/m);
    await server.stop();
  }
});

Deno.test("a database is imported from where it is into a store elsewhere", async () => {
  await using terminal = await openTerminal();
  const { db, kv } = await place(terminal, full);
  const store = join(terminal.folder, "data", "cubby.kv");
  const start = async (from: string) => {
    const flags = ["--database", store, "--import-from", from];
    return await startServer({ data: terminal.folder, root: terminal.root, flags });
  };
  await assert.rejects(start(join(terminal.folder, "gone.db")), /Cannot import ".*gone\.db"/);
  assert.ok(!await isThere(store), "a refused import leaves no store");
  {
    await using server = await start(db);
    assert.match(server.output(), /^Importing ".*filebrowser\.db" into ".*cubby\.kv"$/m);
    await server.stop();
  }
  assert.ok(!await isThere(kv));
  await Deno.remove(db);
  await using server = await start(db);
  assert.match(server.output(), /^Using ".*cubby\.kv", which was imported from ".*\.db"$/m);
  await server.stop();
  assert.equal((await terminal.ok("users", "ls", "--database", store)).length, 7);
});

Deno.test("sign-in through a proxy survives a start that imports; without the proxy it is refused", async () => {
  await using terminal = await openTerminal();
  const { db } = await place(terminal, odd);
  const start = async (...more: string[]) => {
    const flags = ["--database", db, "--import", ...more];
    return await startServer({ data: terminal.folder, root: terminal.root, flags });
  };
  await assert.rejects(
    start(),
    /Cannot use the proxy method: --trusted-proxies names no proxy, .*; ".* config set --auth-method"/,
  );
  await using server = await start("--trusted-proxies", "127.0.0.1");
  const asked = async (headers: Record<string, string>) => {
    const answer = await fetch(`${server.url}/api/login`, { method: "POST", headers });
    await answer.body?.cancel();
    return answer.status;
  };
  assert.equal(await asked({ "x-user": "bob" }), 200);
  assert.notEqual(await asked({}), 200);
  await server.stop();
});

Deno.test("of two starts at once one imports and one serves what was imported; the other is refused", async () => {
  await using terminal = await openTerminal();
  const { db, kv } = await place(terminal, full);
  const flags = ["--database", db, "--import"];
  const start = () => startServer({ data: terminal.folder, root: terminal.root, flags });
  const started = await Promise.allSettled([start(), start()]);
  const [server, other] = started.flatMap((each) =>
    each.status === "fulfilled" ? [each.value] : []
  );
  const [refusal] = started.flatMap((each) => each.status === "rejected" ? [`${each.reason}`] : []);
  assert.ok(server && !other && refusal, started.map(({ status }) => status).join());
  assert.match(refusal, /Cannot use the database ".*": another server uses it/);
  // Whoever has imported may be the slower one to serve.
  const outputs = [server.output(), refusal];
  for (const line of [/^Imported: 4 shares$/m, /^Using ".*\.kv", which was imported from/m]) {
    assert.deepEqual(outputs.filter((output) => line.test(output)).length, 1, `${line}`);
  }
  await server.stop();
  assert.equal((await terminal.ok("users", "ls", "--database", kv)).length, 7);
  const left = [...Deno.readDirSync(terminal.folder)].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => name.includes("unfinished")), []);
});

Deno.test("an import at a start that is killed is made again, also while the former one goes on", async () => {
  await using terminal = await openTerminal();
  const { db, kv } = await place(terminal, fixture("rich", "filebrowser.db"));
  const flags = ["--database", db, "--import"];
  for (const [users, withImport] of [[0, true], [1, false], [9, true], [20, false]] as const) {
    const log = join(terminal.folder, `log ${users}.txt`);
    const launcher = startLogged([...flags, "--port", "0", "--root", terminal.root], log);
    const seen = () => Deno.readTextFileSync(log);
    while (!seen().startsWith("Importing ") || count(seen(), "Imported: the user") < users) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const pids = withImport ? [launcher, ...childrenOf(launcher)] : [launcher];
    for (const pid of pids) Deno.kill(pid, "SIGKILL");
    // It may have been faster than the kill.
    for (const file of [kv, `${kv}-wal`, `${kv}-shm`]) await Deno.remove(file).catch(() => {});
  }
  await using server = await startServer({ data: terminal.folder, root: terminal.root, flags });
  assert.match(server.output(), /^Importing /m);
  await server.stop();
  const { users } = await readAnswers();
  const listed = await terminal.ok("users", "ls", "--database", kv);
  assert.equal(listed.length, users.length + 1);
  const left = [...Deno.readDirSync(terminal.folder)].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => name.includes("unfinished")), []);
});

const count = (text: string, part: string) => text.split(part).length - 1;

/** Starts the launcher with its output in a file. @returns its process id */
function startLogged(flags: string[], log: string): number {
  const file = openSync(log, "w");
  const args = ["run", "-A", "--cached-only", "lib/server/boot/launch.ts", ...flags];
  const cwd = new URL("../..", import.meta.url).pathname;
  const { pid = 0 } = spawn(Deno.execPath(), args, { cwd, stdio: ["ignore", file, file] });
  closeSync(file);
  return pid;
}

function childrenOf(pid: number): number[] {
  const pids = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`);
  return pids.split(" ").filter(Boolean).map(Number);
}

Deno.test("a store whose folder cannot be written is refused with the way out", async () => {
  await using terminal = await openTerminal();
  const { db, kv } = await place(terminal, full);
  await Deno.mkdir(`${kv}.unfinished.lock`);
  const flags = ["--database", db, "--import"];
  await assert.rejects(
    startServer({ data: terminal.folder, root: terminal.root, flags }),
    /Cannot import ".*\.db" into ".*\.kv": its folder cannot be written; .* --import-from .*\.db$/m,
  );
});

Deno.test("without sign-in, visitors never become another user than in File Browser", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "first", "otters hold 9 hands", "--perm.admin");
  const told = (await terminal.ok("import", fixture("noauth", "filebrowser.db"))).join("\n");
  assert.match(told, /^The administrator "first" of the first start stays: /m);
  assert.match(told, /^Left out: noauth: every visitor would be another user than in /m);
  const { server } = JSON.parse((await terminal.ok("config", "cat")).join(""));
  assert.equal(server["auth-method"], undefined);
});

Deno.test("of users whose names are one here, the one who is spelled so gets the name", async () => {
  await using terminal = await openTerminal();
  const [password] = await terminal.ok("hash", "otters hold 9 hands");
  const names = [" bob", "bob", "bob ", "ju\u0308rgen", "j\u00fcrgen", " eve", "eve ", "Bob"];
  const users = names.map((username, at) => ({ username, password, scope: `/${at}`, id: at + 1 }));
  const file = join(terminal.folder, "users.json");
  await Deno.writeTextFile(file, JSON.stringify(users));
  for (const flags of [[], ["--overwrite"]]) {
    const { status, printed } = await terminal.run("users", "import", file, ...flags);
    assert.equal(status, 1);
    const left = printed.filter((line) => line.includes("another user has this name here"));
    assert.equal(left.length, 4, printed.join("\n"));
  }
  const listed = (await terminal.ok("users", "ls")).slice(1).map((line) => line.split(/ {2,}/));
  assert.deepEqual(listed.map(([, name, scope]) => [name, scope]), [
    ["bob", "/1"],
    ["j\u00fcrgen", "/4"],
    ["eve", "/5"],
    ["Bob", "/7"],
  ]);
});
