import assert from "node:assert/strict";
import { join } from "node:path";
import { ServerOptionsStore } from "../../../lib/server/features/settings/server_options.ts";
import { startApp } from "../../support/server/app.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

/** "otters hold 9 hands" at the cost that File Browser hashes with. */
const password = "otters hold 9 hands";

async function write(terminal: TestTerminal, name: string, content: unknown): Promise<string> {
  await Deno.writeTextFile(join(terminal.folder, name), JSON.stringify(content));
  return name;
}

async function hashOf(terminal: TestTerminal): Promise<string> {
  const [hash = ""] = await terminal.ok("hash", password);
  return hash.replace(/^\$2[aby]/, "$2a");
}

/** A user as File Browser's `users export` writes it. */
function foreignUser(id: number, hash: string, more: object = {}) {
  return {
    id,
    username: `user-${id}`,
    password: hash,
    scope: id % 2 ? "." : `./users/user-${id}`,
    locale: id % 3 ? "en" : "pt-br",
    lockPassword: id % 5 === 0,
    viewMode: "mosaic gallery",
    singleClick: true,
    redirectAfterCopyMove: false,
    keepModified: false,
    perm: {
      admin: id === 1,
      execute: false,
      create: true,
      rename: true,
      modify: true,
      delete: id % 2 === 0,
      share: true,
      download: true,
    },
    commands: id === 2 ? ["git", "svn"] : null,
    sorting: { by: id === 2 ? "name" : "modified", asc: false },
    rules: id === 3 ? [{ regex: true, allow: false, path: "", regexp: { raw: "\\.tmp$" } }] : [],
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: id === 4 ? "monokai" : "",
    ...more,
  };
}

Deno.test("an export of File Browser with 50 users is taken whole, and safely twice", async () => {
  await using terminal = await openTerminal();
  const hash = await hashOf(terminal);
  const users = Array.from({ length: 50 }, (_, index) => foreignUser(index + 1, hash));
  const file = await write(terminal, "users.json", users);
  const told = await terminal.ok("users", "import", file);
  assert.equal(told.length, 50);
  assert.ok(told.every((line) => line.startsWith("Imported: ")));
  assert.equal(told[3], 'Imported: the user "user-4"');

  const again = await terminal.ok("users", "import", file);
  assert.ok(again.every((line) => line.startsWith("Left as it is: ")));
  assert.equal((await terminal.ok("users", "ls")).length, 51);

  await using app = await startApp({ config: { database: terminal.database } });
  const { users: records } = app.cubby;
  const two = await records.byName("user-2");
  assert.deepEqual(two?.sorting, { by: "name", asc: true }, "for names it is the other way round");
  assert.deepEqual([two?.scope, two?.commands], ["/users/user-2", ["git", "svn"]]);
  const three = await records.byName("user-3");
  assert.deepEqual(three?.sorting, { by: "modified", asc: false }, "newest first, as before");
  assert.equal(three?.scope, "/");
  assert.equal(three?.rules[0]?.regexp.raw, "\\.tmp$");
  assert.equal((await records.byName("user-1"))?.perm.admin, true);
  assert.equal((await records.byName("user-5"))?.lockPassword, true);

  const json = { username: "user-7", password };
  const answer = await app.call("POST", "/api/login", { json });
  assert.equal(answer.status, 200, "hashes go on working");
  await answer.body?.cancel();
});

Deno.test("what is wrong with a record is told, and the others are taken", async () => {
  await using terminal = await openTerminal();
  const hash = await hashOf(terminal);
  const rules = [{ regex: true, regexp: { raw: "(" } }];
  const file = await write(terminal, "users.json", [
    foreignUser(1, hash),
    "nobody",
    foreignUser(2, "plain text"),
    foreignUser(3, hash, { username: "" }),
    foreignUser(4, hash, { rules }),
    foreignUser(5, hash, { scope: "../../etc" }),
    foreignUser(6, hash, { viewMode: "pile" }),
    foreignUser(7, hash),
  ]);
  const { status, printed, warned } = await terminal.run("users", "import", file);
  assert.equal(status, 1);
  assert.deepEqual(warned, ["Cannot import all users: 5 of 8 are missing"]);
  assert.equal(printed.filter((line) => line.startsWith("Not imported: ")).length, 5);
  assert.ok(
    printed.includes(
      'Imported: the user "user-6"; viewMode is the default: ' +
        'it must be one of "list", "mosaic", "mosaic gallery"',
    ),
    printed.join("\n"),
  );
  assert.equal((await terminal.ok("users", "ls")).length, 4);
  for (const content of [{}, { users: [] }, 5, null]) {
    const bad = await terminal.run("users", "import", await write(terminal, "bad.json", content));
    assert.match(bad.warned.join(), /has no list/);
  }
  await Deno.writeTextFile(join(terminal.folder, "bad.json"), "[");
  assert.match((await terminal.run("users", "import", "bad.json")).warned.join(), /not valid JSON/);
  assert.match(
    (await terminal.run("users", "import", "none.json")).warned.join(),
    /does not exist/,
  );
});

Deno.test("no record speaks to the terminal, or writes lines of its own about itself", async () => {
  await using terminal = await openTerminal();
  const hash = await hashOf(terminal);
  const users = ["\u001b[2J", 'a\nImported: the user "b"', "\u202egpj.exe", "\u009b31m"].map(
    (username, index) => foreignUser(index + 1, hash, { username, [username]: username }),
  );
  const { printed, warned } = await terminal.run(
    "users",
    "import",
    await write(terminal, "u.json", users),
  );
  const lines = [...printed, ...warned];
  assert.ok(lines.length >= users.length);
  for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\u202a-\u202e]/u);
});

