import assert from "node:assert/strict";
import type { User } from "../../../lib/server/features/accounts/users/user.ts";
import { ApiTokens } from "../../../lib/server/features/accounts/auth/api_tokens.ts";
import { LoginThrottle } from "../../../lib/server/features/accounts/auth/login_throttle.ts";
import { SecondFactors } from "../../../lib/server/features/accounts/auth/factors/factors.ts";
import { codeOf } from "../../support/clients/factors.ts";
import { join } from "node:path";
import { openSigningKey } from "../../../lib/server/features/accounts/auth/signing_key.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { openTerminal } from "./terminal.ts";

const password = "otters hold 9 hands";

Deno.test("the command line refuses what it does not know, with status 2", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const refused: [string[], RegExp][] = [
    [["users", "nap"], /^unknown command "users nap"/],
    [["users", "add", "anna"], /Cannot run the command: the password is missing/],
    [["users", "add", "anna", password, "--colour"], /Cannot use --colour/],
    [["users", "add", "anna", password, "--scope"], /Cannot use --scope: its value is missing/],
    [["users", "add", "anna", password, "--perm.admin=perhaps"], /expected true or false/],
    [["users", "update", "anna"], /Cannot find|no flags given/],
    [["rules", "rm", "x"], /the number is a number/],
    [["cmds", "add", "after_lunch", "nap"], /Cannot use the event "after_lunch"/],
    [
      ["cmds", "add", "before_upload", 'scan "'],
      /Cannot run "scan \\"" on before_upload: a quote or/,
    ],
    [["cmds", "add", "after_copy", "nap\\"], /a quote or a backslash is not closed/],
    [["cmds", "add", "after_copy", " & "], /it is empty/],
    [["-d", "x.kv"], /^unknown command "-d"/],
    [["-d", "x.kv", "users", "nap"], /^unknown command "users nap"/],
    [["users", "ls", "--root", "/none/at/all"], /Cannot serve|Cannot use/],
  ];
  for (const [args, reason] of refused) {
    const { status, printed, warned } = await terminal.run(...args);
    assert.ok(status > 0, args.join(" "));
    assert.match(warned.join("\n"), reason, args.join(" "));
    assert.deepEqual(printed, []);
  }
  assert.deepEqual((await terminal.run("--help")).status, 0);
});

Deno.test("users are added under the rules for passwords and names", async () => {
  await using terminal = await openTerminal();
  const weak = await terminal.run("users", "add", "anna", "short");
  assert.equal(weak.status, 1);
  assert.match(weak.warned.join(), /Cannot use this password/);
  await terminal.ok("users", "add", "anna", password, "--perm.admin");
  const again = await terminal.run("users", "add", "anna", password);
  assert.match(again.warned.join(), /the name is taken/);
  const last = await terminal.run("users", "rm", "anna");
  assert.match(last.warned.join(), /last administrator/);
});

Deno.test("users get named roots by a flag, and lose them by an empty one", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("users", "add", "bert", password);
  for (const roots of ["Photos", "=/a", "A=/a,a=/b", ".a=/a", "A=/../b"]) {
    const { status, printed } = await terminal.run("users", "update", "bert", "--roots", roots);
    assert.deepEqual([status > 0, printed], [true, []], roots);
  }
  const [head = "", line = ""] = await terminal.ok(
    ...["users", "update", "bert", "--roots", "Photos=/media/pics:ro, Team=/team"],
  );
  assert.match(head, / roots$/);
  assert.match(line, / Photos=\/media\/pics:ro,Team=\/team$/);
  const [, none = ""] = await terminal.ok("users", "update", "bert", "--roots", "");
  assert.ok(!none.includes("Photos"));
});

