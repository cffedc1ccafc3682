import assert from "node:assert/strict";
import { FirstLook } from "../../../lib/client/screens/preview/FirstLook.tsx";
import { Preview } from "../../../lib/client/screens/preview/Preview.tsx";
import type { EntryType } from "../../../lib/shared/schemas/choices/choices.ts";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import type { Permissions } from "../../../lib/shared/schemas/rights.ts";
import { userWho } from "../../support/data/page_data.ts";
import { markupOf } from "../../support/data/render.tsx";

const clock = { now: 0, timeZone: "UTC" };

function fileOf(name: string, type: EntryType): Resource {
  return {
    name,
    path: `/${name}`,
    isDir: false,
    isSymlink: false,
    type,
    size: 1200,
    modified: "2026-03-01T10:00:00Z",
    extension: name.slice(name.lastIndexOf(".")),
    mode: 0o644,
  };
}

const previewOf = (entry: Resource, perm: Partial<Permissions> = {}) =>
  markupOf(<Preview entry={entry} clock={clock} />, { user: userWho(perm) });

const namesOf = (markup: string) =>
  [...markup.matchAll(/ title="([^"]*)"/g)].map(([, name]) => name);

Deno.test("who may not have the content is shown the facts and no address of it", () => {
  for (const type of ["image", "audio", "video", "pdf", "blob"] as const) {
    const markup = previewOf(fileOf("sea.jpg", type), { download: false });
    assert.match(markup, /You don’t have permission to view this file\./, type);
    assert.match(markup, /1\.2 kB/);
    assert.doesNotMatch(markup, /\/api\/|<img|<audio|<video|<iframe/);
  }
});

Deno.test("an invalid link is shown without its content", () => {
  assert.doesNotMatch(previewOf(fileOf("link", "invalid_link")), /<img|src=/);
});

Deno.test("a preview offers what the user may do, and no more", () => {
  const sea = fileOf("sea.jpg", "image");
  const offers = ["Details", "Rename", "Delete", "Download"];
  const offered = (perm: Partial<Permissions>) =>
    offers.filter((name) => namesOf(previewOf(sea, perm)).includes(name));
  assert.deepEqual(offered({ rename: false, delete: false, download: false }), ["Details"]);
  assert.deepEqual(offered({ delete: false }), ["Details", "Rename", "Download"]);
  assert.deepEqual(offered({}), offers);
});

Deno.test("a preview does not let a name become markup", () => {
  for (const type of ["image", "audio", "video", "blob"] as const) {
    const markup = previewOf(fileOf('"><script>alert(1)</script>.jpg', type));
    assert.doesNotMatch(markup, /<script/, type);
  }
});

Deno.test("the server renders the facts of a file and the links to it", () => {
  const entry = fileOf("sea.jpg", "image");
  const files = { path: "/sea.jpg", resource: entry, failure: null };
  const markup = markupOf(<FirstLook entry={entry} text={null} clock={clock} />, { files });
  assert.match(markup, /href="\/api\/raw\/sea\.jpg"/);
  assert.match(markup, /href="\/api\/raw\/sea\.jpg\?inline=true"/);
  assert.match(markup, /Mar 1, 2026/);
  // A click before the script is there is repeated by it.
  const buttons = markup.match(/<button[^>]*>/g) ?? [];
  assert.ok(buttons.length >= 4);
  for (const button of buttons) assert.match(button, /^(?!.* disabled).* data-command="\w+"/);
});
