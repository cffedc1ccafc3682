import assert from "node:assert/strict";
import { parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import { Api } from "../../../../../lib/client/base/api/api.ts";
import { failureOfAnswer } from "../../../../../lib/client/base/api/calls.ts";
import { Session } from "../../../../../lib/client/base/session/session.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { ada, folderOf, speakTo, tokenFor, until } from "../../support.ts";

const photos = parsePath("/photos & more").path;

Deno.test("a call that reaches no server is offline", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const session = new Session({ storage: memoryStorage(), user: ada });
  const api = new Api({ baseUrl: `http://127.0.0.1:${port}`, session });
  const answer = await api.usage(ROOT);
  assert.ok(!answer.ok);
  assert.equal(answer.status, 0);
  assert.equal(answer.code, "offline");
});

Deno.test("a call that is given up is aborted, not offline", async () => {
  const leaving = new AbortController();
  await using spoken = speakTo(() => {
    leaving.abort();
    return new Response("{}");
  });
  const answer = await spoken.api.usage(ROOT, leaving.signal);
  assert.ok(!answer.ok);
  assert.equal(answer.code, "aborted");
});

Deno.test("a refusal has the code and the message of the server", async () => {
  await using spoken = speakTo(() =>
    Response.json({ code: "throttled", message: "Cannot sign in: too many attempts" }, {
      status: 429,
      headers: { "retry-after": "30" },
    })
  );
  assert.deepEqual(await spoken.api.remove(photos), {
    ok: false,
    status: 429,
    code: "throttled",
    message: "Cannot sign in: too many attempts",
    retryAfter: 30,
  });
});

Deno.test("failureOfAnswer() reads what a server in between says", () => {
  const page = failureOfAnswer(507, "<h1>Insufficient storage</h1>", null);
  assert.equal(page.code, "disk_full");
  assert.equal(page.message, "<h1>Insufficient storage</h1>");
  assert.equal(failureOfAnswer(502, "", null).code, "unknown");
  assert.equal(failureOfAnswer(503, "{}", "soon").retryAfter, undefined);
  const date = new Date(Date.now() + 60_000).toUTCString();
  const wait = failureOfAnswer(429, "", date).retryAfter ?? 0;
  assert.ok(wait > 55 && wait <= 60, String(wait));
});

Deno.test("an answer that should be JSON and is not is a failure", async () => {
  await using spoken = speakTo(() => new Response("<html>"));
  const answer = await spoken.api.usage(ROOT);
  assert.ok(!answer.ok);
  assert.equal(answer.code, "unknown");
});

Deno.test("a call sends the token, and asks for a window in an order", async () => {
  await using spoken = speakTo(({ query }) => Response.json(folderOf(["a", "b"], query)));
  const sorting = { by: "size", asc: false } as const;
  const answer = await spoken.api.resource(photos, { offset: 50, limit: 100, sorting });
  assert.ok(answer.ok);
  const [heard] = spoken.heard;
  assert.equal(
    heard?.target,
    "/api/resources/photos%20%26%20more?offset=50&limit=100&sort=size&order=desc",
  );
  assert.equal(heard.headers.get("x-auth"), tokenFor(ada));
  assert.equal(heard.headers.get("accept"), "application/json");
});

Deno.test("a folder is made with a trailing slash", async () => {
  await using spoken = speakTo(() => new Response(""));
  assert.ok((await spoken.api.makeFolder(photos)).ok);
  const [heard] = spoken.heard;
  assert.equal(`${heard?.method} ${heard?.target}`, "POST /api/resources/photos%20%26%20more/");
});

Deno.test("exists() tells what is missing from what can't be known", async () => {
  const statuses = [200, 404, 403];
  await using spoken = speakTo(() => new Response(null, { status: statuses.shift() }));
  assert.deepEqual(await spoken.api.exists(photos), { ok: true, value: true });
  assert.deepEqual(await spoken.api.exists(photos), { ok: true, value: false });
  const refused = await spoken.api.exists(photos);
  assert.ok(!refused.ok);
  assert.equal(refused.code, "forbidden");
});

Deno.test("a refused token ends the session, once and for all tabs", async () => {
  await using spoken = speakTo(() => new Response("", { status: 401 }));
  await spoken.api.usage(ROOT);
  assert.equal(spoken.session.ended.value, "expired");
  assert.equal(spoken.session.current(), null);
});

Deno.test("the late refusal of a former token does not end the session", async () => {
  await using spoken = speakTo(() => {
    spoken.session.keep(tokenFor(ada, 2));
    return new Response("", { status: 401 });
  });
  await spoken.api.usage(ROOT);
  assert.equal(spoken.session.ended.value, null);
});

