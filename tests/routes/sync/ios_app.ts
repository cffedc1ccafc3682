/** Nextcloud for iOS, signed in, and how it looks at entries. */
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { blackPng } from "../../support/data/pictures.ts";
import { looksAt, replayOf, signInByBrowser } from "./app_calls.ts";

export const app = await startApp({
  config: { syncClients: true },
  tree: {
    "anna b": { "note.md": "# Note", Photos: { "IMG_1.heic": "x", "IMG_1.mov": "film" } },
  },
});
Deno.test.afterAll(app.close);
await Deno.writeFile(join(app.root, "anna b/Photos/sea.png"), blackPng(40, 30));
export const user = "anna b";
const signedIn = await signInByBrowser(app, "ios", user);
export const { session, told } = signedIn;
const headers = {
  ...signedIn.headers,
  "ocs-apirequest": "true",
  "x-nc-account": `${user} http://cubby.test`,
};
/** It asks for JSON of OCS by this header alone. */
export const asOcs = replayOf(app, { ...headers, accept: "application/json" });
export const replay = replayOf(app, {
  ...headers,
  accept: "application/xml",
  "content-type": "application/xml",
});
export const upload = replayOf(app, {
  ...headers,
  accept: "application/json",
  "content-type": "application/octet-stream",
});
export const dav = "/remote.php/dav";
export const files = `${dav}/files/anna%20b`;

/** What it asks of each entry, of searches and of the trash as well. */
export const listed = [
  ...["d:displayname", "nc:share-download-limits", "d:getlastmodified", "d:getetag"],
  ...["d:getcontenttype", "d:resourcetype", "d:quota-available-bytes", "d:quota-used-bytes"],
  ...["d:getcontentlength", "oc:permissions", "oc:id", "oc:fileid", "oc:size", "oc:favorite"],
  ...["oc:share-types", "oc:owner-id", "oc:owner-display-name", "oc:comments-unread"],
  ...["oc:checksums", "oc:downloadURL", "oc:data-fingerprint", "nc:creation_time"],
  ...["nc:upload_time", "nc:is-encrypted", "nc:has-preview", "nc:mount-type"],
  ...["nc:rich-workspace", "nc:note", "nc:lock", "nc:lock-owner", "nc:lock-owner-editor"],
  ...["nc:lock-owner-displayname", "nc:lock-owner-type", "nc:lock-time", "nc:lock-timeout"],
  ...["nc:system-tags", "nc:file-metadata-size", "nc:file-metadata-gps"],
  ...["nc:metadata-photos-exif", "nc:metadata-photos-gps", "nc:metadata-photos-place"],
  ...["nc:metadata-photos-original_date_time", "nc:metadata-photos-size"],
  ...["nc:metadata-files-live-photo", "nc:hidden", "ocs:share-permissions"],
  "ocm:share-permissions",
];

export const { list, read } = looksAt(files, listed);
