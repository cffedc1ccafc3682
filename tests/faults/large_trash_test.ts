/** A trash of very many entries: as many as let the test be short, of the 200,000 that it is for. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { expireTrash } from "../../lib/server/files/trash/expire_trash.ts";
import {
  makeTrashId,
  type TrashedEntry,
  trashRecords,
} from "../../lib/server/files/trash/trash_records.ts";

import { parsePath, ROOT } from "../../lib/shared/path.ts";
import { startApp } from "../support/server/app.ts";
import { assertStatus } from "../support/server/refused.ts";

const count = 20_000;
/** Most records that one commit of the store takes. */
const batch = 500;
/** Between two requests of another user, in milliseconds. */
const pauseMs = 100;

const app = await startApp({ inProcess: true, tree: { "a.txt": "A", "b.txt": "B" } });
Deno.test.afterAll(app.close);
const { user, token } = await app.addUser("anna");
const { trash, gate, settings, store } = app.cubby;

async function remove(path: string): Promise<string> {
  const answer = await app.call("DELETE", `/api/resources${path}?trash=true`, { token });
  await assertStatus(answer, 200, path);
  return answer.headers.get("content-location") ?? "";
}

async function list(query: string): Promise<{ items: { name: string }[]; next: string | null }> {
  return await (await app.call("GET", `/api/trash?${query}`, { token })).json();
}

/** What a search finds, in all its answers: one reads a bounded number of records. */
async function namesOf(query: string): Promise<string[]> {
  const found: string[] = [];
  let page = await list(`query=${query}`);
  for (;;) {
    found.push(...page.items.map(({ name }) => name));
    if (page.next === null) return found;
    page = await list(`query=${query}&before=${page.next}`);
  }
}

/** Records of entries that were deleted a second after another, the last an hour ago. */
async function plantRecords(): Promise<void> {
  const end = Date.now() - 60 * 60 * 1000;
  for (let start = 0; start < count; start += batch) {
    await store.atomic((operation) => {
      for (let index = start; index < start + batch; index++) {
        const at = end - (count - index) * 1000;
        const id = makeTrashId(at);
        const path = parsePath(`/folder/file-${index}.txt`).path;
        const facts = { isDir: false, size: 1, at, top: ROOT, ino: index };
        const entry: TrashedEntry = { id, userId: user.id, path, ...facts };
        trashRecords.put(operation, [user.id, id], entry);
      }
      return operation;
    });
  }
}

Deno.test("among very many entries each is found, the latest come first, and one is restored", async () => {
  await plantRecords();
  const place = await remove("/a.txt");
  const first = await list("limit=3");
  assert.deepEqual(first.items.map(({ name }) => name), [
    "a.txt",
    `file-${count - 1}.txt`,
    `file-${count - 2}.txt`,
  ]);
  const second = await list(`limit=1&before=${first.next}`);
  assert.deepEqual(second.items.map(({ name }) => name), [`file-${count - 3}.txt`]);
  assert.deepEqual(await namesOf("FILE-0.TXT"), ["file-0.txt"]);
  assert.equal((await list("")).items.length, 1_000);
  await assertStatus(await app.call("POST", place, { token }), 200);
  assert.equal(Deno.readTextFileSync(join(app.root, "a.txt")), "A");
});

Deno.test("the server answers others while very many entries expire, and they are all gone", async () => {
  await remove("/b.txt");
  const { trash: rules } = await settings.get();
  const options = { ...rules, days: 1 / 48, leastFree: 0 };
  let isOver = false;
  const expiring = expireTrash(trash, gate.spec(), options).finally(() => isOver = true);
  for (let number = 0; number < 5 || !isOver; number++) {
    await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
    await delay(pauseMs);
  }
  assert.equal(await expiring, count);
  assert.deepEqual((await list("")).items.map(({ name }) => name), ["b.txt"]);
});
