import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { quarters } from "../../support/data/pictures.ts";
import { assertRefused } from "../../support/server/refused.ts";

const wide = await quarters(300, 200).jpeg().toBuffer();
const tall = await quarters(200, 300).png().toBuffer();
/** A picture of a phone that was held upright: its pixels lie, and its orientation tells. */
const turned = await quarters(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
const pano = await quarters(900, 100).webp().toBuffer();

const app = await startApp({
  tree: {
    photos: {
      "1 wide.jpg": wide,
      "2 tall.png": tall,
      "3 turned.jpg": turned,
      "4 pano.webp": pano,
      "5 broken.jpg": "no picture",
      "6 notes.txt": "a text",
      "7 empty.jpg": "",
      inside: {},
    },
    changing: { "a.jpg": wide, "b.png": tall },
    hidden: { ".secret.jpg": tall, "deny.jpg": tall, "seen.jpg": wide },
    linked: {},
  },
});
Deno.test.afterAll(app.close);
await Deno.symlink(join(app.root, "photos", "1 wide.jpg"), join(app.root, "linked", "link.jpg"));
await Deno.symlink("/etc/hostname", join(app.root, "linked", "out.jpg"));
const token = await app.tokenOf("admin");
const call = (path: string, as = token) => app.call("GET", `/api/ratios${path}`, { token: as });
const ratios = async (path: string, as = token) => await (await call(path, as)).json();
const readAll = async (path: string, as = token) => {
  for (;;) {
    const answer = await ratios(path, as);
    if (answer.unread === 0) return answer.ratios;
  }
};

Deno.test("ratios are refused to those who may not download, and of what is no folder", async () => {
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  await assertRefused(await call("/photos", ""), 401, "not_signed_in");
  await assertRefused(await call("/photos", weak), 403, "forbidden");
  await assertRefused(await call("/none"), 404, "not_found");
  await assertRefused(await call("/photos/1%20wide.jpg"), 404, "not_found");
  await assertRefused(await call("/photos?sort=colour"), 400, "invalid_option");
});

Deno.test("each entry has a ratio in the order of the listing; a square is what has none", async () => {
  const first = await ratios("/photos/?sort=name&order=asc");
  assert.deepEqual(first, { ratios: [100, 0, 0, 0, 0, 0, 100, 100], unread: 5 });
  const known = await readAll("/photos?sort=name&order=asc&read=true");
  assert.deepEqual(known, [100, 150, 67, 67, 900, 100, 100, 100]);
  const reversed = await ratios("/photos?sort=name&order=desc");
  assert.deepEqual(reversed, { ratios: [100, 100, 100, 100, 900, 67, 67, 150], unread: 0 });
  assert.deepEqual((await ratios("/photos?sort=name&order=asc&filter=an")).ratios, [900]);
  const kinds = await ratios("/photos?sort=name&order=asc&groupBy=kind");
  assert.deepEqual(kinds.ratios, [100, 150, 67, 67, 900, 100, 100, 100]);
});

Deno.test("a file that has changed is read again, another one is not", async () => {
  const path = "/changing?sort=name&order=asc&read=true";
  assert.deepEqual(await readAll(path), [150, 67]);
  await Deno.writeFile(join(app.root, "changing", "b.png"), wide);
  assert.equal((await ratios("/changing")).unread, 1);
  assert.deepEqual(await readAll(path), [150, 150]);
});

Deno.test("what a rule or a dot hides has no ratio, and neither has what a link leads out to", async () => {
  const { token: ruled } = await app.addUser("ruled", {
    hideDotfiles: true,
    rules: [{ allow: false, regex: false, path: "/hidden/deny.jpg", regexp: { raw: "" } }],
  });
  assert.equal((await readAll("/hidden?read=true")).length, 3);
  assert.deepEqual(await readAll("/hidden?read=true", ruled), [150]);
  const linked = await readAll("/linked?sort=name&order=asc&read=true");
  assert.deepEqual(linked, [150, 100]);
});
