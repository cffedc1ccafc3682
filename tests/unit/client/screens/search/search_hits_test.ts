import assert from "node:assert/strict";
import fc from "fast-check";
import { readHits } from "../../../../../lib/client/screens/search/search_query.ts";
import { runs } from "../../../../support/run/property.ts";

function streamOf(bytes: Uint8Array<ArrayBuffer>, cuts: number[]) {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  places.sort((a, b) => a - b);
  return ReadableStream.from(
    places.slice(1).map((place, index) => bytes.slice(places[index], place)),
  );
}

async function read(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  return (await Array.fromAsync(readHits(stream))).flat();
}

Deno.test("results are read however the answer is cut into pieces, within characters too", async () => {
  const hits = ["a", "straße/é.txt", "海/😀", 'quote " and \n line'].map((path) => ({
    path,
    dir: path === "a",
  }));
  const text = hits.map((hit) => `${JSON.stringify(hit)}\n`).join("");
  const bytes = new TextEncoder().encode(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
      assert.deepEqual(await read(streamOf(bytes, cuts)), hits);
    }),
    { numRuns: runs(50) },
  );
});

Deno.test("results come as soon as their line is whole", async () => {
  const { readable, writable } = new TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >();
  const writer = writable.getWriter();
  const hits = readHits(readable);
  const write = (text: string) => writer.write(new TextEncoder().encode(text));
  const first = hits.next();
  await write('{"path":"a","dir":false}\n{"path":');
  assert.deepEqual((await first).value, [{ path: "a", dir: false }]);
  const second = hits.next();
  await write('"b","dir":true}');
  await writer.close();
  assert.deepEqual((await second).value, [{ path: "b", dir: true }]);
  assert.ok((await hits.next()).done);
});

Deno.test("an answer without a line has no results, one that is no JSON is an error", async () => {
  assert.deepEqual(await read(streamOf(new Uint8Array(), [])), []);
  const bytes = new TextEncoder().encode("<html>\n");
  await assert.rejects(read(streamOf(bytes, [])), SyntaxError);
});
