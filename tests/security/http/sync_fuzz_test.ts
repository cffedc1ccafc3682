// Requests of sync clients besides XML that no client sends: refused, or answered, in bounded time.
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { character, fc, runs } from "../../support/run/property.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: { "a.txt": "one", "a.png": "no picture", folder: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);
const { username, password } = app.admin;
const authorization = basic(username, password);
const dav = "/remote.php/dav";

/** The longest that a hostile request may take, in milliseconds, beside other tests. */
const maxMs = 5_000;

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** Makes a request, and fails unless it is answered as it should be. */
async function send({ method, path, headers = {}, body }: Sent): Promise<number> {
  const begun = performance.now();
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const length = bytes && { "content-length": String(bytes.length) };
  const answer = await app.call(method, path, {
    headers: { authorization, ...length, ...headers },
    body: bytes,
  });
  const text = await answer.text();
  const ms = performance.now() - begun;
  const told = `${method} ${path} ${answer.status} in ${ms} ms: ${text.slice(0, 300)}`;
  assert.ok(answer.status < 500, told);
  assert.ok(ms < maxMs, told);
  assert.ok(text.length < 2 ** 20, told);
  assert.ok(!/\bat .*\.tsx?:\d+/.test(text), told);
  return answer.status;
}

const some = fc.string({ unit: character, maxLength: 30 });
const odd = fc.oneof(
  some,
  fc.constantFrom(
    ...["", "-1", "0", "00", "1e9", "NaN", "null", "__proto__", "constructor", "%", "%zz", "%00"],
    ...["..", ".", "../..", "a/b", "999999999999999999999", "é", "\u202e", "x".repeat(3_000)],
    ...["{}", "[]", "<a/>", "a;b", "a,b", "true", "1.5", "+1", " 1 ", "0x10", "json", "xml"],
  ),
);
/** A text as a part of an address, encoded or nearly so. */
const segment = fc.oneof(
  odd.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom("%", "%zz", "%ff", "%00", "%2e%2e", "%2f", "..;", "a%2fb", "a%5cb", "~", "%25"),
);

Deno.test("calls of OCS with any query, header and body are refused or answered", async () => {
  const calls = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "PROPFIND"),
    version: fc.constantFrom("v1.php", "v2.php", "v3.php", "v2.php/"),
    call: fc.constantFrom(
      ...[
        "cloud/capabilities",
        "cloud/user",
        "cloud/users",
        "cloud/users/",
        "core/navigation/apps",
      ],
      ...["apps/files_sharing/api/v1/shares", "apps/files_sharing/api/v1/sharees", "config"],
      ...["apps/files_sharing/api/v1/shares/1", "apps/notifications/api/v2/notifications", ""],
    ),
    more: fc.option(segment),
    query: fc.array(
      fc.tuple(
        fc.constantFrom("format", "path", "search", "itemType", "page", "perPage", "reshares", "x"),
        segment,
      ),
      { maxLength: 4 },
    ),
    type: fc.constantFrom(
      ...[
        "application/json",
        "application/x-www-form-urlencoded",
        "text/xml",
        "multipart/form-data",
      ],
    ),
    body: fc.option(fc.oneof(
      fc.json({ maxDepth: 3 }),
      odd,
      fc.array(fc.tuple(fc.constantFrom("path", "shareType", "permissions", "shareWith"), odd))
        .map((pairs) => new URLSearchParams(pairs).toString()),
    )),
    ocs: fc.constantFrom("true", "false", "1", ""),
    accept: fc.constantFrom("application/json", "application/xml", "*/*", "", "a/b;q=x"),
  });
  await fc.assert(
    fc.asyncProperty(calls, async ({ method, version, call, more, query, type, body, ...rest }) => {
      const end = more === null ? "" : `/${more}`;
      const asked = query.map(([name, value]) => `${name}=${value}`).join("&");
      const hasBody = body !== null && !["GET", "HEAD"].includes(method);
      await send({
        method,
        path: `/ocs/${version}/${call}${end}?${asked}`,
        headers: {
          ...{ "ocs-apirequest": rest.ocs, accept: rest.accept },
          ...hasBody && { "content-type": type },
        },
        ...hasBody && { body: body.toWellFormed() },
      });
    }),
    { numRuns: runs(600) },
  );
});

