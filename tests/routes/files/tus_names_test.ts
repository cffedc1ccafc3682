/** Uploads that have all their bytes, and could not get their names. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { deny } from "../../support/data/rules.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { askForFiles } from "../../support/clients/visiting.ts";

const partType = "application/offset+octet-stream";

interface Client {
  app: TestApp;
  token: string;
}

async function begin({ app, token }: Client, path: string, length: number): Promise<void> {
  const headers = { "upload-length": `${length}` };
  await assertStatus(await app.call("POST", `/api/tus${path}`, { token, headers }), 201);
}

function send({ app, token }: Client, path: string, offset: number, body: string) {
  const headers = { "upload-offset": `${offset}`, "content-type": partType };
  return app.call("PATCH", `/api/tus${path}`, { token, body, headers });
}

/** The status and the offset of an answer. */
async function stateOf(answer: Promise<Response>): Promise<[number, string | null]> {
  const { status, headers, body } = await answer;
  await body?.cancel();
  return [status, headers.get("upload-offset")];
}

const head = ({ app, token }: Client, path: string) =>
  stateOf(app.call("HEAD", `/api/tus${path}`, { token }));

/** The hidden files below the served folder. */
function partsIn(root: string): string[] {
  return [...Deno.readDirSync(root)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? partsIn(join(root, name))
      : name.startsWith(".cubby-upload-")
      ? [join(root, name)]
      : []
  );
}

/** Leaves the only upload as a kill between its last byte and its name does. */
function endOnDisk(app: TestApp, rest: string): void {
  const [part, ...more] = partsIn(app.root);
  assert.ok(part !== undefined && more.length === 0, "there is one part");
  Deno.writeTextFileSync(part, rest, { append: true });
}

const read = (app: TestApp, path: string) => Deno.readTextFileSync(join(app.root, path));

async function openUser(): Promise<Client & AsyncDisposable> {
  const app = await startApp({ inProcess: true, tree: { home: { "b.txt": "b" } } });
  const { token } = await app.addUser("ursula", { scope: "/home" });
  return { app, token, [Symbol.asyncDispose]: app.close };
}

async function userOf(app: TestApp) {
  const user = (await Array.fromAsync(app.cubby.users.actingParts())).flat().find(({ username }) =>
    username === "ursula"
  );
  assert.ok(user);
  return user;
}

Deno.test("an upload whose name was taken is told as such until its user decides", async () => {
  await using client = await openUser();
  const { app, token } = client;
  const take = async (path: string) => {
    await begin(client, path, 3);
    Deno.writeTextFileSync(join(app.root, "home", path), "other");
    await assertRefused(await send(client, path, 0, "abc"), 409, "exists");
    assert.deepEqual(await head(client, path), [409, null]);
    await assertRefused(await app.call("GET", `/api/tus${path}`, { token }), 409, "exists");
    await assertRefused(await send(client, path, 3, ""), 409, "exists");
    assert.equal(read(app, `home${path}`), "other");
  };
  await take("/replace.txt");
  assert.deepEqual(await stateOf(send(client, "/replace.txt?override=true", 3, "")), [204, "3"]);
  assert.equal(read(app, "home/replace.txt"), "abc");

  await take("/both.txt");
  const named = await send(client, "/both.txt?rename=true", 3, "");
  assert.equal(named.headers.get("content-location"), "/api/resources/both(1).txt");
  assert.deepEqual(await stateOf(Promise.resolve(named)), [204, "3"]);
  assert.equal(read(app, "home/both.txt"), "other");
  assert.equal(read(app, "home/both(1).txt"), "abc");

  await take("/again.txt");
  Deno.removeSync(join(app.root, "home/again.txt"));
  assert.deepEqual(await head(client, "/again.txt"), [200, "3"]);
  assert.equal(read(app, "home/again.txt"), "abc");

  await take("/drop.txt");
  await assertStatus(await app.call("DELETE", "/api/tus/drop.txt", { token }), 204);
  assert.deepEqual(partsIn(app.root), []);
});

Deno.test("an upload that begins again takes the room of the former over", async () => {
  await using client = await openUser();
  const { app } = client;
  await app.cubby.users.update((await userOf(app)).id, { quota: { bytes: 4, files: 2 } });
  await begin(client, "/a.txt", 3);
  await assertStatus(await send(client, "/a.txt", 0, "xy"), 204);
  await begin(client, "/a.txt", 3);
  assert.equal(partsIn(app.root).length, 1);
  await assertStatus(await send(client, "/a.txt", 0, "abc"), 204);
  assert.equal(read(app, "home/a.txt"), "abc");
  await assertStatus(await app.call("DELETE", "/api/resources/a.txt", client), 200);
  await begin(client, "/c.txt", 3);
});

