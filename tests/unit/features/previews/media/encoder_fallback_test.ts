import assert from "node:assert/strict";
import {
  type Encode,
  EncoderFallback,
} from "../../../../../lib/server/features/previews/media/streams/encoder_fallback.ts";
import type { ProgramEnd } from "../../../../../lib/server/features/commands/protocol.ts";
import { fragmentBytes, headerBytes } from "../../../../support/data/fragments.ts";

/** What an encoder prints, and how it ends. */
interface Result {
  output: Uint8Array[];
  end?: ProgramEnd;
  complaint?: string;
}

const works: Result = { output: [headerBytes(), fragmentBytes(10, "a")] };
const fails: Result = {
  output: [headerBytes()],
  end: { status: 1 },
  complaint: "No device\nfor \x1b[1mthis",
};

/** Encodes as told, one film after the other. */
async function encodeAll(
  fallback: EncoderFallback,
  films: { h264_vaapi?: Result; libx264?: Result }[],
) {
  const used: string[] = [];
  const notes: (string | undefined)[] = [];
  const outputs: number[] = [];
  const ends: ProgramEnd[] = [];
  for (const film of films) {
    const encode: Encode = async (encoder, receive, complain) => {
      used.push(encoder);
      const result = film[encoder as "libx264"] ?? assert.fail(encoder);
      for (const part of result.output) await receive(part);
      complain(result.complaint ?? "");
      return result.end ?? { status: 0 };
    };
    let length = 0;
    const receive = (bytes: Uint8Array) => {
      length += bytes.length;
      return Promise.resolve();
    };
    ends.push(await fallback.run(encode, receive));
    outputs.push(length);
    notes.push(fallback.takeNote());
  }
  return { used, notes, outputs, ends };
}

const whole = works.output.reduce((sum, { length }) => sum + length, 0);

Deno.test("libx264 encodes at once where no other encoder is named", async () => {
  const { used, outputs, notes } = await encodeAll(new EncoderFallback("libx264"), [
    { libx264: works },
  ]);
  assert.deepEqual([used, outputs, notes], [["libx264"], [whole], [undefined]]);
});

Deno.test("an encoder that works is used for all films", async () => {
  const films = [{ h264_vaapi: works }, { h264_vaapi: works }];
  const { used, outputs, notes } = await encodeAll(new EncoderFallback("h264_vaapi"), films);
  assert.deepEqual(used, ["h264_vaapi", "h264_vaapi"]);
  assert.deepEqual([outputs, notes], [[whole, whole], [undefined, undefined]]);
});

Deno.test("an encoder that never works is given up, and the log is told once", async () => {
  const films = [{ h264_vaapi: fails, libx264: works }, { libx264: works }, { libx264: works }];
  const { used, outputs, notes } = await encodeAll(new EncoderFallback("h264_vaapi"), films);
  assert.deepEqual(used, ["h264_vaapi", "libx264", "libx264", "libx264"]);
  assert.deepEqual(outputs, [whole, whole, whole], "nothing of the encoder that failed");
  assert.deepEqual(notes, [
    "Media: h264_vaapi failed, libx264 converts all videos instead: No device for [1mthis",
    undefined,
    undefined,
  ]);
});

Deno.test("an encoder that does not take one film stays in use for others", async () => {
  const films = [{ h264_vaapi: works }, { h264_vaapi: fails, libx264: works }, {
    h264_vaapi: works,
  }];
  const { used, notes } = await encodeAll(new EncoderFallback("h264_vaapi"), films);
  assert.deepEqual(used, ["h264_vaapi", "h264_vaapi", "libx264", "h264_vaapi"]);
  assert.match(notes[1] ?? "", /^Media: h264_vaapi failed, libx264 converts a video instead: /);
});

Deno.test("a film that no encoder takes says nothing about the encoder", async () => {
  const films = [{ h264_vaapi: fails, libx264: fails }, { h264_vaapi: works }];
  const { used, notes, ends } = await encodeAll(new EncoderFallback("h264_vaapi"), films);
  assert.deepEqual(used, ["h264_vaapi", "libx264", "h264_vaapi"]);
  assert.deepEqual(notes, [undefined, undefined]);
  assert.equal(ends[0]?.status, 1);
});

Deno.test("a film that is left, or ends without pictures, is not encoded again", async () => {
  for (const end of [{ status: 137, stopped: "gone" }, { status: 126, failure: "no" }] as const) {
    const films = [{ h264_vaapi: { output: [], end } }];
    const { used, ends } = await encodeAll(new EncoderFallback("h264_vaapi"), films);
    assert.deepEqual([used, ends], [["h264_vaapi"], [end]]);
  }
  const films = [{ h264_vaapi: { output: [headerBytes()] } }];
  const { outputs } = await encodeAll(new EncoderFallback("h264_vaapi"), films);
  assert.deepEqual(outputs, [headerBytes().length]);
});
