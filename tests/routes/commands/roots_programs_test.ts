import assert from "node:assert/strict";
import { join } from "node:path";
import type { NamedRoot } from "../../../lib/shared/schemas/named_root.ts";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import type { HookEvent } from "../../../lib/shared/schemas/choices/choices.ts";
import { startApp } from "../../support/server/app.ts";
import { runCommand } from "../../support/clients/command.ts";
import { contentsOf } from "../../support/server/contents.ts";
import { deny } from "../../support/data/rules.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { disableExec: false },
  tree: {
    team: { "plan.txt": "a zebra plan", inner: { "deep.txt": "a deep zebra" } },
    own: { "mine.txt": "my zebra" },
    media: { "tags.txt": "tags of a zebra" },
    secret: { "key.txt": "a secret zebra" },
  },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const root = (name: string, path: string, readOnly = false): NamedRoot => ({
  name,
  path,
  readOnly,
});
const roots = [root("Team", "/team"), root("Own", "/own"), root("Media", "/media", true)];
const commands = ["pwd", "ls", "cat"];
const anna = await app.addUser("anna", { roots, commands, perm: { execute: true } });
/** No hook outlasts its test. */
Deno.test.afterEach(() => hook({}));
const call = (method: string, path: string, body?: string) =>
  app.call(method, `/api/resources${path}`, { token: anna.token, body });
const at = (path: string) => join(app.root, path);

/** What the lines of hooks have noted, which stand in the folder of the root that they ran in. */
async function noted(folder: string): Promise<string[]> {
  const text = await Deno.readTextFile(at(`${folder}/log`)).catch(() => "");
  await Deno.remove(at(`${folder}/log`)).catch(() => {});
  return text.split("\n").slice(0, -1);
}

async function hook(commands: Partial<Record<HookEvent, string[]>>): Promise<void> {
  const settings = await app.cubby.settings.get();
  const all = { ...defaultSettings().commands, ...commands };
  await app.cubby.settings.update({ ...settings, commands: all });
}

const noting = `sh -c 'printf "%s|%s|%s|%s\\n" "$TRIGGER" "$FILE" "$DESTINATION" "$SCOPE" >> log'`;

Deno.test("hooks run in the folder of the root that an operation is in, and are told real paths", async () => {
  await hook({ before_upload: [noting], after_rename: [noting], after_delete: [noting] });
  await assertStatus(await call("POST", "/Team/inner/new.txt", "x"), 200);
  const file = at("team/inner/new.txt");
  assert.deepEqual(await noted("team"), [`before_upload|${file}||${at("team")}`]);
  const moved = "/Team/inner/new.txt?action=rename&destination=/Own/new.txt";
  await assertStatus(await call("PATCH", moved), 200);
  assert.deepEqual(await noted("team"), [
    `after_rename|${file}|${at("own/new.txt")}|${at("team")}`,
  ]);
  await assertStatus(await call("DELETE", "/Own/new.txt"), 200);
  assert.deepEqual(await noted("own"), [`after_delete|${at("own/new.txt")}||${at("own")}`]);
});

Deno.test("a hook that refuses stops an operation in a root", async () => {
  await hook({ before_upload: ["false"], before_rename: ["false"] });
  await assertRefused(await call("POST", "/Team/stopped.txt", "x"), 403, "hook_failed");
  const moved = await call("PATCH", "/Team/plan.txt?action=rename&destination=/Own/plan.txt");
  await assertRefused(moved, 403, "hook_failed");
  await assert.rejects(Deno.stat(at("team/stopped.txt")), Deno.errors.NotFound);
  await Deno.stat(at("team/plan.txt"));
});

Deno.test("no hook runs for what a read-only root or the virtual top refuses", async () => {
  const all = ["upload", "save", "delete", "copy", "rename"] as const;
  await hook(Object.fromEntries(all.map((event) => [`before_${event}`, [noting]])));
  const tries: [string, string, string?][] = [
    ["POST", "/Media/new.txt", "x"],
    ["PUT", "/Media/tags.txt", "x"],
    ["DELETE", "/Media/tags.txt"],
    ["PATCH", "/Media/tags.txt?action=rename&destination=/Own/tags.txt"],
    ["PATCH", "/Team/plan.txt?action=copy&destination=/Media/plan.txt"],
    ["POST", "/top.txt", "x"],
    ["DELETE", "/Team"],
  ];
  for (const [method, path, body] of tries) {
    await assertRefused(await call(method, path, body), 403, "forbidden", `${method} ${path}`);
  }
  for (const folder of ["media", "team", "own", ""]) assert.deepEqual(await noted(folder), []);
});

Deno.test("a command runs in a root, and neither at the virtual top nor in a read-only one", async () => {
  const type = (line: string, path: string) => runCommand(line, { url, token: anna.token, path });
  assert.deepEqual((await type("pwd", "/Team/inner")).lines, [at("team/inner")]);
  assert.deepEqual((await type("ls", "/Own")).lines, ["mine.txt"]);
  for (const path of ["/", "/Media", "/Elsewhere"]) {
    const headers = { upgrade: "websocket", connection: "upgrade" };
    const answer = await app.call("GET", `/api/command${path}`, { headers, token: anna.token });
    assert.ok([403, 404].includes(answer.status), `${path}: ${answer.status}`);
    await answer.body?.cancel();
  }
});

Deno.test("a command in one root reads nothing of another, or of the rest of the server's root", async () => {
  const type = (line: string) => runCommand(line, { url, token: anna.token, path: "/Own" });
  for (const path of ["team/plan.txt", "media/tags.txt", "secret/key.txt"]) {
    const { lines, reason } = await type(`cat ${at(path)}`);
    assert.notEqual(reason, "0", path);
    assert.ok(!lines.join("\n").includes("zebra"), path);
  }
});

Deno.test("a content search finds in all roots, by their paths, and nothing beside them", async () => {
  const admin = await app.tokenOf("admin");
  const { token, user } = await app.addUser("berta", { roots });
  const contents = contentsOf(app, admin, token);
  await contentsOf(app, admin).switchOn();
  const all = ["Media/tags.txt", "Own/mine.txt", "Team/inner/deep.txt", "Team/plan.txt"];
  assert.deepEqual(await contents.paths("/?query=content:zebra"), all);
  assert.deepEqual(await contents.paths("/Team/?query=content:zebra"), [
    "inner/deep.txt",
    "plan.txt",
  ]);
  assert.deepEqual(await contents.paths("/?query=content:secret"), []);
  await app.cubby.users.update(user.id, { rules: [deny("/Team/inner"), deny("/Media")] });
  const later = contentsOf(app, admin, await app.tokenOf("berta"));
  assert.deepEqual(await later.paths("/?query=content:zebra"), ["Own/mine.txt", "Team/plan.txt"]);
});
