/** An upload that never ends; says so when its temporary file has bytes. */
import { uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { at, enter } from "../core/access/visitors.ts";
import { pausedBody } from "./streams.ts";

const [folder = ""] = Deno.args;
const { body, reached } = pausedBody("half", "never");
const upload = uploadFile(enter(folder), at("/sub/file.txt"), body, { override: false });
await reached;
console.log("under way");
setInterval(() => {}, 1000);
await upload;
