// With two threads, too: locks of uploads.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { deny } from "../../support/data/rules.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: { "own.txt": "own" },
    other: { "secret.txt": "SECRET" },
    denied: { "a.txt": "former" },
    shared: { "b.txt": "former" },
    "taken.txt": "former",
  },
});
Deno.test.afterAll(app.close);

const parts = { "content-type": "application/offset+octet-stream" };

/** Each call of a resumable upload, in the order of its life. */
const calls = ["POST", "HEAD", "PATCH", "DELETE"] as const;

/** Sends one call of an upload of three bytes. */
function ask(token: string | undefined, method: string, path: string, offset = 0, body = "abc") {
  const own = {
    POST: { "upload-length": "3" },
    PATCH: { ...parts, "upload-offset": `${offset}` },
  };
  const headers: Record<string, string> = method === "POST" || method === "PATCH"
    ? own[method]
    : {};
  const brings = method === "PATCH" ? body : undefined;
  return app.call(method, `/api/tus${path}`, { token, headers, body: brings });
}

/** The refusal of a call; an answer to HEAD has no body to name its code. */
async function assertRefusal(answer: Response, method: string, status: number, code: ErrorCode) {
  if (method === "HEAD") await assertStatus(answer, status, method);
  else await assertRefused(answer, status, code, method);
}

async function offsetOf(token: string, path: string): Promise<string | null> {
  const answer = await ask(token, "HEAD", path);
  await answer.body?.cancel();
  return answer.headers.get("upload-offset");
}

function hiddenIn(folder: string): string[] {
  return [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name)
    .filter((name) => name.startsWith(".cubby"));
}

/** The hidden file of the only upload in a folder. */
function partIn(folder: string): string {
  const [name, ...more] = hiddenIn(folder);
  assert.ok(name !== undefined && more.length === 0, `${folder} has one part`);
  return join(app.root, folder, name);
}

const read = (path: string) => Deno.readTextFileSync(join(app.root, path));

Deno.test("without a session, or with a share's token, no call of an upload does anything", async () => {
  const admin = await app.tokenOf("admin");
  const share = await app.call("POST", "/api/share/shared", {
    token: admin,
    json: { password: "open sesame" },
  });
  const { hash } = await share.json();
  const visit = await app.call("GET", `/api/public/share/${hash}`, {
    headers: { "x-share-password": encodeURIComponent("open sesame") },
  });
  const { token: visitor } = await visit.json();
  assert.equal(typeof visitor, "string");
  await assertStatus(await ask(admin, "POST", "/shared/b2.txt"), 201);
  for (const token of [undefined, visitor, "x.y.z"]) {
    for (const method of calls) {
      await assertRefusal(await ask(token, method, "/shared/b2.txt"), method, 401, "not_signed_in");
    }
  }
  await assertStatus(await app.call("POST", `/api/tus/shared/c.txt?token=${visitor}`), 401);
  await assertStatus(await app.call("PATCH", `/api/public/dl/${hash}/c.txt`), 405);
  assert.equal(await offsetOf(admin, "/shared/b2.txt"), "0");
  await assertStatus(await ask(admin, "DELETE", "/shared/b2.txt"), 204);
});

Deno.test("traversal: a path that climbs out, or hides a slash, begins and continues nothing", async () => {
  const { token } = await app.addUser("climber", { scope: "/home" });
  for (const path of ["/..%2Fother%2Fx.txt", "/a%2F..%2F..%2Fx", "/x%00.txt", "/%ff", "/%zz"]) {
    for (const method of calls) await assertStatus(await ask(token, method, path), 400, path);
  }
  assert.deepEqual([...Deno.readDirSync(join(app.root, "other"))].map(({ name }) => name), [
    "secret.txt",
  ]);
});

