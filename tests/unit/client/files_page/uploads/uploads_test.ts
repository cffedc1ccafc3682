import assert from "node:assert/strict";
import { effect } from "@preact/signals";
import { type EntryPath, ROOT } from "../../../../../lib/shared/path.ts";
import { ada, pause, tokenFor, until } from "../../support.ts";
import { unfinishedKey } from "../../../../../lib/client/files_page/uploads/lazy_uploads.ts";
import { FakeRequest, fakeRequests } from "../../xhr.ts";
import { bench, files, photos, receivedFiles, there, urlsOf } from "./uploads_bench.ts";

const jobsOf = (requests: FakeRequest[]) =>
  new Set(requests.map(({ url }) => new URL(url).searchParams.get("job") ?? ""));

Deno.test("uploads travel five at a time, in order, with the token", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  await fixture.uploads.add(photos, files(...names));
  assert.equal(FakeRequest.sent.length, 5);
  assert.deepEqual(urlsOf(FakeRequest.sent.slice(0, 1)), [
    "/api/resources/photos/a?override=false",
  ]);
  assert.equal(FakeRequest.sent[0]?.method, "POST");
  assert.equal(FakeRequest.sent[0]?.headers.get("x-auth"), tokenFor(ada));
  FakeRequest.sent[2]?.answer(200);
  await until(() => FakeRequest.sent.length === 6);
  assert.equal(FakeRequest.waiting.length, 5);
  while (FakeRequest.waiting.length > 0) {
    FakeRequest.waiting.forEach((request) => request.answer(200));
    await pause(0);
  }
  const [job = ""] = jobsOf(FakeRequest.sent);
  const arrived = new Map([[photos, new Set(names)]]);
  assert.deepEqual(fixture.outcomes, [{ done: 7, failed: 0, arrived, job }]);
  assert.equal(fixture.uploads.now.value.phase, "idle");
  assert.deepEqual(fixture.uploads.now.value.finished, { count: 7, arrived, job });
  fixture.uploads.queue?.dismiss();
  assert.equal(fixture.uploads.now.value.finished, null);
});

Deno.test("leaving the page is warned against exactly while uploads are under way", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  assert.ok(!fixture.window.warns);
  await fixture.uploads.add(ROOT, files("a"));
  assert.ok(fixture.window.warns);
  FakeRequest.sent[0]?.answer(200);
  await until(() => fixture.outcomes.length === 1);
  assert.ok(!fixture.window.warns);
});

Deno.test("folders are made by a call of their own, with a trailing slash", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using fixture = bench();
  await fixture.uploads.add(photos, [
    { segments: ["album"], file: null },
    ...files("album/sea.jpg"),
  ]);
  await until(() => fixture.outcomes.length === 1);
  const made = fixture.heard.filter(({ method }) => method === "POST").map(({ target }) => target);
  assert.deepEqual(made, [`/api/resources/photos/album/?job=${fixture.outcomes[0]?.job}`]);
  assert.deepEqual(urlsOf(FakeRequest.sent), [
    "/api/resources/photos/album/sea.jpg?override=false",
  ]);
});

Deno.test("progress is told at most every 100 ms, in percent rounded up", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a", "b", "c"));
  let changes = 0;
  const stop = effect(() => {
    void fixture.uploads.now.value;
    changes++;
  });
  for (let step = 0; step <= 1000; step++) FakeRequest.sent[0]?.progress(step / 1000);
  assert.ok(changes <= 2, `${changes} changes`);
  await until(() => fixture.uploads.now.value.percent === 4);
  assert.equal(fixture.uploads.now.value.rows[0]?.percent, 10);
  FakeRequest.waiting.forEach((request) => request.answer(200));
  await until(() => fixture.outcomes.length === 1);
  stop();
});

Deno.test("an upload tells the session to renew its token", async () => {
  using _ = fakeRequests((request) => {
    request.answerHeaders.set("x-renew-token", "true");
    return { status: 200 };
  });
  await using fixture = bench();
  fixture.known = there();
  await fixture.uploads.add(ROOT, files("a"));
  await until(() => fixture.heard.some(({ path }) => path === "/api/renew"));
});

Deno.test("ten thousand uploads cost little and change the screen seldom", async () => {
  using _ = fakeRequests(({ url }) => ({
    status: 200,
    body: url.includes("/api/uploads/") ? receivedFiles(100) : "",
  }));
  await using fixture = bench();
  fixture.known = there();
  const incoming = files(...Array.from({ length: 10_000 }, (_, index) => `file ${index}`));
  let changes = 0;
  const stop = effect(() => {
    assert.ok(fixture.uploads.now.value.rows.length <= 100);
    changes++;
  });
  const start = performance.now();
  await fixture.uploads.add(ROOT, incoming);
  await until(() => fixture.outcomes.length === 1);
  const elapsed = performance.now() - start;
  stop();
  assert.equal(fixture.outcomes[0]?.done, 10_000);
  assert.ok(FakeRequest.sent.length < 1_000, `${FakeRequest.sent.length} requests`);
  assert.ok(changes <= elapsed / 100 + 4, `${changes} changes in ${elapsed} ms`);
});

