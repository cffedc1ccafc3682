import assert from "node:assert/strict";
import "../../support/run/worst_ids.ts";
import { startApp } from "../../support/server/app.ts";
import { renameId } from "../../support/records/rename_id.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { startReceiver } from "../../support/services/receiver.ts";

const receiver = startReceiver();
Deno.test.afterAll(async () => await receiver[Symbol.asyncDispose]());
const app = await startApp({
  config: { webhooks: { ports: [receiver.port], privateNetworks: ["127.0.0.1"], http: true } },
  tree: { docs: { "a.txt": "one" }, bin: {} },
  inProcess: true,
});
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
const current_password = app.admin.password;
const { store, webhooks } = app.cubby;

await webhooks?.deliver();

/** Nothing of a test goes on in the next. */
Deno.test.afterEach(() => webhooks?.deliver());

/** More than there are spellings. */
const some = 6;

/** The first characters of an id of an older version. */
const former = ["-", "--"];

async function call(method: string, path: string, options: object = {}): Promise<Response> {
  const answer = await app.call(method, path, { token: admin, ...options });
  if (!answer.ok) assert.fail(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function read(method: string, path: string, json?: unknown) {
  return await (await call(method, path, json === undefined ? {} : { json })).json();
}

async function done(method: string, path: string, options: object = {}): Promise<void> {
  await (await call(method, path, options)).text();
}

/** The ids of a list, read by pages of one. */
async function paged(path: string, name: string): Promise<string[]> {
  const ids: string[] = [];
  for (let query: string | null = "?limit=1"; query !== null;) {
    const answer: Response = await call("GET", path + query);
    ids.push(...(await answer.json()).map((item: Record<string, string>) => item[name]));
    query = /<([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1] ?? null;
  }
  return ids;
}

/** Ids of records that this version made, and of those that older ones may have. */
async function idsOf(make: (number: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < some + former.length; number++) {
    const id = await make(number);
    assert.match(id, /^\w[\w-]+$/);
    const start = former[number - some] ?? "";
    const older = start + id.slice(start.length);
    ids.push(start === "" ? id : await renameId(store, id, older));
  }
  return ids;
}

Deno.test("ids are spelled as badly as they may be", async () => {
  const ids = await idsOf(async () => (await read("POST", "/api/share/docs", {})).hash);
  for (const spelling of [/^_--\d+_--/, /^99\d+/, /^1e\d+/, /^0x\d+/, /^_-no-\d+/, /^-/]) {
    assert.ok(ids.some((id) => spelling.test(id)), `${spelling} is none of ${ids.join(" ")}`);
  }
  for (const id of ids) await done("DELETE", `/api/share/${id}`);
});

Deno.test("a share of any id is made, listed, visited, changed and ended", async () => {
  const ids = await idsOf(async () => (await read("POST", "/api/share/docs", {})).hash);
  assert.deepEqual((await paged("/api/shares", "hash")).sort(), ids.toSorted());
  for (const id of ids) {
    await done("PATCH", `/api/share/${id}`, { json: { downloadLimit: 9 } });
    const visit = { token: undefined };
    const shown = await (await call("GET", `/api/public/share/${id}/a.txt`, visit)).json();
    assert.equal(shown.name, "a.txt");
    const file = await call("GET", `/api/public/dl/${id}/a.txt`, visit);
    assert.equal(await file.text(), "one");
    const page = await call("GET", `/share/${id}/`, { ...visit, headers: { accept: "text/html" } });
    assert.match(await page.text(), /a\.txt/);
    await done("DELETE", `/api/share/${id}`);
    await assertRefused(await app.call("GET", `/api/public/share/${id}`), 404, "not_found");
  }
  assert.deepEqual(await paged("/api/shares", "hash"), []);
});

Deno.test("a request for files of any id is made, listed, used, changed and ended", async () => {
  const ids = await idsOf(async () => (await read("POST", "/api/request/bin", {})).hash);
  assert.deepEqual((await paged("/api/requests", "hash")).sort(), ids.toSorted());
  for (const id of ids) {
    await done("PATCH", `/api/request/${id}`, { json: { note: "Thank you" } });
    const { token } = await read("POST", `/api/public/request/${id}`, {});
    const headers = {
      ...{ "x-request-token": token, "upload-length": "3" },
      "upload-metadata": `filename ${btoa(`${id}.txt`)}`,
    };
    const begun = await call("POST", `/api/public/request/${id}/files`, { headers });
    await done("PATCH", begun.headers.get("location") ?? "", {
      headers: {
        ...{ "x-request-token": token, "upload-offset": "0" },
        "content-type": "application/offset+octet-stream",
      },
      body: "abc",
    });
    assert.equal(Deno.readTextFileSync(`${app.root}/bin/${id}.txt`), "abc");
    const html = { headers: { accept: "text/html" } };
    await done("GET", `/request/${id}`, html);
    await done("DELETE", `/api/request/${id}`);
    const gone = await app.call("POST", `/api/public/request/${id}`, { json: {} });
    await assertRefused(gone, 404, "not_found");
  }
  assert.deepEqual(await paged("/api/requests", "hash"), []);
});

Deno.test("a webhook of any id is added, listed, shown, tested, changed and removed", async () => {
  const draft = { name: "Chat", url: `${receiver.url}/in`, events: ["writes"], current_password };
  const ids = await idsOf(async () => (await read("POST", "/api/webhooks", draft)).id);
  assert.deepEqual((await paged("/api/webhooks", "id")).sort(), ids.toSorted());
  for (const id of ids) {
    await done("PUT", `/api/webhooks/${id}`, { json: { ...draft, name: `Of ${id}` } });
    assert.equal((await read("GET", `/api/webhooks/${id}`)).name, `Of ${id}`);
    const { deliveries } = await read("POST", `/api/webhooks/${id}/test`);
    assert.equal(deliveries[0].ok, true);
    await done("POST", `/api/webhooks/${id}/secret`, { json: { current_password } });
    await done("DELETE", `/api/webhooks/${id}`, { json: { current_password } });
    const gone = await app.call("GET", `/api/webhooks/${id}`, { token: admin });
    await assertRefused(gone, 404, "not_found");
  }
});

Deno.test("an API token of any id is made, listed, used and revoked", async () => {
  const secrets: string[] = [];
  const ids = await idsOf(async (number) => {
    const draft = { name: `t${number}`, current_password };
    const { id, token } = await read("POST", "/api/tokens", draft);
    secrets.push(token);
    return id;
  });
  assert.deepEqual((await paged("/api/tokens", "id")).sort(), ids.toSorted());
  // The ids of the others are digests of no secret.
  for (const token of secrets.slice(0, some)) await done("GET", "/api/resources/", { token });
  for (const id of ids) await done("DELETE", `/api/tokens/${id}`);
  for (const token of secrets) {
    await assertRefused(await app.call("GET", "/api/resources/", { token }), 401, "not_signed_in");
  }
  assert.deepEqual(await paged("/api/tokens", "id"), []);
});

Deno.test("an invitation of any id is made, listed and withdrawn", async () => {
  const ids = await idsOf(async () =>
    (await read("POST", "/api/invites", { current_password })).id
  );
  assert.deepEqual((await paged("/api/invites", "id")).sort(), ids.toSorted());
  for (const id of ids) await done("DELETE", `/api/invites/${id}`);
  assert.deepEqual(await paged("/api/invites", "id"), []);
});

Deno.test("a session of any id is opened, listed and ended", async () => {
  const { token } = await app.addUser("anna");
  const anna = await app.cubby.users.byName("anna");
  assert.ok(anna);
  const mine = (await app.cubby.sessions.list(anna.id)).map(({ sid }) => sid);
  const others = await idsOf(async () => {
    await app.tokenOf("anna");
    const all = await app.cubby.sessions.list(anna.id);
    const sid = all.map((each) => each.sid).find((each) => !mine.includes(each)) ?? "";
    mine.push(sid);
    return sid;
  });
  const listed = await (await call("GET", "/api/sessions", { token })).json();
  assert.equal(listed.length, others.length + 1);
  for (const sid of others) await done("DELETE", `/api/sessions/${sid}`, { token });
  assert.equal((await (await call("GET", "/api/sessions", { token })).json()).length, 1);
});

Deno.test("a deleted entry of any id is listed, shown, restored and forgotten", async () => {
  for (let number = 0; number < 4; number++) {
    await done("POST", `/api/resources/${number}.txt`, { body: "bytes" });
    await done("DELETE", `/api/resources/${number}.txt?trash=true`);
  }
  const { items } = await read("GET", "/api/trash");
  const ids: string[] = items.map(({ id }: { id: string }) => id);
  assert.ok(ids.some((id) => /-1e\d+$/.test(id)) && ids.some((id) => /-\d+$/.test(id)));
  const [first, ...others] = ids;
  await done("POST", `/api/trash/${first}`);
  for (const id of others) await done("DELETE", `/api/trash/${id}`);
  assert.deepEqual((await read("GET", "/api/trash")).items, []);
});
