import assert from "node:assert/strict";
import { ColumnHead } from "../../../lib/client/files_page/listing/ColumnHead.tsx";
import { Crumbs } from "../../../lib/client/files_page/layout/Crumbs.tsx";
import { EntryRow } from "../../../lib/client/files_page/listing/EntryRow.tsx";
import { ErrorScreen } from "../../../components/StatusScreen.tsx";
import { FileDetails } from "../../../lib/client/files_page/layout/FilePage.tsx";
import { PageRoot } from "../../../lib/client/base/ui/PageRoot.tsx";
import { TextField } from "../../../components/Fields.tsx";
import type { Entry } from "../../../lib/shared/schemas/entry.ts";
import { i18nOf } from "../../../lib/server/http/pages/dictionaries.ts";
import { createPage } from "../../../lib/shared/page_data.ts";
import { pageDataOf } from "../../support/data/page_data.ts";
import { markupOf } from "../../support/data/render.tsx";

const file: Entry = {
  name: "sea.jpg",
  path: "/sea.jpg",
  isDir: false,
  isSymlink: false,
  type: "image",
  size: 1200,
  modified: "2026-03-01T10:00:00Z",
  extension: ".jpg",
  mode: 0o644,
};
const nothing = () => {};

function rowOf(entry: Entry, selected = false): string {
  return markupOf(
    <EntryRow
      t={i18nOf("en").t}
      room={32}
      entry={entry}
      index={4}
      href="/somewhere"
      selected={selected}
      size="1.2 kB"
      modified="yesterday"
      modifiedFull="1 Mar 2026, 10:00"
    />,
  );
}

Deno.test("a row does not let a name become markup", () => {
  const row = rowOf({ ...file, name: `<img src=x onerror=alert(1)>"'` });
  assert.ok(!row.includes("<img"));
  assert.ok(row.includes("&lt;img src=x onerror=alert(1)>&quot;"));
});

Deno.test("a row carries no style attribute, which the security policy would refuse", () => {
  assert.ok(!/\sstyle=/.test(rowOf(file)));
});

Deno.test("a row says its place in the folder, counted behind the head, and whether it is selected", () => {
  assert.ok(rowOf(file).includes(`aria-rowindex="6" aria-selected="false"`));
  assert.ok(rowOf(file, true).includes(`aria-rowindex="6" aria-selected="true"`));
});

Deno.test("the name of a folder says that it is one to those who cannot see the picture", () => {
  const row = rowOf({ ...file, name: "Photos", isDir: true, type: "listing" });
  assert.match(row, /aria-description="folder"[^>]*>Photos<\/a>/);
  assert.ok(!rowOf(file).includes("aria-description"));
  assert.ok(row.includes(`data-kind="folder"`));
});

Deno.test("the column in force alone says how it is sorted", () => {
  const head = (asc: boolean) =>
    markupOf(
      <ColumnHead
        sorting={{ by: "size", asc }}
        hasTypes={false}
        isOfPhotos={false}
        onSort={nothing}
        chosen="none"
        onChooseAll={nothing}
      />,
    );
  assert.deepEqual(head(true).match(/aria-sort="\w+"/g), [`aria-sort="ascending"`]);
  assert.deepEqual(head(false).match(/aria-sort="\w+"/g), [`aria-sort="descending"`]);
});

Deno.test("crumbs show the last three steps, and hide the others behind one that leads above them", () => {
  const crumbs = ["a", "b", "c", "d", "e"].map((name) => ({ name, href: `/files/${name}/` }));
  const markup = markupOf(<Crumbs home="/files/" crumbs={crumbs} />);
  const names = [...markup.matchAll(/class="crumbs__name">(\w)</g)].map(([, name]) => name);
  assert.deepEqual(names, ["c", "d", "e"]);
  assert.match(markup, /href="\/files\/b\/"[^>]*aria-label="b"[^>]*>…</);
  assert.deepEqual(markup.match(/aria-current="page"/g)?.length, 1);
});

Deno.test("at the top the only crumb says where that is", () => {
  const markup = markupOf(<Crumbs home="/files/" crumbs={[]} />);
  assert.match(markup, /<a [^>]*href="\/files\/"[^>]*aria-current="page"[^>]*>/);
  assert.deepEqual(markup.match(/<a /g)?.length, 1);
});

Deno.test("an error says what its status means, and no more", () => {
  const said = (status: number) => markupOf(<ErrorScreen status={status} />);
  assert.ok(said(403).includes("You don’t have permissions to access this."));
  assert.ok(said(404).includes("This location can’t be reached."));
  assert.ok(said(0).includes("The server can’t be reached."));
  assert.ok(said(500).includes("Something really went wrong."));
  assert.ok(said(507).includes("Something really went wrong."));
  assert.ok(said(400).includes("This location can’t be reached."));
});

Deno.test("one file offers its content only where there are links to it", () => {
  const links = { download: "/api/raw/sea.jpg", open: "/api/raw/sea.jpg?inline=true" };
  const facts = (given?: typeof links) =>
    markupOf(<FileDetails entry={file} size="1.2 kB" modified="then" links={given} />);
  assert.ok(!facts().includes("/api/raw/"));
  assert.ok(facts(links).includes(`href="/api/raw/sea.jpg"`));
});

Deno.test("a complaint belongs to its field", () => {
  const field = markupOf(<TextField name="name" label="Name" complaint="Too long" />);
  assert.match(field, /aria-invalid="true"/);
  assert.match(field, /aria-describedby="field-name-note"/);
  assert.match(field, /id="field-name-note"[^>]*>Too long</);
});

Deno.test("the data of a page cannot end the element that carries it", () => {
  const scripts = (name: string) => {
    const files = { path: `/${name}`, resource: null, failure: null };
    const page = createPage({ ...pageDataOf(), files });
    const markup = markupOf(<PageRoot page={page} title="x" islands>content</PageRoot>);
    return markup.match(/<\/?script/g);
  };
  assert.deepEqual(scripts("</script><script>alert(1)</script>"), scripts("plain"));
});
