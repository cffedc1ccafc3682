/** Downloads that nginx sends: with the sample of `deploy/`, and the attacks on it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeName } from "../../../lib/shared/entry_names.ts";
import { startApp } from "../../support/server/app.ts";
import { hasNginx, startOffloadingNginx } from "../../support/services/nginx.ts";

const content = "0123456789".repeat(1_000);
const page = "<script>alert(1)</script>";
/** "caf\xe9.txt" in Latin 1. */
const latin = "caf\uefe9.txt";
const names = [
  "#%?日本 `.txt",
  "a\nb\r.txt",
  "..a",
  "%2e%2e%2f",
  "a+b&c=d.txt",
  "'\"\\.bin",
  latin,
];

const app = await startApp({
  inProcess: true,
  config: {
    trustedProxies: ["127.0.0.1"],
    offload: { kind: "nginx", prefix: "/cubby-offload/" },
  },
  tree: { "a.txt": content, "page.html": page, "clip.mp4": content, sub: { "b.txt": content } },
});
for (const name of names.slice(0, -1)) Deno.writeTextFileSync(join(app.root, name), name);
writeByBytes(latin);
Deno.symlinkSync("sub/b.txt", join(app.root, "inside"));
const outside = await Deno.makeTempDir();
Deno.writeTextFileSync(join(outside, "b.txt"), "secret");
const token = await app.tokenOf("admin");
const { url: direct } = app.listen();

const skip = !hasNginx();
const nginx = skip ? null : await startOffloadingNginx(direct, app.root);
Deno.test.afterAll(async () => {
  await nginx?.[Symbol.asyncDispose]();
  await app.close();
  await Deno.remove(outside, { recursive: true });
});

/** Creates a file whose name is no UTF-8, which Deno cannot: its content is its name here. */
function writeByBytes(name: string): void {
  const path = [...encodeName(join(app.root, name))];
  const quoted = path.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const script = `printf %s "$1" > "$(printf '${quoted}')"`;
  const { success } = new Deno.Command("sh", { args: ["-c", script, "sh", name] }).outputSync();
  assert.ok(success);
}

/** The call of a trusted proxy, answered in this process. */
async function handed(path: string, headers: Record<string, string> = {}, from = "127.0.0.1") {
  const answer = await app.call("GET", path, { token, headers, from });
  const body = await answer.text();
  return { status: answer.status, to: answer.headers.get("x-accel-redirect"), body, answer };
}

function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  return fetch(`${nginx?.url}${path}`, { method, headers: { "x-auth": token, ...headers } });
}

Deno.test("a client that is no trusted proxy gets the content, and no path of the disk", async () => {
  const { status, to, body } = await handed("/api/raw/a.txt", {}, "192.0.2.7");
  assert.deepEqual([status, to, body], [200, null, content]);
});

Deno.test("a refused download is refused before a proxy hears of the file", async () => {
  const cleo = await app.addUser("cleo", { perm: { download: false } });
  const { token: limited } = await app.addUser("dora", {
    rules: [{ regex: false, allow: false, path: "/sub", regexp: { raw: "" } }],
  });
  for (const [path, token] of [["/a.txt", cleo.token], ["/sub/b.txt", limited], ["/a.txt", ""]]) {
    const answer = await app.call("GET", `/api/raw${path}`, { token });
    assert.match(String(answer.status), /^40[13]$/);
    assert.equal(answer.headers.get("x-accel-redirect"), null);
    await answer.body?.cancel();
  }
});

Deno.test("a page that is shown is never left to a proxy, which could drop its sandbox", async () => {
  const shown = await handed("/api/raw/page.html?inline=true");
  assert.deepEqual([shown.to, shown.body], [null, page]);
  assert.match(shown.answer.headers.get("content-security-policy") ?? "", /^sandbox;/);
  assert.equal((await handed("/api/raw/page.html")).to, "/cubby-offload/page.html");
  const clip = await handed("/api/raw/clip.mp4?inline=true");
  assert.deepEqual([clip.to, clip.body], ["/cubby-offload/clip.mp4", ""]);
});

Deno.test("what a proxy would read otherwise is sent by the server itself", async () => {
  const etag = (await handed("/api/raw/a.txt")).answer.headers.get("etag") ?? "";
  const own: Record<string, string>[] = [
    { "if-match": etag },
    { "if-unmodified-since": new Date(Date.now() + 9e6).toUTCString() },
    { range: "bytes=0-1,5-6" },
    { range: "lines=1-2" },
    { range: "bytes=0-1", "if-range": '"other"' },
  ];
  for (const headers of own) {
    const { to, body } = await handed("/api/raw/a.txt", headers);
    assert.deepEqual([to, body !== ""], [null, true], JSON.stringify(headers));
  }
  const past = await handed("/api/raw/a.txt", { range: "bytes=99999-" });
  assert.deepEqual([past.status, past.to], [416, null]);
  assert.equal((await handed("/api/raw/a.txt", { "if-none-match": etag })).status, 304);
});

Deno.test("a download of a share is left to a proxy, once the link and the file are checked", async () => {
  const json = { password: "", expires: "", unit: "hours" };
  const made = await app.call("POST", "/api/share/sub", { token, json });
  const { hash } = await made.json();
  assert.equal(
    (await handed(`/api/public/dl/${hash}/b.txt`)).to,
    "/cubby-offload/sub/b.txt",
  );
  for (const path of [`${hash}/../a.txt`, `${hash}/none`, "none/b.txt"]) {
    const { status, to } = await handed(`/api/public/dl/${path}`);
    assert.deepEqual([status, to], [404, null], path);
  }
});

