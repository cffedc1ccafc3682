import assert from "node:assert/strict";
import { join } from "node:path";
import { withoutWords } from "../../support/data/page_data.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";

const awkward = `"><script>alert(1)</script> #%?日本.txt`.replaceAll("/", "");
const long = "長".repeat(80);
const app = await startApp({
  tree: {
    album: { "sea.jpg": "sea", deep: { "sky.txt": "<b>sky</b>" }, [awkward]: "a" },
    many: Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`file-${index}`, ""])),
  },
});
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");

async function share(path: string, json: object = {}): Promise<string> {
  const answer = await app.call("POST", `/api/share${path}`, { token: admin, json });
  return (await answer.json()).hash;
}

async function open(path: string, options?: CallOptions) {
  const answer = await app.call("GET", `/share${path}`, options);
  return { answer, html: withoutWords(await answer.text()) };
}

function post(path: string, password: string) {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": "100",
    "sec-fetch-site": "same-origin",
  };
  const body = new URLSearchParams({ password }).toString();
  return app.call("POST", `/share${path}`, { headers, body });
}

Deno.test("an unknown share is a page of its own, and is not to be found by search engines", async () => {
  const { answer, html } = await open("/AAAAAAAAAAAAAAAAAAAAAA");
  assert.equal(answer.status, 404);
  assert.equal(answer.headers.get("x-robots-tag"), "noindex, nofollow");
  assert.match(html, /It may have expired or been removed/);
});

