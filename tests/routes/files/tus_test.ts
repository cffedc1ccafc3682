import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { type CallOptions, startApp, type TestApp } from "../../support/server/app.ts";

const partType = "application/offset+octet-stream";

let app: TestApp;
let token: string;

Deno.test.beforeAll(async () => {
  app = await startApp({ tree: { "taken.txt": "taken", box: {} } });
  token = await app.tokenOf("admin");
});
Deno.test.afterAll(async () => await app[Symbol.asyncDispose]());

async function begin(path: string, length: number, options: CallOptions = {}) {
  return await app.call("POST", `/api/tus${path}`, {
    token,
    ...options,
    headers: { "upload-length": `${length}`, "tus-resumable": "1.0.0", ...options.headers },
  });
}

async function send(path: string, offset: number, body: string, options: CallOptions = {}) {
  const headers = { "upload-offset": `${offset}`, "content-type": partType, ...options.headers };
  return await app.call("PATCH", `/api/tus${path}`, { token, body, ...options, headers });
}

/** The status of an answer, and how much has come. */
async function offsetOf(answer: Response): Promise<[number, string | null]> {
  await answer.body?.cancel();
  return [answer.status, answer.headers.get("upload-offset")];
}

const head = async (path: string, as = token) =>
  await offsetOf(await app.call("HEAD", `/api/tus${path}`, { token: as }));

const onDisk = (path: string) => Deno.readTextFile(join(app.root, path));

function hiddenFiles(folder = ""): string[] {
  return [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name)
    .filter((name) => name.startsWith(".cubby")).sort();
}

Deno.test("an upload begins for those who may create, with a length, where nothing is lost", async () => {
  const before = hiddenFiles();
  const { token: reader } = await app.addUser("reader", { perm: { create: false } });
  const { token: adder } = await app.addUser("adder", { perm: { modify: false } });
  const refused: [Promise<Response>, number, ErrorCode][] = [
    [
      app.call("POST", "/api/tus/a.txt", { headers: { "upload-length": "3" } }),
      401,
      "not_signed_in",
    ],
    [begin("/a.txt", 3, { token: reader }), 403, "forbidden"],
    [begin("/taken.txt", 3), 409, "exists"],
    [begin("/taken.txt?override=true", 3, { token: adder }), 403, "forbidden"],
    [begin("/box?override=true", 3), 409, "is_folder"],
    [begin("/a.txt", NaN), 400, "invalid_option"],
    [begin("/a.txt", -1), 400, "invalid_option"],
    [begin("/a.txt", 3, { headers: { "tus-resumable": "0.2.2" } }), 412, "precondition_failed"],
    [begin("/a.txt", 3, { headers: { "upload-metadata": "a b c" } }), 400, "invalid_option"],
    [
      begin("/a.txt", 3, { headers: { "upload-metadata": `lastModified ${btoa("soon")}` } }),
      400,
      "invalid_option",
    ],
    [begin("/a%00.txt", 3), 400, "invalid_path"],
  ];
  for (const [answer, status, code] of refused) await assertRefused(await answer, status, code);
  assert.deepEqual(hiddenFiles(), before);
});

Deno.test("a part counts where it continues the upload, and not otherwise", async () => {
  const before = hiddenFiles();
  await assertRefused(await send("/none.txt", 0, "abc"), 404, "not_found");
  assert.deepEqual(await offsetOf(await begin("/parts.txt", 6)), [201, "0"]);
  await assertRefused(await send("/parts.txt", 1, "abc"), 409, "wrong_offset");
  const plain = { headers: { "content-type": "text/plain" } };
  await assertRefused(await send("/parts.txt", 0, "abc", plain), 415, "wrong_content_type");
  await assertRefused(await send("/parts.txt", 0, "1234567"), 413, "body_too_large");
  assert.deepEqual(await head("/parts.txt"), [200, "0"]);
  assert.deepEqual(await offsetOf(await send("/parts.txt", 0, "abc")), [204, "3"]);
  assert.deepEqual(await head("/parts.txt"), [200, "3"]);
  await assert.rejects(onDisk("parts.txt"), Deno.errors.NotFound);
  const last = await send("/parts.txt", 3, "def");
  assert.match(last.headers.get("etag") ?? "", /^"/);
  assert.deepEqual(await offsetOf(last), [204, "6"]);
  assert.equal(await onDisk("parts.txt"), "abcdef");
  assert.deepEqual(await head("/parts.txt"), [200, "6"]);
  assert.deepEqual(hiddenFiles(), before);
});

Deno.test("a damaged part counts for nothing, and comes again", async () => {
  await offsetOf(await begin("/sum.txt", 6));
  const sum = (text: string) => ({
    headers: { "upload-checksum": `sha256 ${createHash("sha256").update(text).digest("base64")}` },
  });
  await assertRefused(await send("/sum.txt", 0, "abX", sum("abc")), 460, "checksum_mismatch");
  const unknown = { headers: { "upload-checksum": "crc32 AAAA" } };
  await assertRefused(await send("/sum.txt", 0, "abc", unknown), 400, "invalid_option");
  assert.deepEqual(await head("/sum.txt"), [200, "0"]);
  assert.deepEqual(await offsetOf(await send("/sum.txt", 0, "abc", sum("abc"))), [204, "3"]);
  assert.deepEqual(await offsetOf(await send("/sum.txt", 3, "def", sum("def"))), [204, "6"]);
  assert.equal(await onDisk("sum.txt"), "abcdef");
});

Deno.test("of a part with a digest that breaks off no byte counts", async () => {
  await offsetOf(await begin("/broken.txt", 6));
  for (const [checked, offset] of [[true, "0"], [false, "3"]] as const) {
    let isSent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (isSent) return controller.error(new TypeError("The connection was reset"));
        isSent = true;
        controller.enqueue(new TextEncoder().encode("abc"));
      },
    }, { highWaterMark: 0 });
    const digest = createHash("sha256").update("abcdef").digest("base64");
    const headers = {
      "upload-offset": "0",
      "content-type": partType,
      ...checked && { "upload-checksum": `sha256 ${digest}` },
    };
    const sent = await app.call("PATCH", "/api/tus/broken.txt", { token, headers, body });
    await assertRefused(sent, 400, "invalid_body");
    assert.deepEqual(await head("/broken.txt"), [200, offset]);
  }
  assert.deepEqual(await offsetOf(await send("/broken.txt", 3, "def")), [204, "6"]);
  assert.equal(await onDisk("broken.txt"), "abcdef");
});

