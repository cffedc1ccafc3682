import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { startApp } from "../../support/server/app.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { blackPng, claimingGif, quarters } from "../../support/data/pictures.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const photo = await quarters(300, 300).jpeg().toBuffer();
const app = await startApp({
  tree: {
    home: {
      "photo.jpg": photo,
      ".hidden": { "photo.jpg": photo },
      denied: { "photo.jpg": photo },
      open: { "photo.jpg": photo },
    },
    other: { "photo.jpg": photo },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, as = token) =>
  app.call("GET", `/api/preview/thumb${path}`, { token: as });
const write = (name: string, content: string | Uint8Array) => plant(app.root, { [name]: content });

Deno.test("a cached preview is not shown to those who may not see the file", async () => {
  const rule = deny("/denied");
  const { token: bea } = await app.addUser("bea", { scope: "/home", rules: [rule] });
  const { token: cy } = await app.addUser("cy", { scope: "/home", hideDotfiles: true });
  const { token: dan } = await app.addUser("dan", { scope: "/home", perm: { download: false } });
  for (const path of ["/home/denied/photo.jpg", "/home/.hidden/photo.jpg", "/home/photo.jpg"]) {
    await assertStatus(await get(path), 200, path);
  }
  await assertRefused(await get("/denied/photo.jpg", bea), 403, "forbidden");
  await assertRefused(await get("/denied/none.jpg", bea), 403, "forbidden");
  await assertRefused(await get("/.hidden/photo.jpg", cy), 403, "forbidden");
  await assertRefused(await get("/photo.jpg", dan), 403, "forbidden");
  await assertStatus(await get("/photo.jpg", bea), 200);
});

Deno.test("a thumbnail that was just sent ends with the rule, the permission, the session and the file", async () => {
  const path = "/home/open/sent.jpg";
  await write(path, photo);
  const { token: fay, user } = await app.addUser("fay");
  const change = async (data: object) => {
    const which = Object.keys(data);
    const json = { what: "user", which, data, current_password: app.admin.password };
    await assertStatus(await app.call("PUT", `/api/users/${user.id}`, { token, json }), 200);
  };
  const sent = await (await get(path, fay)).bytes();
  const assertSent = async (as: string) => {
    for (let times = 0; times < 4; times++) {
      const answer = await get(path, as);
      await assertStatus(answer.clone(), 200);
      assert.deepEqual(await answer.bytes(), sent);
    }
  };
  const assertDenied = async (as: string, status: number, code: ErrorCode) => {
    for (let times = 0; times < 4; times++) await assertRefused(await get(path, as), status, code);
  };
  const signIn = () => app.tokenOf("fay");
  await assertSent(fay);
  await change({ rules: [deny("/home/open")] });
  await assertDenied(fay, 401, "not_signed_in");
  await assertDenied(await signIn(), 403, "forbidden");
  await change({ rules: [] });
  await assertSent(await signIn());
  await change({ perm: { ...user.perm, download: false } });
  await assertDenied(await signIn(), 403, "forbidden");
  await change({ perm: user.perm });
  const later = await signIn();
  await assertSent(later);
  await assertStatus(await app.call("POST", "/api/logout", { token: later }), 200);
  await assertDenied(later, 401, "not_signed_in");
  await assertSent(token);
  Deno.removeSync(join(app.root, path));
  await assertDenied(token, 404, "not_found");
});

Deno.test("a link that leaves the scope shows no preview, cached or not", async () => {
  const { token: eve } = await app.addUser("eve", { scope: "/home" });
  const links = { out: "../other", "file.jpg": "../other/photo.jpg" };
  for (const [name, target] of Object.entries(links)) {
    Deno.symlinkSync(target, join(app.root, "home", name));
  }
  await assertStatus(await get("/other/photo.jpg"), 200);
  for (const path of ["/out/photo.jpg", "/file.jpg", "/out/none.jpg"]) {
    await assertRefused(await get(path, eve), 403, "forbidden", path);
  }
});

Deno.test("a pipe with a picture's name is not opened: nothing hangs", async () => {
  await new Deno.Command("mkfifo", { args: [join(app.root, "pipe.jpg")] }).output();
  await assertRefused(await get("/pipe.jpg"), 403, "not_a_file");
});

Deno.test("pixel bombs are refused before they are decoded", async () => {
  const bomb = blackPng(16_384, 16_384);
  assert.ok(bomb.length < 500_000);
  await write("bomb.png", bomb);
  await write("bomb.gif", claimingGif(65_535, 65_535));
  await write("many.gif", claimingGif(20_000, 5_001));
  for (const name of ["bomb.png", "bomb.gif", "many.gif"]) {
    const message = await assertRefused(await get(`/${name}`), 501, "not_supported", name);
    assert.match(message, /too large$/);
  }
});

Deno.test("a hundred megapixels in few bytes are made small with little memory", async () => {
  await write("large.png", blackPng(10_000, 10_000));
  const before = Deno.memoryUsage().rss;
  await assertStatus(await get("/large.png"), 200);
  assert.ok(Deno.memoryUsage().rss - before < 100 * 2 ** 20);
});

Deno.test("a drawing shows nothing of files and addresses outside of it", async () => {
  await using outside = await temporaryFolder();
  const red = await quarters(50, 50).extract({ left: 0, top: 0, width: 20, height: 20 }).png()
    .toBuffer();
  await Deno.writeFile(join(outside.path, "secret.png"), red);
  let visits = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    visits++;
    return new Response(new Uint8Array(red), { headers: { "content-type": "image/png" } });
  });
  const places = [`file://${outside.path}/secret.png`, `${outside.path}/secret.png`];
  const address = `http://127.0.0.1:${server.addr.port}/a.png`;
  for (const [index, place] of [...places, address, "home/photo.jpg"].entries()) {
    await write(
      `spy${index}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        width="50" height="50"><image width="50" height="50" xlink:href="${place}"/></svg>`,
    );
    await assertRefused(await get(`/spy${index}.svg`), 501, "not_supported", place);
  }
  await write(
    "entity.svg",
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "${places[0]}">]>
    <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>`,
  );
  await assertRefused(await get("/entity.svg"), 501, "not_supported");
  await server.shutdown();
  assert.equal(visits, 0);
});

/** Drawings of few bytes that ask for hours of work, or all memory there is. */
const greedy: Record<string, string> = {
  "references of references": "<defs><rect id='a0' width='5' height='5'/>" +
    Array.from(
      { length: 10 },
      (_, index) => `<g id='a${index + 1}'>${`<use href='#a${index}'/>`.repeat(10)}</g>`,
    ).join("") +
    "</defs><use href='#a10'/>",
  "patterns of patterns": "<defs><pattern id='p0' width='9' height='9'/>" +
    Array.from(
      { length: 8 },
      (_, index) =>
        `<pattern id='p${index + 1}' width='99' height='99' patternUnits='userSpaceOnUse'>${
          `<rect width='9' height='9' fill='url(#p${index})'/>`.repeat(10)
        }</pattern>`,
    ).join("") +
    "</defs><rect width='4000' height='4000' fill='url(#p8)'/>",
  "huge filters": "<filter id='f' x='-10' y='-10' width='30' height='30'>" +
    "<feTurbulence baseFrequency='0.01' numOctaves='100'/><feGaussianBlur stdDeviation='500'/>"
      .repeat(50) +
    "</filter><rect filter='url(#f)' width='4000' height='4000'/>",
  "many layers": "<circle cx='2000' cy='2000' r='2000' opacity='0.1'/>".repeat(30_000),
  "deep nesting": "<g>".repeat(100_000) + "</g>".repeat(100_000),
};

for (const [what, content] of Object.entries(greedy)) {
  Deno.test(`a drawing of ${what} is not drawn, whatever it is called`, async () => {
    const name = what.replaceAll(" ", "");
    const svg = (inner: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">${inner}</svg>`;
    for (const extension of [".svg", ".png", ""]) {
      await write(`${name}${extension}`, svg(content));
      const before = performance.now();
      await assertRefused(await get(`/${name}${extension}`), 501, "not_supported", extension);
      assert.ok(performance.now() - before < 5_000, extension);
    }
    await assertStatus(await get("/home/photo.jpg"), 200);
  });
}

