import assert from "node:assert/strict";
import { rgbaToThumbHash } from "thumbhash";
import { Blurs } from "../../../../../lib/client/files_page/listing/thumbs/thumbs.ts";
import { success } from "../../../../../lib/shared/result.ts";

/** The hash of a red picture, in base64. */
const red = rgbaToThumbHash(4, 4, new Uint8Array(64).map((_, at) => at % 4 % 3 === 0 ? 255 : 0))
  .toBase64();

function blursOf(hashes: Record<string, string>) {
  const asked: string[][] = [];
  const blurs = new Blurs((paths) => {
    asked.push([...paths]);
    return Promise.resolve(success({ hashes }));
  });
  return { blurs, asked };
}

Deno.test("Blurs draws the pictures whose hashes the server has, and asks once", async () => {
  const { blurs, asked } = blursOf({ "/a.jpg": red });
  const [a, b] = [blurs.of("a"), blurs.of("b")];
  const paths = new Map([["a", "/a.jpg"], ["b", "/b.jpg"]]);
  await blurs.read(paths);
  await blurs.read(paths);
  assert.match(a.value ?? "", /^data:image\/png;base64,/);
  assert.equal(b.value, null);
  assert.deepEqual(asked, [["/a.jpg", "/b.jpg"]]);
});

Deno.test("Blurs survives damaged hashes, and drops a picture for good", async () => {
  const { blurs } = blursOf({ "/a.jpg": red, "/b.jpg": "no base64!" });
  const [a, b] = [blurs.of("a"), blurs.of("b")];
  await blurs.read(new Map([["b", "/b.jpg"], ["a", "/a.jpg"]]));
  assert.equal(b.value, null);
  assert.notEqual(a.value, null);
  blurs.forget("a");
  assert.equal(a.value, null);
  assert.equal(blurs.of("a").value, null);
});

Deno.test("Blurs asks for at most as many as one request may have", async () => {
  const { blurs, asked } = blursOf({});
  const many = new Map(Array.from({ length: 500 }, (_, at) => [`${at}`, `/${at}`]));
  await blurs.read(many);
  await blurs.read(many);
  assert.deepEqual(asked.map(({ length }) => length), [200, 200]);
});
