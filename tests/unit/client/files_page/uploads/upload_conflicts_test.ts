import assert from "node:assert/strict";
import { ROOT } from "../../../../../lib/shared/path.ts";
import type { Choice, Choices } from "../../../../../lib/client/base/prompts/prompts.ts";
import { canReplace } from "../../../../../lib/client/files_page/actions/conflicts.ts";
import { until } from "../../support.ts";
import { FakeRequest, fakeRequests } from "../../xhr.ts";
import { type Bench, bench, files, photos, there, urlsOf } from "./uploads_bench.ts";

const all = (choice: Choice, ...names: string[]): Choices =>
  new Map(names.map((name) => [name, choice]));

function askedAbout({ prompts }: Bench): string[] {
  const prompt = prompts.current.value;
  return prompt?.kind === "replace" ? prompt.input.conflicts.map(({ name }) => name) : [];
}

Deno.test("a taken name is asked about before anything is sent", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using fixture = bench();
  fixture.known = there("a", "album");
  const adding = fixture.uploads.add(ROOT, files("a", "b", "album/1", "album/2"));
  await until(() => fixture.prompts.current.value !== null);
  assert.deepEqual(askedAbout(fixture), ["a", "album"]);
  assert.equal(FakeRequest.sent.length, 0);
  fixture.prompts.answer("replace", all("replace", "a", "album"));
  await adding;
  await until(() => fixture.outcomes.length === 1);
  assert.deepEqual(urlsOf(FakeRequest.sent), [
    "/api/resources/a?override=true",
    "/api/resources/album/1?override=true",
    "/api/resources/album/2?override=true",
    "/api/resources/b?override=false",
  ]);
  assert.equal(fixture.heard.length, 0);
});

Deno.test("what is to be skipped is left out, and closing the question leaves all out", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using fixture = bench();
  fixture.known = there("a");
  const skipping = fixture.uploads.add(ROOT, files("a", "b"));
  await until(() => fixture.prompts.current.value !== null);
  fixture.prompts.answer("replace", all("skip", "a"));
  await skipping;
  await until(() => fixture.outcomes.length === 1);
  assert.deepEqual(urlsOf(FakeRequest.sent), ["/api/resources/b?override=false"]);

  const closing = fixture.uploads.add(ROOT, files("a", "c"));
  await until(() => fixture.prompts.current.value !== null);
  fixture.prompts.close();
  await closing;
  assert.equal(FakeRequest.sent.length, 1);
});

Deno.test("what is known of a taken name is told, and a file replaces no folder", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = new Map([["a", { isDir: true, size: 0, modified: "2026-10-05T12:00:00Z" }]]);
  const adding = fixture.uploads.add(ROOT, files("a"));
  await until(() => fixture.prompts.current.value !== null);
  const prompt = fixture.prompts.current.value;
  const [conflict] = prompt?.kind === "replace" ? prompt.input.conflicts : [];
  assert.deepEqual([conflict?.there?.isDir, conflict?.coming?.isDir], [true, false]);
  assert.ok(conflict && !canReplace(conflict));
  fixture.prompts.close();
  await adding;
});

Deno.test("where not all names are at hand, the server is asked for each", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  const taken = "/api/resources/photos/b";
  await using fixture = bench(({ method, path }) =>
    method === "HEAD" && path !== taken ? 404 : 200
  );
  const adding = fixture.uploads.add(photos, files("a", "b", "album/1", "album/2"));
  await until(() => fixture.prompts.current.value !== null);
  assert.deepEqual(askedAbout(fixture), ["b"]);
  const asked = fixture.heard.filter(({ method }) => method === "HEAD");
  assert.deepEqual(asked.map(({ path }) => path).toSorted(), [
    "/api/resources/photos/a",
    "/api/resources/photos/album",
    taken,
  ]);
  fixture.prompts.close();
  await adding;
});

Deno.test("what is to be kept beside another gets the next free name", async () => {
  using _ = fakeRequests(({ url }) => ({ status: url.includes("a(1)") ? 409 : 200 }));
  await using fixture = bench();
  fixture.known = there("a.txt", "album", "album(1)");
  const adding = fixture.uploads.add(ROOT, files("a.txt", "album/1", "album/2"));
  await until(() => fixture.prompts.current.value !== null);
  fixture.prompts.answer("replace", all("keep", "a.txt", "album"));
  await adding;
  await until(() => fixture.outcomes.length === 1);
  assert.deepEqual(urlsOf(FakeRequest.sent).map((url) => decodeURI(url.split("?")[0] ?? "")), [
    "/api/resources/a(1).txt",
    "/api/resources/album(2)/1",
    "/api/resources/album(2)/2",
    "/api/resources/a(2).txt",
  ]);
  assert.ok(urlsOf(FakeRequest.sent).every((url) => url.endsWith("?override=false")));
});

Deno.test("of very many names only the topmost folders are asked for", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using fixture = bench();
  const many = Array.from({ length: 300 }, (_, index) => `file ${index}`);
  await fixture.uploads.add(ROOT, files(...many, "album/1"));
  await until(() => fixture.outcomes.length === 1);
  const asked = fixture.heard.filter(({ method }) => method === "HEAD").map(({ path }) => path);
  assert.deepEqual(asked, ["/api/resources/album"]);
});

Deno.test("names found taken on arrival are asked about together, then sent again", async () => {
  using _ = fakeRequests(({ url }) => ({ status: url.includes("=true") ? 200 : 409 }));
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a", "b"));
  await until(() => fixture.prompts.current.value !== null);
  await until(() => FakeRequest.waiting.length === 0);
  fixture.prompts.answer("replace", all("replace", "a", "b"));
  await until(() => fixture.prompts.current.value !== null || fixture.outcomes.length === 1);
  fixture.prompts.answer("replace", all("replace", "a", "b"));
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.outcomes[0]?.done, 2);
  assert.deepEqual(urlsOf(FakeRequest.sent).filter((url) => url.endsWith("true")).toSorted(), [
    "/api/resources/a?override=true",
    "/api/resources/b?override=true",
  ]);
});

Deno.test("a name found taken stays listed when the question is closed", async () => {
  using _ = fakeRequests(() => ({ status: 409 }));
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a"));
  await until(() => fixture.prompts.current.value !== null);
  fixture.prompts.close();
  await until(() => fixture.outcomes.length === 1);
  const { phase, failed, rows } = fixture.uploads.now.value;
  assert.deepEqual({ phase, failed }, { phase: "settled", failed: 1 });
  assert.equal(rows[0]?.failure?.code, "exists");
});

Deno.test("a file is never asked about that a folder is in the way of", async () => {
  using _ = fakeRequests(() => ({
    status: 409,
    body: JSON.stringify({ code: "is_folder", message: "Cannot write" }),
  }));
  await using fixture = bench();
  await fixture.uploads.add(ROOT, files("a"));
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.prompts.current.value, null);
  assert.equal(fixture.uploads.now.value.rows[0]?.failure?.code, "is_folder");
});
