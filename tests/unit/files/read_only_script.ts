/** Every way to write to a disk that is mounted read-only. */
import assert from "node:assert/strict";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { removeEntry } from "../../../lib/server/files/remove.ts";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { openListingWorker } from "../../../lib/server/files/workers/workers.ts";
import { assertDeniedLater, at, enter } from "../core/access/visitors.ts";
import { bodyOf } from "./streams.ts";

const [folder = ""] = Deno.args;
const access = enter(folder);
const listingWorker = openListingWorker();
const override = { override: true };
for (const path of ["/new.txt", "/x/new.txt", "/sub/new.txt", "/sub/a.txt"]) {
  await assertDeniedLater(uploadFile(access, at(path), bodyOf("x"), override), "read_only", path);
}
await assertDeniedLater(saveFile(access, at("/sub/a.txt"), bodyOf("x"), {}), "read_only");
await assertDeniedLater(makeFolder(access, at("/x/y")), "read_only");
await assertDeniedLater(removeEntry(access, listingWorker, at("/sub/a.txt")), "read_only");
await assertDeniedLater(removeEntry(access, listingWorker, at("/sub")), "read_only");
assert.equal(Deno.readTextFileSync(`${folder}/sub/a.txt`), "a");
listingWorker.close();