Deno.test("an upload is one user's, and lives while its rights do", async () => {
  const { token: bert, user } = await app.addUser("bert");
  await offsetOf(await begin("/mine.txt", 6));
  assert.deepEqual(await head("/mine.txt", bert), [404, null]);
  await offsetOf(await begin("/mine.txt", 3, { token: bert }));
  await offsetOf(await send("/mine.txt", 0, "abc"));
  assert.deepEqual(await head("/mine.txt", bert), [200, "0"]);
  await app.cubby.users.update(user.id, { perm: { ...user.perm, create: false } });
  const again = await app.tokenOf("bert");
  await assertRefused(await send("/mine.txt", 0, "abc", { token: again }), 403, "forbidden");
  assert.deepEqual(await offsetOf(await send("/mine.txt", 3, "def")), [204, "6"]);
});

Deno.test("a name that was taken meanwhile is not replaced, and the bytes wait", async () => {
  await offsetOf(await begin("/late.txt", 3));
  await Deno.writeTextFile(join(app.root, "late.txt"), "other");
  await assertRefused(await send("/late.txt", 0, "abc"), 409, "exists");
  assert.equal(await onDisk("late.txt"), "other");
  assert.deepEqual(await head("/late.txt"), [409, null]);
  await Deno.remove(join(app.root, "late.txt"));
  assert.deepEqual(await offsetOf(await send("/late.txt", 3, "")), [204, "3"]);
  assert.equal(await onDisk("late.txt"), "abc");
});

Deno.test("an upload replaces, is dropped, begins anew, makes folders, keeps its time", async () => {
  await Deno.writeTextFile(join(app.root, "replaced.txt"), "former");
  const replacing = await begin("/replaced.txt?override=true", 3, {
    body: "new",
    headers: { "content-type": partType },
  });
  assert.equal(replacing.headers.get("location"), "/api/tus/replaced.txt");
  assert.deepEqual(await offsetOf(replacing), [201, "3"]);
  assert.equal(await onDisk("replaced.txt"), "new");

  const before = hiddenFiles().length;
  await offsetOf(await begin("/gone.txt", 3));
  assert.equal(hiddenFiles().length, before + 1);
  assert.deepEqual(await offsetOf(await app.call("DELETE", "/api/tus/gone.txt", { token })), [
    204,
    null,
  ]);
  assert.equal(hiddenFiles().length, before);
  await offsetOf(
    await begin("/anew.txt", 3, { body: "ab", headers: { "content-type": partType } }),
  );
  assert.deepEqual(await offsetOf(await begin("/anew.txt", 4)), [201, "0"]);
  assert.equal(hiddenFiles().length, before + 1);
  await offsetOf(await app.call("DELETE", "/api/tus/anew.txt", { token }));

  assert.deepEqual(await offsetOf(await begin("/empty.txt", 0)), [201, "0"]);
  assert.equal(await onDisk("empty.txt"), "");
  assert.equal((await offsetOf(await begin("/new/folder/", 0)))[0], 201);
  assert.ok(Deno.statSync(join(app.root, "new/folder")).isDirectory);

  const time = Date.UTC(2001, 1, 3, 4, 5, 6);
  const headers = { "upload-metadata": `filename ${btoa("x")},lastModified ${btoa(`${time}`)}` };
  await offsetOf(await begin("/below/deep/old.txt", 3, { headers }));
  await offsetOf(await send("/below/deep/old.txt", 0, "old"));
  assert.equal((await Deno.stat(join(app.root, "below/deep/old.txt"))).mtime?.getTime(), time);
  const whole = await app.call("POST", `/api/resources/whole.txt?modified=${time}`, {
    token,
    body: "w",
  });
  assert.equal((await offsetOf(whole))[0], 200);
  assert.equal((await Deno.stat(join(app.root, "whole.txt"))).mtime?.getTime(), time);
});

Deno.test("a client learns what the server knows", async () => {
  const answer = await app.call("OPTIONS", "/api/tus/a.txt", { token });
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get("tus-version"), "1.0.0");
  const known = answer.headers.get("tus-extension") ?? "";
  assert.ok(
    ["creation", "termination", "checksum", "expiration"].every((name) => known.includes(name)),
  );
});

Deno.test("what has not come for a day is dropped, with its bytes", async () => {
  await offsetOf(await begin("/slow.txt", 6));
  await offsetOf(await send("/slow.txt", 0, "abc"));
  await app.later(24 * 60 * 60 * 1000 + 1, async () => {
    assert.deepEqual(await head("/slow.txt", await app.tokenOf("admin")), [404, null]);
  });
});
