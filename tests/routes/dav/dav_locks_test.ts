import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { deny } from "../../support/data/rules.ts";
import { halfSent } from "../../support/clients/half_sent.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true },
  tree: { "a.txt": "one", "b.txt": "two", folder: { "c.txt": "C", deep: { "d.txt": "D" } } },
});
Deno.test.afterAll(app.close);

const dav = davClient(app);

/** Locks a path and gives the token, with its angle brackets. */
async function lock(path: string, headers: Record<string, string> = {}, scope = "exclusive") {
  const body = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope>` +
    "<D:locktype><D:write/></D:locktype><D:owner><D:href>tests</D:href></D:owner></D:lockinfo>";
  const answer = await dav("LOCK", path, { headers, body });
  const xml = await answer.text();
  return { status: answer.status, token: answer.headers.get("lock-token") ?? "", xml };
}

async function unlock(path: string, token: string) {
  await assertStatus(await dav("UNLOCK", path, { headers: { "lock-token": token } }), 204, path);
}

Deno.test("LOCK refuses what it cannot read, and what is locked", async () => {
  await assertRefused(await dav("LOCK", "/a.txt", { body: "<a/>" }), 400, "invalid_body");
  assert.equal((await lock("/a.txt", { depth: "1" })).status, 400);
  assert.equal((await lock("/none/x.txt")).status, 409);
  await assertStatus(await dav("LOCK", "/a.txt"), 412, "nothing to refresh");

  const { token } = await lock("/folder");
  for (const path of ["/folder", "/folder/c.txt", "/folder/deep"]) {
    assert.equal((await lock(path)).status, 423, path);
  }
  const inner = await lock("/b.txt");
  assert.equal((await lock("/", {})).status, 423, "something below is locked");
  await unlock("/b.txt", inner.token);
  await unlock("/folder/c.txt", token);
});

Deno.test("a lock is told with its time, and lasts longer when it is refreshed", async () => {
  const { status, token, xml } = await lock("/a.txt", { timeout: "Infinite, Second-600" });
  assert.equal(status, 200);
  assert.match(xml, /<D:timeout>Second-600<\/D:timeout>/);
  assert.match(xml, /<D:owner><D:href>tests<\/D:href><\/D:owner>/);
  assert.match(xml, /<D:lockroot><D:href>\/dav\/a.txt<\/D:href><\/D:lockroot>/);
  const refreshed = await dav("LOCK", "/a.txt", {
    headers: { if: `(${token})`, timeout: "Second-9999999" },
  });
  assert.match(await refreshed.text(), /Second-3600/);
  assert.equal(refreshed.headers.get("lock-token"), null, "it is of new locks");
  // A refresh has no depth of its own.
  for (const depth of ["0", "1", "infinity"]) {
    const again = await dav("LOCK", "/a.txt", { headers: { if: `(${token})`, depth } });
    await assertStatus(again, 200, depth);
  }
  await unlock("/a.txt", token);
});

Deno.test("a refusal names the locks in the way, as the user may see them", async () => {
  const { token } = await lock("/folder/deep/d.txt");
  const hrefs = async (answer: Response) => {
    assert.equal(answer.status, 423);
    return [...(await answer.text()).matchAll(/<D:href>([^<]*)<\/D:href>/g)].map(([, href]) =>
      href
    );
  };
  assert.deepEqual(await hrefs(await dav("DELETE", "/folder")), ["/dav/folder/deep/d.txt"]);
  const headers = { destination: "/dav/moved" };
  const moved = await dav("MOVE", "/folder", { headers });
  assert.deepEqual(await hrefs(moved), ["/dav/folder/deep/d.txt"]);
  const conflict = await lock("/folder");
  assert.match(conflict.xml, /<D:no-conflicting-lock><D:href>\/dav\/folder\/deep\/d.txt</);
  const { user } = await app.addUser("lu", { rules: [deny("/folder/deep")] });
  const lu = davClient(app, user.username);
  assert.deepEqual(await hrefs(await lu("DELETE", "/folder")), ["/dav/folder"]);
  await unlock("/folder/deep/d.txt", token);
});

Deno.test("tokens of another user, and states of unmapped addresses, count for nothing", async () => {
  const { user } = await app.addUser("mo");
  const mo = davClient(app, user.username);
  const { token } = await lock("/b.txt");
  const put = async (as: typeof dav, value: string, path = "/b.txt") => {
    const answer = await as("PUT", path, { body: "two", headers: { if: value } });
    await answer.body?.cancel();
    return answer.status;
  };
  assert.equal(await put(mo, `(${token})`), 412);
  assert.equal(await put(mo, `(${token}) (Not <DAV:no-lock>)`), 423);
  await assertStatus(await mo("UNLOCK", "/b.txt", { headers: { "lock-token": token } }), 409);
  await assertStatus(await mo("LOCK", "/b.txt", { headers: { if: `(${token})` } }), 412);
  assert.equal(await put(dav, '<http://cubby.test/dav/none> (["x"])'), 412);
  assert.equal(await put(dav, `<http://cubby.test/dav/none> (Not ["x"]) <b> (${token})`), 204);
  assert.equal(await put(dav, `<http://cubby.test/dav/folder/> (["x"])`), 412);
  assert.equal(await put(dav, `<http://cubby.test/dav/b.txt> (${token})`), 204);
  assert.equal(await put(dav, `<http://cubby.test/dav/b.txt> (${token} <urn:other>)`), 412);
  assert.equal(await put(dav, `</dav/a.txt> (Not <urn:x>) </dav/b.txt> (${token})`), 204);
  await unlock("/b.txt", token);
});

