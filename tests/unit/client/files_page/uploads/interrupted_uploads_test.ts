import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { unfinishedKey } from "../../../../../lib/client/files_page/uploads/lazy_uploads.ts";
import { UnfinishedUploads } from "../../../../../lib/client/files_page/uploads/unfinished_uploads.ts";
import { Uploads } from "../../../../../lib/client/files_page/uploads/uploads.ts";
import { openLocalStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { until } from "../../support.ts";
import { FakeRequest, fakeRequests } from "../../xhr.ts";
import { bench } from "./uploads_bench.ts";

const { path } = parsePath("/a.bin");
const size = 3_000_000;

/** A page that is loaded while an upload has not ended, before a server that answers like this. */
async function load(answer: (request: FakeRequest) => { status: number; body?: string }) {
  const storage = openLocalStorage();
  const fixture = bench();
  const userId = () => 4711;
  const file = new File([new Uint8Array(size)], "a.bin", { lastModified: 1 });
  await new UnfinishedUploads(storage, userId).remember(path, file, null);
  const requests = fakeRequests((request) => answer(request));
  const uploads = new Uploads({ ...fixture.options, userId });
  await uploads.interrupted.find();
  return {
    uploads,
    file,
    sent: () => FakeRequest.sent.map(({ method, body }) => `${method} ${body?.size ?? 0}`),
    async [Symbol.asyncDispose]() {
      storage.removeItem(unfinishedKey(userId()));
      requests[Symbol.dispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

const refusal = (code: string, message = "") => JSON.stringify({ code, message });

Deno.test("a whole upload without a name is listed with its reason, and needs no file", async () => {
  for (
    const [status, code] of [[409, "exists"], [507, "over_quota"], [403, "hook_failed"]] as const
  ) {
    let isAllowed = false;
    await using page = await load(({ method }) =>
      isAllowed ? { status: 204 } : { status, body: method === "HEAD" ? undefined : refusal(code) }
    );
    const { uploads } = page;
    assert.deepEqual(uploads.interrupted.shown.value, []);
    const [row] = uploads.now.value.rows;
    assert.ok(row);
    assert.deepEqual([row.name, row.status, row.failure?.code], ["a.bin", "failed", code]);
    // Found once, however often they are looked for.
    await uploads.interrupted.find();
    assert.equal(uploads.now.value.failed, 1);
    isAllowed = true;
    uploads.retry(row.id);
    await until(() => uploads.now.value.finished?.count === 1);
    assert.equal(uploads.now.value.failed, 0);
    assert.ok(page.sent().every((each) => each.endsWith(" 0")), `${page.sent()}`);
  }
});

Deno.test("an upload that was refused as a whole, but lacks bytes, asks for its file", async () => {
  let isAllowed = false;
  await using page = await load((request) => {
    if (!isAllowed) return { status: 403, body: refusal("forbidden") };
    request.answerHeaders.set("upload-offset", "1500000");
    return request.method === "HEAD"
      ? { status: 200 }
      : { status: 409, body: refusal("wrong_offset") };
  });
  const { uploads } = page;
  const [row] = uploads.now.value.rows;
  assert.equal(row?.failure?.code, "forbidden");
  isAllowed = true;
  uploads.retry(row.id);
  await until(() => uploads.interrupted.shown.value.length === 1);
  assert.equal(uploads.interrupted.shown.value[0]?.percent, 50);
  assert.equal(uploads.now.value.phase, "idle");
});

Deno.test("a whole upload that is discarded is removed from the server", async () => {
  await using page = await load(({ method }) =>
    method === "DELETE" ? { status: 204 } : { status: 409, body: refusal("exists") }
  );
  const [row] = page.uploads.now.value.rows;
  assert.ok(row);
  page.uploads.cancel(row.id);
  await until(() => page.sent().includes("DELETE 0"));
  assert.equal(page.uploads.now.value.phase, "idle");
});
