// With two threads, too: counted bodies, uploads under way.
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, userPassword } from "../../support/server/app.ts";
import { manyFilesBody } from "../../support/data/many_files.ts";
import { requestHead, sendAndHangUp, sendRaw } from "../../support/clients/raw_http.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { former: { "a.txt": "former" }, cut: {} } });
const listener = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const auth = { "x-auth": token };
const asked = await app.call("POST", "/api/request/former", { token, json: {} });
const { hash: requestHash } = await asked.json();
const half = new Uint8Array(300_000).fill(0x61);

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name).sort();
}

/** Waits until only these are left in a folder: the server notices a dead line a moment later. */
async function becomes(folder: string, names: string[]): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && namesIn(folder).join() !== names.join()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.deepEqual(namesIn(folder), names);
}

Deno.test("JSON over 1 MiB, without a session over 16 KiB, is refused, with a length and in chunks", async () => {
  const textOf = (bytes: number) => JSON.stringify({ a: "x".repeat(bytes - '{"a":""}'.length) });
  const limits: [path: string, token: string, limit: number][] = [
    ["/api/login", "", 16 * 1024],
    ["/api/signup", "", 16 * 1024],
    ["/api/public/invite", "", 16 * 1024],
    [`/api/public/request/${requestHash}`, "", 16 * 1024],
    ["/api/ticket", token, 1024 * 1024],
    ["/api/share/former", token, 1024 * 1024],
  ];
  for (const [path, token, limit] of limits) {
    for (const isChunked of [false, true]) {
      const ask = async (bytes: number) => {
        const text = textOf(bytes);
        const body = isChunked ? new Blob([text]).stream() : text;
        const headers = { "x-auth": token, accept: "application/json" };
        return await fetch(listener.url + path, { method: "POST", headers, body });
      };
      await assertRefused(await ask(limit + 1), 413, "body_too_large", path);
      const read = await ask(limit);
      await read.body?.cancel();
      assert.ok(read.status !== 413, path);
    }
  }
});

Deno.test("a length over the limit is refused before the body has come", async () => {
  const head = requestHead("POST", "/api/login", { "content-length": 50_000_000 });
  assert.equal((await sendRaw(listener, head, '{"username":')).status, 413);
});

Deno.test("many files are refused before their body has come: strangers, too much, no right", async () => {
  const { token: weak } = await app.addUser("weak", { perm: { create: false } });
  const asked: [headers: Record<string, string>, bytes: number, status: number][] = [
    [{}, 1000, 401],
    [auth, 2 ** 20 + 1, 413],
    [{ "x-auth": weak }, 1000, 403],
  ];
  for (const [headers, bytes, status] of asked) {
    const head = requestHead("POST", "/api/uploads/cut/", { ...headers, "content-length": bytes });
    assert.equal((await sendRaw(listener, head, '{"files":')).status, status);
  }
  assert.deepEqual(namesIn("cut"), []);
});

Deno.test("many files whose body is cut off before its last byte are none", async () => {
  const body = manyFilesBody([{ path: "a", text: "a" }, { path: "b", text: "b" }]);
  const head = requestHead("POST", "/api/uploads/cut/", { ...auth, "content-length": body.length });
  await sendAndHangUp(listener, 50, head, body.slice(0, -1));
  await becomes("cut", []);
});

Deno.test("JSON that nests deep, or has many values, is refused before it is parsed", async () => {
  const deep = "[".repeat(7_000) + "]".repeat(7_000);
  const many = `[${"{},".repeat(5_400)}0]`;
  for (const body of [deep, "[".repeat(14_000), `{"username":${deep}}`]) {
    await assertRefused(await app.call("POST", "/api/login", { body }), 400, "invalid_body");
  }
  for (const body of [many + many, many.repeat(30)]) {
    await assertRefused(
      await app.call("POST", "/api/ticket", { token, body }),
      400,
      "invalid_body",
    );
  }
});

Deno.test("JSON that names the prototype does no harm", async () => {
  const body = '{"__proto__":{"username":"admin"},"constructor":{},"password":"x"}';
  await assertRefused(await app.call("POST", "/api/login", { body }), 400, "invalid_json");
  assert.equal(Reflect.get({}, "username"), undefined);
});

Deno.test("a password of 100 bytes is not taken for its first 72", async () => {
  const password = "nine otters hold hands below the bridge and sing of 44 pearls".padEnd(72, "!");
  const user = await app.addUser("long");
  await app.cubby.users.update(user.user.id, { password });
  const sign = (password: string) =>
    app.call("POST", "/api/login", { json: { username: "long", password } });
  await assertRefused(await sign(password + "x".repeat(28)), 403, "wrong_credentials");
  await assertRefused(await sign("é".repeat(50)), 403, "wrong_credentials");
  await assertStatus(await sign(password), 200);
  assert.notEqual(password, userPassword);
});