Deno.test("a file reached through a link is told by the path without it", async () => {
  assert.equal((await handed("/api/raw/inside")).to, "/cubby-offload/sub/b.txt");
});

Deno.test({
  name: "the files below the prefix cannot be asked for from outside",
  ignore: skip,
  async fn() {
    for (const path of ["/cubby-offload/a.txt", "/cubby-offload/", "//cubby-offload/a.txt"]) {
      const answer = await ask(path, { "x-accel-redirect": "/cubby-offload/a.txt" });
      assert.equal(answer.status, 404, path);
      assert.ok(!(await answer.text()).includes(content), path);
    }
  },
});

Deno.test({
  name: "nginx sends whole files and ranges with the headers of the server",
  ignore: skip,
  async fn() {
    for (const path of ["/api/raw/a.txt", "/api/raw/page.html", "/api/raw/clip.mp4?inline=true"]) {
      for (const range of ["", "bytes=10-19", "bytes=-5"]) {
        const headers = { "x-auth": token, ...range && { range } };
        const own = await fetch(`${direct}${path}`, { headers: { ...headers, "if-match": "*" } });
        const answer = await ask(path, headers);
        assert.equal(answer.status, own.status);
        assert.equal(await answer.text(), await own.text());
        assert.equal(answer.headers.get("x-accel-redirect"), null);
        // A 206 implies that ranges are accepted: nginx leaves the header out.
        const other = ["date", "vary", ...range ? ["accept-ranges"] : []];
        for (const [name, value] of own.headers) {
          if (other.includes(name)) continue;
          assert.equal(answer.headers.get(name), value, `${path} ${range} ${name}`);
        }
      }
    }
  },
});

Deno.test({
  name: "nginx answers conditions, If-Range and HEAD as the server does",
  ignore: skip,
  async fn() {
    const head = await ask("/api/raw/a.txt", {}, "HEAD");
    assert.deepEqual([head.status, head.headers.get("content-length")], [200, "10000"]);
    const etag = head.headers.get("etag") ?? "";
    const modified = head.headers.get("last-modified") ?? "";
    const statusOf = async (headers: Record<string, string>) => {
      const answer = await ask("/api/raw/a.txt", headers);
      await answer.body?.cancel();
      return answer.status;
    };
    assert.equal(await statusOf({ "if-none-match": etag }), 304);
    assert.equal(await statusOf({ "if-none-match": '"x"', "if-modified-since": modified }), 200);
    assert.equal(await statusOf({ "if-modified-since": modified }), 304);
    assert.equal(await statusOf({ range: "bytes=0-1", "if-range": etag }), 206);
    assert.equal(await statusOf({ range: "bytes=0-1", "if-range": modified }), 206);
    assert.equal(await statusOf({ range: "bytes=0-1", "if-range": '"x"' }), 200);
    assert.equal(await statusOf({ "if-match": etag }), 200);
    assert.equal(await statusOf({ "if-match": '"x"' }), 412);
  },
});

Deno.test({
  name: "nginx finds files of any name",
  ignore: skip,
  async fn() {
    for (const name of names) {
      const path = `/api/raw/${encodeURIComponent(name)}`;
      assert.match((await handed(path)).to ?? "", /^\/cubby-offload\/[\w.~%-]+$/, name);
      const answer = await ask(path);
      assert.deepEqual([answer.status, await answer.text()], [200, name]);
    }
    const long = "語".repeat(80);
    const deep = join(long, long, long, long);
    Deno.mkdirSync(join(app.root, long, long, long), { recursive: true });
    Deno.writeTextFileSync(join(app.root, deep), "deep");
    const path = `/api/raw/${deep.split("/").map(encodeURIComponent).join("/")}`;
    const answer = await ask(path);
    assert.deepEqual([answer.status, await answer.text()], [200, "deep"]);
  },
});

Deno.test({
  name: "a link that is swapped in after the server has looked does not lead nginx out",
  ignore: skip,
  async fn() {
    const answers: [to: string | null, status: number][] = [];
    const file = join(app.root, "sub", "b.txt");
    const swaps: [swap: () => void, back: () => void][] = [
      [() => {
        Deno.renameSync(file, `${file}.away`);
        Deno.symlinkSync(join(outside, "b.txt"), file);
      }, () => {
        Deno.removeSync(file);
        Deno.renameSync(`${file}.away`, file);
      }],
      [() => {
        Deno.renameSync(join(app.root, "sub"), join(app.root, "away"));
        Deno.symlinkSync(outside, join(app.root, "sub"));
      }, () => {
        Deno.removeSync(join(app.root, "sub"));
        Deno.renameSync(join(app.root, "away"), join(app.root, "sub"));
      }],
    ];
    for (const [swap, back] of swaps) {
      const { to } = await handed("/api/raw/sub/b.txt");
      swap();
      try {
        // Follows the header a moment later, as nginx does.
        const answer = await fetch(`${nginx?.url}/late`, { headers: { "x-late": to ?? "" } });
        assert.ok(!(await answer.text()).includes("secret"));
        answers.push([to, answer.status]);
      } finally {
        back();
      }
    }
    assert.deepEqual(answers, [
      ["/cubby-offload/sub/b.txt", 403],
      ["/cubby-offload/sub/b.txt", 404],
    ]);
    const answer = await fetch(`${nginx?.url}/late`, {
      headers: { "x-late": "/cubby-offload/sub/b.txt" },
    });
    assert.deepEqual([answer.status, await answer.text()], [200, content]);
  },
});