Deno.test("replacing at the end needs the right to do so", async () => {
  await using client = await openUser();
  const { app } = client;
  const { id, perm } = await userOf(app);
  await begin(client, "/a.txt", 3);
  Deno.writeTextFileSync(join(app.root, "home/a.txt"), "other");
  await app.cubby.users.update(id, { perm: { ...perm, modify: false } });
  const adder = { app, token: await app.tokenOf("ursula") };
  await assertRefused(await send(adder, "/a.txt?override=true", 0, "abc"), 403, "forbidden");
  assert.equal(read(app, "home/a.txt"), "other");
  assert.deepEqual(await stateOf(send(adder, "/a.txt?rename=true", 3, "")), [204, "3"]);
  assert.equal(read(app, "home/a(1).txt"), "abc");
});

/** What refuses the name, and what ends the refusal. */
const refusals: Record<string, {
  status: number;
  code: ErrorCode;
  refuse: (app: TestApp) => Promise<unknown>;
  allow: (app: TestApp) => Promise<unknown>;
}> = {
  rights: {
    status: 403,
    code: "forbidden",
    refuse: async (app) => {
      const { id, perm } = await userOf(app);
      await app.cubby.users.update(id, { perm: { ...perm, create: false } });
    },
    allow: async (app) => {
      const { id, perm } = await userOf(app);
      await app.cubby.users.update(id, { perm: { ...perm, create: true } });
    },
  },
  "a rule": {
    status: 403,
    code: "forbidden",
    refuse: async (app) =>
      await app.cubby.users.update((await userOf(app)).id, { rules: [deny("/a.txt")] }),
    allow: async (app) => await app.cubby.users.update((await userOf(app)).id, { rules: [] }),
  },
  quota: {
    status: 507,
    code: "over_quota",
    refuse: async (app) =>
      await app.cubby.users.update((await userOf(app)).id, { quota: { bytes: 2, files: 0 } }),
    allow: async (app) =>
      await app.cubby.users.update((await userOf(app)).id, { quota: { bytes: 0, files: 0 } }),
  },
};

for (const [what, { status, code, refuse, allow }] of Object.entries(refusals)) {
  Deno.test(`an upload that has all its bytes waits while ${what} refuses its name`, async () => {
    await using client = await openUser();
    const { app } = client;
    await begin(client, "/a.txt", 3);
    await assertStatus(await send(client, "/a.txt", 0, "ab"), 204);
    endOnDisk(app, "c");
    await refuse(app);
    const refused = { app, token: await app.tokenOf("ursula") };
    assert.deepEqual(await head(refused, "/a.txt"), [status, null]);
    await assertRefused(await send(refused, "/a.txt", 3, ""), status, code);
    const headers = { "upload-length": "3" };
    const again = app.call("POST", "/api/tus/a.txt", { token: refused.token, headers });
    await assertRefused(await again, status, code);
    assert.equal(partsIn(app.root).length, 1);
    await allow(app);
    const allowed = { app, token: await app.tokenOf("ursula") };
    assert.deepEqual(await head(allowed, "/a.txt"), [200, "3"]);
    assert.equal(read(app, "home/a.txt"), "abc");
    assert.deepEqual(partsIn(app.root), []);
  });
}

Deno.test({
  name: "a hook that refuses keeps the bytes, and HEAD tells of it",
  // The host of programs ends a moment after the application.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using app = await startApp({ inProcess: true, config: { disableExec: false } });
    const client = { app, token: await app.tokenOf("admin") };
    const hook = async (...lines: string[]) => {
      const now = await app.cubby.settings.get();
      await app.cubby.settings.update({
        ...now,
        commands: { ...now.commands, before_upload: lines },
      });
    };
    await hook("false");
    await begin(client, "/a.txt", 3);
    await assertRefused(await send(client, "/a.txt", 0, "abc"), 403, "hook_failed");
    assert.deepEqual(await head(client, "/a.txt"), [403, null]);
    await hook();
    assert.deepEqual(await head(client, "/a.txt"), [200, "3"]);
    assert.equal(read(app, "a.txt"), "abc");
  },
});

Deno.test("two questions at once for the same upload give it its name once", async () => {
  await using client = await openUser();
  await begin(client, "/a.txt", 3);
  await assertStatus(await send(client, "/a.txt", 0, "ab"), 204);
  endOnDisk(client.app, "c");
  const answers = await Promise.all(Array.from({ length: 5 }, () => head(client, "/a.txt")));
  assert.deepEqual(answers, Array.from({ length: 5 }, () => [200, "3"]));
  assert.equal(read(client.app, "home/a.txt"), "abc");
});

