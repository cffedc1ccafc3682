// With two threads, too: previews that are cached, shares that end.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { quarters } from "../../support/data/pictures.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { sharedHomes } from "../../support/server/shared_homes.ts";

const photo = await quarters(300, 300).jpeg().toBuffer();
const app = await startApp({
  tree: {
    home: {
      album: { "sea.jpg": photo, "secret.jpg": photo, ".hidden.jpg": photo, "note.txt": "note" },
      album2: { "other.jpg": photo },
    },
    far: { "away.jpg": photo },
  },
});
Deno.test.afterAll(app.close);

const { shareOf, assertEnds } = sharedHomes(app);

/** Both sizes of the preview of a shared picture. */
function views(hash: string, name = ""): string[] {
  return ["thumb", "big"].map((size) => `/api/public/preview/${size}/${hash}${name}`);
}

async function assertAllRefused(
  hash: string,
  name: string,
  status: number,
  code: ErrorCode,
): Promise<void> {
  for (const view of views(hash, name)) {
    await assertRefused(await app.call("GET", view), status, code, view);
  }
}

Deno.test("share: no preview is shown before the password, and none by another share's token", async () => {
  const { token } = await app.addUser("pw", { scope: "/home" });
  const hash = await shareOf(token, { password: "open sesame" }, "/album");
  const other = await shareOf(token, { password: "open sesame" }, "/album");
  const headers = { "x-share-password": "open%20sesame" };
  const proofOf = async (of: string) =>
    (await (await app.call("GET", `/api/public/share/${of}`, { headers })).json()).token;
  for (const name of ["", "/sea.jpg", "/none.jpg", "/note.txt"]) {
    await assertAllRefused(hash, name, 401, "password_required");
    for (const forged of ["x", token, await proofOf(other)]) {
      await assertAllRefused(hash, `${name}?token=${forged}`, 401, "password_required");
    }
  }
  for (const view of views(hash, "/sea.jpg")) {
    await assertStatus(await app.call("GET", `${view}?token=${await proofOf(hash)}`), 200);
    await assertStatus(await app.call("GET", view, { headers }), 200);
  }
});

Deno.test("share: a preview that is cached is not shown once the share or its owner's right ends", async () => {
  const { user, token } = await app.addUser("ending", { scope: "/home" });
  const hash = await shareOf(token, {}, "/album");
  const open = async () => {
    for (const view of views(hash, "/sea.jpg")) {
      await assertStatus(await app.call("GET", view), 200, view);
    }
  };
  await open();
  await app.cubby.users.update(user.id, { rules: [deny("/album/sea.jpg")] });
  await assertAllRefused(hash, "/sea.jpg", 403, "forbidden");
  await app.cubby.users.update(user.id, { rules: [] });
  await open();
  await assertEnds({ user, hash }, (hash, ...refusal) => {
    return assertAllRefused(hash, "/sea.jpg", ...refusal);
  });
});

Deno.test("share: no preview shows what is denied or hidden, or lies beside what is shared", async () => {
  const { token } = await app.addUser("ruled", {
    scope: "/home",
    rules: [deny("/album/secret.jpg")],
    hideDotfiles: true,
  });
  const hash = await shareOf(token, {}, "/album");
  for (const name of ["/secret.jpg", "/.hidden.jpg"]) {
    await assertAllRefused(hash, name, 403, "forbidden");
  }
  for (const name of ["/..%2falbum2%2fother.jpg", "/%2e%2e%2falbum2/other.jpg", "/%00"]) {
    await assertAllRefused(hash, name, 400, "invalid_path");
  }
  await assertAllRefused(`${hash}2`, "/other.jpg", 404, "not_found");
  await assertAllRefused(hash, "/../album2/other.jpg", 404, "not_found");
});

Deno.test("share: no preview shows what a link leads to outside of what is shared", async () => {
  const album = join(app.root, "home/album");
  const links = { "beside.jpg": "../album2/other.jpg", "out.jpg": "../../far/away.jpg", up: ".." };
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, join(album, name));
  const { token } = await app.addUser("linked", { scope: "/home" });
  const hash = await shareOf(token, {}, "/album");
  for (const name of ["/beside.jpg", "/out.jpg", "/up", "/up/album2/other.jpg"]) {
    await assertAllRefused(hash, name, 403, "forbidden");
  }
  for (const name of Object.keys(links)) Deno.removeSync(join(album, name));
});

Deno.test("share: a preview is as it is for users: of pictures alone, and never run as code", async () => {
  const { token } = await app.addUser("plain", { scope: "/home" });
  const hash = await shareOf(token, {}, "/album");
  const ofFolder = await app.call("GET", `/api/public/preview/big/${hash}`);
  await assertRefused(ofFolder, 501, "not_supported");
  await assertStatus(await app.call("GET", `/api/public/preview/thumb/${hash}`), 200, "a cover");
  await assertAllRefused(hash, "/note.txt", 501, "not_supported");
  const thumb = `/api/public/preview/thumb/${hash}/sea.jpg`;
  await assertRefused(await app.call("GET", `${thumb}?side=9`), 400, "invalid_option");
  for (const size of ["huge", "thumb%2f", ""]) {
    const answer = await app.call("GET", `/api/public/preview/${size}/${hash}/sea.jpg`);
    await assertRefused(answer, 404, "not_found", size);
  }
  const asCode = { headers: { "sec-fetch-dest": "script" } };
  await assertRefused(await app.call("GET", thumb, asCode), 403, "forbidden");
  const answer = await app.call("GET", thumb);
  assert.equal(answer.headers.get("content-type"), "image/jpeg");
  assert.match(answer.headers.get("content-security-policy") ?? "", /sandbox/);
  assert.match(answer.headers.get("cache-control") ?? "", /^private/);
  await assertStatus(answer, 200);
  const single = await shareOf(token, {}, "/album/sea.jpg");
  for (const view of views(single)) await assertStatus(await app.call("GET", view), 200, view);
});
