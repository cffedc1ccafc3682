/** Every way to write into a folder that can't be written, and the word that refuses it. */
import assert from "node:assert/strict";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { removeEntry } from "../../../lib/server/files/remove.ts";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { openListingWorker } from "../../../lib/server/files/workers/workers.ts";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { assertDeniedLater, at, enter } from "../core/access/visitors.ts";
import { bodyOf } from "./streams.ts";

const [folder = "", word] = Deno.args;
const code = word as ErrorCode;
const access = enter(folder);
const listingWorker = openListingWorker();
const override = { override: true };
for (const path of ["/new.txt", "/x/new.txt", "/sub/new.txt", "/sub/a.txt"]) {
  await assertDeniedLater(uploadFile(access, at(path), bodyOf("x"), override), code, path);
}
await assertDeniedLater(saveFile(access, at("/sub/a.txt"), bodyOf("x"), {}), code);
await assertDeniedLater(makeFolder(access, at("/x/y")), code);
await assertDeniedLater(removeEntry(access, listingWorker, at("/sub/a.txt")), code);
await assertDeniedLater(removeEntry(access, listingWorker, at("/sub")), code);
assert.equal(Deno.readTextFileSync(`${folder}/sub/a.txt`), "a");
listingWorker.close();
