import assert from "node:assert/strict";
import { quarters } from "../../support/data/pictures.ts";
import { startApp } from "../../support/server/app.ts";

import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const tree = {
  album: { "sea.jpg": await quarters(300, 300).jpeg().toBuffer(), "a.txt": "0123456789" },
};
const app = await startApp({ tree, inProcess: true });
const plain = await startApp({
  tree,
  inProcess: true,
  config: { disablePreviewResize: true, disableThumbnails: true },
});
for (const each of [app, plain]) Deno.test.afterAll(each.close);

async function limited(of: typeof app, downloadLimit: number, path = "/album") {
  const token = await of.tokenOf("admin");
  const answer = await of.call("POST", `/api/share${path}`, { token, json: { downloadLimit } });
  return (await answer.json()).hash as string;
}

async function status(of: typeof app, path: string, range = "", method = "GET", from?: string) {
  const headers: Record<string, string> = range === "" ? {} : { range };
  const answer = await of.call(method, path, { headers, from });
  await answer.body?.cancel();
  return answer.status;
}

/** What a visitor may ask of a share. */
const calls = (hash: string) => [
  `/api/public/share/${hash}`,
  `/api/public/share/${hash}/`,
  `/api/public/share/${hash}/a.txt`,
  `/share/${hash}/`,
  `/share/${hash}/a.txt`,
  `/api/public/preview/big/${hash}/sea.jpg`,
  `/api/public/preview/thumb/${hash}/sea.jpg`,
  `/api/public/dl/${hash}/sea.jpg`,
  `/api/public/dl/${hash}`,
  `/api/public/dl/${hash}/none.txt`,
];

Deno.test("when the downloads are used up a range opens no call but the download that goes on", async () => {
  for (const target of [app, plain]) {
    const hash = await limited(target, 1);
    assert.equal(await status(target, `/api/public/dl/${hash}/a.txt`), 200);
    for (const range of ["", "bytes=1-", "bytes=1-5", "bytes=99999999-"]) {
      for (const path of calls(hash)) {
        for (const method of ["GET", "HEAD"]) {
          assert.equal(
            await status(target, path, range, method),
            404,
            `${method} ${path} ${range}`,
          );
        }
      }
    }
    const mine = `/api/public/dl/${hash}/a.txt`;
    assert.equal(await status(target, mine, "bytes=1-", "GET", "192.0.2.9"), 404, "another's");
    assert.equal(await status(target, mine, "bytes=1-"), 206, "the one that goes on");
  }
});

Deno.test("where previews are the files themselves, they count as downloads", async () => {
  for (const size of ["big", "thumb"]) {
    const hash = await limited(plain, 2);
    const path = `/api/public/preview/${size}/${hash}/sea.jpg`;
    assert.equal(await status(plain, path, "", "HEAD"), 200);
    assert.equal(await status(plain, path, "bytes=1-"), 206);
    assert.equal(await status(plain, path), 200);
    for (const range of ["", "bytes=1-", "bytes=0-"]) {
      assert.equal(await status(plain, path, range), 404, `${size} ${range}`);
    }
    assert.equal(await status(plain, `/api/public/dl/${hash}/a.txt`), 404);
  }
  const hash = await limited(plain, 3);
  const path = `/api/public/preview/big/${hash}/sea.jpg`;
  const all = await Promise.all(Array.from({ length: 20 }, () => status(plain, path)));
  assert.equal(all.filter((each) => each === 200).length, 3);
});

Deno.test("previews that are smaller pictures count nothing", async () => {
  const hash = await limited(app, 1);
  for (let times = 0; times < 3; times++) {
    const answer = await app.call("GET", `/api/public/preview/big/${hash}/sea.jpg`);
    await assertStatus(answer, 200);
  }
  await assertStatus(await app.call("GET", `/api/public/dl/${hash}/a.txt`), 200);
  const over = await app.call("GET", `/api/public/preview/big/${hash}/sea.jpg`);
  await assertRefused(over, 404, "not_found");
});

Deno.test("a download goes on for a day after it began, and not longer", async () => {
  const hash = await limited(app, 1, "/album/a.txt");
  const path = `/api/public/dl/${hash}`;
  assert.equal(await status(app, path), 200);
  const hours = (count: number) => count * 60 * 60 * 1000;
  await app.later(hours(23.9), async () => {
    assert.equal(await status(app, path, "bytes=1-"), 206);
  });
  await app.later(hours(24.1), async () => {
    assert.equal(await status(app, path, "bytes=1-"), 404);
  });
  // One that goes on does not begin again: the day counts from its first byte.
  await app.later(hours(23.9), async () => {
    assert.equal(await status(app, path, "bytes=2-"), 206);
  });
  await app.later(hours(24.1), async () => {
    assert.equal(await status(app, path, "bytes=2-"), 404);
  });
});