Deno.test("users are listed, found, changed and removed by id or name", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  const flags = ["--scope=/b", "--perm.share=false", "--commands", "git svn", "--locale", "de"];
  const [head = "", line = ""] = await terminal.ok("users", "add", "bert", password, ...flags);
  assert.match(head, /^id +name +scope/);
  assert.match(line, /^2 +bert +\/b +de +list +no +create,delete,download,modify,rename +0 +no$/);
  assert.equal((await terminal.ok("users", "ls")).length, 3);
  assert.deepEqual(await terminal.ok("users", "find", "2"), [head, line]);

  const update = [
    "--username",
    "berta",
    "--sorting.by=size",
    "--sorting.asc=false",
    "--lockPassword",
  ];
  const [, changed = ""] = await terminal.ok("users", "update", "bert", ...update);
  assert.match(changed, /^2 +berta .* yes$/);
  const unknown = await terminal.run("users", "find", "bert");
  assert.deepEqual([unknown.status, unknown.printed], [1, []]);
  assert.deepEqual(await terminal.ok("users", "rm", "2"), ['Removed the user "berta"']);
  assert.equal((await terminal.ok("users", "ls")).length, 2);
});

Deno.test("users get homes where the settings say so", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "set", "--createUserDir");
  const [, line = ""] = await terminal.ok("users", "add", "Carl X", password);
  assert.match(line, /^1 +Carl X +\/users\/Carl-X /);
  assert.ok(Deno.statSync(`${terminal.root}/users/Carl-X`).isDirectory);
});

Deno.test("rules and hooked commands are added, listed and removed by their numbers", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "anna", password);
  assert.deepEqual(await terminal.ok("rules", "ls"), ["There are no rules"]);
  await terminal.ok("rules", "add", "/private");
  await terminal.ok("rules", "add", "-r", "\\.tmp$");
  assert.deepEqual(await terminal.ok("rules", "add", "--allow", "/private/open"), [
    "(0) deny path /private",
    "(1) deny expression \\.tmp$",
    "(2) allow path /private/open",
  ]);
  assert.match((await terminal.run("rules", "add", "-r", "(")).warned.join(), /Cannot/);
  assert.match((await terminal.run("rules", "rm", "1", "3")).warned.join(), /no such number/);
  assert.deepEqual(await terminal.ok("rules", "rm", "0", "1"), ["(0) allow path /private/open"]);
  assert.deepEqual(await terminal.ok("rules", "add", "/a", "-u", "anna"), ["(0) deny path /a"]);
  assert.deepEqual(await terminal.ok("rules", "ls", "--id", "1"), ["(0) deny path /a"]);

  await terminal.ok("cmds", "add", "after_upload", "echo", "$FILE");
  assert.deepEqual(await terminal.ok("cmds", "add", "after_upload", "scan it &"), [
    "after_upload:",
    "  (0) echo $FILE",
    "  (1) scan it &",
  ]);
  await terminal.ok("cmds", "rm", "after_upload", "0");
  assert.deepEqual(await terminal.ok("cmds", "ls", "-e", "after_upload"), [
    "after_upload:",
    "  (0) scan it &",
  ]);
});

Deno.test("settings are set, and printed as JSON", async () => {
  await using terminal = await openTerminal();
  const flags = ["--branding.name", "The Den", "--shell", "bash -c", "--perm.share=false"];
  const printed = JSON.parse((await terminal.ok("config", "set", "--signup", ...flags)).join(""));
  assert.equal(printed.signup, true);
  assert.equal(printed.branding.name, "The Den");
  assert.deepEqual(printed.shell, ["bash", "-c"]);
  assert.equal(printed.defaults.perm.share, false);
  assert.equal(printed.defaults.perm.create, true);
  assert.deepEqual(JSON.parse((await terminal.ok("config", "cat")).join("")), printed);
  const bad = await terminal.run("config", "set", "--branding.theme", "pink");
  assert.equal(bad.status, 1);
});

Deno.test("a hash opens the account it is given to, and the version is told", async () => {
  await using terminal = await openTerminal();
  const [hash = ""] = await terminal.ok("hash", password);
  assert.match(hash, /^\$2[aby]\$\d\d\$.{53}$/);
  assert.match((await terminal.ok("version")).join(), /^Cubby \d+\.\d+\.\d+$/);
});

