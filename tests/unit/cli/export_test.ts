import assert from "node:assert/strict";
import { join } from "node:path";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { exportedFiles } from "../../../lib/server/cli/export/export_command.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

const password = "otters hold 9 hands";
const odd = "#%?日本 `.txt";
/** A name that is no folder's as it is. */
const slashed = "DOM\\anna/b";

/** A terminal whose store has users, a group, shares, settings and a trash. */
async function openFilled(): Promise<TestTerminal> {
  const terminal = await openTerminal();
  await plant(terminal.root, {
    docs: { "a.txt": "first", [odd]: "odd", deep: { "b.txt": "below" } },
    other: { "c.txt": "c" },
  });
  await Deno.symlink("b.txt", join(terminal.root, "docs/deep/link"));
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("users", "add", slashed, password, "--scope", "/docs", "--locale", "ja");
  await terminal.ok("groups", "add", "Team");
  await terminal.ok("groups", "join", "Team", slashed);
  await terminal.ok("config", "set", "--branding.name", "Cubs");
  await terminal.runReading(
    ["a secret 4 all"],
    false,
    ...["shares", "add", "/a.txt", "--as", slashed, "--password-stdin", "--expires", "3"],
  );
  await terminal.ok("shares", "add", "/docs", "--as", "root", "--audience", `@Team:edit`);
  await terminal.ok("requests", "add", "/other", "--as", "root", "--title", "Photos");

  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  const token = await app.tokenOf(slashed);
  const change = async (method: string, path: string, body?: string) =>
    await assertStatus(await app.call(method, `/api/resources/${path}`, { token, body }), 200);
  await change("PUT", "a.txt", "second");
  await change("PUT", "a.txt", "third");
  await change("DELETE", `${encodeURIComponent(odd)}?trash=true`);
  await change("DELETE", "deep?trash=true");
  return terminal;
}

const readJson = (folder: string, name: string) =>
  JSON.parse(Deno.readTextFileSync(join(folder, `${name}.json`)));

Deno.test("an export is refused where others read it, over anything, and without a folder", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await Deno.mkdir(join(terminal.folder, "there"));
  await Deno.symlink(terminal.root, join(terminal.folder, "way in"));
  const refused: [string[], RegExp][] = [
    [[], /the folder is missing/],
    [["x", "y"], /one folder is enough/],
    [["there"], /it exists already/],
    [["nowhere/x"], /it cannot be created/],
    [[join(terminal.root, "x")], /in the served folder/],
    [["way in/x"], /in the served folder/],
  ];
  for (const [args, reason] of refused) {
    const { status, warned } = await terminal.run("export", ...args);
    assert.ok(status > 0, args.join(" "));
    assert.match(warned.join("\n"), reason, args.join(" "));
  }
  assert.deepEqual([...Deno.readDirSync(terminal.root)], []);
  const unnamed = await terminal.runWith({ FB_ROOT: "" }, "export", "x");
  assert.match(unnamed.warned.join("\n"), /--root is missing/);
});

