import assert from "node:assert/strict";
import { renderToString, renderToStringAsync } from "preact-render-to-string";
import { lazy, Suspense } from "react";
import { getI18n, useTranslation } from "react-i18next";
import { i18nOf } from "../../../../../lib/server/http/pages/dictionaries.ts";
import { PageProvider, useShared } from "../../../../../lib/client/base/core/page.ts";
import { createPage, type PageData, pageJson } from "../../../../../lib/shared/page_data.ts";
import "../../../../../lib/client/files_page/layout/open_files.ts";
import { useFiles } from "../../../../../lib/client/base/files/use_files.ts";
import { useSession } from "../../../../../lib/client/base/core/use_site.ts";
import { pageDataFor } from "../../page_data.ts";

function Names() {
  const { t } = useTranslation();
  const { listing, navigation } = useFiles();
  const rows = listing.rows.value;
  return (
    <p title={navigation.href(listing.path.value)}>
      {useSession().user.value?.username}: {[...rows.entries()].map(([, { name }]) => name).join()}
      {" "}
      {t("files.fileCount", { count: rows.total })}
    </p>
  );
}

function Cancel() {
  const { t, i18n: { language } } = useTranslation();
  return <p>{language}: {t("buttons.cancel")}</p>;
}

function render(data: PageData): string {
  return renderToString(
    <PageProvider page={createPage(data)}>
      <Names />
    </PageProvider>,
  );
}

Deno.test("a component refuses to render where no page is around it", () => {
  assert.throws(() => renderToString(<Names />), /no PageProvider/);
  // A rendering that throws leaves the batch of its signals open until the next one: no effect runs.
  renderToString(<p />);
});

Deno.test("a page is rendered with its rows and words, on the server alone", () => {
  assert.equal(
    render(pageDataFor("ada", ["a", "b"])),
    '<p title="/base/files/docs/">ada: a,b 2 files</p>',
  );
});

Deno.test("what one user's page holds never reaches another's", () => {
  render(pageDataFor("ada", ["secret of ada"]));
  const html = render(pageDataFor("eve", ["eve's own"]));
  assert.ok(html.includes("eve: eve's own"));
  assert.ok(!html.includes("ada"));
});

Deno.test("pages in two languages that are rendered at the same time keep their languages", async () => {
  const renderIn = async (locale: string, ready: Promise<void>) => {
    const Late = lazy(() => ready.then(() => ({ default: Cancel })));
    const page = { data: pageDataFor("ada", []), i18n: i18nOf(locale) };
    return await renderToStringAsync(
      <PageProvider page={page}>
        <Cancel />
        <Suspense fallback={null}>
          <Late />
        </Suspense>
      </PageProvider>,
    );
  };
  const german = Promise.withResolvers<void>();
  const french = Promise.withResolvers<void>();
  const pages = Promise.all([renderIn("de", german.promise), renderIn("fr", french.promise)]);
  french.resolve();
  await french.promise;
  german.resolve();
  const texts = (await pages).map((html) => html.replace(/<!--.*?-->/g, ""));
  assert.deepEqual(texts, ["<p>de: Abbrechen</p>".repeat(2), "<p>fr: Annuler</p>".repeat(2)]);
});

Deno.test("the server has no texts outside of a page", () => {
  assert.equal(getI18n(), undefined);
});

Deno.test("useShared() makes a new object for every call on the server", () => {
  const first = useShared("thing", () => ({}));
  assert.notEqual(useShared("thing", () => ({})), first);
});

Deno.test("a file named like the end of a script can't end the page's data", () => {
  const data = pageDataFor("ada", ["</script><script>alert(1)</script>", "<!--"]);
  const text = pageJson(data);
  assert.ok(!text.includes("<"));
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(data)));
});
