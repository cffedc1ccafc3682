import assert from "node:assert/strict";
import { join } from "node:path";

import { isBolt } from "../../lib/server/features/filebrowser/bolt.ts";
import { readForeignRecords } from "../../lib/server/features/filebrowser/records.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { fc, runs } from "../support/run/property.ts";
import { startApp, type TestApp } from "../support/server/app.ts";
import { openTerminal, type TestTerminal } from "../unit/cli/terminal.ts";

/** What File Browser 2.63.23 itself wrote: its databases, and the exports of the same records. */
const fixtures = new URL("../support/data/filebrowser/", import.meta.url).pathname;

const databaseOf = (name: string) => join(fixtures, name, "filebrowser.db");

async function exported(name: string, part: string) {
  return JSON.parse(await Deno.readTextFile(join(fixtures, name, `${part}.json`)));
}

const passwords = { admin: "Correct-Horse-9!!", others: "four-Herons-at-dawn" };

/** Fields of users that File Browser's records do not have. */
const newFields = {
  ...{ keepModified: false, trashWithoutAsking: false, hideReadme: false },
  ...{ theme: "", keepRecent: true, mutedNotifications: [], firstSteps: false },
  ...{ mailNotifications: false },
  ...{ tileSize: "medium", groupBy: "none", density: "comfortable" },
  ...{ typeColumn: "auto", picturesAsPhotos: true, quota: { bytes: 0, files: 0 } },
};

/** Our form of a record of File Browser: the order of names turned round, rules and scope normalised. */
// deno-lint-ignore no-explicit-any
function expected(user: any) {
  const { perm: { admin }, scope, sorting, rules } = user;
  return {
    ...user,
    password: "",
    scope: scope === "." ? "/" : scope,
    sorting: { ...sorting, asc: sorting.by === "name" ? !sorting.asc : sorting.asc },
    rules: rules.map((rule: { regexp: unknown }) => ({
      ...rule,
      regexp: rule.regexp ?? { raw: "" },
    })),
    perm: admin
      ? Object.fromEntries(Object.keys(user.perm).map((name) => [name, true]))
      : user.perm,
  };
}

async function openApp(terminal: TestTerminal): Promise<TestApp> {
  return await startApp({ config: { database: terminal.database, root: terminal.root } });
}

for (const name of ["full", "quick"]) {
  Deno.test(`the database "${name}" comes whole: users, settings and options`, async () => {
    await using terminal = await openTerminal();
    await terminal.ok("import", databaseOf(name));
    await using app = await openApp(terminal);
    const secret = name === "full" ? passwords.admin : null;
    const users = await exported(name, "users");
    const shown = (await app.cubby.users.list()).map((user) => user.username);
    assert.deepEqual(shown, users.map(({ username }: { username: string }) => username));
    for (const user of users) {
      const record = await app.cubby.users.byName(user.username);
      assert.ok(record);
      assert.equal(record.passwordHash, user.password);
      const { passwordHash: _, home: _home, version: _version, epoch: _epoch, ...fields } = record;
      assert.deepEqual({ ...fields, password: "" }, {
        ...expected(user),
        ...newFields,
        ...{ mail: "", groups: [], roots: [] },
      });
      const password = user.username === "admin" ? secret : passwords.others;
      if (password === null) continue;
      const answer = await app.call("POST", "/api/login", {
        json: { username: user.username, password },
      });
      assert.equal(answer.status, 200, user.username);
      await answer.body?.cancel();
    }

    const { settings, server } = await exported(name, "config");
    const ours = JSON.parse((await terminal.ok("config", "cat")).join(""));
    const elsewhere = ["key", "authMethod", "fileMode", "dirMode", "hideDotfiles", "defaults"];
    for (const [member, value] of Object.entries(settings)) {
      if (elsewhere.includes(member)) continue;
      const wanted = member === "rules"
        ? expected({ ...settings.defaults, rules: value }).rules
        : value;
      // Its export says what a record without a page means.
      const shown = member === "logoutPage" ? ours[member] || "/login" : ours[member];
      assert.deepEqual(shown, wanted, member);
    }
    const { defaults } = settings;
    const { by, asc } = defaults.sorting;
    const sorting = ["", "name"].includes(by) ? { by: "name", asc: !asc } : { by, asc };
    assert.deepEqual(ours.defaults, { ...defaults, scope: "/", sorting, ...newFields });
    assert.deepEqual(ours.server, {
      ...{ address: "127.0.0.1", port: server.port, "api-compat": "2.63" },
      ...{ "file-mode": name === "full" ? "0644" : "0640" },
      ...{ "dir-mode": name === "full" ? "0755" : "0750" },
      ...{ "disable-thumbnails": "false", "disable-preview-resize": "false" },
      ...server.enableExec ? {} : { "disable-exec": "true" },
      "token-expiration-time": server.tokenExpirationTime,
    });
  });
}