Deno.test("an export has all records as JSON, and the trash and previous versions as files", async () => {
  await using terminal = await openFilled();
  const printed = await terminal.ok("export", "out");
  assert.match(printed.join("\n"), /2 users, 2 shares, 1 requests for files and 4 entries of the/);
  const out = join(terminal.folder, "out");
  const names: string[] = [];
  for (const { name, isFile } of Deno.readDirSync(out)) {
    const { mode } = Deno.statSync(join(out, name));
    assert.equal((mode ?? 0) & 0o077, 0, name);
    names.push(isFile ? name : `${name}/`);
  }
  const listed = exportedFiles.map(([name]) => name);
  assert.deepEqual(names.toSorted(), ["README.txt", ...listed].toSorted());
  const readme = Deno.readTextFileSync(join(out, "README.txt"));
  assert.match(readme, /^users\.json +users with .*; "cubby users import" takes it$/m);

  const { groups } = readJson(out, "groups");
  assert.deepEqual([groups[0].name, groups[0].members], ["Team", [slashed]]);
  const shares = readJson(out, "shares").shares.toSorted(
    (one: { path: string }, other: { path: string }) => one.path < other.path ? -1 : 1,
  );
  assert.deepEqual(shares.map(({ owner, path }: Record<string, unknown>) => [owner, path]), [
    ["root", "/docs"],
    [slashed, "/docs/a.txt"],
  ]);
  assert.deepEqual(shares[0].audience, [{ name: "@Team", may: "edit" }]);
  assert.match(shares[1].passwordHash, /^\$2/);
  assert.ok(Date.parse(shares[1].expires) > Date.now());
  assert.deepEqual(
    readJson(out, "requests").requests.map(({ title }: { title: string }) => title),
    [
      "Photos",
    ],
  );

  const { entries } = readJson(out, "trash");
  const told = entries.map(({ owner, path, because }: Record<string, unknown>) =>
    [owner, path, because].join(" ")
  );
  assert.deepEqual(told.toSorted(), [
    `${slashed} /docs/${odd} deleted`,
    `${slashed} /docs/a.txt replaced`,
    `${slashed} /docs/a.txt replaced`,
    `${slashed} /docs/deep deleted`,
  ]);
  const contents = entries.map(({ file, path }: { file: string; path: string }) =>
    path === "/docs/deep"
      ? Deno.readTextFileSync(join(out, file, "b.txt")) + Deno.readLinkSync(join(out, file, "link"))
      : Deno.readTextFileSync(join(out, file))
  );
  assert.deepEqual(contents.toSorted(), ["belowb.txt", "first", "odd", "second"]);
  assert.ok(Deno.statSync(join(out, "trash", encodeURIComponent(slashed))).isDirectory);
});

Deno.test("docs/migrating.md lists the files of an export as its README does", () => {
  const page = Deno.readTextFileSync(new URL("../../../docs/migrating.md", import.meta.url));
  const rows = [...page.matchAll(/^\| `(\w+(?:\.json|\/))` +\| (.+?) +\|$/gm)];
  assert.deepEqual(rows.map(([, name, contains]) => [name, contains]), exportedFiles);
});

Deno.test("a new store has the users and settings of an export, and the files go back", async () => {
  await using former = await openFilled();
  const out = join(former.folder, "out");
  await former.ok("export", out);
  await using terminal = await openTerminal();
  await terminal.ok("groups", "add", "Team");
  await terminal.ok("users", "import", join(out, "users.json"));
  await terminal.ok("config", "import", join(out, "settings.json"));
  await terminal.ok("export", "again");
  const again = join(terminal.folder, "again");
  for (const name of ["users", "groups"]) {
    const [one, other] = [readJson(again, name)[name], readJson(out, name)[name]];
    assert.deepEqual(one.map(withoutId), other.map(withoutId), name);
  }
  assert.deepEqual(readJson(again, "settings"), readJson(out, "settings"));

  for (const { path, because, file } of readJson(out, "trash").entries) {
    if (because === "deleted") {
      await Deno.mkdir(join(terminal.root, "docs"), { recursive: true });
      await Deno.rename(join(out, file), join(terminal.root, path));
    }
  }
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  const json = { username: slashed, password };
  const token = await (await app.call("POST", "/api/login", { json })).text();
  const answer = await app.call("GET", `/api/raw/${encodeURIComponent(odd)}`, { token });
  assert.equal(await answer.text(), "odd");
  assert.equal(await (await app.call("GET", "/api/raw/deep/b.txt", { token })).text(), "below");
});

function withoutId({ id: _id, ...rest }: Record<string, unknown>) {
  return rest;
}

Deno.test("what is recorded in the trash and not there is told, and the rest is written", async () => {
  await using terminal = await openFilled();
  const trash = join(terminal.root, ".cubby-trash");
  const lost = [...Deno.readDirSync(trash)].find(({ name }) =>
    [...Deno.readDirSync(join(trash, name))].some(({ name }) => name === odd)
  );
  await Deno.remove(join(trash, lost?.name ?? assert.fail()), { recursive: true });
  const { status, printed } = await terminal.run("export", "out");
  assert.equal(status, 1);
  assert.match(
    printed.join("\n"),
    /and 3 entries[\s\S]*\nLeft out: "\/docs\/#%\?日本 `\.txt": it is not in the trash$/,
  );
});
