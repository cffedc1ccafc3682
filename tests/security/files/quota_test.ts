// With two threads, too: reservations of writes at the same time.
import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { startApp, type TestUser, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { basic } from "../../support/clients/dav.ts";
import { manyFilesBody, receivedCodes } from "../../support/data/many_files.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import { tarOf, zipOf } from "../../support/data/hostile_archives.ts";

const app = await startApp({ config: { webdav: true } });
Deno.test.afterAll(app.close);
const to = app.listen();
let scopes = 0;

/** A user whose scope is a new folder with a quota. */
async function holder(quota: NonNullable<TestUser["quota"]>) {
  const scope = `/scope ${++scopes}`;
  const home = join(app.root, scope);
  await Deno.mkdir(home);
  const { token } = await app.addUser(`holder${scopes}`, { scope, quota });
  const used = async () => {
    const { quota } = await (await app.call("GET", "/api/usage/", { token })).json();
    return { bytes: quota.usedBytes, files: quota.usedFiles };
  };
  const upload = (name: string, body: string) =>
    app.call("POST", `/api/resources/${name}`, {
      token,
      body,
      headers: { "content-length": String(body.length) },
    });
  return { home, token, used, upload };
}

/** The names in a folder, hidden ones too. */
function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

async function statusesOf(answers: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const answer of await Promise.all(answers)) {
    await answer.body?.cancel();
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  }
  return counts;
}

/** Asks until it is so, or for as long as a busy machine may take. */
async function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 30_000; !(await isSo());) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("fifty uploads at once into a quota of ten files: exactly ten come in", async () => {
  const { home, used, upload } = await holder({ files: 10 });
  const all = Array.from({ length: 50 }, (_, index) => upload(`${index}`, "x"));
  assert.deepEqual(await statusesOf(all), { 200: 10, 507: 40 });
  assert.equal(namesIn(home).length, 10);
  assert.deepEqual(await used(), { bytes: 10, files: 10 });
});

Deno.test("fifty uploads at once of a tenth of the quota each, of unknown length and resumable", async () => {
  const { home, token, used } = await holder({ bytes: 100_000 });
  const body = "x".repeat(10_000);
  const all = Array.from({ length: 50 }, (_, index) => {
    if (index % 2 === 0) return app.call("POST", `/api/resources/${index}`, { token, body });
    const headers = {
      "upload-length": "10000",
      "content-type": "application/offset+octet-stream",
    };
    return app.call("POST", `/api/tus/${index}`, { token, headers, body });
  });
  const { 507: refused = 0, ...others } = await statusesOf(all);
  assert.equal(refused, 40, JSON.stringify(others));
  assert.equal(namesIn(home).length, 10);
  assert.deepEqual(await used(), { bytes: 100_000, files: 10 });
});

Deno.test("many files in a request into a quota of ten files: exactly ten come in", async () => {
  const { home, token, used } = await holder({ files: 10, bytes: 100_000 });
  const sending = Array.from({ length: 5 }, async (_, request) => {
    const files = Array.from({ length: 10 }, (_, index) => ({
      path: `${request}-${index}`,
      text: "x",
    }));
    const body = manyFilesBody(files);
    return await receivedCodes(await app.call("POST", "/api/uploads/", { token, body }));
  });
  const counts: Record<string, number> = {};
  for (const code of (await Promise.all(sending)).flat()) counts[code] = (counts[code] ?? 0) + 1;
  assert.deepEqual(counts, { 200: 10, over_quota: 40 });
  assert.equal(namesIn(home).length, 10);
  assert.deepEqual(await used(), { bytes: 10, files: 10 });
});

Deno.test("copies and uploads at once never go over the quota together", async () => {
  const { home, token, used, upload } = await holder({ bytes: 5_000 });
  await assertStatus(await upload("a", "x".repeat(1_000)), 200);
  const copies = Array.from(
    { length: 10 },
    (_, index) =>
      app.call("PATCH", `/api/resources/a?action=copy&destination=%2Fcopy${index}`, { token }),
  );
  const uploads = Array.from({ length: 10 }, (_, index) => upload(`b${index}`, "x".repeat(1_000)));
  assert.deepEqual(await statusesOf([...copies, ...uploads]), { 200: 4, 507: 16 });
  assert.equal(namesIn(home).length, 5);
  assert.equal((await used()).bytes, 5_000);
});