Deno.test("the page of a share shows its content at once, with no script but its own", async () => {
  const hash = await share("/album");
  const plain = await open(`/${await share("/many")}`);
  assert.equal(plain.html.match(/<script/g)?.length, 1, "viewers of what is there alone");
  const { answer, html } = await open(`/${hash}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("x-robots-tag"), "noindex, nofollow");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const scripts = html.match(/<script[^>]*>/gi);
  assert.equal(scripts?.length, 3, "no script of a name's");
  assert.match(
    scripts[0] ?? "",
    /^<script (?:type="module"|src="\/share\.js[^"]*"|nonce="[^"]+"| )+>$/,
  );
  assert.match(html, new RegExp(`href="/share/${hash}/deep/"`));
  assert.match(html, new RegExp(`action="/api/public/dl/${hash}"`));
  assert.match(html, /aria-label="QR code for http:\/\/cubby\.test\/share\//);
  assert.ok(html.includes(`value="${encodeURIComponent(awkward)}"`));
});

Deno.test("what is ticked comes as an archive, as the form asks for it", async () => {
  const hash = await share("/album");
  const query = new URLSearchParams([
    ["files", encodeURIComponent(awkward)],
    ["files", "deep"],
    ["algo", "tar"],
  ]);
  const answer = await app.call("GET", `/api/public/dl/${hash}?${query}`);
  const tar = await answer.text();
  assert.ok(tar.includes("sky.txt") && !tar.includes("sea.jpg"));
});

Deno.test("a text is shown as text, inside its way from the top", async () => {
  const hash = await share("/album");
  const { html } = await open(`/${hash}/deep/sky.txt`);
  assert.match(html, /<pre[^>]*>&lt;b>sky&lt;\/b><\/pre>|<pre[^>]*>&lt;b&gt;sky&lt;\/b&gt;<\/pre>/);
  assert.match(html, new RegExp(`href="/share/${hash}/deep/"[^>]*aria-label="Back to folder"`));
});

Deno.test("an address that is too long for a code has a page all the same", async () => {
  const hash = await share("/");
  const deep = Array.from({ length: 5 }, () => long);
  await Deno.mkdir(join(app.root, ...deep), { recursive: true });
  const { answer, html } = await open(`/${hash}/${deep.map(encodeURIComponent).join("/")}`);
  assert.equal(answer.status, 200);
  assert.ok(!html.includes("QR code"));
});

Deno.test("a hundred entries are shown, and a hundred more when wanted", async () => {
  const hash = await share("/many");
  const rows = (html: string) => html.match(/class="shared__item"/g)?.length;
  const { html } = await open(`/${hash}`);
  assert.equal(rows(html), 100);
  assert.match(html, /href="\?show=200#more"/);
  const more = await open(`/${hash}?show=200`);
  assert.equal(rows(more.html), 130);
  assert.ok(!more.html.includes("?show="));
  assert.equal(rows(more.html.slice(0, more.html.search(/<li [^>]*id="more"/))), 100);
});

Deno.test("a password is asked for, tells nothing before, and then opens all the pages", async () => {
  const hash = await share("/album", { password: "open sesame" });
  const closed = await open(`/${hash}/deep/`);
  assert.equal(closed.answer.status, 401);
  assert.match(closed.html, /type="password"/);
  assert.ok(!/album|deep|sky/.test(closed.html));

  const wrong = await post(`/${hash}/`, "wrong");
  assert.equal(wrong.status, 401);
  assert.match(await wrong.text(), /Wrong credentials/);
  assert.equal(wrong.headers.get("set-cookie"), null);

  const right = await post(`/${hash}/deep/`, "open sesame");
  assert.equal(right.status, 302);
  assert.equal(right.headers.get("location"), `/share/${hash}/deep/`);
  const [cookie = "", ...attributes] = (right.headers.get("set-cookie") ?? "").split("; ");
  assert.deepEqual(attributes, [`Path=/share/${hash}`, "HttpOnly", "SameSite=Lax"]);
  const opened = await open(`/${hash}/`, { headers: { cookie } });
  assert.equal(opened.answer.status, 200);
  const file = await open(`/${hash}/sea.jpg`, { headers: { cookie } });
  const [, address = ""] = /href="([^"]+)" download/.exec(file.html) ?? [];
  const [, token] = /name="token" value="([^"]+)"/.exec(opened.html) ?? [];
  for (
    const wanted of [address.replaceAll("&amp;", "&"), `/api/public/dl/${hash}?token=${token}`]
  ) {
    const download = await app.call("GET", wanted);
    assert.equal(download.status, 200, wanted);
    await download.body?.cancel();
  }
});

Deno.test("guesses on the page are throttled, and it says for how long", async () => {
  const hash = await share("/album", { password: "open sesame" });
  for (let time = 0; time < 5; time++) await (await post(`/${hash}/`, "wrong")).body?.cancel();
  const late = await post(`/${hash}/`, "open sesame");
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get("retry-after")) > 0);
  assert.match(await late.text(), /Too many attempts/);
});

Deno.test("another site cannot send the form, nor anybody a long one", async () => {
  const hash = await share("/album", { password: "open sesame" });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const foreign = { ...form, "sec-fetch-site": "cross-site", origin: "http://evil.test" };
  const body = "password=open+sesame";
  const answer = await app.call("POST", `/share/${hash}/`, { headers: foreign, body });
  assert.equal(answer.status, 403);
  await answer.body?.cancel();
  const headers = { ...form, "content-length": "5000" };
  const long = await app.call("POST", `/share/${hash}/`, { headers, body: "a".repeat(5000) });
  assert.equal(long.status, 413);
  await long.body?.cancel();
});

Deno.test("a single file that is ticked comes as it is, a folder as an archive", async () => {
  const hash = await share("/album");
  const nameOf = async (files: string) => {
    const address = `/api/public/dl/${hash}?direct=true&algo=tar&${files}`;
    const answer = await app.call("GET", address);
    await answer.body?.cancel();
    return /filename="([^"]*)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  };
  assert.equal(await nameOf("files=sea.jpg"), "sea.jpg");
  assert.equal(await nameOf("files=deep"), "deep.tar");
  assert.equal(await nameOf("files=sea.jpg&files=deep"), "album.tar");
  const missing = await app.call("GET", `/api/public/dl/${hash}?direct=true&files=none`);
  assert.equal(missing.status, 404);
  await missing.body?.cancel();
});

Deno.test("the page leads visitors to the sign-in, and whoever is signed in to the own files", async () => {
  const hash = await share("/album");
  const visitor = (await open(`/${hash}`)).html;
  const [, to = ""] = /<a [^>]*href="\/login\?redirect=([^"]+)"[^>]*>Sign in<\/a>/.exec(visitor) ??
    [];
  assert.equal(decodeURIComponent(to), `/share/${hash}/`);
  assert.doesNotMatch(visitor, /Sign up/);
  const { html } = await open(`/${hash}`, { headers: { cookie: `auth=${admin}` } });
  assert.match(html, /<a [^>]*href="\/files\/"[^>]*>My files<\/a>/);
  assert.doesNotMatch(html, /Sign in/);
});

Deno.test("a link that is over says so, and one below a share leads back to its top", async () => {
  const hash = await share("/album");
  const dead = await open("/AAAAAAAAAAAAAAAAAAAAAA");
  assert.match(dead.html, /<h1[^>]*>This link no longer works<\/h1>/);
  const missing = await open(`/${hash}/none.txt`);
  assert.equal(missing.answer.status, 404);
  assert.match(missing.html, new RegExp(`href="/share/${hash}/"[^>]*>Back to the shared folder`));
});

Deno.test("the page says who shares, and until when if there is an end", async () => {
  const forever = await open(`/${await share("/album")}`);
  assert.match(forever.html, /Shared by admin/);
  assert.doesNotMatch(forever.html, /Available until/);
  const brief = await open(`/${await share("/album", { expires: 2, unit: "days" })}/sea.jpg`);
  const [, end = ""] = /<time datetime="([^"]+)">Available until/i.exec(brief.html) ?? [];
  const left = Date.parse(end) - Date.now();
  assert.ok(left > 47 * 3_600_000 && left <= 48 * 3_600_000, end);
});

Deno.test("a file leads to its neighbours in the folder, across windows of a large one", async () => {
  const hash = await share("/many");
  const steps = async (name: string) => {
    const { html } = await open(`/${hash}/${name}`);
    const to = (rel: string) =>
      /href="[^"]*\/([^"/]+)"/.exec(new RegExp(`<a [^>]*rel="${rel}"[^>]*>`).exec(html)?.[0] ?? "")
        ?.[1];
    return [to("prev"), /shared__place">([^<]*)</.exec(html)?.[1], to("next")];
  };
  assert.deepEqual(await steps("file-0"), [undefined, "1 of 130", "file-1"]);
  assert.deepEqual(await steps("file-99"), ["file-98", "100 of 130", "file-100"]);
  assert.deepEqual(await steps("file-100"), ["file-99", "101 of 130", "file-101"]);
  assert.deepEqual(await steps("file-129"), ["file-128", "130 of 130", undefined]);
});

Deno.test("pictures have thumbnails that the browser loads when they come into view", async () => {
  const hash = await share("/album", { password: "open sesame" });
  const [cookie = ""] = (await post(`/${hash}/`, "open sesame")).headers.get("set-cookie")
    ?.split("; ") ?? [];
  const { html } = await open(`/${hash}`, { headers: { cookie } });
  const thumbs = html.match(/<img [^>]*class="shared__thumb"[^>]*>/g) ?? [];
  assert.equal(thumbs.length, 1);
  assert.match(thumbs[0] ?? "", /loading="lazy"/);
  const [, address = ""] = /src="([^"]+)"/.exec(thumbs[0] ?? "") ?? [];
  assert.match(address, new RegExp(`^/api/public/preview/thumb/${hash}/sea.jpg\\?k=`));
  const answer = await app.call("GET", address.replaceAll("&amp;", "&"));
  assert.equal(answer.status, 204, "the password is proven; it is not a picture");
  await answer.body?.cancel();
});

Deno.test("a text in Markdown is there as text until the browser renders it", async () => {
  await Deno.writeTextFile(join(app.root, "album/read me.md"), "# Title & *more*");
  const hash = await share("/album");
  const { html } = await open(`/${hash}/read%20me.md`);
  assert.match(html, /<pre[^>]*># Title &amp; \*more\*<\/pre>/);
});
