/** Uploads of 3 MB where no more than 1 MiB fits, and then, if asked, until nothing fits at all. */
import assert from "node:assert/strict";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { assertDeniedLater, at, enter } from "../core/access/visitors.ts";
import { bytesOf } from "./streams.ts";

const [folder = "", fill] = Deno.args;
const access = enter(folder);
const override = { override: true };
const namesIn = (path: string) => [...Deno.readDirSync(path)].map(({ name }) => name).sort();

await uploadFile(access, at("/former.bin"), bytesOf(100_000), override);
for (const path of ["/new.bin", "/x/y/new.bin", "/former.bin"]) {
  for (const options of [override, { ...override, expectedLength: 3_000_000 }]) {
    const upload = uploadFile(access, at(path), bytesOf(3_000_000), options);
    await assertDeniedLater(upload, "disk_full");
  }
}
await assertDeniedLater(saveFile(access, at("/former.bin"), bytesOf(3_000_000), {}), "disk_full");
assert.deepEqual(namesIn(folder), ["former.bin"]);

if (fill) {
  fillUp(`${folder}/filler`);
  // Less than the stream keeps back: it fails only when the stream is closed.
  await assertDeniedLater(uploadFile(access, at("/a"), bytesOf(10), override), "disk_full");
  await assertDeniedLater(
    uploadFile(access, at("/former.bin"), bytesOf(10), override),
    "disk_full",
  );
  assert.deepEqual(namesIn(folder), ["filler", "former.bin"]);
}
assert.equal(Deno.statSync(`${folder}/former.bin`).size, 100_000);

function fillUp(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  try {
    while (true) file.writeSync(new Uint8Array(4096));
  } catch {
    // That was the last of the disk.
  }
}
