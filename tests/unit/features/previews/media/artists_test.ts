import assert from "node:assert/strict";
import { join } from "node:path";
import { disk } from "../../../../../lib/server/core/disk/this_disk.ts";
import { ByteSource } from "../../../../../lib/server/features/previews/media/reading/byte_source.ts";
import { readTags } from "../../../../../lib/server/features/previews/media/reading/music.ts";
import { joined } from "../../../../support/data/bytes.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";

/** Sound with tags of ID3 in UTF-8, or Latin-1 before version 2.4. */
function songOf(version: 2 | 3 | 4, tags: [id: string, text: string][]): Uint8Array<ArrayBuffer> {
  const encoding = version === 4 ? 3 : 0;
  const frames = tags.map(([id, text]) => {
    const bytes = joined([encoding], new TextEncoder().encode(text));
    const { length } = bytes;
    return version === 2
      ? joined(new TextEncoder().encode(id), [0, 0, length], bytes)
      : joined(new TextEncoder().encode(id), [0, 0, 0, length, 0, 0], bytes);
  });
  const body = joined(...frames);
  const sound = joined([0xff, 0xfb, 0x90, 0x64], new Uint8Array(413));
  return joined("ID3", [version, 0, 0, 0, 0, 0, body.length], body, sound, sound, sound);
}

async function artistOf(bytes: Uint8Array): Promise<string | undefined> {
  await using folder = await temporaryFolder("/dev/shm");
  await Deno.writeFile(join(folder.path, "song.mp3"), bytes);
  using opened = disk.folder(folder.path);
  using file = opened.file("song.mp3", "read");
  return (await readTags(new ByteSource(file), "audio/mpeg")).artist;
}

Deno.test("an artist is told as the tags have it, with slashes, and all of several", async () => {
  const told = async (version: 2 | 3 | 4, ...tags: [string, string][]) =>
    await artistOf(songOf(version, tags));
  for (const [version, id] of [[2, "TP1"], [3, "TPE1"], [4, "TPE1"]] as const) {
    assert.equal(await told(version, [id, "AC/DC"]), "AC/DC", `2.${version}`);
    assert.equal(await told(version, [id, "Band"]), "Band", `2.${version}`);
  }
  assert.equal(await told(3, ["TPE2", "AC/DC"]), "AC/DC", "of the album");
  assert.equal(await told(3, ["TPE1", "AC/DC"], ["TPE2", "Various"]), "AC/DC");
  assert.equal(await told(4, ["TPE1", "Simon\0Garfunkel"]), "Simon, Garfunkel");
  assert.equal(await told(3, ["TIT2", "a/b"]), undefined);
});
