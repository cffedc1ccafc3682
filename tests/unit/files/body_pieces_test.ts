import assert from "node:assert/strict";
import { delay } from "../../../lib/shared/delay.ts";
import { type Body, eachPiece } from "../../../lib/server/files/upload/body_pieces.ts";

/** A body of single bytes, and what happens to it; it breaks off where an error is in it. */
function bodyOf(pieces: (number | Error)[], type?: "bytes") {
  const seen = { pulls: 0, cancelled: undefined as unknown };
  const body: Body = new ReadableStream({
    type: type as undefined,
    pull(controller) {
      const piece = pieces[seen.pulls++];
      if (piece === undefined) {
        controller.close();
        (controller as unknown as ReadableByteStreamController).byobRequest?.respond(0);
      } else if (piece instanceof Error) throw piece;
      else controller.enqueue(Uint8Array.of(piece));
    },
    cancel: (reason) => void (seen.cancelled = reason),
  }, type ? undefined : { highWaterMark: 0 });
  return { body, seen };
}

for (const type of ["bytes", undefined] as const) {
  const kind = type ? "a stream of bytes" : "a stream of chunks";

  Deno.test(`pieces of ${kind} come in order, one at a time, while the next one arrives`, async () => {
    const { body, seen } = bodyOf([1, 2, 3, 4], type);
    const taken: number[] = [];
    let atOnce = 0;
    await eachPiece(body, 8, async (piece) => {
      assert.equal(++atOnce, 1);
      const before = seen.pulls;
      await delay(10);
      assert.ok(seen.pulls > before, "nothing was read meanwhile");
      taken.push(...piece);
      atOnce--;
    });
    assert.deepEqual(taken, [1, 2, 3, 4]);
  });

  Deno.test(`all that has come of ${kind} is taken before its failure is thrown`, async () => {
    const { body } = bodyOf([1, 2, new Error("connection reset")], type);
    const taken: number[] = [];
    const reading = eachPiece(body, 8, async (piece) => {
      await delay(10);
      taken.push(...piece);
    });
    await assert.rejects(reading, /connection reset/);
    assert.deepEqual(taken, [1, 2]);
  });

  Deno.test(`a piece of ${kind} that cannot be taken ends it`, async () => {
    const { body, seen } = bodyOf([1, 2, 3, 4], type);
    const failure = new Error("disk full");
    await assert.rejects(eachPiece(body, 8, () => Promise.reject(failure)), failure);
    assert.equal(seen.cancelled, failure);
  });

  Deno.test(`a signal ends the reading of ${kind} once its last piece is taken`, async () => {
    const { body, seen } = bodyOf([1, 2, 3, 4], type);
    const reason = new Error("superseded");
    const controller = new AbortController();
    const taken: number[] = [];
    const reading = eachPiece(body, 8, async (piece) => {
      controller.abort(reason);
      await delay(10);
      taken.push(...piece);
    }, controller.signal);
    await assert.rejects(reading, reason);
    assert.deepEqual(taken, [1]);
    assert.equal(seen.cancelled, reason);
    await assert.rejects(
      eachPiece(bodyOf([1], type).body, 8, () => assert.fail(), controller.signal),
      reason,
    );
  });
}