Deno.test("a lock ends when its time is over", async () => {
  await lock("/b.txt", { timeout: "Second-1" });
  await assertStatus(await dav("PUT", "/b.txt", { body: "x" }), 423);
  const [{ key, value } = { key: [], value: {} }] = await app.cubby.store.list(["dav_locks"]);
  const over = { ...value as object, expires: 1 };
  await app.cubby.store.atomic((operation) => operation.set(key, over));
  await assertStatus(await dav("PUT", "/b.txt", { body: "two" }), 204);
  await app.cubby.locks?.removeExpired();
  assert.deepEqual(await app.cubby.store.list(["dav_locks"]), []);
});

Deno.test("without its token, nothing changes what is locked", async () => {
  const { token } = await lock("/folder");
  const destination = "/dav/folder/c.txt";
  for (
    const [method, path, headers] of [
      ["PUT", "/folder/c.txt", {}],
      ["PUT", "/folder/new.txt", {}],
      ["MKCOL", "/folder/new", {}],
      ["DELETE", "/folder", {}],
      ["DELETE", "/folder/deep/d.txt", {}],
      ["PROPPATCH", "/folder/c.txt", {}],
      ["COPY", "/a.txt", { destination }],
      ["MOVE", "/a.txt", { destination }],
      ["MOVE", "/folder/c.txt", { destination: "/dav/moved.txt" }],
    ] as const
  ) {
    const body = method === "PROPPATCH"
      ? '<propertyupdate xmlns="DAV:"><set><prop><a xmlns="x:"/></prop></set></propertyupdate>'
      : undefined;
    await assertStatus(await dav(method, path, { headers: { ...headers }, body }), 423, method);
  }
  const headers = { if: `<http://cubby.test/dav/folder> (${token})` };
  await assertStatus(await dav("PUT", "/folder/c.txt", { body: "C", headers }), 204);
  await assertStatus(await dav("COPY", "/folder", { headers: { destination: "/dav/f" } }), 201);
  await assertStatus(await dav("DELETE", "/f"), 204, "the copy is not locked");
  await unlock("/folder", token);
});

Deno.test("a lock of depth 0 keeps a folder's names, and lets its files change", async () => {
  const { token } = await lock("/folder", { depth: "0" });
  await assertStatus(await dav("PUT", "/folder/c.txt", { body: "C" }), 204);
  await assertStatus(await dav("PUT", "/folder/n.txt", { body: "n" }), 423);
  await assertStatus(await dav("DELETE", "/folder/c.txt"), 423);
  await unlock("/folder", token);
});

Deno.test("shared locks are held by several, and one of them is enough to write", async () => {
  const one = await lock("/a.txt", {}, "shared");
  const other = await lock("/a.txt", {}, "shared");
  assert.deepEqual([one.status, other.status], [200, 200]);
  assert.equal((await lock("/a.txt")).status, 423);
  await assertStatus(await dav("PUT", "/a.txt", { body: "x" }), 423);
  const headers = { if: `(${other.token})` };
  await assertStatus(await dav("PUT", "/a.txt", { body: "one", headers }), 204);
  for (const { token } of [one, other]) await unlock("/a.txt", token);
});

Deno.test("LOCK at a free name makes an empty file, which goes with its lock when deleted", async () => {
  const { status, token } = await lock("/fresh.txt");
  assert.equal(status, 201);
  assert.equal(await (await dav("GET", "/fresh.txt")).text(), "");
  await assertStatus(await dav("DELETE", "/fresh.txt"), 423);
  await assertStatus(await dav("DELETE", "/fresh.txt", { headers: { if: `(${token})` } }), 204);
  assert.equal((await app.cubby.locks?.all())?.length, 0);
});