Deno.test("slow bodies keep nobody waiting", async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, () => Deno.connect(listener)));
  const head = requestHead("POST", "/api/login", { "content-length": 1000 });
  for (const socket of sockets) await socket.write(new TextEncoder().encode(`${head}{"user`));
  const start = performance.now();
  await assertStatus(await app.call("GET", "/api/resources/former", { token }), 200);
  await assertStatus(await fetch(`${listener.url}/health`), 200);
  assert.ok(performance.now() - start < 10_000);
  for (const socket of sockets) socket.close();
});

Deno.test("an upload cut at half leaves the former file and nothing behind", async () => {
  const fixed = { ...auth, "content-length": 600_000 };
  const chunked = { ...auth, "transfer-encoding": "chunked" };
  const size = half.length.toString(16);
  for (const [method, query] of [["POST", "?override=true"], ["PUT", ""]] as const) {
    const path = `/api/resources/former/a.txt${query}`;
    await sendAndHangUp(listener, 50, requestHead(method, path, fixed), half);
    await sendAndHangUp(listener, 50, requestHead(method, path, chunked), `${size}\r\n`, half);
  }
  await becomes("former", ["a.txt"]);
  assert.equal(Deno.readTextFileSync(join(app.root, "former/a.txt")), "former");
});

Deno.test("an upload of a new file cut at half, or before its first byte, makes no file", async () => {
  const head = requestHead("POST", "/api/resources/cut/new.bin", {
    ...auth,
    "content-length": 600_000,
  });
  await sendAndHangUp(listener, 50, head, half);
  await sendAndHangUp(listener, 0, head, half);
  await sendAndHangUp(listener, 20, head);
  await becomes("cut", []);
  const answer = await app.call("GET", "/api/resources/cut/new.bin", { token });
  await assertRefused(answer, 404, "not_found");
});

Deno.test("an upload under way is not listed, described or handed out", async () => {
  const socket = await Deno.connect(listener);
  const headers = { ...auth, "content-length": 600_000 };
  const head = requestHead("POST", "/api/resources/cut/big.bin", headers);
  await socket.write(new TextEncoder().encode(head));
  await socket.write(half.subarray(0, 60_000));
  while (namesIn("cut").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

  const [hidden = ""] = namesIn("cut");
  const listing = await (await app.call("GET", "/api/resources/cut", { token })).json();
  assert.deepEqual(listing.items, []);
  for (const path of ["big.bin", encodeURIComponent(hidden)]) {
    for (const call of ["raw", "resources"]) {
      const answer = await app.call("GET", `/api/${call}/cut/${path}`, { token });
      assert.ok([403, 404].includes(answer.status), `${path} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  socket.close();
  await becomes("cut", []);
});

Deno.test("an upload longer than its Content-Length is cut there", async () => {
  const headers = { ...auth, "content-length": 5, "connection": "close" };
  const head = requestHead("POST", "/api/resources/longer.txt", headers);
  const answer = await sendRaw(listener, head, "12345678");
  assert.equal(answer.status, 200);
  assert.equal(Deno.readTextFileSync(join(app.root, "longer.txt")), "12345");
});

Deno.test("an upload with two lengths, or a length and chunks, smuggles no request", async () => {
  const smuggled = "GET /api/resources/former HTTP/1.1\r\nhost: x\r\n\r\n";
  const double = requestHead("POST", "/api/resources/x.txt", { ...auth, "content-length": 5 })
    .replace("\r\n\r\n", "\r\ncontent-length: 6\r\n\r\n");
  assert.equal((await sendRaw(listener, double, "123456")).status, 400);

  const both = requestHead("POST", "/api/resources/y.txt", {
    ...auth,
    "content-length": 4,
    "transfer-encoding": "chunked",
    "connection": "close",
  });
  const answer = await sendRaw(listener, both, `0\r\n\r\n${smuggled}`);
  assert.doesNotMatch(answer.body, /former/);
  assert.ok(!namesIn("").includes("x.txt"));
});

Deno.test("a body that nobody asked for is not taken for the next request", async () => {
  const get = requestHead("GET", "/api/resources/none", { ...auth, "content-length": 6 });
  const next = requestHead("GET", "/health", { connection: "close" });
  using socket = await Deno.connect(listener);
  await socket.write(new TextEncoder().encode(`${get}DELETE${next}`));
  const text = await new Response(socket.readable).text();
  assert.match(text, /^HTTP\/1\.1 404 [^]*HTTP\/1\.1 200 [^]*\{"status":"OK"\}$/);
});