Deno.test("a lying Content-Length: too long is refused before a byte, cut off is given back", async () => {
  const { home, token, used } = await holder({ bytes: 1_000_000 });
  const head = (path: string, length: number) =>
    requestHead("POST", path, {
      "x-auth": token,
      accept: "application/json",
      "content-length": length,
    });
  const huge = await sendRaw(to, head("/api/resources/huge", 10_000_000_000));
  assert.equal(huge.status, 507);
  assert.match(huge.body, /"over_quota"/);
  // All of the quota is announced, and the line goes dead after a part of it.
  const socket = await Deno.connect(to);
  const part = head("/api/resources/cut", 1_000_000) + "x".repeat(1_000);
  await socket.write(new TextEncoder().encode(part));
  await eventually(async () => (await used()).bytes === 1_000_000, "all of it is reserved");
  socket.close();
  await eventually(async () => (await used()).bytes === 0, "what was reserved is given back");
  // More comes than was announced: the rest is no part of the body.
  const short = await sendRaw(to, head("/api/resources/short", 3), "abcdef");
  assert.equal(short.status, 200);
  assert.equal(Deno.readTextFileSync(join(home, "short")), "abc");
  assert.deepEqual(namesIn(home), ["short"]);
  assert.deepEqual(await used(), { bytes: 3, files: 1 });
});

Deno.test("an upload that is cut off keeps no other out, whichever way that comes in", async () => {
  const { home, token, used, upload } = await holder({ bytes: 1_000 });
  await assertStatus(await upload("a", "x"), 200);
  const socket = await Deno.connect(to);
  const headers = { "x-auth": token, "content-length": 999 };
  const head = requestHead("POST", "/api/resources/cut", headers) + "x";
  await socket.write(new TextEncoder().encode(head));
  await eventually(async () => (await used()).bytes === 1_000, "all of it is reserved");
  const tus = { "upload-length": "10", "content-type": "application/offset+octet-stream" };
  const body = "0123456789";
  const authorization = basic(`holder${scopes}`, userPassword);
  const others = [
    upload("single", body),
    app.call("POST", "/api/resources/unknown", { token, body }),
    app.call("POST", "/api/tus/resumable", { token, body, headers: tus }),
    app.call("PATCH", "/api/resources/a?action=copy&destination=%2Fcopy", { token }),
    app.call("PUT", "/dav/dav", { body, headers: { authorization } }),
  ];
  const many = manyFilesBody([{ path: "many", text: body }]);
  const inOne = app.call("POST", "/api/uploads/", { token, body: many }).then(receivedCodes);
  socket.close();
  assert.deepEqual(await statusesOf(others), { 200: 3, 201: 2 });
  assert.deepEqual(await inOne, ["200"]);
  const names = ["a", "copy", "dav", "many", "resumable", "single", "unknown"];
  assert.deepEqual(namesIn(home), names);
});

Deno.test("an archive bomb against a quota is refused, and leaves nothing behind", async () => {
  const { home, token, used } = await holder({ bytes: 1_000_000, files: 50 });
  const zeros = "\0".repeat(20_000_000);
  const many = Array.from({ length: 60 }, (_, index) => ({ name: `${index}`, content: "" }));
  const bombs = {
    "a.zip": zipOf([{ name: "small", content: "x" }, { name: "z", content: zeros, method: 8 }]),
    "lies.zip": zipOf([{ name: "z", content: zeros, method: 8, size: 10 }]),
    "b.tgz": gzipSync(tarOf([{ name: "small", content: "x" }, { name: "z", content: zeros }])),
    "many.zip": zipOf(many),
    "many.tar": tarOf(many),
  };
  for (const [name, bytes] of Object.entries(bombs)) {
    Deno.writeFileSync(join(home, name), bytes);
    const json = {
      action: "extract",
      entries: [{ path: `/${name}`, destination: "/deep/new" }],
    };
    const headers = { prefer: "respond-async, wait=60" };
    const answer = await app.call("POST", "/api/jobs", { token, json, headers });
    const { failures }: JobInfo = await answer.json();
    const expected = name === "lies.zip" ? "broken_archive" : "over_quota";
    assert.deepEqual(failures.map(({ code }) => code), [expected], name);
    assert.deepEqual(namesIn(home), [name], "neither a folder nor a staging folder");
    Deno.removeSync(join(home, name));
  }
  await app.call("DELETE", "/api/resources/none", { token }).then((answer) =>
    answer.body?.cancel()
  );
  await eventually(async () => (await used()).bytes < 1_000_000, "nothing stays reserved");
});

