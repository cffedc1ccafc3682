import assert from "node:assert/strict";
import { Conversion } from "../../../../../lib/server/features/previews/media/streams/conversion.ts";
import { FragmentReader } from "../../../../../lib/server/features/previews/media/streams/fragments.ts";
import {
  header,
  streamOffset,
} from "../../../../../lib/server/features/previews/media/streams/segments.ts";
import { type Durations, fragmentBytes, headerBytes } from "../../../../support/data/fragments.ts";

const starts = [0, 1, 2, 3, 4, 5];

/** Fragments that are received one after the other, and the segments that are kept. */
async function convert(from: number, fragments: [start: number, durations?: Durations][]) {
  const kept: [index: number, content: string][] = [];
  const keep = (index: number, bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes);
    kept.push([index, [...text.matchAll(/(\d+) of/g)].map(([, name]) => name).join()]);
  };
  const conversion = new Conversion({ from, starts, owner: "ann", keep, reached: () => {} });
  const after: number[] = [];
  await conversion.receive(headerBytes());
  for (const [at, [start, durations]] of fragments.entries()) {
    await conversion.receive(fragmentBytes(start + streamOffset, `${at}`, durations));
    after.push(kept.length - 1);
  }
  conversion.end();
  assert.equal(kept.shift()?.[0], header);
  return { kept, after };
}

for (const durations of [{ count: 25, each: 0.04 }, Array<number>(25).fill(0.04)]) {
  const kind = Array.isArray(durations) ? "each sample" : "all samples";
  Deno.test(`a segment is kept once its fragment reaches the next start, by ${kind}`, async () => {
    const { kept, after } = await convert(2, [[2, durations], [3, durations], [4, durations]]);
    assert.deepEqual(kept, [[2, "0"], [3, "1"], [4, "2"]]);
    assert.deepEqual(after, [1, 2, 3]);
  });
}

Deno.test("a segment of several fragments is kept with the last of them", async () => {
  const half = { count: 10, each: 0.05 };
  const { kept, after } = await convert(0, [[0, half], [0.5, half], [1, half], [1.5, half]]);
  assert.deepEqual(kept, [[0, "0,1"], [1, "2,3"]]);
  assert.deepEqual(after, [0, 1, 1, 2]);
});

Deno.test("without durations a segment is kept with the first fragment of the next one", async () => {
  const { kept, after } = await convert(0, [[0], [1], [2]]);
  assert.deepEqual(kept, [[0, "0"], [1, "1"], [2, "2"]]);
  assert.deepEqual(after, [0, 1, 2]);
});

Deno.test("what comes before the first segment is left out, and nothing after it", async () => {
  const second = { count: 25, each: 0.04 };
  const { kept } = await convert(2, [[1, second], [2, second], [2.5, second], [3.5, second]]);
  assert.deepEqual(kept, [[2, "1"], [3, "2,3"]]);
});

Deno.test("a run that has more samples than bytes tells no end", () => {
  const reader = new FragmentReader();
  const fragment = fragmentBytes(10, "a", [0.5, 0.5]);
  const text = new TextDecoder("latin1").decode(fragment);
  new DataView(fragment.buffer).setUint32(text.indexOf("trun") + 8, 0xffffffff);
  const parts = [...reader.push(headerBytes()), ...reader.push(fragment)];
  const last = parts.at(-1);
  assert.ok(last?.is === "fragment" && last.seconds === 10 && Number.isNaN(last.until));
});