Deno.test("a preview keeps nothing of where and when a photograph was taken", async () => {
  const told = await quarters(300, 300).jpeg().withExif({
    IFD0: { Make: "A secret camera" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
  }).toBuffer();
  assert.ok(told.includes("A secret camera"));
  await write("told.jpg", told);
  for (const accept of ["image/webp", "image/jpeg"]) {
    const answer = await app.call("GET", "/api/preview/big/told.jpg", {
      token,
      headers: { accept },
    });
    const bytes = new TextDecoder("latin1").decode(await answer.bytes());
    assert.ok(!/secret camera|Exif/i.test(bytes));
  }
});

Deno.test("a picture is not handed out as a script, nor a preview of one", async () => {
  const headers = { "sec-fetch-dest": "script" };
  const answer = await app.call("GET", "/api/preview/thumb/home/photo.jpg", { token, headers });
  await assertRefused(answer, 403, "forbidden");
});

Deno.test("noise behind every known beginning is refused, and nothing breaks", async () => {
  const beginnings = [
    ...[
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
      "\xff\xd8\xff\xe1",
      "\xff\xd8\xff\xc0\0\x11\x08",
      "GIF89a",
    ],
    ...["RIFF\0\0\0\0WEBPVP8L", "RIFF\0\0\0\0WEBPVP8 ", "II*\0\x08\0\0\0", "MM\0*\0\0\0\x08"],
    ...[
      "\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf",
      "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0",
      "<svg ",
    ],
  ];
  for (const [index, beginning] of beginnings.entries()) {
    for (let round = 0; round < 4; round++) {
      const noise = createHash("shake256", { outputLength: 50 + 1_000 * round })
        .update(`${index} ${round}`).digest();
      const start = Uint8Array.from(beginning, (character) => character.charCodeAt(0));
      await write(`noise${index}-${round}.jpg`, Uint8Array.from([...start, ...noise]));
      const answer = await get(`/noise${index}-${round}.jpg`);
      await assertRefused(answer, 501, "not_supported", `${JSON.stringify(beginning)} ${round}`);
    }
  }
  await assertStatus(await get("/home/open/photo.jpg"), 200);
});