Deno.test("the sign-in of clients takes any body and query, and gives nothing away", async () => {
  const asked = fc.record({
    path: fc.constantFrom("/index.php/login/v2", "/index.php/login/v2/poll", "/login/v2/poll"),
    query: segment,
    body: fc.oneof(odd, odd.map((text) => `token=${encodeURIComponent(text.toWellFormed())}`)),
    agent: fc.string({ maxLength: 300 }).map((text) => text.replace(/[^\x20-\x7e]/g, "").trim()),
  });
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, query, body, agent }) => {
      // One address has at most a hundred that wait.
      if (path.endsWith("v2") && ++begun > 60) return;
      const status = await send({
        method: "POST",
        path: `${path}?token=${query}`,
        headers: { "user-agent": agent, authorization: "" },
        body: body.toWellFormed(),
      });
      assert.ok(path.endsWith("poll") ? status >= 400 : [200, 404, 413, 429].includes(status));
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("uploads in chunks with any names, lengths and destinations are refused or answered", async () => {
  const number = fc.oneof(fc.integer().map(String), odd)
    .map((text) => text.toWellFormed().replace(/[^\x20-\x7e]/g, "").trim());
  const asked = fc.record({
    method: fc.constantFrom("MKCOL", "PUT", "MOVE", "DELETE", "PROPFIND"),
    names: fc.array(fc.oneof(segment, fc.constantFrom("1", "2", ".file", "00001", "0-5")), {
      maxLength: 3,
    }),
    destination: fc.option(fc.oneof(
      segment.map((name) => `http://cubby.test${dav}/files/${username}/${name}`),
      number,
    )),
    total: fc.option(number),
    offset: fc.option(number),
    mtime: fc.option(number),
    checksum: fc.option(fc.oneof(number, fc.constantFrom("SHA1:", "SHA1:zz", "MD5:0", ":", "X:1"))),
    body: fc.option(fc.string({ maxLength: 40 })),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ method, names, destination, body, ...numbers }) => {
      await send({
        method,
        path: `${dav}/uploads/${username}/${names.join("/")}`,
        headers: {
          depth: "1",
          ...destination !== null && { destination: destination.trim() },
          ...numbers.total !== null && { "oc-total-length": numbers.total },
          ...numbers.offset !== null && { "oc-chunk-offset": numbers.offset },
          ...numbers.mtime !== null && { "x-oc-mtime": numbers.mtime, "x-oc-ctime": numbers.mtime },
          ...numbers.checksum !== null && { "oc-checksum": numbers.checksum },
        },
        ...body !== null && method === "PUT" && { body: body.toWellFormed() },
      });
    }),
    { numRuns: runs(400) },
  );
});

Deno.test("uploads of many files with any parts are refused or answered", async () => {
  const line = fc.oneof(
    fc.tuple(
      fc.constantFrom(
        ...["X-File-Path", "X-File-MD5", "OC-Checksum", "Content-Length", "X-File-Mtime", "a"],
      ),
      odd.map((text) => text.toWellFormed().replace(/[\r\n]/g, "")),
    ).map(([name, value]) => `${name}: ${value}`),
    odd.map((text) => text.toWellFormed()),
  );
  const files = fc.array(
    fc.tuple(fc.array(line, { maxLength: 5 }), odd).map(([lines, content]) =>
      `--b\r\n${lines.join("\r\n")}\r\n\r\n${content.toWellFormed()}\r\n`
    ),
    { maxLength: 4 },
  );
  const asked = fc.record({
    files,
    end: fc.constantFrom("--b--\r\n", "", "--b", "--b-", "\r\n\r\n"),
    type: fc.constantFrom(
      ...["multipart/related; boundary=b", "multipart/related", 'multipart/related; boundary="b"'],
      ...["multipart/form-data; boundary=b", "multipart/related; boundary=", "text/plain"],
    ),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ files, end, type }) => {
      const body = files.join("") + end;
      const headers = { "content-type": type };
      await send({ method: "POST", path: `${dav}/bulk`, headers, body });
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("previews, the trash and versions take any address and query", async () => {
  const path = fc.oneof(
    fc.tuple(segment, segment, segment).map(([file, x, y]) =>
      `/index.php/core/preview.png?file=${file}&x=${x}&y=${y}`
    ),
    fc.tuple(segment, segment, segment).map(([id, x, mode]) =>
      `/index.php/core/preview?fileId=${id}&x=${x}&y=64&a=${mode}&mode=${mode}`
    ),
    fc.tuple(segment, segment, segment).map(([x, y, name]) =>
      `/index.php/apps/files/api/v1/thumbnail/${x}/${y}/${name}`
    ),
    fc.tuple(
      fc.constantFrom("trashbin", "versions", "files"),
      fc.constantFrom("trash", "versions", "restore", ""),
      segment,
      segment,
    ).map(([kind, top, ...more]) => `${dav}/${kind}/${username}/${top}/${more.join("/")}`),
    segment.map((name) => `/index.php/${name}`),
    segment.map((name) => `/remote.php/${name}`),
  );
  const method = fc.constantFrom("GET", "HEAD", "PROPFIND", "DELETE", "MOVE", "OPTIONS", "REPORT");
  await fc.assert(
    fc.asyncProperty(method, path, async (method, path) => {
      const headers = { depth: "1", destination: `${dav}/trashbin/${username}/restore/x` };
      await send({ method, path, headers });
    }),
    { numRuns: runs(500) },
  );
});
