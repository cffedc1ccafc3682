import assert from "node:assert/strict";
import { Calls } from "../../../../lib/client/base/api/calls.ts";
import { declaredPath } from "../../../../lib/client/base/api/api_path.ts";
import { memoryStorage } from "../../../../lib/client/base/core/browser_storage.ts";
import { Session } from "../../../../lib/client/base/session/session.ts";
import {
  type SendTarget,
  SentFiles,
} from "../../../../lib/client/screens/request_page/sent_files.ts";
import { ada, until } from "../support.ts";
import { type FakeRequest, fakeRequests } from "../xhr.ts";

const file = new File(["abcdef"], "a.bin", { lastModified: 1 });
const location = "/base/api/public/tus/share/?upload=7";

/** A recipient's page before a server that answers like this; a POST creates an upload. */
function open(
  answer: (request: FakeRequest) => { status: number; offset?: number; code?: string },
) {
  const sent: string[] = [];
  const session = new Session({ storage: memoryStorage(), user: ada });
  const calls = new Calls({ baseUrl: "/base", session });
  const access = { query: { token: "t" }, byLink: true };
  const target: SendTarget = {
    calls,
    to: declaredPath("POST /api/public/tus/{path}", { path: "/share/" }),
    access,
    sender: "",
  };
  const requests = fakeRequests((request) => {
    const { method, headers, body } = request;
    assert.match(request.url, /[?&]token=t$/);
    if (method === "POST") request.answerHeaders.set("location", location);
    if (method === "PATCH") assert.match(headers.get("upload-checksum") ?? "", /^sha256 \S{44}$/);
    const text = body instanceof Blob ? body.size : 0;
    sent.push(`${method} ${headers.get("upload-offset") ?? "-"} ${text}`);
    const { status, offset, code } = answer(request);
    if (offset !== undefined) request.answerHeaders.set("upload-offset", `${offset}`);
    return { status, body: code && method !== "HEAD" ? JSON.stringify({ code }) : "" };
  });
  return {
    target,
    session,
    sent,
    files: new SentFiles(),
    [Symbol.dispose]: () => {
      requests[Symbol.dispose]();
      localStorage.clear();
    },
  };
}

Deno.test("a recipient's upload resumes after the bytes that the server has", async () => {
  using page = open(({ method, headers }) => {
    if (method === "POST") return { status: 201 };
    if (method === "HEAD") return { status: 200, offset: 4 };
    if (headers.get("upload-offset") === "4") return { status: 204, offset: 6 };
    return { status: 503 };
  });
  page.files.add(page.target, [{ name: "a.bin", file }]);
  await until(() => page.files.list.value[0]?.state === "arrived");
  assert.deepEqual(page.sent, ["POST - 0", "PATCH 0 6", "HEAD - 0", "PATCH 4 2"]);
});

Deno.test("a part that was damaged on its way is sent again", async () => {
  let damaged = 1;
  using page = open(({ method }) =>
    method === "POST"
      ? { status: 201 }
      : damaged-- > 0
      ? { status: 460, code: "checksum_mismatch" }
      : { status: 204, offset: 6 }
  );
  page.files.add(page.target, [{ name: "a.bin", file }]);
  await until(() => page.files.list.value[0]?.state === "arrived");
  assert.deepEqual(page.sent, ["POST - 0", "PATCH 0 6", "PATCH 0 6"]);
});

Deno.test("bytes of an upload that cannot get its name are not sent again", async () => {
  for (
    const [status, code] of [[409, "exists"], [507, "over_quota"], [403, "forbidden"]] as const
  ) {
    let isRefused = true;
    using page = open(({ method }) =>
      method === "POST"
        ? { status: 201 }
        : isRefused
        ? { status, code }
        : { status: method === "HEAD" ? 200 : 204, offset: 6 }
    );
    page.files.add(page.target, [{ name: "a.bin", file }]);
    await until(() => page.files.list.value[0]?.state === "failed");
    const [shown] = page.files.list.value;
    assert.equal(shown?.failure?.code, code);
    isRefused = false;
    page.files.retry(shown.id);
    await until(() => page.files.list.value[0]?.state === "arrived");
    assert.deepEqual(page.sent, ["POST - 0", "PATCH 0 6", "HEAD - 0"]);
  }
});

Deno.test("a wrong password of a link ends no session, and is not waited for", async () => {
  using page = open(() => ({ status: 401, code: "password_required" }));
  page.files.add(page.target, [{ name: "a.bin", file }]);
  await until(() => page.files.list.value[0]?.state === "failed");
  assert.equal(page.session.ended.value, null);
  assert.deepEqual(page.sent, ["POST - 0"]);
});

Deno.test("an upload that is given up is dropped on the server", async () => {
  using page = open(({ method }) => ({
    status: method === "POST" ? 201 : method === "DELETE" ? 204 : 507,
  }));
  page.files.add(page.target, [{ name: "a.bin", file }]);
  await until(() => page.files.list.value[0]?.state === "failed");
  page.files.drop(page.files.list.value[0]?.id ?? 0);
  await until(() => page.sent.at(-1) === "DELETE - 0");
  assert.equal(localStorage.length, 0);
});