Deno.test("old links of shares open what they opened, for whom they did", async () => {
  await using terminal = await openTerminal();
  const tree = { docs: { "a.txt": "A", "b.txt": "B", private: { "c.txt": "C" } } };
  await plant(terminal.root, { ...tree, anna: { "n.txt": "N" } });
  await terminal.ok("import", databaseOf("full"));
  await using app = await openApp(terminal);
  const read = async (hash: string, headers: Record<string, string> = {}) => {
    const answer = await app.call("GET", `/api/public/dl/${hash}`, { headers });
    return [answer.status, await answer.text()];
  };
  assert.deepEqual(await read("Nh-2nan_"), [200, "N"], "the scope of its owner");
  assert.deepEqual(await read("r5NakX9G"), [200, "B"], "with an end");
  assert.equal((await read("oxR93p-4"))[0], 401);
  assert.equal((await read("oxR93p-4", { "x-share-password": "open%20sesame%2013" }))[0], 401);
  const right = { "x-share-password": "open%20sesame%2012" };
  assert.deepEqual(await read("oxR93p-4", right), [200, "A"]);
  assert.equal((await read("76d3LosH/a.txt"))[1], "A", "a folder");

  const token = await app.tokenOf("admin");
  const shares = await (await app.call("GET", "/api/shares", { token })).json();
  const listed = (await exported("full", "shares")).map((share: { path: string }) => ({
    ...share,
    path: share.path === "/n.txt" ? "/anna/n.txt" : share.path.replace(/\/$/, ""),
  }));
  const byHash = (a: { hash: string }, b: { hash: string }) => a.hash < b.hash ? -1 : 1;
  const old = shares.map(({ downloads, lastUsed, username, ...share }: Record<string, unknown>) => {
    assert.equal(username, share.userID === 1 ? "admin" : "anna");
    assert.ok(downloads === 1 && typeof lastUsed === "number", "the use above is counted");
    return share;
  });
  assert.deepEqual(old.sort(byHash), listed.sort(byHash));
});

Deno.test("addresses with a token open an imported share until it is changed", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.root, { docs: { "a.txt": "A", "b.txt": "B" }, anna: { "n.txt": "N" } });
  await terminal.ok("import", databaseOf("full"));
  const { links } = readForeignRecords(databaseOf("full"));
  const { token } = links.find(({ hash }) => hash === "oxR93p-4") ?? {};
  assert.ok(typeof token === "string" && token.length > 100);
  await using app = await openApp(terminal);
  const read = async (text: unknown) => {
    const answer = await app.call("GET", `/api/public/dl/oxR93p-4?token=${text}`);
    return [answer.status, await answer.text()];
  };
  for (const wrong of ["", token.slice(1), token.toLowerCase()]) {
    assert.equal((await read(wrong))[0], 401);
  }
  assert.deepEqual(await read(token), [200, "A"]);
  const change = { token: await app.tokenOf("admin"), json: { password: "open sesame 14" } };
  assert.equal((await app.call("PATCH", "/api/share/oxR93p-4", change)).status, 200);
  assert.equal((await read(token))[0], 401);
});

Deno.test("a rehearsal says what would come, and leaves no store behind", async () => {
  await using terminal = await openTerminal();
  const lines = await terminal.ok("import", databaseOf("full"), "--dry-run");
  assert.ok(lines.includes('Would import: the user "jürgen"'));
  assert.ok(lines.includes("Would import: 4 shares"));
  assert.ok(lines.some((line) => line.includes("gains: execute, delete")));
  await assert.rejects(Deno.stat(terminal.database), Deno.errors.NotFound);
});

Deno.test("the administrator of a first start gives way, one that was used does not", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "admin", "otters hold 9 hands", "--perm.admin");
  const lines = await terminal.ok("import", databaseOf("full"));
  assert.match(lines[0] ?? "", /^Overwritten: the user "admin", replacing/);
  const again = await terminal.ok("import", databaseOf("full"));
  assert.match(again[0] ?? "", /^Left as it is: the user "admin"/);
  assert.match(
    (await terminal.ok("import", databaseOf("full"), "--overwrite"))[0] ?? "",
    /^Overwritten/,
  );
  assert.equal((await terminal.ok("users", "ls")).length, 7);

  await using other = await openTerminal();
  await other.ok("users", "add", "admin", "otters hold 9 hands", "--perm.admin");
  await using app = await openApp(other);
  await app.tokenOf("admin");
  assert.match((await other.ok("import", databaseOf("full")))[0] ?? "", /^Left as it is/);

  await using third = await openTerminal();
  await third.ok("users", "add", "admin", "otters hold 9 hands", "--perm.admin");
  const users = await third.ok("users", "import", join(fixtures, "full", "users.json"));
  assert.match(
    users[0] ?? "",
    /^Overwritten: the user "admin", replacing .*the user gains: execute, delete$/,
  );
});

Deno.test("what is no database of File Browser is refused in one line", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.folder, { "empty.db": "", "text.db": "hello ".repeat(2_000), folder: {} });
  await new Deno.Command("mkfifo", { args: [join(terminal.folder, "pipe.db")] }).output();
  for (const name of ["empty.db", "text.db", "folder", "pipe.db", "missing.db"]) {
    const { status, warned } = await terminal.run("import", name);
    assert.notEqual(status, 0);
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? "", /^Cannot read ".*": /);
    await assert.rejects(Deno.stat(terminal.database), Deno.errors.NotFound, "no store is left");
  }
});

Deno.test("damage anywhere ends in records or one error, at once", async () => {
  await using folder = await temporaryFolder();
  const bytes = await Deno.readFile(databaseOf("full"));
  const path = join(folder.path, "damaged.db");
  const attempt = async (content: Uint8Array) => {
    await Deno.writeFile(path, content);
    try {
      readForeignRecords(path);
    } catch (error) {
      assert.ok(error instanceof DomainError, `${error}`);
    }
  };
  for (let length = 0; length < bytes.length; length += 2048) {
    await attempt(bytes.subarray(0, length));
  }
  const change = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(change, async (changes) => {
      const content = bytes.slice();
      for (const [place, value] of changes) content[place] = value;
      // Numbers of pages and lengths are where an attack would begin.
      for (const [place, value] of changes) content[(place % 32) * 4096 + (place % 64)] = value;
      await attempt(content);
    }),
    // The first example: a name of the settings that is no UTF-8.
    { numRuns: runs(300), examples: [[[[12_457, 128]]]] },
  );
  assert.ok(isBolt(bytes) && !isBolt(new Uint8Array(40)));
});
