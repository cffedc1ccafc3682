/** A proxy over http that replaces the Host header, and a page of another site. */
import assert from "node:assert/strict";
import { openBrowser } from "../../support/browser/browser.ts";
import { entry } from "../../support/browser/listing.ts";
import { startServer } from "../../support/server/server.ts";
import { plant } from "../../support/disks/files.ts";

/** As `proxy_pass http://127.0.0.1:8080;` alone: what the browser asked for is not passed on. */
function startProxy(target: string) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (req) => {
    const { pathname, search } = new URL(req.url);
    const headers = new Headers(req.headers);
    headers.delete("host");
    const { method, body } = req;
    return await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
  });
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("behind a proxy that replaces Host, people sign in, and another site's form signs nobody in", async () => {
  await using server = await startServer({
    prepare: (root) => plant(root, { "sea.txt": "waves" }),
  });
  await using proxy = startProxy(server.url);
  // Names: browsers say of a request to an address of this machine from which site it comes.
  const rule = "MAP nas.local 127.0.0.1, MAP evil.test 127.0.0.1";
  const browser = await openBrowser("any", "dejavu", [`--host-resolver-rules=${rule}`]);
  try {
    const site = `http://nas.local:${proxy.port}`;
    const context = await browser.newContext({ baseURL: site });
    const page = await context.newPage();
    const seen: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/login")) seen.push(request.headers()["sec-fetch-site"]);
    });

    const fields = JSON.stringify({ username: server.username, password: server.password });
    const name = fields.replace(/\}$/, ',"x":"').replaceAll('"', "&quot;");
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded"]) {
      await page.route("http://evil.test/", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<form method="post" action="${site}/api/login" enctype="${enctype}">` +
            `<input name="${name}" value="&quot;}"><button>Win</button></form>`,
        }));
      await page.goto("http://evil.test/");
      await page.getByRole("button").click();
      await page.waitForURL(`${site}/api/login`);
      assert.deepEqual(await context.cookies(), [], enctype);
      await page.goto("/files/");
      await page.waitForURL(/\/login\?redirect=/);
      await page.unroute("http://evil.test/");
    }

    await page.goto("/login");
    await page.getByLabel("Username").fill(server.username);
    await page.getByRole("textbox", { name: "Password" }).fill(server.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await entry(page, "sea.txt").waitFor();
    await page.reload();
    await entry(page, "sea.txt").waitFor();
    assert.deepEqual(seen, [undefined, undefined, undefined], "the browser names no site");
    await context.close();
  } finally {
    await browser.close();
  }
});
