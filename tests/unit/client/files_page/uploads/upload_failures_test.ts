import assert from "node:assert/strict";
import { ROOT } from "../../../../../lib/shared/path.ts";
import { Api } from "../../../../../lib/client/base/api/api.ts";
import type { ApiPath } from "../../../../../lib/client/base/api/api_path.ts";
import { Connection } from "../../../../../lib/client/base/api/connection.ts";
import { Uploads } from "../../../../../lib/client/files_page/uploads/uploads.ts";
import { ada, pause, tokenFor, until } from "../../support.ts";
import { FakeRequest, fakeRequests } from "../../xhr.ts";
import { type Bench, bench, files, there, urlsOf } from "./uploads_bench.ts";

/** An API of a page that lets its user sign in again. */
function resuming({ api, session }: Bench, connection?: Connection): Api {
  return new Api({ baseUrl: api.address("" as ApiPath), session, connection, resumes: true });
}

Deno.test("failures are listed until they are tried again or dismissed", async () => {
  let works = false;
  using _ = fakeRequests(({ url }) => ({ status: works || url.includes("/a?") ? 200 : 507 }));
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a", "b", "c"));
  await until(() => fixture.outcomes.length === 1);
  assert.deepEqual([fixture.outcomes[0]?.done, fixture.outcomes[0]?.failed], [1, 2]);
  const [first] = fixture.uploads.now.value.rows;
  assert.equal(first?.failure?.code, "disk_full");

  works = true;
  fixture.uploads.queue?.retry(first.id);
  await until(() => fixture.outcomes.length === 2);
  assert.equal(fixture.outcomes[1]?.done, 1);
  assert.equal(fixture.uploads.now.value.failed, 1);
  fixture.uploads.queue?.retryFailed();
  await until(() => fixture.uploads.now.value.phase === "idle");

  works = false;
  await fixture.uploads.add(ROOT, files("d"));
  await until(() => fixture.uploads.now.value.failed === 1);
  fixture.uploads.queue?.dismiss();
  assert.equal(fixture.uploads.now.value.phase, "idle");
});

Deno.test("a broken connection is a failure, not an end", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a", "b"));
  FakeRequest.sent[0]?.lose();
  FakeRequest.sent[1]?.answer(200);
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.uploads.now.value.rows[0]?.failure?.code, "offline");
});

Deno.test("what this computer can't read or name is listed among the failures", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using fixture = bench();
  await fixture.uploads.add(ROOT, [
    { segments: ["locked"], file: null, unreadable: true },
    { segments: ["bad\0name"], file: new File(["x"], "bad") },
  ]);
  const codes = fixture.uploads.now.value.rows.map(({ failure }) => failure?.code);
  assert.deepEqual(codes, ["invalid_name", "unreadable"]);
  assert.equal(fixture.uploads.now.value.phase, "settled");
  assert.equal(fixture.uploads.now.value.retriable, 0);

  // Nothing of them is made up on the server, whatever is pressed.
  for (const { id } of fixture.uploads.now.value.rows) fixture.uploads.queue?.retry(id);
  fixture.uploads.queue?.retryFailed();
  await until(() => fixture.uploads.now.value.phase === "settled");
  assert.deepEqual(fixture.heard.filter(({ method }) => method === "POST"), []);
  assert.equal(FakeRequest.sent.length, 0);
  assert.equal(fixture.uploads.now.value.failed, 2);
});

Deno.test("a file that was removed before its turn came says so, and does not wait for a server", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  const connection = new Connection(() => Promise.resolve(true));
  const uploads = new Uploads({ ...fixture.options, api: resuming(fixture, connection) });
  const file = new File(["0123456789"], "a");
  file.slice = () => {
    const gone = new Blob();
    gone.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
    return gone;
  };
  await uploads.add(ROOT, [{ segments: ["a"], file }]);
  FakeRequest.waiting[0]?.lose();
  await until(() => fixture.outcomes.length === 1);
  assert.equal(uploads.now.value.rows[0]?.failure?.code, "unreadable");
  assert.equal(FakeRequest.sent.length, 1);
  assert.ok(!connection.isLost.value);
});

