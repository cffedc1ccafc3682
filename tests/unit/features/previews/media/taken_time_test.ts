import assert from "node:assert/strict";
import {
  readTakenTime,
  takenTimeOfXmp,
} from "../../../../../lib/server/features/previews/media/reading/taken_time.ts";
import type { OpenFile } from "../../../../../lib/server/core/disk/disk.ts";
import { ByteSource } from "../../../../../lib/server/features/previews/media/reading/byte_source.ts";
import { readTags } from "../../../../../lib/server/features/previews/media/reading/music.ts";
import { videoFactsOf } from "../../../../../lib/server/features/previews/media/reading/program_facts.ts";

const told: [text: string, taken?: string, zone?: string][] = [
  ["2024:05:06 07:08:09", "2024-05-06T07:08:09"],
  ["2024-05-06T07:08:09.123+0200", "2024-05-06T07:08:09", "+02:00"],
  ["2024-05-06T07:08:09-03:30", "2024-05-06T07:08:09", "-03:30"],
  ["2024-05-06T07:08:09.000000Z", "2024-05-06T07:08:09", "Z"],
  ["2024-05-06T07:08", "2024-05-06T07:08:00"],
  ["2024-05-06", "2024-05-06T00:00:00"],
  ["1931:01:02 00:00:00", "1931-01-02T00:00:00"],
  ["0000:00:00 00:00:00"],
  ["2024:02:31 07:08:09"],
  ["2024:13:01 07:08:09"],
  ["2024:05:06 25:08:09"],
  ["yesterday"],
  [""],
];

for (const [text, taken, takenZone] of told) {
  Deno.test(`a time is read, or refused: "${text}"`, () => {
    assert.deepEqual(readTakenTime(text), {
      ...(taken && { taken }),
      ...(takenZone && { takenZone }),
    });
  });
}

Deno.test("EXIF tells the zone apart; one that no place has is left out", () => {
  assert.equal(readTakenTime("2024:05:06 07:08:09", "+09:00").takenZone, "+09:00");
  assert.equal(readTakenTime("2024:05:06 07:08:09", "+99:00").takenZone, undefined);
  assert.equal(readTakenTime("2024:05:06 07:08:09", "   ").takenZone, undefined);
});

Deno.test("XMP tells the time as an attribute or an element, the original one first", () => {
  const packet = (inside: string) =>
    new TextEncoder().encode(`\0\u00ff<x:xmpmeta xmlns:x="adobe:ns:meta/">${inside}</x:xmpmeta>`);
  const attribute = packet(
    '<rdf xmp:CreateDate="2020-01-01T00:00:00" ' +
      'exif:DateTimeOriginal="2019-02-03T04:05:06+01:00"/>',
  );
  assert.deepEqual(takenTimeOfXmp(attribute), {
    ...{ taken: "2019-02-03T04:05:06", takenZone: "+01:00" },
  });
  const element = packet("<photoshop:DateCreated>2018-05-06</photoshop:DateCreated>");
  assert.equal(takenTimeOfXmp(element).taken, "2018-05-06T00:00:00");
  assert.deepEqual(takenTimeOfXmp(packet("<xmp:CreateDate>soon</xmp:CreateDate>")), {});
  assert.deepEqual(takenTimeOfXmp(new TextEncoder().encode("<x:xmpmeta xmp:CreateDate=")), {});
});

Deno.test("a video's own date goes before that of its container, which may be unset", () => {
  const video = (tags: Record<string, string>) =>
    videoFactsOf(JSON.stringify({
      streams: [{ codec_type: "video", width: 4, height: 3 }],
      format: { tags },
    }));
  const container = { creation_time: "2024-05-06T05:08:09.000000Z" };
  const own = { "com.apple.quicktime.creationdate": "2024-05-06T07:08:09+0200" };
  assert.equal(video({ ...container, ...own })?.takenZone, "+02:00");
  assert.equal(video({ ...container, ...own })?.taken, "2024-05-06T07:08:09");
  assert.deepEqual([video(container)?.taken, video(container)?.takenZone], [
    ...["2024-05-06T05:08:09", "Z"],
  ]);
  assert.equal(video({ creation_time: "1904-01-01T00:00:00.000000Z" })?.taken, undefined);
  assert.equal(video({ creation_time: "1970-01-01T00:00:00.000000Z" })?.taken, undefined);
});

/** A box of an MP4 file. */
function box(type: string, ...content: Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, each) => sum + each.length, 8);
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, length);
  bytes.set(new TextEncoder().encode(type), 4);
  let at = 8;
  for (const each of content) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}

/** The head of a video that was begun at a time. @param seconds since 1904 */
function movie(seconds: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(100));
  header.setUint32(4, seconds);
  header.setUint32(8, seconds);
  header.setUint32(12, 1_000);
  const kind = new TextEncoder().encode("isom\0\0\0\0isom");
  const file = [box("ftyp", kind), box("moov", box("mvhd", new Uint8Array(header.buffer)))];
  return Uint8Array.from(file.flatMap((each) => [...each]));
}

Deno.test("without a program, a video's date is that of its container, unless it is unset", async () => {
  const read = async (seconds: number) => {
    const bytes = movie(seconds);
    const file = {
      read(into: Uint8Array, at: number) {
        const part = bytes.subarray(at, at + into.length);
        into.set(part);
        return part.length;
      },
    };
    const source = new ByteSource(file as unknown as OpenFile, bytes.length);
    const { taken, takenZone } = await readTags(source, "video/mp4");
    return [taken, takenZone];
  };
  const since1904 = (time: string) => Date.parse(time) / 1_000 + 2_082_844_800;
  assert.deepEqual(await read(since1904("2024-05-06T05:08:09Z")), ["2024-05-06T05:08:09", "Z"]);
  assert.deepEqual(await read(0), [undefined, undefined]);
  assert.deepEqual(await read(since1904("1970-01-01T00:00:00Z")), [undefined, undefined]);
});
