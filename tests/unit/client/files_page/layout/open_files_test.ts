import assert from "node:assert/strict";
import { type EntryPath, parsePath } from "../../../../../lib/shared/path.ts";
import type { ReplaceQuestion } from "../../../../../lib/client/base/prompts/prompts.ts";
import { RootAccess } from "../../../../../lib/client/base/core/root_access.ts";
import { createFiles } from "../../../../../lib/client/files_page/layout/open_files.ts";
import { createPage } from "../../../../../lib/shared/page_data.ts";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";
import { Toasts } from "../../../../../lib/client/base/ui/toasts.ts";
import { fakeTimers } from "../../../../support/run/fake_timers.ts";
import { pageDataFor } from "../../page_data.ts";
import { fileNamed, folderOf, speakTo, until } from "../../support.ts";
import { Tab } from "../../tab.ts";
import { FakeRequest, fakeRequests } from "../../xhr.ts";

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
  const rootAccess = new RootAccess();
  const files = createFiles({
    data,
    i18n,
    api,
    session,
    prompts,
    toasts,
    rootAccess,
    browser: tab,
  });
  return Object.assign(spoken, { tab, prompts, toasts, ...files });
}

Deno.test("a page begins with what the server rendered", async () => {
  using time = fakeTimers();
  await using page = openPage();
  assert.equal(page.listing.path.value, "/docs");
  await time.pass(1_000);
  assert.equal(page.heard.length, 0);
});

Deno.test("going elsewhere shows the place, selects nothing and closes the prompt", async () => {
  await using page = openPage();
  page.listing.selection.all();
  const asked = page.prompts.open("delete", { count: 2, mode: "trash" });
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
  assert.deepEqual(page.listing.selection.snapshot().names, ["b"]);
});

Deno.test("going back before the folder has come ends where one was", async () => {
  using time = fakeTimers();
  let answer = () => {};
  const waiting = new Promise<void>((resolve) => answer = resolve);
  await using page = openPage((path) => path.endsWith("/slow") ? waiting : undefined);
  page.navigation.go(at("/slow"));
  await time.pass(1_000);
  await time.until(() => page.heard.length === 1);
  page.tab.travel(-1);
  await time.pass(1_000);
  await time.until(() => page.heard.length === 2);
  answer();
  await time.until(() => page.listing.status.value === "ready");
  await time.pass(1_000);
  assert.equal(page.listing.path.value, "/docs");
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
  const done = () => page.uploads.now.value.finished?.arrived.keys().toArray();
  const incoming = [{ segments: ["c"], file: new File(["x"], "c") }];
  const reads = () =>
    page.heard.filter(({ method, path }) => method === "GET" && path === "/api/resources/docs")
      .length;

  await page.uploads.add(at("/elsewhere"), incoming);
  await until(() => done() !== undefined);
  assert.deepEqual(done(), ["/elsewhere"]);
  assert.equal(reads(), 0);
  await page.uploads.add(at("/docs"), incoming);
  await until(() => reads() === 1);
  assert.deepEqual(done(), ["/docs"]);
  assert.deepEqual(page.toasts.shown.value, []);
  await until(() => !page.listing.refreshing.value);
});

Deno.test("uploads that failed are told of as long as they are listed", async () => {
  using _ = fakeRequests(() => ({ status: 507 }));
  await using page = openPage();
  await page.uploads.add(at("/docs"), [{ segments: ["c"], file: new File(["x"], "c") }]);
  await until(() => page.toasts.shown.value.length === 1);
  const [toast] = page.toasts.shown.value;
  assert.equal(toast?.text, "1 upload failed. See the upload list for details.");
  assert.equal(toast?.kind, "error");
  page.uploads.queue?.retryFailed();
  assert.deepEqual(page.toasts.shown.value, [], "none has failed while they are tried again");
  await until(() => page.toasts.shown.value.length === 1);
  page.uploads.queue?.dismiss();
  assert.deepEqual(page.toasts.shown.value, []);
});

Deno.test("uploads are undone together, those too beside which others failed", async () => {
  using _ = fakeRequests(({ url }) => ({ status: url.includes("/c?") ? 507 : 200 }));
  await using page = openPage();
  const incoming = ["c", "d", "e"].map((name) => ({
    segments: [name],
    file: new File(["x"], name),
  }));
  await page.uploads.add(at("/docs"), incoming);
  await until(() => page.uploads.now.value.finished?.count === 2);
  assert.equal(page.toasts.shown.value.length, 1);
  assert.ok(page.actions.undo());
  assert.equal(page.uploads.now.value.finished, null);
  assert.deepEqual(page.toasts.shown.value, []);
  // This server knows no jobs, so that the undoing fails.
  await until(() => page.toasts.shown.value.length === 1);
  const undone = page.heard.filter(({ path }) => path.startsWith("/api/jobs"));
  const job = new URL(FakeRequest.sent[0]?.url ?? "").searchParams.get("job");
  assert.deepEqual(undone.map(({ path }) => path), [`/api/jobs/${job}/undo`]);
  await until(() => !page.listing.refreshing.value);
});

Deno.test("a user without the permission to modify is not offered to replace", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using page = openPage();
  const { user } = page.session;
  if (user.value) Object.assign(user.value.perm, { modify: false });
  const adding = page.uploads.add(at("/docs"), [{ segments: ["a"], file: new File(["x"], "a") }]);
  await until(() => page.prompts.current.value !== null);
  const input = page.prompts.current.value?.input as ReplaceQuestion;
  assert.deepEqual(input.conflicts.map(({ name }) => name), ["a"]);
  assert.equal(input.mayReplace, false);
  page.prompts.close();
  await adding;
});