Deno.test("rules and permissions refuse each call, whether an upload has begun or not", async () => {
  const { token: ruled } = await app.addUser("ruled", { rules: [deny("/denied")] });
  const { token: reader } = await app.addUser("reading", {
    perm: { create: false, modify: false },
  });
  const admin = await app.tokenOf("admin");
  await assertStatus(await ask(admin, "POST", "/denied/new.txt"), 201);
  for (const path of ["/denied/new.txt", "/denied/a.txt?override=true", "//denied/new.txt"]) {
    await assertRefused(await ask(ruled, "POST", path), 403, "forbidden", path);
  }
  await assertRefused(await ask(reader, "POST", "/denied/new.txt"), 403, "forbidden");
  await assertRefused(await ask(reader, "POST", "/denied/made/"), 403, "forbidden");
  await assertRefused(await ask(ruled, "POST", "/denied/made/"), 403, "forbidden");
  for (const method of calls.slice(1)) {
    for (const token of [ruled, reader]) {
      const answer = await ask(token, method, "/denied/new.txt");
      assert.ok([403, 404].includes(answer.status), `${method} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  assert.equal(await offsetOf(admin, "/denied/new.txt"), "0");
  await assertStatus(await ask(admin, "DELETE", "/denied/new.txt"), 204);
  assert.deepEqual([...Deno.readDirSync(join(app.root, "denied"))].map(({ name }) => name), [
    "a.txt",
  ]);
});

Deno.test("a rule or scope that is set meanwhile ends an upload for its user", async () => {
  const { user, token } = await app.addUser("fallen");
  await assertStatus(await ask(token, "POST", "/denied/late.txt"), 201);
  await assertStatus(await ask(token, "PATCH", "/denied/late.txt", 0, "a"), 204);
  await app.cubby.users.update(user.id, { rules: [deny("/denied")] });
  let again = await app.tokenOf("fallen");
  for (const method of ["HEAD", "PATCH"]) {
    const answer = await ask(again, method, "/denied/late.txt", 1, "bc");
    await assertRefusal(answer, method, 403, "forbidden");
  }
  await app.cubby.users.update(user.id, { rules: [], scope: "/home" });
  again = await app.tokenOf("fallen");
  const moved = await ask(again, "PATCH", "/denied/late.txt", 1, "bc");
  await assertRefused(moved, 404, "not_found");
  for (const folder of ["denied", "home"]) {
    const names = [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name);
    assert.ok(!names.includes("late.txt"), folder);
  }
  for (const name of hiddenIn("denied")) Deno.removeSync(join(app.root, "denied", name));
});

Deno.test("below a rule that came later a user drops an own upload, and an API token does not", async () => {
  const { user, token } = await app.addUser("barred");
  const made = await app.call("POST", "/api/tokens", {
    token,
    json: { name: "sender", write: true, current_password: userPassword },
  });
  const { token: key } = await made.json();
  await assertStatus(await ask(token, "POST", "/denied/barred.txt"), 201);
  await assertStatus(await ask(token, "PATCH", "/denied/barred.txt", 0, "a"), 204);
  const part = partIn("denied");
  await app.cubby.users.update(user.id, { rules: [deny("/denied")] });
  const again = await app.tokenOf("barred");
  await assertRefused(await ask(key, "DELETE", "/denied/barred.txt"), 403, "forbidden");
  for (const path of ["/denied/a.txt", "/denied/none.txt"]) {
    await assertRefused(await ask(again, "DELETE", path), 404, "not_found");
  }
  assert.equal(Deno.readTextFileSync(part), "a");
  await assertStatus(await ask(again, "DELETE", "/denied/barred.txt"), 204);
  assert.deepEqual([...Deno.readDirSync(join(app.root, "denied"))].map(({ name }) => name), [
    "a.txt",
  ]);
  await assertRefused(await ask(again, "DELETE", "/denied/barred.txt"), 404, "not_found");

  await assertStatus(await ask(again, "POST", "/home/barred.txt"), 201);
  await app.cubby.users.update(user.id, { perm: { ...user.perm, create: false } });
  const reader = await app.tokenOf("barred");
  await assertStatus(await ask(reader, "DELETE", "/home/barred.txt"), 204);
  assert.deepEqual(hiddenIn("home"), []);
});

Deno.test("the right to replace is asked for again with the last byte", async () => {
  const { user, token } = await app.addUser("replacer");
  await assertStatus(await ask(token, "POST", "/taken.txt?override=true"), 201);
  await app.cubby.users.update(user.id, { perm: { ...user.perm, modify: false } });
  const again = await app.tokenOf("replacer");
  const answer = await ask(again, "PATCH", "/taken.txt");
  assert.ok([403, 409].includes(answer.status), `${answer.status}`);
  await answer.body?.cancel();
  assert.equal(read("taken.txt"), "former");
  await assertStatus(await ask(again, "DELETE", "/taken.txt"), 204);
});

Deno.test("another user's upload of the same path is neither seen, continued nor dropped", async () => {
  const { token: anna } = await app.addUser("anna");
  const { token: bert } = await app.addUser("bert");
  await assertStatus(await ask(anna, "POST", "/home/both.txt"), 201);
  await assertStatus(await ask(anna, "PATCH", "/home/both.txt", 0, "a"), 204);
  for (const method of calls.slice(1)) {
    await assertRefusal(await ask(bert, method, "/home/both.txt", 1), method, 404, "not_found");
  }
  await assertStatus(await ask(anna, "PATCH", "/home/both.txt", 1, "bc"), 204);
  assert.equal(read("home/both.txt"), "abc");
});

Deno.test("the hidden file of an upload has no address", async () => {
  const admin = await app.tokenOf("admin");
  await assertStatus(await ask(admin, "POST", "/home/veiled.txt"), 201);
  const name = partIn("home").split("/").at(-1);
  for (const method of ["GET", "HEAD"]) {
    for (const call of ["resources", "raw"]) {
      const answer = await app.call(method, `/api/${call}/home/${name}`, { token: admin });
      assert.ok([403, 404].includes(answer.status), `${method} ${call} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  const deleted = await app.call("DELETE", `/api/resources/home/${name}`, { token: admin });
  assert.ok([403, 404].includes(deleted.status), `${deleted.status}`);
  await deleted.body?.cancel();
  const begun = await ask(admin, "POST", `/home/${name}?override=true`);
  assert.ok([400, 403].includes(begun.status), `${begun.status}`);
  await begun.body?.cancel();
  await assertStatus(await ask(admin, "DELETE", "/home/veiled.txt"), 204);
});

Deno.test("a link in place of the part is not followed, and its target stays", async () => {
  const { token } = await app.addUser("lured", { scope: "/home" });
  for (const target of ["../other/secret.txt", "own.txt", "../other/none.txt"]) {
    for (const method of ["PATCH", "DELETE", "HEAD"]) {
      await assertStatus(await ask(token, "POST", "/bait.txt"), 201);
      const part = partIn("home");
      Deno.removeSync(part);
      Deno.symlinkSync(target, part);
      const answer = await ask(token, method, "/bait.txt");
      assert.ok([204, 403, 404].includes(answer.status), `${method} ${answer.status}`);
      assert.ok(method !== "PATCH" || answer.status !== 204, "no byte is taken");
      assert.equal(answer.headers.get("upload-offset"), null);
      await answer.body?.cancel();
      Deno.removeSync(part);
    }
  }
  assert.equal(read("other/secret.txt"), "SECRET");
  assert.equal(read("home/own.txt"), "own");
  assert.throws(() => Deno.lstatSync(join(app.root, "home/bait.txt")), Deno.errors.NotFound);
  assert.throws(() => Deno.lstatSync(join(app.root, "other/none.txt")), Deno.errors.NotFound);
});

Deno.test("another file in place of the part is neither written nor given the name", async () => {
  const { token } = await app.addUser("duped", { scope: "/home" });
  await assertStatus(await ask(token, "POST", "/swap.txt"), 201);
  const part = partIn("home");
  Deno.renameSync(part, join(app.root, "other/kept"));
  Deno.linkSync(join(app.root, "other/secret.txt"), part);
  await assertRefused(await ask(token, "PATCH", "/swap.txt"), 404, "not_found");
  assert.equal(read("other/secret.txt"), "SECRET");
  assert.throws(() => Deno.lstatSync(join(app.root, "home/swap.txt")), Deno.errors.NotFound);
  Deno.removeSync(part);
  Deno.removeSync(join(app.root, "other/kept"));
});

Deno.test("a parent exchanged for a link out of the scope gets no byte and no file", async () => {
  const { token } = await app.addUser("misled", { scope: "/home" });
  await assertStatus(await ask(token, "POST", "/deep/far.txt"), 201);
  Deno.renameSync(join(app.root, "home/deep"), join(app.root, "home/moved"));
  Deno.symlinkSync("../other", join(app.root, "home/deep"));
  for (const method of ["PATCH", "POST"]) {
    await assertRefused(await ask(token, method, "/deep/far.txt"), 403, "forbidden");
  }
  assert.deepEqual([...Deno.readDirSync(join(app.root, "other"))].map(({ name }) => name), [
    "secret.txt",
  ]);
});

Deno.test("a moved or deleted parent is a refusal, and no file appears", async () => {
  const { token } = await app.addUser("left", { scope: "/home" });
  await assertStatus(await ask(token, "POST", "/gone/far.txt"), 201);
  Deno.removeSync(join(app.root, "home/gone"), { recursive: true });
  await assertRefused(await ask(token, "PATCH", "/gone/far.txt"), 404, "not_found");
  assert.throws(() => Deno.lstatSync(join(app.root, "home/gone")), Deno.errors.NotFound);
});
