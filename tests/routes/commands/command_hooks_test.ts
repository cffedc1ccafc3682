import assert from "node:assert/strict";
import { join } from "node:path";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import type { HookEvent } from "../../../lib/shared/schemas/choices/choices.ts";
import { manyFilesBody, receivedCodes } from "../../support/data/many_files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { disableExec: false },
  tree: { anna: { "a.txt": "former", folder: {} } },
});
const off = await startApp({ tree: { "a.txt": "former" } });
Deno.test.afterAll(app.close);
Deno.test.afterAll(off.close);
const home = join(app.root, "anna");
const { token } = await app.addUser("anna", { scope: "/anna" });
const { token: weak } = await app.addUser("weak", {
  ...{ scope: "/anna", perm: { create: false, modify: false, delete: false, rename: false } },
});

/** Sets the lines, with the file as it was at first, and nothing logged. */
async function hook(
  commands: Partial<Record<HookEvent, string[]>>,
  to = app,
  shell: string[] = [],
): Promise<void> {
  const settings = defaultSettings();
  app.log.lines.length = 0;
  await Deno.remove(join(home, "log")).catch(() => {});
  await Deno.writeTextFile(join(home, "a.txt"), "former");
  const all = { ...settings.commands, ...commands };
  await to.cubby.settings.update({ ...settings, shell, commands: all });
}

/** A line that notes what it was told. */
const noting = `sh -c 'printf "%s|%s|%s|%s|%s\\n" "$TRIGGER" "$FILE" "$DESTINATION" "$SCOPE" ` +
  `"$USERNAME" >> log'`;
const noted = () =>
  Deno.readTextFile(join(home, "log")).catch(() => "")
    .then((text) => text.split("\n").slice(0, -1));

const call = (method: string, path: string, body?: string, as = token) =>
  app.call(method, `/api/resources/${path}`, { token: as, body });
const read = (name: string) => Deno.readTextFile(join(home, name));

Deno.test("no hook runs when commands are off", async () => {
  await hook({ before_upload: ["false"], before_save: ["false"] }, off);
  const asAdmin = await off.tokenOf("admin");
  const save = off.call("PUT", "/api/resources/a.txt", { token: asAdmin, body: "new" });
  await assertStatus(await save, 200);
});

Deno.test("no hook runs for what is refused anyway", async () => {
  await hook({ before_upload: [noting], before_save: [noting], before_delete: [noting] });
  for (
    const [method = "", path = ""] of [["POST", "n.txt"], ["PUT", "a.txt"], ["DELETE", "a.txt"]]
  ) {
    await assertRefused(await call(method, path, undefined, weak), 403, "forbidden");
  }
  await assertRefused(await call("DELETE", "gone.txt"), 404, "not_found");
  assert.deepEqual(await noted(), []);
});

Deno.test("a line before that fails stops the operation, and nothing is left of it", async () => {
  const all = ["upload", "save", "delete", "copy", "rename"] as const;
  await hook(
    Object.fromEntries(all.map((event) => [`before_${event}`, ["true", "false", noting]])),
  );
  const before = [...Deno.readDirSync(home)].map(({ name }) => name).sort();
  const refused: [string, string, string?][] = [
    ["POST", "new/deep/b.txt", "new"],
    ["POST", "a.txt?override=true", "new"],
    ["PUT", "a.txt", "new"],
    ["DELETE", "a.txt"],
    ["PATCH", "a.txt?action=copy&destination=/b.txt"],
    ["PATCH", "a.txt?action=rename&destination=/b.txt"],
  ];
  for (const [method, path, body] of refused) {
    const answer = await call(method, path, body);
    const message = await assertRefused(answer, 403, "hook_failed", path);
    assert.match(message, /: a hook refused$/);
  }
  assert.equal(await read("a.txt"), "former");
  assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name).sort(), before);
  assert.match(
    app.log.lines[1] ?? "",
    /Z before_upload 1 \d+ms "false" in "\/new\/deep\/b.txt" by "anna"/,
  );
});

Deno.test("each file of a request for many has its own lines before and after", async () => {
  const picky = `sh -c 'case "$FILE" in *.exe) exit 1;; esac'`;
  await hook({ before_upload: [picky], after_upload: [noting] });
  const files = ["one.txt", "two.exe", "new/three.txt"].map((path) => ({ path, text: path }));
  const answer = await app.call("POST", "/api/uploads/", { token, body: manyFilesBody(files) });
  assert.deepEqual(await receivedCodes(answer), ["200", "hook_failed", "200"]);
  const about = (await noted()).map((line) => line.split("|")[1]).sort();
  assert.deepEqual(about, [`${home}/new/three.txt`, `${home}/one.txt`]);
  assert.equal(await read("new/three.txt"), "new/three.txt");
  await assert.rejects(read("two.exe"), Deno.errors.NotFound);
  for (const path of ["one.txt", "new"]) await Deno.remove(join(home, path), { recursive: true });
});

