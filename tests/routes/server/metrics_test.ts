import assert from "node:assert/strict";
import { startApp, userPassword } from "../../support/server/app.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";
import { samplesOf } from "../../support/data/metrics.ts";

const token = "scrape-0123456789abcdef";
const app = await startApp({
  inProcess: true,
  config: { metricsToken: token },
  tree: { "a.txt": "one", folder: {} },
});
const off = await startApp({ inProcess: true });
Deno.test.afterAll(async () => {
  await app.close();
  await off.close();
});

function scrape(headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
  return app.call("GET", "/api/metrics", { headers });
}

async function samples(): Promise<Map<string, number>> {
  return samplesOf(await (await scrape()).text());
}

Deno.test("metrics are nowhere without a token at the start", async () => {
  const headers = { authorization: `Bearer ${token}` };
  for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
    const answer = await off.call(method, "/api/metrics", { headers });
    const unknown = await off.call(method, "/api/metricz", { headers });
    assert.equal(answer.status, 404);
    assert.equal(await answer.text(), await unknown.text());
    assert.deepEqual([...answer.headers], [...unknown.headers]);
  }
});

Deno.test("metrics refuse any other proof than their own token", async () => {
  const session = await app.tokenOf("admin");
  const wrong: Record<string, string>[] = [
    {},
    { authorization: "Bearer" },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Bearer ${token} x` },
    { authorization: token },
    { authorization: `Basic ${btoa(`x:${token}`)}` },
    { authorization: `Bearer ${session}` },
    { "x-auth": session },
    { "x-auth": token },
    { cookie: `auth=${session}` },
  ];
  for (const headers of wrong) {
    const answer = await scrape(headers);
    assert.equal(answer.status, 401, JSON.stringify(headers));
    assert.equal((await answer.json()).code, "not_signed_in");
  }
  const inQuery = await app.call("GET", `/api/metrics?auth=${token}&token=${token}`);
  assert.equal(inQuery.status, 401);
  await inQuery.body?.cancel();
  const written = await app.call("POST", "/api/metrics", {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(written.status, 405);
  await written.body?.cancel();
});

Deno.test("the metrics' token opens nothing else", async () => {
  const proofs: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { "x-auth": token },
  ];
  for (const headers of proofs) {
    const answer = await app.call("GET", "/api/resources/", { headers });
    assert.equal(answer.status, 401);
    await answer.body?.cancel();
  }
});

Deno.test("metrics are in the text format, with each family told once, before its samples", async () => {
  const answer = await scrape();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const all = samplesOf(await answer.text());
  assert.ok((all.get("process_resident_memory_bytes") ?? 0) > 1e7);
  assert.ok((all.get("process_open_fds") ?? 0) > 3);
  assert.equal([...all.keys()].filter((name) => name.startsWith("cubby_info{")).length, 1);
});

Deno.test("requests are counted by the patterns of their routes, never by paths", async () => {
  const session = await app.tokenOf("admin");
  const before = await samples();
  for (const path of ["/api/raw/a.txt", "/api/raw/none%22%0A.txt", "/api/resources/folder/"]) {
    await (await app.call("GET", path, { token: session })).body?.cancel();
  }
  const after = await samples();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const requests = (route: string, status: string) =>
    grown(`cubby_requests_total{route="${route}",method="GET",status="${status}"}`);
  assert.equal(requests("/api/raw/*", "2xx"), 1);
  assert.equal(requests("/api/raw/*", "4xx"), 1);
  assert.equal(requests("/api/resources/*", "2xx"), 1);
  const timed = 'cubby_request_duration_seconds_count{route="/api/raw/*"}';
  assert.equal(grown(timed), 2);
  assert.equal(grown('cubby_request_duration_seconds_bucket{route="/api/raw/*",le="+Inf"}'), 2);
  assert.ok(grown("cubby_response_body_bytes_total") >= 3);
  assert.ok(![...after.keys()].some((name) => name.includes("none") || name.includes("folder")));
});

Deno.test("uploads, passwords, sessions and writes of the store are counted", async () => {
  const { token: session } = await app.addUser("dora");
  const before = await samples();
  const upload = await app.call("POST", "/api/resources/new.txt", {
    token: session,
    body: "12345",
  });
  assert.equal(upload.status, 200);
  for (const password of [userPassword, "wrong wrong wrong"]) {
    const json = { username: "dora", password };
    await (await app.call("POST", "/api/login", { json })).body?.cancel();
  }
  const after = await samples();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  assert.equal(grown("cubby_uploads_total"), 1);
  assert.equal(grown("cubby_uploaded_bytes_total"), 5);
  assert.equal(grown('cubby_password_checks_total{result="right"}'), 1);
  assert.equal(grown('cubby_password_checks_total{result="wrong"}'), 1);
  assert.equal(grown("cubby_sessions_opened_total"), 1);
  assert.ok(grown("cubby_store_commit_duration_seconds_count") > 0);
});

Deno.test("every scrape tells of all threads, and their logs are JSON if that is wanted", async () => {
  const flags = ["--metrics-token", token, "--log-format", "json"];
  await using server = await startServer({ workers: 2, flags });
  const asks = async () => {
    const answer = await fetch(`${server.url}/api/metrics`, {
      headers: { authorization: `Bearer ${token}`, connection: "close" },
    });
    assert.equal(answer.status, 200);
    return samplesOf(await answer.text());
  };
  const count = 40;
  for (let index = 0; index < count; index++) {
    const answer = await fetch(`${server.url}/health`, { headers: { connection: "close" } });
    await answer.body?.cancel();
  }
  const name = 'cubby_requests_total{route="/health",method="GET",status="2xx"}';
  for (let index = 0; index < 6; index++) {
    const all = await asks();
    assert.equal(all.get(name), count);
    assert.equal(all.get("cubby_threads"), 2);
    assert.ok((all.get("process_resident_memory_bytes") ?? 0) > 1e7);
    const open = [...Deno.readDirSync(`/proc/${server.pid}/fd`)].length;
    assert.ok(Math.abs((all.get("process_open_fds") ?? 0) - open) < 10);
  }
  const log = await logOf(server, count);
  const requests = log.filter(({ event, path }) => event === "request" && path === "/health");
  assert.equal(requests.length, count);
  for (const { status, method, address, level, ms } of requests) {
    assert.deepEqual([status, method, address, level], [200, "GET", "127.0.0.1", "info"]);
    assert.equal(typeof ms, "number");
  }
  assert.ok(log.some(({ message }) => /^Listening on /.test(message)));
});

/** What a line of the log may have. */
type LogEntry = { message: string; event: string; path: string } & Record<string, unknown>;

/** The log, once it has so many lines: they are written in batches. */
async function logOf(server: RunningServer, count: number): Promise<LogEntry[]> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    // The launcher tells of a build in plain text, if it makes one.
    const all = server.output().split("\n").slice(0, -1);
    const lines = all.slice(all.findIndex((line) => line.startsWith("{")));
    if (lines.length > count + 6) return lines.map((line) => JSON.parse(line));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The log lacks lines:\n${server.output()}`);
}
