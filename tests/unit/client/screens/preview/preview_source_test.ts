import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import {
  pictureAddresses,
  PreviewSource,
} from "../../../../../lib/client/screens/preview/preview_source.ts";
import { fileNamed, type Heard, speakTo } from "../../support.ts";

const { path } = parsePath("/sea.jpg");

/** A source with a preview and the file itself, on a server that answers HEAD as it is told. */
function opened(statusOf: (heard: Heard) => number) {
  const spoken = speakTo((heard) => {
    if (heard.path === "/api/ticket" && statusOf(heard) === 200) return new Response("a ticket");
    return new Response(null, { status: statusOf(heard) });
  });
  const addresses = ["/api/preview/big/sea.jpg", "/api/raw/sea.jpg?inline=true"]
    .map((to) => spoken.api.address(to as Parameters<typeof spoken.api.address>[0]));
  return Object.assign(spoken, {
    source: new PreviewSource({ api: spoken.api, at: path, addresses }),
  });
}

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

const picture = (name: string, size: number) => ({
  ...fileNamed(name),
  type: "image" as const,
  extension: name.slice(name.lastIndexOf(".")),
  size,
});

Deno.test("what would stand still in a preview, and what is small, is shown as it is", async () => {
  await using spoken = speakTo(() => new Response());
  const firstOf = (name: string, size: number, ResizePreview = true) =>
    pathOf(pictureAddresses(picture(name, size), spoken.api, { ResizePreview })[0] ?? "");
  for (const name of ["a.gif", "a.svg", "a.webp"]) {
    assert.equal(firstOf(name, 9_000_000), `/api/raw/${name}?inline=true`);
  }
  assert.equal(firstOf("a.jpg", 100_000), "/api/raw/a.jpg?inline=true");
  assert.equal(firstOf("a.jpg", 9_000_000, false), "/api/raw/a.jpg?inline=true");
  const k = `${Date.parse(fileNamed("a.jpg").modified)}-9000000`;
  assert.equal(firstOf("a.jpg", 9_000_000), `/api/preview/big/a.jpg?k=${k}&optional=true`);
  assert.match(firstOf("a.heic", 1), /^\/api\/preview\/big/);
});

Deno.test("when there is no preview the file itself is shown", async () => {
  await using scene = opened(() => 200);
  assert.ok(!scene.source.isWhole);
  await scene.source.failed();
  assert.equal(pathOf(scene.source.address.value), "/api/raw/sea.jpg?inline=true");
  assert.ok(scene.source.isWhole);
  assert.deepEqual(scene.heard, []);
});

Deno.test("a file that the server gives and the browser can't show is of an unknown format", async () => {
  await using scene = opened(() => 200);
  await scene.source.failed();
  await scene.source.failed();
  assert.deepEqual(scene.source.trouble.value, { is: "unknown_format" });
  scene.source.retry();
  assert.equal(scene.source.trouble.value, null);
  assert.ok(!scene.source.isWhole);
});

Deno.test("a file that is gone, or closed, is said to be", async () => {
  for (const status of [403, 404]) {
    await using scene = opened(() => status);
    await scene.source.failed();
    await scene.source.failed();
    const trouble = scene.source.trouble.value;
    assert.equal(trouble?.is === "refused" && trouble.why.status, status);
    assert.equal(await scene.source.check(), false);
  }
});

Deno.test("where the cookie is not taken a ticket is, again when it has run out, but not twice in a row", async () => {
  await using scene = opened(({ path }) => path === "/api/ticket" ? 200 : 401);
  await scene.source.failed();
  await scene.source.failed();
  assert.match(scene.source.address.value, /auth=a\+ticket/);
  scene.source.loaded();
  await scene.source.failed();
  assert.equal(scene.source.trouble.peek(), null);
  await scene.source.failed();
  assert.equal(scene.source.trouble.value?.is, "refused");
});
