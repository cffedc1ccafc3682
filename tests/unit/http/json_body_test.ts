import assert from "node:assert/strict";
import { HeavyAnswers } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { readJsonBody, textField } from "../../../lib/server/http/request/json_body.ts";
import { type JsonLimits, wholeBody } from "../../../lib/server/http/openapi/json_body.ts";
import { openListingWorker } from "../../../lib/server/files/workers/workers.ts";

const listingWorker = openListingWorker();
Deno.test.afterAll(() => listingWorker.close());

/** Reads the body of a request of a user. */
async function read(
  req: Request,
  limits?: JsonLimits,
  required = true,
): Promise<Record<string, unknown>> {
  const cubby = { heavy: new HeavyAnswers(), listingWorker };
  const state = { cubby, signedIn: { user: { id: 1 } } };
  const ctx = { req, state, config: { basePath: "" } } as unknown as Parameters<
    typeof readJsonBody
  >[0];
  return await readJsonBody(ctx, wholeBody({}, { limits, required }));
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://cubby.test/", { method: "POST", body, headers });
}

/** A body in pieces, without a length, that tells whether it was let go. */
function pieces(piece: Uint8Array<ArrayBuffer>, count: number) {
  const state = { sent: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.sent === count) return controller.close();
      state.sent++;
      controller.enqueue(piece);
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { state, req: post(stream) };
}

Deno.test("readJsonBody() refuses a length over the limit before it reads", async () => {
  const { req, state } = pieces(new Uint8Array(10), 10);
  const long = new Request(req, { headers: { "content-length": String(2 * 1024 * 1024) } });
  await assert.rejects(read(long), { code: "body_too_large" });
  assert.ok(state.sent <= 1);
});

Deno.test("readJsonBody() stops reading at the limit when no length is given", async () => {
  const { req, state } = pieces(new Uint8Array(64 * 1024).fill(0x20), 1000);
  await assert.rejects(read(req), { code: "body_too_large" });
  assert.ok(state.sent < 20);
  assert.equal(state.cancelled, true);
});

Deno.test("readJsonBody() gives up on a body that trickles in for ever", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([0x22])),
    cancel: () => {
      cancelled = true;
    },
  });
  await assert.rejects(read(post(endless), { milliseconds: 20 }), {
    code: "invalid_body",
    message: "Cannot read the request: it took too long to arrive",
  });
  assert.equal(cancelled, true);
});

Deno.test("readJsonBody() refuses what is no JSON in UTF-8", async () => {
  for (const body of ["", "{", "{'a':1}", "nil", new Uint8Array([0x22, 0xff, 0x22])]) {
    await assert.rejects(read(post(body)), { code: "invalid_json" });
  }
  await assert.rejects(read(new Request("http://cubby.test/")), { code: "invalid_json" });
});

Deno.test("readJsonBody() takes no body for an object without members, where none is required", async () => {
  for (const req of [post(""), new Request("http://cubby.test/")]) {
    assert.deepEqual(await read(req, undefined, false), {});
  }
  for (const body of ["{", "[]", " "]) {
    await assert.rejects(read(post(body), undefined, false), { code: "invalid_json" });
  }
});

Deno.test("readJsonBody() says that a body was cut off", async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  await assert.rejects(read(post(cut)), { code: "invalid_body", message: /cut off$/ });
});

Deno.test("readJsonBody() refuses lists, null and plain values", async () => {
  for (const body of ["[]", "null", "1", '"a"']) {
    await assert.rejects(read(post(body)), { code: "invalid_json" });
  }
});

Deno.test("textField() refuses missing and inherited fields, and other types", () => {
  for (const object of [{}, { a: 1 }, { a: null }, { a: ["x"] }]) {
    assert.throws(() => textField(object, "a"), { code: "invalid_json" });
  }
  assert.throws(() => textField({}, "toString"), { code: "invalid_json" });
  assert.equal(textField({ a: "x" }, "a"), "x");
});

Deno.test("readJsonBody() reads up to a byte at its limit", async () => {
  const text = JSON.stringify({ a: "x".repeat(1024 * 1024 - 8) });
  assert.equal(text.length, 1024 * 1024);
  assert.deepEqual(await read(post(text)), JSON.parse(text));
  assert.deepEqual(await read(post('{"a":"é"}')), { a: "é" });
});

Deno.test("readJsonBody() counts values and depth before it parses, and none that are text", async () => {
  const most = { values: 4 };
  for (const text of ['{"a":[1]}', '{"a":"[[[[{{{{,,,,\\"[[,,"}', '{"a":[[]]}']) {
    assert.deepEqual(await read(post(text), most), JSON.parse(text), text);
  }
  for (const text of ["[1,2,3,4]", "[[],[],[]", '{"a":1,"b":2,"c":3,"d":4', '["\\\\",2,3,4]']) {
    await assert.rejects(read(post(text), most), {
      ...{ code: "invalid_body", message: "Cannot read the request: it has over 4 values" },
    });
  }
  const nested = (depth: number) => '{"a":' + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
  assert.deepEqual(await read(post(nested(32))), JSON.parse(nested(32)));
  await assert.rejects(read(post(nested(33))), {
    code: "invalid_body",
    message: /nests deeper/,
  });
});