Deno.test("one upload can be given up, and the next takes its place", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a", "b", "c", "d", "e", "f"));
  const [first] = fixture.uploads.now.value.rows;
  fixture.uploads.queue?.cancel(first?.id ?? 0);
  assert.equal(FakeRequest.sent[0]?.state, "aborted");
  assert.equal(FakeRequest.sent.length, 6);
  FakeRequest.waiting.forEach((request) => request.answer(200));
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.outcomes[0]?.done, 5);
  assert.equal(fixture.outcomes[0]?.failed, 0);
});

Deno.test("all uploads can be given up at once", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files(..."abcdefghij"));
  fixture.uploads.queue?.cancelAll();
  assert.ok(FakeRequest.sent.every(({ state }) => state === "aborted"));
  assert.equal(FakeRequest.sent.length, 5);
  assert.equal(fixture.uploads.now.value.phase, "idle");
  assert.ok(!fixture.window.warns);
});

Deno.test("what is being queued while all is given up is given up, too", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  const many = files(...Array.from({ length: 5_000 }, (_, index) => `file ${index}`));
  const adding = fixture.uploads.add(ROOT, many);
  await until(() => FakeRequest.sent.length > 0);
  fixture.uploads.queue?.cancelAll();
  await adding;
  assert.equal(fixture.uploads.now.value.phase, "idle");
  assert.equal(FakeRequest.waiting.length, 0);
  await fixture.uploads.add(ROOT, files("another"));
  assert.equal(FakeRequest.waiting.length, 1);
  fixture.uploads.queue?.cancelAll();
});

Deno.test("without a session everything that waits fails at once", async () => {
  using _ = fakeRequests(() => ({ status: 401 }));
  await using fixture = bench();
  const many = Array.from({ length: 150 }, (_, index) => `file ${index}`);
  fixture.known = there();
  await fixture.uploads.add(ROOT, files(...many));
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.outcomes[0]?.failed, 150);
  assert.ok(FakeRequest.sent.length <= 5);
  assert.equal(fixture.session.ended.value, "expired");
});

Deno.test("when the session runs out uploads wait, and go on after signing in", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  const api = resuming(fixture);
  const uploads = new Uploads({ ...fixture.options, api });
  await uploads.add(ROOT, files("a", "b", "c", "d", "e", "f"));
  for (const request of FakeRequest.waiting) request.answer(401);
  await until(() => uploads.now.value.paused === "session");
  assert.equal(FakeRequest.waiting.length, 0);
  assert.equal(uploads.now.value.total, 6);
  fixture.session.keep(tokenFor(ada, 1, "s2"));
  await until(() => FakeRequest.waiting.length === 5);
  assert.equal(FakeRequest.waiting[0]?.headers.get("x-auth"), tokenFor(ada, 1, "s2"));
  assert.deepEqual(urlsOf(FakeRequest.waiting).sort()[0], "/api/resources/a?override=false");
  uploads.cancelAll();
});

Deno.test("while the server is away uploads wait, and begin again when it is back", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  let isThere = false;
  const connection = new Connection(() => Promise.resolve(isThere));
  const uploads = new Uploads({ ...fixture.options, api: resuming(fixture, connection) });
  await uploads.add(ROOT, files("a", "b"));
  FakeRequest.sent[0]?.lose();
  FakeRequest.sent[1]?.answer(503);
  await until(() => uploads.now.value.paused === "server");
  assert.equal(uploads.now.value.failed, 0);
  isThere = true;
  await until(() => FakeRequest.waiting.length === 2);
  FakeRequest.waiting.forEach((request) => request.answer(200));
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.outcomes[0]?.done, 2);
});

Deno.test("a file that is lost again and again although the server is there fails in the end", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  const connection = new Connection(() => Promise.resolve(true));
  const uploads = new Uploads({ ...fixture.options, api: resuming(fixture, connection) });
  await uploads.add(ROOT, files("a"));
  while (fixture.outcomes.length === 0) {
    FakeRequest.waiting[0]?.lose();
    await pause(0);
  }
  assert.equal(fixture.outcomes[0]?.failed, 1);
  assert.ok(FakeRequest.sent.length <= 6);
});
