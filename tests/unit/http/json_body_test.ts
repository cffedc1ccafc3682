import assert from "node:assert/strict";
import { HeavyAnswers } from "../../../lib/server/http/middleware/heavy_answers.ts";
import * as bodies from "../../../lib/server/http/request/json_body.ts";
import { textField } from "../../../lib/server/http/request/json_body.ts";
import { type JsonLimits, wholeBody } from "../../../lib/server/openapi/json_body.ts";
import { ListingWorker } from "../../../lib/server/workers/listing_worker.ts";

const listingWorker = new ListingWorker();
Deno.test.afterAll(() => listingWorker.close());

/** A request of a user. */
function contextOf(
  req: Request,
  limits?: JsonLimits,
): Parameters<typeof bodies.readJson>[0] {
  const cubby = { heavy: new HeavyAnswers(), listingWorker };
  const state = { cubby, signedIn: { user: { id: 1 } }, call: { body: wholeBody({}, { limits }) } };
  return { req, state, config: { basePath: "" } } as unknown as Parameters<
    typeof bodies.readJson
  >[0];
}

const readJson = (req: Request, limits?: JsonLimits) => bodies.readJson(contextOf(req, limits));
const readJsonObject = (req: Request) => bodies.readJsonObject(contextOf(req));

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

Deno.test("readJson() refuses a length over the limit before it reads", async () => {
  const { req, state } = pieces(new Uint8Array(10), 10);
  const long = new Request(req, { headers: { "content-length": String(2 * 1024 * 1024) } });
  await assert.rejects(readJson(long), { code: "body_too_large" });
  assert.ok(state.sent <= 1);
});

Deno.test("readJson() stops reading at the limit when no length is given", async () => {
  const { req, state } = pieces(new Uint8Array(64 * 1024).fill(0x20), 1000);
  await assert.rejects(readJson(req), { code: "body_too_large" });
  assert.ok(state.sent < 20);
  assert.equal(state.cancelled, true);
});

Deno.test("readJson() gives up on a body that trickles in for ever", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([0x22])),
    cancel: () => {
      cancelled = true;
    },
  });
  await assert.rejects(readJson(post(endless), { milliseconds: 20 }), {
    code: "invalid_body",
    message: "Cannot read the request: it took too long to arrive",
  });
  assert.equal(cancelled, true);
});

Deno.test("readJson() refuses what is no JSON in UTF-8", async () => {
  for (const body of ["", "{", "{'a':1}", "nil", new Uint8Array([0x22, 0xff, 0x22])]) {
    await assert.rejects(readJson(post(body)), { code: "invalid_json" });
  }
  await assert.rejects(readJson(new Request("http://cubby.test/")), { code: "invalid_json" });
});

Deno.test("readJson() says that a body was cut off", async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  await assert.rejects(readJson(post(cut)), { code: "invalid_body", message: /cut off$/ });
});

Deno.test("readJsonObject() refuses lists, null and plain values", async () => {
  for (const body of ["[]", "null", "1", '"a"']) {
    await assert.rejects(readJsonObject(post(body)), { code: "invalid_json" });
  }
});

Deno.test("textField() refuses missing and inherited fields, and other types", () => {
  for (const object of [{}, { a: 1 }, { a: null }, { a: ["x"] }]) {
    assert.throws(() => textField(object, "a"), { code: "invalid_json" });
  }
  assert.throws(() => textField({}, "toString"), { code: "invalid_json" });
  assert.equal(textField({ a: "x" }, "a"), "x");
});

Deno.test("readJson() reads up to a byte at its limit", async () => {
  const text = JSON.stringify("x".repeat(1024 * 1024 - 2));
  assert.equal(text.length, 1024 * 1024);
  assert.equal(await readJson(post(text)), JSON.parse(text));
  assert.deepEqual(await readJsonObject(post('{"a":"é"}')), { a: "é" });
});

Deno.test("readJson() counts values and depth before it parses, and none that are text", async () => {
  const most = { values: 4 };
  for (const text of ["[1,2,3]", '{"a":[1]}', '["[[[[{{{{,,,,\\"[[,,"]', "[[[]]]"]) {
    assert.deepEqual(await readJson(post(text), most), JSON.parse(text), text);
  }
  for (const text of ["[1,2,3,4]", "[[],[],[]", '{"a":1,"b":2,"c":3,"d":4', '["\\\\",2,3,4]']) {
    await assert.rejects(readJson(post(text), most), {
      ...{ code: "invalid_body", message: "Cannot read the request: it has over 4 values" },
    });
  }
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.deepEqual(await readJson(post(nested(32))), JSON.parse(nested(32)));
  await assert.rejects(readJson(post(nested(33))), {
    code: "invalid_body",
    message: /nests deeper/,
  });
});