Deno.test("wrong credentials end no session, and a good one begins it", async () => {
  let good = false;
  await using spoken = speakTo(() =>
    good ? new Response(tokenFor(ada, 1, "s2")) : new Response("", { status: 403 })
  );
  const credentials = { username: "ada", password: "wrong" };
  assert.ok(!(await spoken.api.signIn(credentials)).ok);
  assert.equal(spoken.session.ended.value, null);
  assert.equal(spoken.session.current(), tokenFor(ada));

  good = true;
  assert.ok((await spoken.api.signIn({ ...credentials, password: "right" })).ok);
  assert.equal(spoken.session.current(), tokenFor(ada, 1, "s2"));
  // No token, yet a header that no other site may set.
  assert.ok(spoken.heard.every(({ headers }) => headers.get("x-auth") === "cookie"));
  assert.deepEqual(JSON.parse(spoken.heard[1]?.body ?? ""), { username: "ada", password: "right" });
});

Deno.test("a malformed token from the server signs nobody in", async () => {
  await using spoken = speakTo(() => new Response("no.token"));
  const answer = await spoken.api.signIn({ username: "ada", password: "right" });
  assert.ok(!answer.ok);
  assert.equal(answer.message, "token malformed");
});

Deno.test("calls that are told to renew at the same time renew once", async () => {
  let renewals = 0;
  await using spoken = speakTo(async ({ path }) => {
    if (path !== "/api/renew") {
      return Response.json({ total: 2, used: 1 }, { headers: { "x-renew-token": "true" } });
    }
    renewals++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return new Response(tokenFor(ada, renewals + 1));
  });
  await Promise.all(Array.from({ length: 8 }, () => spoken.api.usage(ROOT)));
  await until(() => spoken.session.current() === tokenFor(ada, 2));
  assert.equal(renewals, 1);
  assert.equal(spoken.heard.at(-1)?.headers.get("x-auth"), "cookie");
});

Deno.test("a tab does not renew what another tab has renewed while it waited", async () => {
  await using spoken = speakTo(() => new Response(tokenFor(ada, 3)));
  const both = [spoken.api.calls.renew(), spoken.api.calls.renew()];
  spoken.session.keep(tokenFor(ada, 2));
  assert.deepEqual(await Promise.all(both), [true, true]);
  assert.ok(spoken.heard.length <= 1);
});

Deno.test("signing out gives up what the page still asks for, and asks for nothing more", async () => {
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  const sent: string[] = [];
  const fetch = async (address: string, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    sent.push(address);
    if (address === "/api/logout") return new Response();
    return await new Promise<Response>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason))
    );
  };
  const api = new Api({ baseUrl: "", session, fetch, resumes: true });
  const asked = [api.usage(ROOT), api.usage(ROOT, new AbortController().signal)];
  await api.signOut();
  const answers = await Promise.all([...asked, api.usage(ROOT)]);
  assert.deepEqual(answers.map((answer) => answer.ok || answer.code), Array(3).fill("aborted"));
  assert.equal(sent.at(-1), "/api/logout");
});

Deno.test("signing out forgets the token even when the server can't be reached", async () => {
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  const api = new Api({
    baseUrl: "",
    session,
    fetch: () => Promise.reject(new TypeError("Failed to fetch")),
  });
  await api.signOut();
  assert.equal(session.current(), null);
  assert.equal(session.ended.value, "signed_out");
});

Deno.test("rawAddress() encodes picked names once more, so that commas in them are safe", () => {
  const session = new Session({ storage: memoryStorage(), user: ada });
  const api = new Api({ baseUrl: "/base", session });
  const address = api.rawAddress(photos, { names: ["a,b.txt", "50%.txt"] });
  const { pathname, searchParams } = new URL(address, "http://localhost");
  assert.equal(pathname, "/base/api/raw/photos%20%26%20more");
  const names = searchParams.get("files")?.split(",").map(decodeURIComponent);
  assert.deepEqual(names, ["a,b.txt", "50%.txt"]);
});

Deno.test("tryDownload() shows the cookie alone, below the base URL", async () => {
  await using spoken = speakTo(() => new Response(null, { status: 401 }));
  const address = spoken.api.rawAddress(photos);
  const answer = await spoken.api.tryDownload(address);
  assert.ok(!answer.ok);
  assert.equal(spoken.session.ended.value, null);
  const [heard] = spoken.heard;
  assert.equal(`${heard?.method} ${heard?.target}`, "HEAD /api/raw/photos%20%26%20more");
  assert.ok(!heard?.headers.has("x-auth"));
});