Deno.test("uploads go where they were dropped, whatever folder is looked at later", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using fixture = bench();
  fixture.known = there();
  const folders: EntryPath[] = [photos, ROOT];
  await Promise.all(folders.map((folder) => fixture.uploads.add(folder, files("same.txt"))));
  await until(() => FakeRequest.sent.length === 2 && FakeRequest.waiting.length === 0);
  assert.deepEqual(urlsOf(FakeRequest.sent), [
    "/api/resources/photos/same.txt?override=false",
    "/api/resources/same.txt?override=false",
  ]);
  await until(() => fixture.uploads.now.value.phase === "idle");
});

Deno.test("uploads are one job until the queue is empty, and then another", async () => {
  let works = false;
  using _ = fakeRequests(({ url }) => ({ status: works || !url.includes("/c?") ? 200 : 507 }));
  await using fixture = bench();
  fixture.known = there();
  await Promise.all([
    fixture.uploads.add(ROOT, files("a", "b", "c", "d", "e", "f", "g")),
    fixture.uploads.add(photos, files("h")),
  ]);
  await until(() => fixture.outcomes.length === 1);
  assert.equal(FakeRequest.sent.length, 8);
  const first = jobsOf(FakeRequest.sent);
  assert.deepEqual(first, new Set([fixture.outcomes[0]?.job]));

  // What failed is tried again by a job of its own.
  works = true;
  fixture.uploads.queue?.retryFailed();
  await until(() => fixture.outcomes.length === 2);
  const second = jobsOf(FakeRequest.sent.slice(8));
  assert.deepEqual(second, new Set([fixture.outcomes[1]?.job]));
  assert.ok(first.isDisjointFrom(second));

  await fixture.uploads.add(ROOT, files("i"));
  await until(() => fixture.outcomes.length === 3);
  const third = jobsOf(FakeRequest.sent.slice(9));
  assert.deepEqual(third, new Set([fixture.outcomes[2]?.job]));
  assert.ok(third.isDisjointFrom(first.union(second)));
});

Deno.test("each part of a large file carries the id of the job", async () => {
  using _ = fakeRequests(({ method, url }) => {
    if (method === "DELETE") return { status: 204 };
    return method === "POST" && url.includes("/api/tus/") ? { status: 201 } : null;
  });
  await using fixture = bench();
  fixture.known = there();
  const large = new File([new Uint8Array(2 * 2 ** 20 + 1)], "large");
  await fixture.uploads.add(ROOT, [...files("a"), { segments: ["large"], file: large }]);
  await until(() => FakeRequest.waiting.some(({ method }) => method === "PATCH"));
  assert.equal(FakeRequest.waiting.length, 2);
  const [job] = jobsOf(FakeRequest.waiting);
  assert.deepEqual(jobsOf(FakeRequest.waiting), new Set([job]));
  fixture.uploads.queue?.cancelAll();
  await until(() => fixture.uploads.now.value.phase === "idle");
  // The server drops what has come of it before another may send to the path.
  await navigator.locks.request(`${unfinishedKey(1)}./large`, () => {});
  assert.equal(FakeRequest.sent.at(-1)?.method, "DELETE");
});

Deno.test("an upload that is given up and taken back at once is sent, and has not failed", async () => {
  let isBeginning = true;
  const size = 2 * 2 ** 20 + 1;
  using _ = fakeRequests(({ method, answerHeaders }) => {
    if (method === "POST") return { status: 201 };
    answerHeaders.set("upload-offset", `${size}`);
    return method === "PATCH" && !isBeginning ? { status: 204 } : null;
  });
  await using fixture = bench();
  fixture.known = there();
  const large = new File([new Uint8Array(size)], "large");
  await fixture.uploads.add(ROOT, [{ segments: ["large"], file: large }]);
  await until(() => FakeRequest.waiting.some(({ method }) => method === "PATCH"));
  const waiting = (method: string) => FakeRequest.waiting.find((each) => each.method === method);
  const given = fixture.uploads.queue?.cancelAll();
  await until(() => waiting("DELETE") !== undefined);
  isBeginning = false;
  given?.resume();
  waiting("DELETE")?.answer(204);
  const isOver = () => fixture.outcomes.some(({ done, failed }) => done + failed > 0);
  await until(isOver);
  assert.deepEqual(fixture.outcomes.map(({ done, failed }) => [done, failed]).at(-1), [1, 0]);
});
