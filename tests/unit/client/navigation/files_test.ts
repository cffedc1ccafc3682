import assert from "node:assert/strict";
import { type EntryPath, parsePath } from "../../../../lib/shared/path.ts";
import type { ReplaceQuestion } from "../../../../lib/client/actions/conflicts.ts";
import { createFiles } from "../../../../lib/client/navigation/files.ts";
import { createPage } from "../../../../lib/client/core/page.ts";
import { Prompts } from "../../../../lib/client/prompts/prompts.ts";
import { Toasts } from "../../../../lib/client/ui/toasts.ts";
import { pageDataFor } from "../page_data.ts";
import { fileNamed, folderOf, pause, speakTo, until } from "../support.ts";
import { Tab } from "../tab.ts";
import { fakeRequests } from "../xhr.ts";

const at = (text: string): EntryPath => parsePath(text).path;

/** The stores of a files page on "/docs" in a browser's tab; every folder holds "a" and "b". */
function openPage(answer = (_path: string): Promise<void> | void => {}) {
  const spoken = speakTo(async ({ method, path, query }) => {
    await answer(path);
    if (method !== "GET") return new Response(null, { status: method === "HEAD" ? 404 : 200 });
    return Response.json(folderOf(["a", "b"], query, path.slice("/api/resources".length)));
  });
  const { data, i18n } = createPage(pageDataFor("ada", ["a", "b"]));
  const tab = new Tab("http://nas.local/base/files/docs/");
  const prompts = new Prompts();
  const toasts = new Toasts();
  const { api, session } = spoken;
  const files = createFiles({ data, i18n, api, session, prompts, toasts, around: tab });
  return Object.assign(spoken, { tab, prompts, toasts, ...files });
}

Deno.test("a page begins with what the server rendered", async () => {
  await using page = openPage();
  assert.equal(page.listing.path.value, "/docs");
  await pause(20);
  assert.equal(page.heard.length, 0);
});

Deno.test("going elsewhere shows the place, selects nothing and closes the prompt", async () => {
  await using page = openPage();
  page.listing.selection.all();
  const asked = page.prompts.open("delete", { count: 2 });
  page.navigation.go(at("/docs/more"));
  assert.equal(await asked, null);
  await until(() => page.listing.path.value === "/docs/more");
  assert.equal(page.listing.selection.now.value.size, 0);
  assert.equal(page.tab.document.title, "more - Files");
  page.tab.travel(-1);
  await until(() => page.listing.path.value === "/docs");
  assert.equal(page.tab.document.title, "docs - Files");
});

Deno.test("leaving a file selects it in its folder", async () => {
  await using page = openPage();
  page.listing.expect({ ...fileNamed("b", "/docs"), type: "image" });
  page.navigation.go(at("/docs/b"), { folder: false });
  await until(() => page.listing.path.value === "/docs/b");
  page.navigation.leave();
  await until(() => page.listing.path.value === "/docs");
  assert.deepEqual(page.listing.selection.parts().names, ["b"]);
});

Deno.test("going back before the folder has come ends where one was", async () => {
  let answer = () => {};
  const waiting = new Promise<void>((resolve) => answer = resolve);
  await using page = openPage((path) => path.endsWith("/slow") ? waiting : undefined);
  page.navigation.go(at("/slow"));
  await until(() => page.heard.length === 1);
  page.tab.travel(-1);
  await until(() => page.heard.length === 2);
  answer();
  await pause(20);
  assert.equal(page.listing.path.value, "/docs");
  assert.equal(page.listing.status.value, "ready");
});

Deno.test("going where one is reads the folder again", async () => {
  await using page = openPage();
  page.navigation.go(at("/docs"));
  await until(() => page.heard.length === 1 && !page.listing.refreshing.value);
  assert.equal(page.heard[0]?.path, "/api/resources/docs");
});

Deno.test("when all uploads are done the folder is read again, if they went there", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using page = openPage();
  const news: string[] = [];
  page.toasts.success = (text) => void news.push(text);
  const incoming = [{ segments: ["c"], file: new File(["x"], "c") }];
  const reads = () =>
    page.heard.filter(({ method, path }) => method === "GET" && path === "/api/resources/docs")
      .length;

  await page.uploads.add(at("/elsewhere"), incoming);
  await until(() => news.length === 1);
  assert.equal(reads(), 0);
  await page.uploads.add(at("/docs"), incoming);
  await until(() => reads() === 1);
  assert.deepEqual(news, ["1 item uploaded", "1 item uploaded"]);
  await until(() => !page.listing.refreshing.value);
});

Deno.test("uploads that failed are told of until that is closed", async () => {
  using _ = fakeRequests(() => ({ status: 507 }));
  await using page = openPage();
  await page.uploads.add(at("/docs"), [{ segments: ["c"], file: new File(["x"], "c") }]);
  await until(() => page.toasts.shown.value.length === 1);
  const [toast] = page.toasts.shown.value;
  assert.equal(toast?.text, "1 upload failed. See the upload list for details.");
  assert.equal(toast?.kind, "error");
});

Deno.test("a user without the permission to modify is not offered to replace", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using page = openPage();
  const { user } = page.session;
  if (user.value) Object.assign(user.value.perm, { modify: false });
  const adding = page.uploads.add(at("/docs"), [{ segments: ["a"], file: new File(["x"], "a") }]);
  await until(() => page.prompts.current.value !== null);
  const asks = page.prompts.current.value?.asks as ReplaceQuestion;
  assert.deepEqual(asks.conflicts.map(({ name }) => name), ["a"]);
  assert.equal(asks.mayReplace, false);
  page.prompts.close();
  await adding;
});
