/**
 * Below a base URL that is itself called /files, through nginx. Reports R82 (filebrowser#5752,
 * #2477), R83 (gtsteffaniak#362) and R84 (gtsteffaniak#2657).
 */
import assert from "node:assert/strict";
import { openBrowser } from "../../support/browser/browser.ts";
import { entry } from "../../support/browser/listing.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { ensurePrograms } from "../../support/run/debian.ts";
import { startServer } from "../../support/server/server.ts";
import { startNginx } from "../../support/services/proxies.ts";

await ensurePrograms({ nginx: "nginx" }, "base URLs");

Deno.test("R82, R83, R84: below /files people sign in, open files/files, and sign out, and never leave it", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer({
    flags: ["--trusted-proxies", "127.0.0.1,::1", "--baseurl", "/files"],
    prepare: (root) => plant(root, { files: { "beside.txt": "", files: "waves" } }),
  });
  await using proxy = await startNginx(new URL(server.url).host, folder.path, "/files/");
  const browser = await openBrowser("any", "dejavu");
  try {
    const context = await browser.newContext({ baseURL: proxy.url, ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const outside: string[] = [];
    page.on("request", (request) => {
      const { pathname, protocol } = new URL(request.url());
      if (protocol === "https:" && !/^\/files(\/|$)/.test(pathname)) outside.push(pathname);
    });
    const at = (path: string) => page.waitForURL((url) => url.pathname === path);

    await page.goto("/files");
    await at("/files/login");
    await page.getByLabel("Username").fill(server.username);
    await page.getByRole("textbox", { name: "Password" }).fill(server.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await at("/files/files/");
    await entry(page, "files").dblclick();
    await at("/files/files/files/");
    await entry(page, "beside.txt").waitFor();
    await entry(page, "files").dblclick();
    await at("/files/files/files/files");
    await page.getByText("waves").waitFor();
    await page.reload();
    await page.getByText("waves").waitFor();

    await page.goto("/files/files/files/");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await at("/files/login");
    await page.goBack();
    await at("/files/login");
    assert.deepEqual(outside, []);
    await context.close();
  } finally {
    await browser.close();
  }
});