Deno.test("an upload that got its name although that could not be noted is complete", async () => {
  await using client = await openUser();
  const { app } = client;
  await begin(client, "/a.txt", 3);
  await assertStatus(await send(client, "/a.txt", 0, "ab"), 204);
  endOnDisk(app, "c");
  const [part = ""] = partsIn(app.root);
  Deno.renameSync(part, join(app.root, "home/a.txt"));
  assert.deepEqual(await head(client, "/a.txt"), [200, "3"]);
  assert.deepEqual(await head(client, "/a.txt"), [200, "3"]);
  assert.equal(read(app, "home/a.txt"), "abc");
});

/** An application whose root and store stay when it is closed. */
async function lasting() {
  const folder = await temporaryFolder();
  const config = { root: join(folder.path, "root"), database: join(folder.path, "cubby.kv") };
  const open = () => startApp({ inProcess: true, config });
  return { open, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(10);
}

function isThere(app: TestApp, path: string): boolean {
  try {
    return read(app, path) !== "";
  } catch {
    return false;
  }
}

Deno.test("a start gives an upload its name that a kill has kept from it", async () => {
  await using place = await lasting();
  {
    await using app = await place.open();
    const client = { app, token: await app.tokenOf("admin") };
    await begin(client, "/a.txt", 3);
    await assertStatus(await send(client, "/a.txt", 0, "ab"), 204);
    endOnDisk(app, "c");
    const other = { app, token: (await app.addUser("other")).token };
    await begin(other, "/half.txt", 3);
    await assertStatus(await send(other, "/half.txt", 0, "ab"), 204);
  }
  await using app = await place.open();
  await until(() => isThere(app, "a.txt"));
  assert.equal(read(app, "a.txt"), "abc");
  const other = { app, token: await app.tokenOf("other") };
  assert.deepEqual(await head(other, "/half.txt"), [200, "2"]);
});

Deno.test("a start finishes no upload of a user whose sign-in or rights have ended", async () => {
  await using place = await lasting();
  {
    await using app = await place.open();
    const { token, user } = await app.addUser("ursula");
    const client = { app, token };
    await begin(client, "/a.txt", 3);
    await assertStatus(await send(client, "/a.txt", 0, "ab"), 204);
    endOnDisk(app, "c");
    await app.cubby.users.update(user.id, { perm: { ...user.perm, create: false } });
  }
  {
    await using app = await place.open();
    assert.equal(isThere(app, "a.txt"), false);
    const { id, perm } = await userOf(app);
    await app.cubby.users.update(id, { perm: { ...perm, create: true } });
  }
  await using app = await place.open();
  // The change of the rights has ended the sign-in by which it was begun.
  assert.equal(isThere(app, "a.txt"), false);
  const client = { app, token: await app.tokenOf("ursula") };
  assert.deepEqual(await head(client, "/a.txt"), [200, "3"]);
  assert.equal(read(app, "a.txt"), "abc");
});

Deno.test("an upload is known to be complete by a client that has not got the answer", async () => {
  await using client = await openUser();
  const { app, token } = client;
  await begin(client, "/a.txt", 3);
  await assertStatus(await send(client, "/a.txt", 0, "abc"), 204);
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await head(client, "/a.txt"), [200, "3"]);
    assert.deepEqual(await stateOf(send(client, "/a.txt", 3, "")), [204, "3"]);
  }
  await assertRefused(await send(client, "/a.txt", 0, "xyz"), 404, "not_found");
  const headers = { "upload-offset": "3", "content-type": partType, "content-length": "3" };
  const more = await app.call("PATCH", "/api/tus/a.txt", { token, headers, body: "xyz" });
  await assertRefused(more, 404, "not_found");
  assert.equal(read(app, "home/a.txt"), "abc");
  const { token: other } = await app.addUser("other", { scope: "/home" });
  assert.deepEqual(await head({ app, token: other }, "/a.txt"), [404, null]);
  await app.later(60 * 60_000 + 1, async () => {
    const later = { app, token: await app.tokenOf("ursula") };
    assert.deepEqual(await head(later, "/a.txt"), [404, null]);
  });
  await begin(client, "/a.txt?override=true", 5);
  assert.deepEqual(await head(client, "/a.txt"), [200, "0"]);
  await assertStatus(await app.call("DELETE", "/api/tus/a.txt", { token }), 204);
  assert.deepEqual(await head(client, "/a.txt"), [404, null]);
});