Deno.test("the second factors of a user who has lost them are removed", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "anna", password, "--perm.admin");
  {
    const store = await openStore(terminal.database);
    const factors = new SecondFactors(store, await openSigningKey(store));
    const user = { id: 1, username: "anna", epoch: 1 } as User;
    const { setup, secret } = await factors.beginTotp(user, "Den");
    await factors.addTotp(user, await factors.readTotp(user, setup, codeOf(secret)));
    store.close();
  }
  const file = join(terminal.folder, "users.json");
  await terminal.ok("users", "export", file);
  assert.doesNotMatch(await Deno.readTextFile(file), /factor|totp|recovery/i);
  const printed = await terminal.ok("users", "update", "anna", "--reset-factors");
  assert.equal(printed.at(-1), 'Removed the second factors of "anna"');
  const store = await openStore(terminal.database);
  assert.equal((await store.get(["factors", 1])).value, null);
  assert.equal((await store.get<User>(["users", 1])).value?.hasFactors, false);
  store.close();
});

Deno.test("an API token is created by the command line, and works as the user's", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("users", "add", "bert", password);
  const refused: [string[], RegExp][] = [
    [["backup"], /--as is missing/],
    [["--as", "bert"], /the name is missing/],
    [["backup", "--as", "nobody"], /no such user/],
    [["backup", "--as", "bert", "--expires", "soon"], /expires/],
    [["backup", "--as", "bert", "--folder", "../x"], /\.\./],
  ];
  for (const [args, reason] of refused) {
    const { status, warned } = await terminal.run("tokens", "add", ...args);
    assert.notEqual(status, 0, args.join(" "));
    assert.match(warned.join(), reason);
  }
  assert.equal((await terminal.ok("tokens", "ls")).length, 1);
  const [, line = ""] = await terminal.ok("tokens", "add", "backup", "--as", "bert", "--write");
  const secret = line.split(": ")[1] ?? "";
  const [, listed = ""] = await terminal.ok("tokens", "ls", "bert");
  assert.match(listed, /^[\w-]{43} +bert +backup +read,write +\/ +never +never$/);
  const store = await openStore(terminal.database);
  const tokens = new ApiTokens(store, new LoginThrottle(store));
  const { user, token } = await tokens.authenticate(secret, "127.0.0.1");
  assert.deepEqual([user.username, token?.name, token?.write], ["bert", "backup", true]);
  store.close();
});

Deno.test("API tokens are listed by user, the newest first", async () => {
  await using terminal = await openTerminal();
  for (const name of ["root", "bert", "cleo"]) await terminal.ok("users", "add", name, password);
  await terminal.ok("users", "update", "cleo", "--scope", "/cleo");
  const store = await openStore(terminal.database);
  let now = Date.now() - 1_000;
  const tokens = new ApiTokens(store, new LoginThrottle(store), () => ++now);
  const draft = { write: false, share: true, expires: null };
  const { path } = parsePath("/photos");
  for (const [userId, name] of [[3, "one"], [2, "two"], [3, "three"], [2, "four"]] as const) {
    await tokens.create(userId, { ...draft, name }, path);
  }
  store.close();
  const rows = [
    "bert four read,share /photos never never",
    "bert two read,share /photos never never",
    "cleo three read,share out of scope never never",
    "cleo one read,share out of scope never never",
  ];
  const listed = async (...args: string[]) => {
    const [, ...lines] = await terminal.ok("tokens", "ls", ...args);
    return lines.map((line) => line.slice(43).trim().replace(/ +/g, " "));
  };
  assert.deepEqual(await listed(), rows);
  assert.deepEqual(await listed("cleo"), rows.slice(2));
  assert.deepEqual(await listed("2"), rows.slice(0, 2));
});

Deno.test("API tokens are listed and revoked", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("users", "add", "bert", password);
  assert.equal((await terminal.ok("tokens", "ls")).length, 1);
  const store = await openStore(terminal.database);
  const tokens = new ApiTokens(store, new LoginThrottle(store));
  const draft = { name: "backup", write: true, share: false, expires: null };
  const { token: { id } } = await tokens.create(2, draft, parsePath("/photos").path);
  store.close();
  const [, line = ""] = await terminal.ok("tokens", "ls", "bert");
  assert.match(line, /^[\w-]{43} +bert +backup +read,write +\/photos +never +never$/);
  assert.equal((await terminal.ok("tokens", "ls", "root")).length, 1);
  assert.equal((await terminal.run("tokens", "rm", "none")).status, 1);
  assert.deepEqual(await terminal.ok("tokens", "rm", id), [`Revoked the API token "${id}"`]);
  assert.equal((await terminal.ok("tokens", "ls")).length, 1);
});
