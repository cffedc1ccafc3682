import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { Api } from "../../../../../lib/client/base/api/api.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { Session } from "../../../../../lib/client/base/session/session.ts";
import { sendInParts } from "../../../../../lib/client/files_page/uploads/send_upload.ts";
import type { UnfinishedUploads } from "../../../../../lib/client/files_page/uploads/unfinished_uploads.ts";
import { ada } from "../../support.ts";
import { type FakeRequest, fakeRequests } from "../../xhr.ts";

const { path } = parsePath("/a.bin");
const file = new File(["abc"], "a.bin");

/** Sends a file whose upload has begun before, to a server that answers like this. */
async function resume(
  answer: (request: FakeRequest) => { status: number; offset?: number; code?: string },
  options: { override?: boolean; rename?: boolean } = {},
) {
  const sent: string[] = [];
  const forgotten: string[] = [];
  const session = new Session({ storage: memoryStorage(), user: ada });
  const api = new Api({ baseUrl: "", session });
  const unfinished = {
    hold: (_: unknown, __: unknown, run: () => unknown) => run(),
    matches: () => Promise.resolve(true),
    forget: (at: string) => Promise.resolve(void forgotten.push(at)),
    remember: () => Promise.resolve(),
    note: () => {},
  } as unknown as UnfinishedUploads;
  using _ = fakeRequests((request) => {
    const [at = "", query] = request.url.split("?");
    const given = [...new URLSearchParams(query)].filter(([, value]) => value === "true");
    const names = given.map(([name]) => name);
    sent.push(`${request.method} ${at}?${names} ${request.body?.size ?? 0}`);
    const { status, offset, code } = answer(request);
    if (offset !== undefined) request.answerHeaders.set("upload-offset", `${offset}`);
    const isRefused = code !== undefined && request.method !== "HEAD";
    return { status, body: isRefused ? JSON.stringify({ code, message: "" }) : "" };
  });
  const result = await sendInParts(api, path, file, {
    ...{ override: false, parts: { chunkSize: 1024, retryCount: 2 }, keepsModified: false },
    ...{ handle: null, unfinished, signal: new AbortController().signal, onProgress: () => {} },
    ...options,
  });
  return { result, sent, forgotten };
}

Deno.test("an upload that the server has completed by itself is not sent again", async () => {
  const { result, sent, forgotten } = await resume(() => ({ status: 200, offset: 3 }));
  assert.ok(result.ok);
  assert.deepEqual(sent, ["HEAD /api/tus/a.bin? 0"]);
  assert.deepEqual(forgotten, ["/a.bin"]);
});

Deno.test("an upload that has all its bytes but not its name is no success", async () => {
  for (
    const [status, code] of [[409, "exists"], [507, "over_quota"], [403, "hook_failed"]] as const
  ) {
    const { result, sent, forgotten } = await resume(() => ({ status, code }));
    assert.ok(!result.ok && result.code === code, code);
    assert.deepEqual(sent, ["HEAD /api/tus/a.bin? 0", "PATCH /api/tus/a.bin? 0"]);
    assert.deepEqual(forgotten, []);
  }
});

Deno.test("the user's decision is sent without the bytes", async () => {
  for (const name of ["override", "rename"] as const) {
    const { result, sent } = await resume(
      ({ url }) =>
        url.includes(name) ? { status: 204, offset: 3 } : { status: 409, code: "exists" },
      { [name]: true },
    );
    assert.ok(result.ok, name);
    assert.deepEqual(sent, ["HEAD /api/tus/a.bin? 0", `PATCH /api/tus/a.bin?${name} 0`]);
  }
});

Deno.test("a refusal of an upload that lacks bytes ends it, and is not asked for again", async () => {
  const { result, sent } = await resume(({ method }) =>
    method === "HEAD" ? { status: 403, code: "forbidden" } : { status: 409, code: "wrong_offset" }
  );
  assert.ok(!result.ok && result.status === 403);
  assert.deepEqual(sent, [
    "HEAD /api/tus/a.bin? 0",
    "PATCH /api/tus/a.bin? 0",
    "HEAD /api/tus/a.bin? 0",
  ]);
});