Deno.test("the conditions of If hold for tokens and for states of the file", async () => {
  const etag = (await dav("HEAD", "/a.txt")).headers.get("etag") ?? "";
  const put = async (value: string) =>
    (await dav("PUT", "/a.txt", { body: "one", headers: { if: value } })).status;
  assert.equal(await put(`([${etag}])`), 204);
  assert.equal(await put(`([${etag}])`), 412, "it has changed");
  assert.equal(await put('(["other"]) (Not ["other"])'), 204);
  assert.equal(await put("(<DAV:no-lock>)"), 412);
  assert.equal(await put("(Not <DAV:no-lock>)"), 204);
  assert.equal(await put('<http://evil.test/a> (Not <DAV:no-lock> ["x"])'), 412);
  for (const broken of ["", "(", "()", "(<a>", "<a>", "x", "(Not)", "(Not Not <a>)", "[<a>]"]) {
    assert.equal(await put(broken), 400, broken);
  }
});

Deno.test("of many locks asked for at once, one is granted", async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => lock("/b.txt")));
  const granted = all.filter(({ status }) => status === 200);
  assert.equal(granted.length, 1);
  await unlock("/b.txt", granted[0]?.token ?? "");
});

Deno.test("the pages and the API refuse to change what a program has locked", async () => {
  const token = await app.tokenOf("admin");
  const { token: held } = await lock("/folder");
  const call = (method: string, path: string, body?: string) =>
    app.call(method, `/api/resources${path}`, { token, body });
  for (
    const [method, path] of [
      ["PUT", "/folder/c.txt"],
      ["POST", "/folder/c.txt?override=true"],
      ["DELETE", "/folder/c.txt"],
      ["DELETE", "/folder"],
      ["PATCH", "/folder/c.txt?action=rename&destination=/x.txt"],
      ["PATCH", "/a.txt?action=copy&destination=/folder/x.txt"],
    ] as const
  ) {
    const body = method === "PUT" || method === "POST" ? "x" : undefined;
    await assertRefused(await call(method, path, body), 423, "locked", `${method} ${path}`);
  }
  await assertStatus(await call("GET", "/folder/c.txt"), 200);
  await unlock("/folder", held);
  await assertStatus(await call("PUT", "/folder/c.txt", "C"), 200);
});

Deno.test("a lock that is taken while a body still comes is not written over", async () => {
  const session = await app.tokenOf("admin");
  const late = join(app.root, "late");
  await Deno.mkdir(late);
  await Deno.writeTextFile(join(late, "f.txt"), "former");
  const friend = await app.addUser("friend");
  const made = await app.call("POST", "/api/share/late", {
    token: session,
    json: { audience: [{ name: "friend", may: "edit" }] },
  });
  const { hash } = await made.json();
  const listed = () => [...Deno.readDirSync(late)].map(({ name }) => name).toSorted();
  for (
    const [method, path, locked] of [
      ["PUT", "/dav/late/f.txt", "/late/f.txt"],
      ["PUT", "/dav/late/new.txt", "/late/new.txt"],
      ["PUT", "/dav/late/other.txt", "/late"],
      ["PUT", "/api/resources/late/f.txt", "/late/f.txt"],
      ["PUT", "/api/resources/late/f.txt?encoding=utf-8", "/late/f.txt"],
      ["POST", "/api/resources/late/f.txt?override=true", "/late/f.txt"],
      ["POST", "/api/resources/late/new.txt?override=true", "/late/new.txt"],
      ["PUT", `/api/public/share/${hash}/f.txt`, "/late/f.txt"],
    ] as const
  ) {
    let token = "";
    const body = halfSent(late, async () => {
      token = (await lock(locked, locked === "/late" ? { depth: "0" } : {})).token;
    });
    const answer = path.startsWith("/dav")
      ? await dav(method, path.slice("/dav".length), { body })
      : await app.call(method, path, {
        token: path.startsWith("/api/public") ? friend.token : session,
        body,
      });
    await assertStatus(answer, 423, `${method} ${path}`);
    assert.equal(await Deno.readTextFile(join(late, "f.txt")), "former", path);
    // LOCK made an empty file at the free name; the upload has left nothing of its own.
    const isNew = locked === "/late/new.txt";
    assert.deepEqual(listed(), isNew ? ["f.txt", "new.txt"] : ["f.txt"], path);
    if (isNew) {
      assert.equal(Deno.statSync(join(late, "new.txt")).size, 0);
      const headers = { if: `(${token})` };
      await assertStatus(await dav("DELETE", locked, { headers }), 204);
    } else await unlock(locked, token);
  }
  // The same program's own lock is no obstacle.
  const { token } = await lock("/late/f.txt");
  const headers = { if: `(${token})` };
  const body = halfSent(late, () => Promise.resolve());
  await assertStatus(await dav("PUT", "/late/f.txt", { headers, body }), 204);
  await unlock("/late/f.txt", token);
});
