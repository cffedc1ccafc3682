import assert from "node:assert/strict";
import { forgetPeak, peakBytes } from "../../support/probes/processes.ts";
import { requestHead } from "../../support/clients/raw_http.ts";
import { SlowReaders } from "../../support/clients/slow_readers.ts";
import { startServer } from "../../support/server/server.ts";

/** Clients that ask for a list at a time, and read nothing of it. */
const readers = 40;

/** Most memory of the server, in bytes. */
const maxMemoryBytes = 400 * 2 ** 20;

/** Records of each list, and the path in each: of a share it may have half as many bytes as a record. */
const count = 400;
const path = `/${`${"a".repeat(250)}/`.repeat(58)}file.txt`;

const server = await startServer();
Deno.test.afterAll(async () => void await server.stop());
const { hostname, port } = new URL(server.url);
const login = JSON.stringify({ username: server.username, password: server.password });
const token = await (await fetch(`${server.url}/api/login`, { method: "POST", body: login }))
  .text();
await send(
  "PUT",
  "/api/settings",
  JSON.stringify({ audit: { level: "changes", days: 365 }, current_password: server.password }),
);
await send("POST", `/api/resources${path}`, "new");
for (let done = 0; done < count; done++) {
  await send("PUT", `/api/resources${path}`, String(done));
  await send("POST", `/api/share${path}`, "{}");
}

async function send(method: string, path: string, body?: string) {
  const answer = await fetch(server.url + path, { method, headers: { "x-auth": token }, body });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path.slice(0, 80)}: ${answer.status}`);
  return { text, link: answer.headers.get("link") ?? "" };
}

/** Waits until each reader has an answer. */
async function untilAnswered(slow: SlowReaders): Promise<number[]> {
  const deadline = Date.now() + 90_000;
  while (Date.now() < deadline) {
    const statuses = slow.statuses();
    if (!statuses.includes(0)) return statuses;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The readers have ${slow.statuses()}`);
}

const lists = [
  "/api/shares",
  "/api/shares?limit=1000",
  "/api/trash?all=true",
  "/api/audit?limit=500",
];

for (const list of lists) {
  Deno.test(`${readers} slow readers of ${list} with long paths take bounded memory`, async () => {
    forgetPeak(server.pid);
    using slow = new SlowReaders({ hostname, port: Number(port) });
    const head = requestHead("GET", list, { "x-auth": token });
    for (let count = 0; count < readers; count++) slow.add(head);
    const statuses = await untilAnswered(slow);
    assert.ok(statuses.every((status) => status === 200), `${statuses}`);
    const peak = peakBytes(server.pid);
    assert.ok(peak < maxMemoryBytes, `${Math.round(peak / 2 ** 20)} MiB`);
  });
}

Deno.test("a list of long paths has all items, as a whole and page by page", async () => {
  const hashesIn = (json: string) => JSON.parse(json).map(({ hash }: { hash: string }) => hash);
  const whole: string[] = hashesIn((await send("GET", "/api/shares")).text);
  const paged: string[] = [];
  for (let next: string | undefined = "?limit=1000"; next !== undefined;) {
    const { text, link } = await send("GET", `/api/shares${next}`);
    paged.push(...hashesIn(text));
    next = /^<(.*)>; rel="next"$/.exec(link)?.[1];
  }
  assert.equal(new Set(whole).size, count);
  assert.deepEqual(paged, whole);
});

for (const list of ["trash", "audit"]) {
  Deno.test(`the pages of /api/${list} with long paths have all records`, async () => {
    const seen = new Set<unknown>();
    let from = "";
    for (let isLast = false; !isLast;) {
      const page = JSON.parse((await send("GET", `/api/${list}?all=true${from}`)).text);
      const former = seen.size;
      for (const { id, seq } of page.items ?? page.records) seen.add(id ?? seq);
      assert.ok(seen.size > former, "the pages do not end");
      from = `&before=${page.next}`;
      isLast = page.next === null;
    }
    assert.ok(seen.size >= count, `${seen.size}`);
  });
}
