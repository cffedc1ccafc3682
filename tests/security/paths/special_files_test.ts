import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { odd: { "plain.txt": "one" } } });
const pipe = join(app.root, "odd/pipe");
const made = await new Deno.Command("mkfifo", { args: [pipe] }).output();
assert.ok(made.success);
const listening = Deno.listen({ transport: "unix", path: join(app.root, "odd/socket") });
Deno.symlinkSync("pipe", join(app.root, "odd/to_pipe"));
Deno.test.afterAll(async () => {
  listening.close();
  await app.close();
});
const token = await app.tokenOf("admin");
const special = ["pipe", "socket", "to_pipe"];
const ask = (method: string, path: string, body?: string) =>
  app.call(method, path, { token, body });

Deno.test("a pipe and a socket are never opened for reading: nothing hangs", async () => {
  for (const name of special) {
    await assertRefused(await ask("GET", `/api/raw/odd/${name}`), 403, "not_a_file", name);
    assert.equal((await ask("HEAD", `/api/raw/odd/${name}`)).status, 403);
    const sum = await ask("GET", `/api/resources/odd/${name}?checksum=md5`);
    await assertRefused(sum, 403, "not_a_file", name);
  }
});

Deno.test("a pipe and a socket have no preview, subtitles or archive of their own", async () => {
  for (const name of special) {
    for (
      const call of [`preview/thumb/odd/${name}`, `subtitle/odd/${name}`, `raw/odd/?files=${name}`]
    ) {
      await assertRefused(await ask("GET", `/api/${call}`), 403, "not_a_file", call);
    }
  }
  const found = await ask("GET", "/api/search/odd/?query=pipe");
  assert.equal(found.status, 200);
  await found.body?.cancel();
});

Deno.test("a pipe and a socket are not copied: nothing hangs", async () => {
  for (const from of ["odd/pipe", "odd/socket", "odd"]) {
    const path = `/api/resources/${from}?action=copy&destination=/copied`;
    const answer = await ask("PATCH", path);
    assert.ok(answer.status === 200 || answer.status === 403, `${from} ${answer.status}`);
    await answer.body?.cancel();
    const names = [...Deno.readDirSync(app.root)].map(({ name }) => name);
    if (names.includes("copied")) Deno.removeSync(join(app.root, "copied"), { recursive: true });
  }
});

Deno.test("a pipe and a socket are not written to", async () => {
  for (const name of special) {
    const put = await ask("PUT", `/api/resources/odd/${name}`, "x");
    await assertRefused(put, 403, "not_a_file", name);
    const post = await ask("POST", `/api/resources/odd/${name}?override=true`, "x");
    assert.ok([403, 409].includes(post.status), `${name} ${post.status}`);
    await post.body?.cancel();
  }
  assert.ok(Deno.lstatSync(pipe).isFifo);
});

Deno.test("a folder where a pipe and a socket lie is listed, and they are described", async () => {
  const folder: Resource = await (await ask("GET", "/api/resources/odd")).json();
  const names = folder.items?.map(({ name }) => name).sort();
  assert.deepEqual(names, ["pipe", "plain.txt", "socket", "to_pipe"]);
  for (const name of ["pipe", "socket"]) {
    const entry: Resource = await (await ask("GET", `/api/resources/odd/${name}`)).json();
    assert.equal(entry.type, "blob", name);
    assert.equal(entry.isDir, false);
    assert.equal(entry.content, undefined);
  }
});

Deno.test("a folder with a pipe in it can be removed", async () => {
  Deno.mkdirSync(join(app.root, "spare"));
  await new Deno.Command("mkfifo", { args: [join(app.root, "spare/pipe")] }).output();
  await assertStatus(await ask("DELETE", "/api/resources/spare"), 200);
  assert.throws(() => Deno.lstatSync(join(app.root, "spare")), Deno.errors.NotFound);
});
