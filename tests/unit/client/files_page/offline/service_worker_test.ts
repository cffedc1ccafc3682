import assert from "node:assert/strict";
import {
  retiredWorker,
  serviceWorker,
  type WorkerSetup,
} from "../../../../../lib/client/files_page/offline/service_worker.ts";
import { FakeScope, ORIGIN } from "./fake_scope.ts";

const forEver = { "cache-control": "public, max-age=31536000, immutable" };

function started(base = "", build = "one"): FakeScope {
  const fake = new FakeScope();
  const setup: WorkerSetup = {
    base,
    build,
    kept: [`${base}/offline`, `${base}/styles.css?b=${build}`],
    offline: "/offline",
    shareTarget: "/share-target",
    shared: `cubby${base}:shared`,
    sharedMs: 600_000,
  };
  fake.network = ({ url }) =>
    url.endsWith("/offline")
      ? new Response("offline", { headers: { "x-look": "en" } })
      : new Response(url, { headers: forEver });
  serviceWorker(fake.scope, setup);
  return fake;
}

const offNetwork = () => {
  throw new TypeError("Failed to fetch");
};

for (const base of ["", "/base"]) {
  Deno.test(`without a server a page is the offline page, with one it is the page (${base || "/"})`, async () => {
    const fake = started(base);
    await fake.live("install");
    fake.network = () => new Response("the page", { headers: { "content-security-policy": "x" } });
    const ask = async () => {
      const answer = await fake.ask(`${base}/files/a%20b`, { navigates: true });
      return await answer?.text();
    };
    assert.equal(await ask(), "the page");
    fake.network = offNetwork;
    assert.equal(await ask(), "offline");
  });
}

Deno.test("a proxy that misses the server is told from the server's own errors", async () => {
  const fake = started();
  await fake.live("install");
  const status = async (status: number, headers: HeadersInit) => {
    fake.network = () => new Response("error", { status, headers });
    return await (await fake.ask("/files/", { navigates: true }))?.text();
  };
  assert.equal(await status(502, {}), "offline");
  assert.equal(await status(504, { "content-security-policy": "default-src" }), "error");
  assert.equal(await status(404, {}), "error");
});

Deno.test("files of a build are kept, everything else goes by", async () => {
  const fake = started();
  await fake.live("install");
  for (const path of ["/_fresh/js/one/a.js", "/icons/icon-192.png", "/late.css?b=one"]) {
    assert.ok(await fake.ask(path), path);
  }
  fake.network = offNetwork;
  assert.equal(
    await (await fake.ask("/_fresh/js/one/a.js"))?.text(),
    `${ORIGIN}/_fresh/js/one/a.js`,
  );
  for (const path of ["/api/resources/", "/api/raw/styles.css", "/files/a.css", "/health"]) {
    assert.equal(await fake.ask(path), null, path);
  }
  assert.equal(await fake.ask("/api/raw/a.zip", { navigates: true }), null, "a download");
  assert.equal(await fake.ask("/api/resources/a", { method: "PUT", body: "x" }), null);
  assert.equal(await fake.ask("https://other.test/a.js"), null);
});

Deno.test("a new build's worker removes what the former one kept, and nothing of other sites", async () => {
  const fake = started("", "two");
  for (const name of ["cubby:one", "cubby/base:one", "else"]) await fake.caches.open(name);
  await fake.live("install");
  await fake.live("activate");
  assert.deepEqual([...fake.caches.all.keys()].sort(), ["cubby/base:one", "cubby:two", "else"]);
  assert.ok(fake.claimed);
});

Deno.test("the offline page is read again when the user's language changes", async () => {
  const fake = started();
  await fake.live("install");
  fake.network = () => new Response("déconnecté", { headers: { "x-look": "fr" } });
  await fake.live("message", "en");
  fake.network = offNetwork;
  assert.equal(await (await fake.ask("/files/", { navigates: true }))?.text(), "offline");
  fake.network = () => new Response("déconnecté", { headers: { "x-look": "fr" } });
  await fake.live("message", "fr");
  fake.network = offNetwork;
  assert.equal(await (await fake.ask("/files/", { navigates: true }))?.text(), "déconnecté");
});

Deno.test("shared files are kept by their names until they are taken, and replace former ones", async () => {
  const fake = started("/base");
  const share = async (...files: File[]) => {
    const body = new FormData();
    for (const file of files) body.append("files", file);
    return await fake.ask("/base/share-target", { method: "POST", body });
  };
  await share(new File(["old"], "old.jpg"), new File(["old"], "old too.jpg"));
  const answer = await share(new File(["new"], "#%?日本 `.jpg", { type: "image/jpeg" }));
  assert.equal(answer?.status, 303);
  assert.equal(answer.headers.get("location"), `${ORIGIN}/base/files/?shared=files`);
  assert.deepEqual(fake.caches.paths("cubby/base:shared"), ["/base/share-target/0"]);
  const kept = await (await fake.caches.open("cubby/base:shared")).match("/base/share-target/0");
  assert.equal(await kept?.text(), "new");
  assert.equal(decodeURIComponent(kept?.headers.get("x-name") ?? ""), "#%?日本 `.jpg");
});

Deno.test("what cannot be taken is told, and nothing of it stays", async () => {
  const fake = started();
  const answer = await fake.ask("/share-target", { method: "POST", body: "no form" });
  assert.equal(answer?.headers.get("location"), `${ORIGIN}/files/?shared=failed`);
  assert.equal(await fake.caches.has("cubby:shared"), false);
});

Deno.test("a retired worker removes what was kept, and itself", async () => {
  const fake = new FakeScope();
  retiredWorker(fake.scope, { base: "" });
  for (const name of ["cubby:one", "cubby:shared", "cubby/base:one"]) await fake.caches.open(name);
  await fake.live("install");
  await fake.live("activate");
  assert.deepEqual([...fake.caches.all.keys()], ["cubby/base:one"]);
  assert.ok(fake.unregistered);
});