Deno.test("a line that cannot be run stops the operation, as a fault of the server", async () => {
  for (const line of ["sh -c 'open", "", '"']) {
    await hook({ before_save: [line] });
    const answer = await call("PUT", "a.txt", "new");
    assert.match(await assertRefused(answer, 500, "internal"), /could not be run$/);
  }
  await hook({ before_save: ["no-such-program"] });
  await assertRefused(await call("PUT", "a.txt", "new"), 403, "hook_failed");
  assert.match(app.log.lines.join(), /before_save 127 .*: no-such-program: not found$/);
  assert.equal(await read("a.txt"), "former");
});

Deno.test("a line after that fails is noted in the log and undoes nothing", async () => {
  await hook({ after_save: ["sh -c 'echo reason >&2; exit 9'", noting] });
  await assertStatus(await call("PUT", "a.txt", "new"), 200);
  assert.equal(await read("a.txt"), "new");
  assert.match(app.log.lines[0] ?? "", /Z after_save 9 \d+ms .* by "anna" from 127.0.0.1: reason$/);
  assert.equal((await noted()).length, 1);
});

Deno.test("lines run before and after each event, and are told what it is about", async () => {
  const all = ["upload", "save", "copy", "rename", "delete"] as const;
  await hook(Object.fromEntries(
    all.flatMap((event) => [[`before_${event}`, [noting]], [`after_${event}`, [noting]]]),
  ));
  const events: [string, string, string, string, string?][] = [
    ["upload", "POST", "ä%20b.txt", `${home}/ä b.txt`],
    ["save", "PUT", "ä%20b.txt", `${home}/ä b.txt`],
    [
      "copy",
      "PATCH",
      "ä%20b.txt?action=copy&destination=/folder/c.txt",
      `${home}/ä b.txt`,
      "c.txt",
    ],
    ["rename", "PATCH", "ä%20b.txt?action=rename&destination=/folder/d", `${home}/ä b.txt`, "d"],
    ["delete", "DELETE", "folder/d", `${home}/folder/d`],
  ];
  for (const [event, method, path, file, to] of events) {
    await Deno.remove(join(home, "log")).catch(() => {});
    const body = method === "POST" || method === "PUT" ? "x" : undefined;
    await assertStatus(await call(method, path, body), 200, path);
    const destination = to === undefined ? "" : `${home}/folder/${to}`;
    const told = `${file}|${destination}|${home}|anna`;
    assert.deepEqual(await noted(), [`before_${event}|${told}`, `after_${event}|${told}`]);
  }
});

Deno.test("the line after is told the name that was picked for a copy", async () => {
  await hook({ before_copy: [noting], after_copy: [noting] });
  const path = "a.txt?action=copy&destination=/a.txt&rename=true";
  await assertStatus(await call("PATCH", path), 200);
  const destinations = (await noted()).map((line) => line.split("|")[2]);
  assert.deepEqual(destinations, [`${home}/a.txt`, `${home}/a(1).txt`]);
});

Deno.test("a line before sees what is to be replaced, a line after what has replaced it", async () => {
  const reading = `sh -c 'cat "$FILE" >> log; echo >> log'`;
  await hook({ before_save: [reading], after_save: [reading] });
  await assertStatus(await call("PUT", "a.txt", "two"), 200, app.log.lines.join("\n"));
  assert.deepEqual(await noted(), ["former", "two"]);
});

Deno.test("a line that ends with & is not waited for, and stops nothing", async () => {
  const waiting = "sh -c 'until [ -e go ]; do sleep 0.02; done; echo over >> log; exit 3' &";
  await hook({ before_save: [waiting], after_save: [noting] });
  await assertStatus(await call("PUT", "a.txt", "new"), 200);
  assert.equal((await noted()).length, 1);
  assert.equal(app.log.lines.length, 1);

  await Deno.writeTextFile(join(home, "go"), "");
  while (app.log.lines.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await noted()).at(-1), "over");
  assert.match(app.log.lines[1] ?? "", /Z before_save 3 /);
});

Deno.test("a shell of the settings gets the line, and there values are expanded", async () => {
  await hook({ after_save: ['echo "$TRIGGER" > log && cat < "$FILE" | tr a-z A-Z >> log'] }, app, [
    ...["sh", "-c"],
  ]);
  await assertStatus(await call("PUT", "a.txt", "text"), 200);
  assert.equal(await read("log"), "after_save\nTEXT");
});