Deno.test("users of the same name are overwritten when that is said, others removed with --replace", async () => {
  await using terminal = await openTerminal();
  const hash = await hashOf(terminal);
  await terminal.ok("users", "add", "user-1", "an entirely 2nd password");
  await terminal.ok("users", "add", "other", password);
  const file = await write(terminal, "users.json", [foreignUser(1, hash), foreignUser(2, hash)]);
  const told = await terminal.ok("users", "import", file, "--overwrite");
  assert.match(told.join("\n"), /^Overwritten: the user "user-1"/);
  assert.match((await terminal.ok("users", "find", "user-1")).join("\n"), / yes /);
  assert.match(
    (await terminal.ok("users", "import", file, "--replace")).join("\n"),
    /Removed: .*"other"/,
  );
  assert.equal((await terminal.ok("users", "ls")).length, 3);
});

Deno.test("an own export comes back as it was", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "anna", password, "--sorting.by=size", "--sorting.asc=false");
  await terminal.ok("config", "set", "--branding.name", "The Den", "--signup");
  await terminal.ok("config", "set", "--port", "9000", "--root", terminal.folder);
  await terminal.ok("users", "export", "users.json");
  await terminal.ok("config", "export", "config.json");
  assert.equal((Deno.statSync(join(terminal.folder, "users.json")).mode ?? 0) & 0o777, 0o600);
  assert.match(
    (await terminal.run("users", "export", "users.json")).warned.join(),
    /exists already/,
  );

  await using other = await openTerminal();
  for (const name of ["users.json", "config.json"]) {
    await Deno.copyFile(join(terminal.folder, name), join(other.folder, name));
  }
  await other.ok("users", "import", "users.json");
  await other.ok("config", "import", "config.json");
  assert.deepEqual(await other.ok("users", "ls"), await terminal.ok("users", "ls"));
  assert.deepEqual(await other.ok("config", "cat"), await terminal.ok("config", "cat"));
  const sorting = async (at: TestTerminal) => {
    await using app = await startApp({ config: { database: at.database } });
    return (await app.cubby.users.byName("anna"))?.sorting;
  };
  assert.deepEqual(await sorting(other), { by: "size", asc: false });
});

Deno.test("File Browser's settings are taken, and what has no place here is told", async () => {
  await using terminal = await openTerminal();
  const file = await write(terminal, "config.json", {
    settings: {
      key: "c2VjcmV0",
      signup: true,
      createUserDir: true,
      userHomeBasePath: "/users",
      defaults: {
        scope: ".",
        locale: "en",
        viewMode: "mosaic",
        singleClick: false,
        sorting: { by: "name", asc: false },
        perm: { admin: false, execute: true, create: true, share: false },
        commands: ["git"],
        hideDotfiles: true,
        dateFormat: false,
        aceEditorTheme: "",
      },
      authMethod: "json",
      branding: {
        name: "Our files",
        disableExternal: true,
        files: "",
        theme: "dark",
        color: "#0af",
      },
      tus: { chunkSize: 10485760, retryCount: 5 },
      commands: { after_upload: ["scan $FILE"], before_save: null },
      shell: ["bash", "-c"],
      rules: [{ regex: false, allow: false, path: "/private", regexp: { raw: "" } }],
    },
    server: {
      root: "/gone/away",
      baseURL: "/files",
      socket: "",
      tlsKey: "",
      tlsCert: "",
      port: "8081",
      address: "",
      log: "stdout",
      enableThumbnails: false,
      resizePreview: true,
      enableExec: true,
      tokenExpirationTime: "2h0m0s",
    },
    auther: {
      header: "X-User",
      recaptcha: { host: "https://www.recaptcha.net", key: "k", secret: "s" },
    },
  });
  const told = (await terminal.ok("config", "import", file)).join("\n");
  for (const left of ["server.enableExec", "server.root"]) {
    assert.match(told, new RegExp(`Left out: ${RegExp.escape(left)} `));
  }
  const settings = JSON.parse((await terminal.ok("config", "cat")).join(""));
  assert.equal(settings.signup && settings.createUserDir, true);
  assert.deepEqual(settings.branding, {
    name: "Our files",
    disableExternal: true,
    theme: "dark",
    files: "",
    color: "#0af",
    disableUsedPercentage: false,
  });
  assert.deepEqual(settings.commands.after_upload, ["scan $FILE"]);
  assert.deepEqual(settings.rules[0].path, "/private");
  assert.deepEqual(settings.defaults.sorting, { by: "name", asc: true });
  assert.deepEqual([settings.defaults.scope, settings.defaults.viewMode], ["/", "mosaic"]);
  assert.deepEqual(settings.shell, ["bash", "-c"]);
  assert.deepEqual(settings.server, {
    "api-compat": "2.63",
    baseurl: "/files",
    port: "8081",
    "disable-thumbnails": "true",
    "disable-preview-resize": "false",
    "token-expiration-time": "2h0m0s",
    "recaptcha-host": "https://www.recaptcha.net",
    "recaptcha-key": "k",
    "recaptcha-secret": "(stored)",
    "auth-header": "X-User",
    "file-mode": "0640",
    "dir-mode": "0750",
  });
  await using app = await startApp({ config: { database: terminal.database } });
  const options = await new ServerOptionsStore(app.cubby.store).get();
  assert.equal(options["recaptcha-secret"], "s");
});
