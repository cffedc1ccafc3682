import assert from "node:assert/strict";
import { join } from "node:path";
import * as fc from "fast-check";
import { disk } from "../../../../../lib/server/core/disk/this_disk.ts";
import { ByteSource } from "../../../../../lib/server/features/previews/media/reading/byte_source.ts";
import {
  findEmbeddedJpeg,
  readEmbeddedJpeg,
} from "../../../../../lib/server/features/previews/media/reading/embedded_jpeg.ts";
import {
  readCover,
  readTags,
} from "../../../../../lib/server/features/previews/media/reading/music.ts";
import { readPictureFacts } from "../../../../../lib/server/features/previews/media/reading/picture_facts.ts";
import { readJpegHeader } from "../../../../../lib/server/features/previews/images/jpeg_header.ts";
import { joined } from "../../../../support/data/bytes.ts";
import { makeMedia, rawOf } from "../../../../support/data/media_files.ts";
import { quarters } from "../../../../support/data/pictures.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";

const jpeg = await quarters(64, 48).jpeg().toBuffer();
const small = await quarters(16, 12).jpeg().toBuffer();
const { song, film, heic } = await makeMedia();

/** Lets a test read bytes as an open file. */
async function withFile<T>(bytes: Uint8Array, read: (source: ByteSource) => T): Promise<T> {
  await using folder = await temporaryFolder("/dev/shm");
  await Deno.writeFile(join(folder.path, "file"), bytes);
  using opened = disk.folder(folder.path);
  using file = opened.file("file", "read");
  return await read(new ByteSource(file));
}

Deno.test("the largest JPEG is found, in the directory or by searching, and turned by the file", async () => {
  const inTiff = await withFile(rawOf(jpeg, 6), (source) => {
    const found = findEmbeddedJpeg(source);
    return found && readJpegHeader(readEmbeddedJpeg(source, found));
  });
  assert.deepEqual(inTiff, { width: 64, height: 48, orientation: 6 });
  const unknown = joined(new TextEncoder().encode("IIRO...."), small, jpeg, small);
  const found = await withFile(unknown, findEmbeddedJpeg);
  assert.deepEqual([found?.width, found?.offset], [64, 8 + small.length]);
  assert.equal(await withFile(new Uint8Array(1000), findEmbeddedJpeg), null);
});

Deno.test("directories in circles, without end or outside of the file end the walk", async () => {
  const circle = new Uint8Array(64);
  circle.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0]);
  assert.equal(await withFile(circle, findEmbeddedJpeg), null);
  const endless = circle.slice();
  endless.set([0xff, 0xff], 8);
  assert.equal(await withFile(endless, findEmbeddedJpeg), null);
  const outside = circle.slice();
  outside.set([0xff, 0xff, 0xff, 0x7f], 4);
  assert.equal(await withFile(outside, findEmbeddedJpeg), null);
});

Deno.test("damaged files make no reader throw anything unforeseen, nor run on", async () => {
  const files = [rawOf(jpeg, 6), song, film, heic, jpeg];
  const damage = fc.record({
    file: fc.constantFrom(...files),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    changes: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 12 }),
  });
  const property = fc.asyncProperty(damage, async ({ file, cut, changes }) => {
    // A copy: slice() of a Node.js buffer shares its bytes.
    const bytes = new Uint8Array(file.subarray(0, Math.max(1, Math.ceil(file.length * cut))));
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    await withFile(bytes, async (source) => {
      findEmbeddedJpeg(source);
      readPictureFacts(source, "a.jpg");
      readPictureFacts(source, "a.nef");
      for (const read of [readCover, readTags]) {
        await read(source, "audio/mpeg").catch((error) => assert.equal(error.name, "NoPreview"));
      }
    });
  });
  await fc.assert(property, { numRuns: 60 });
});

Deno.test("a tag that claims gigabytes is not believed", async () => {
  const claim = new Uint8Array(4096);
  claim.set(new TextEncoder().encode("ID3\x04\0\0"));
  claim.set([0x7f, 0x7f, 0x7f, 0x7f], 6);
  claim.set([...new TextEncoder().encode("APIC"), 0x7f, 0x7f, 0x7f, 0x7f], 10);
  await withFile(claim, async (source) => {
    await assert.rejects(readCover(source, "audio/mpeg"), { name: "NoPreview" });
  });
});
