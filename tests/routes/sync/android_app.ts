/** Nextcloud for Android, signed in, and how it looks at entries. */
import { startApp } from "../../support/server/app.ts";
import { quarters } from "../../support/data/pictures.ts";
import { looksAt, replayOf, signInByBrowser } from "./app_calls.ts";

export const photo = new Uint8Array(
  await quarters(60, 40).jpeg().withExif({
    IFD2: { DateTimeOriginal: "2024:05:06 07:08:09", OffsetTimeOriginal: "+02:00" },
    IFD3: {
      GPSLatitudeRef: "N",
      GPSLatitude: "48/1 30/1 0/1",
      GPSLongitudeRef: "E",
      GPSLongitude: "9/1 0/1 0/1",
    },
  }).toBuffer(),
);

export const app = await startApp({
  config: { syncClients: true },
  tree: { anna: { "note.md": "# Note", Photos: { "sea.jpg": photo }, docs: { deep: {} } } },
});
Deno.test.afterAll(app.close);
const signedIn = await signInByBrowser(app, "android", "anna");
export const { session, anyone, told } = signedIn;
export const replay = replayOf(app, signedIn.headers);
export const asOcs = replayOf(app, { ...signedIn.headers, "ocs-apirequest": "true" });
export const dav = "/remote.php/dav";
export const files = `${dav}/files/anna`;

/** What it asks of the entries of a folder. */
export const listed = [
  ...["d:displayname", "d:getcontenttype", "d:resourcetype", "d:getcontentlength"],
  ...["d:getlastmodified", "d:creationdate", "d:getetag", "oc:permissions", "oc:fileid", "oc:id"],
  ...["oc:size", "oc:favorite", "nc:is-encrypted", "nc:mount-type", "oc:owner-id"],
  ...["oc:owner-display-name", "oc:comments-unread", "nc:has-preview", "nc:note", "nc:sharees"],
  ...["nc:rich-workspace", "nc:creation_time", "nc:upload_time", "nc:lock", "nc:lock-owner-type"],
  ...["nc:lock-owner", "nc:lock-owner-displayname", "nc:lock-owner-editor", "nc:lock-time"],
  ...["nc:lock-timeout", "nc:lock-token", "nc:system-tags", "nc:system-tags-color"],
  ...["nc:file-metadata-size", "nc:file-metadata-gps", "nc:metadata-photos-size"],
  ...["nc:metadata-photos-gps", "nc:metadata-files-live-photo", "nc:hidden"],
  "nc:share-download-limits",
];

export const { list, read } = looksAt(files, listed, {
  "content-type": "text/xml; charset=UTF-8",
});
export const exists = (path: string, status: number) => ({
  does: "look whether an entry is there",
  method: "HEAD",
  path: `${files}${path}`,
  status,
});