Deno.test("an archive of folders alone is refused where they do not fit, and counted where they do", async () => {
  const folders = Array.from({ length: 30 }, (_, index) => ({ name: `f/${index}/`, content: "" }));
  const { home, token, used } = await holder({ files: 40 });
  Deno.writeFileSync(join(home, "a.zip"), zipOf(folders));
  const extract = async (destination: string) => {
    const json = { action: "extract", entries: [{ path: "/a.zip", destination }] };
    const headers = { prefer: "respond-async, wait=60" };
    const answer = await app.call("POST", "/api/jobs", { token, json, headers });
    const { failures }: JobInfo = await answer.json();
    return failures.map(({ code }) => code);
  };
  assert.deepEqual(await extract("/deep/new"), []);
  assert.deepEqual((await used()).files, 33, "with the archive, and both folders above");
  assert.deepEqual(await extract("/more"), ["over_quota"]);
  assert.deepEqual(namesIn(home), ["a.zip", "deep"]);
});

Deno.test("an archive made on the server stops where the quota ends", async () => {
  const { home, token, used } = await holder({ bytes: 30_000 });
  const noise = crypto.getRandomValues(new Uint8Array(20_000));
  Deno.writeFileSync(join(home, "noise"), noise);
  const json = {
    action: "archive",
    entries: [{ path: "/", destination: "/all.zip", names: ["noise"], format: "zip" }],
  };
  const headers = { prefer: "respond-async, wait=60" };
  const answer = await app.call("POST", "/api/jobs", { token, json, headers });
  const job: JobInfo = await answer.json();
  assert.deepEqual(job.failures.map(({ code }) => code), ["over_quota"], JSON.stringify(job));
  assert.deepEqual(namesIn(home), ["noise"]);
  assert.deepEqual(await used(), { bytes: 20_000, files: 1 });
});

Deno.test("a sparse file counts by its length, and so does its copy", async () => {
  const { home, token, used } = await holder({ bytes: 15_000_000 });
  using file = Deno.openSync(join(home, "sparse"), { create: true, write: true });
  file.truncateSync(10_000_000);
  assert.equal((await used()).bytes, 10_000_000);
  const copy = "/api/resources/sparse?action=copy&destination=%2Fcopy";
  await assertRefused(await app.call("PATCH", copy, { token }), 507, "over_quota");
  file.truncateSync(5_000_000);
  // The next count, which a refusal on old figures waits for, or the administrator asks for.
  const admin = await app.tokenOf("admin");
  const list: { id: number; name: string }[] =
    await (await app.call("GET", "/api/quotas", { token: admin })).json();
  const { id } = list.find(({ name }) => name === `holder${scopes}`) ?? { id: 0 };
  await assertStatus(await app.call("POST", `/api/quotas/${id}`, { token: admin }), 200);
  await assertStatus(await app.call("PATCH", copy, { token }), 200);
  assert.deepEqual(await used(), { bytes: 10_000_000, files: 2 });
});

Deno.test("links do not count what they lead to, and no link leads around the quota", async () => {
  const { home, used, upload } = await holder({ bytes: 1_000 });
  await Deno.mkdir(join(home, "real"));
  await Deno.writeTextFile(join(home, "real/a"), "x".repeat(600));
  for (const name of ["one", "two"]) await Deno.symlink("real/a", join(home, name));
  await Deno.symlink("real", join(home, "folder"));
  assert.equal((await used()).bytes, 600);
  await assertRefused(await upload("folder/b", "x".repeat(500)), 507, "over_quota");
  await assertStatus(await upload("folder/b", "x".repeat(400)), 200);
});
