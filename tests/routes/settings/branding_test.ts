import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const folder = await temporaryFolder();
await plant(folder.path, {
  site: { "custom.css": "body { color: red }", img: { "logo.svg": svg }, "secret.txt": "secret" },
  linked: { img: {} },
});
const app = await startApp();
Deno.test.afterAll(async () => {
  await app.close();
  await folder[Symbol.asyncDispose]();
});

async function bring(files: string, name = ""): Promise<void> {
  const settings = await app.cubby.settings.get();
  const branding = { ...settings.branding, files, name };
  await app.cubby.settings.update({ ...settings, branding });
}

Deno.test("a site without files of its own hands none out", async () => {
  for (const files of ["", "relative", "/none/at/all"]) {
    await bring(files);
    const answer = await app.call("GET", "/branding/custom.css");
    assert.equal(answer.status, 404);
    await answer.body?.cancel();
  }
  const page = await (await app.call("GET", "/login")).text();
  assert.ok(!page.includes("/branding/"));
});

Deno.test("only the known names are handed out: no link, pipe, folder or anything large", async () => {
  await bring(join(folder.path, "site"));
  for (const name of ["secret.txt", "..%2fsite%2fsecret.txt", "img", "logo.svg", "__proto__"]) {
    const answer = await app.call("GET", `/branding/${name}`);
    assert.equal(answer.status, 404, name);
    await answer.body?.cancel();
  }
  await Deno.symlink("/etc/hostname", join(folder.path, "linked", "custom.css"));
  await Deno.symlink(join(folder.path, "site"), join(folder.path, "linked", "img", "logo.svg"));
  await new Deno.Command("mkfifo", { args: [join(folder.path, "linked/img/logo.png")] }).output();
  await Deno.mkdir(join(folder.path, "linked/img/icons/favicon.svg"), { recursive: true });
  const huge = new Uint8Array(1024 * 1024 + 1);
  await Deno.writeFile(join(folder.path, "linked/img/icons/favicon.ico"), huge);
  await bring(join(folder.path, "linked"));
  for (const name of ["custom.css", "logo", "icon"]) {
    const answer = await app.call("GET", `/branding/${name}`);
    assert.equal(answer.status, 404, name);
    await answer.body?.cancel();
  }
});

Deno.test("pages carry the style sheet and the logo at once, as they are now", async () => {
  await bring(join(folder.path, "site"));
  const page = await (await app.call("GET", "/login")).text();
  const [, address = ""] = /href="(\/branding\/custom\.css\?v=[\w-]+)"/.exec(page) ?? [];
  const sheet = await app.call("GET", address);
  assert.equal(await sheet.text(), "body { color: red }");
  assert.match(sheet.headers.get("content-type") ?? "", /^text\/css/);
  assert.match(sheet.headers.get("cache-control") ?? "", /immutable/);
  assert.match(page, /<img[^>]*src="\/branding\/logo\?v=/);

  const logo = await app.call("GET", "/branding/logo");
  assert.equal(await logo.text(), svg);
  assert.match(logo.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);

  await Deno.writeTextFile(join(folder.path, "site", "custom.css"), "body { color: blue; }");
  const next = await (await app.call("GET", "/login")).text();
  assert.ok(!next.includes(address), "another version has another address");
});

Deno.test("a site's name is a text wherever it is shown", async () => {
  await bring("", `</title><script>alert("den")</script>`);
  const page = await (await app.call("GET", "/login")).text();
  assert.ok(!page.includes(`<script>alert("den")`));
  assert.match(page, /&lt;\/title>&lt;script>alert\(&quot;den&quot;\)/);
  assert.ok(!page.includes("</title><script>"));
});