Deno.test("an upload is complete only as long as its file has the name", async () => {
  await using client = await openUser();
  const { app } = client;
  for (
    const end of [
      (path: string) => Deno.removeSync(path),
      (path: string) => Deno.writeTextFileSync(path, "longer"),
      (path: string) => {
        Deno.writeTextFileSync(`${path}.next`, "abc");
        Deno.renameSync(`${path}.next`, path);
      },
    ]
  ) {
    await begin(client, "/a.txt?override=true", 3);
    await assertStatus(await send(client, "/a.txt", 0, "abc"), 204);
    assert.deepEqual(await head(client, "/a.txt"), [200, "3"]);
    end(join(app.root, "home/a.txt"));
    assert.deepEqual(await head(client, "/a.txt"), [404, null]);
  }
});

Deno.test("each of many uploads of a user is known to be complete", async () => {
  await using client = await openUser();
  const paths = Array.from({ length: 100 }, (_, count) => `/${count}.txt`);
  for (const path of paths) {
    await begin(client, path, 1);
    await assertStatus(await send(client, path, 0, "a"), 204);
  }
  for (const path of paths) assert.deepEqual(await head(client, path), [200, "1"], path);
});

async function beginReceived(app: TestApp, hash: string, name: string, length: number) {
  const base = `/api/public/request/${hash}`;
  const { token } = await (await app.call("POST", base, { json: {} })).json();
  const headers = {
    "x-request-token": token,
    "upload-length": `${length}`,
    "upload-metadata": `filename ${btoa(name)}`,
  };
  const begun = await app.call("POST", `${base}/files`, { headers });
  await assertStatus(begun, 201);
  const location = begun.headers.get("location") ?? "";
  const call = (method: string, more: Record<string, string> = {}, body?: string) =>
    app.call(method, location, { headers: { "x-request-token": token, ...more }, body });
  const send = (offset: number, body: string) =>
    call("PATCH", { "upload-offset": `${offset}`, "content-type": partType }, body);
  return { call, send };
}

Deno.test("a visitor's upload that has all its bytes gets its name by HEAD and by a start", async () => {
  await using place = await lasting();
  {
    await using app = await place.open();
    const hash = await askForFiles(app, await app.tokenOf("admin"), "/");
    const asked = await beginReceived(app, hash, "asked.txt", 3);
    await assertStatus(await asked.send(0, "ab"), 204);
    endOnDisk(app, "c");
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await stateOf(asked.call("HEAD")), [200, "3"]);
      assert.deepEqual(await stateOf(asked.send(3, "")), [204, "3"]);
    }
    await assertRefused(await asked.send(0, "xyz"), 404, "not_found");
    assert.equal(read(app, "asked.txt"), "abc");
    const started = await beginReceived(app, hash, "in/started.txt", 3);
    await assertStatus(await started.send(0, "ab"), 204);
    endOnDisk(app, "c");
  }
  await using app = await place.open();
  await until(() => isThere(app, "in/started.txt"));
  const token = await app.tokenOf("admin");
  const received = async () =>
    (await (await app.call("GET", "/api/requests", { token })).json())[0];
  while ((await received()).files !== 2) await delay(10);
});

Deno.test("a recipient's upload that has all its bytes gets its name by HEAD and by a start", async () => {
  await using place = await lasting();
  const adding = async (app: TestApp, token: string, hash: string, name: string) => {
    const headers = { "upload-length": "3", "upload-metadata": `filename ${btoa(name)}` };
    const begun = await app.call("POST", `/api/public/tus/${hash}`, { token, headers });
    await assertStatus(begun, 201);
    const location = begun.headers.get("location") ?? "";
    const part = { "upload-offset": "0", "content-type": partType };
    const sent = await app.call("PATCH", location, { token, headers: part, body: "ab" });
    await assertStatus(sent, 204);
    endOnDisk(app, "c");
    return () => stateOf(app.call("HEAD", location, { token }));
  };
  {
    await using app = await place.open();
    Deno.mkdirSync(join(app.root, "box"));
    const { token } = await app.addUser("friend");
    const json = { audience: [{ name: "friend", may: "upload" }] };
    const shared = await app.call("POST", "/api/share/box", {
      token: await app.tokenOf("admin"),
      json,
    });
    const { hash } = await shared.json();
    const state = await adding(app, token, hash, "asked.txt");
    assert.deepEqual([await state(), await state()], [[200, "3"], [200, "3"]]);
    assert.equal(read(app, "box/asked.txt"), "abc");
    await adding(app, token, hash, "started.txt");
  }
  await using app = await place.open();
  await until(() => isThere(app, "box/started.txt"));
});
