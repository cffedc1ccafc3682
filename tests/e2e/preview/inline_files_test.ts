import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { startApp } from "../../support/server/app.ts";
import { openBrowser } from "../../support/browser/browser.ts";
import { silence } from "../../support/data/media.ts";

/** Each way in which an uploaded file may try to run something, and to call the server. */
const attack = `document.documentElement.setAttribute("data-ran", "yes");
fetch("/api/sessions").then((answer) => fetch("/api/login?ran=" + answer.status));`;
const tree = {
  "page.html": `<h1>shown</h1><script>${attack}</script><img src="x" onerror='${attack}'>
    <a id="link" href="javascript:document.title='ran'">go</a>
    <form action="/api/login?form=sent" method="post"><button>send</button></form>
    <iframe srcdoc="<script>parent.document.title='ran'</script>"></iframe>`,
  "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload='${attack}'>
    <text>shown</text><script>${
    attack.replaceAll("&", "&amp;").replace("=>", "=&gt;")
  }</script></svg>`,
  "page.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>shown</p>
    <script><![CDATA[${attack}]]></script></body></html>`,
  "data.xml": `<x xmlns:h="http://www.w3.org/1999/xhtml"><h:p>shown</h:p>
    <h:script><![CDATA[${attack}]]></h:script></x>`,
  "sound.wav": silence(),
};

const app = await startApp({ tree });
const { url } = app.listen();
let browser: Browser;
Deno.test.beforeAll(async () => {
  browser = await openBrowser();
});
Deno.test.afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Opens a file as somebody who is signed in, as a link to it would. */
async function open(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    const value = await app.tokenOf("admin");
    await context.addCookies([{ name: "auth", value, url, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    await page.goto(`${url}/api/raw/${name}?inline=true`);
    await look(page);
  } finally {
    await context.close();
  }
}

for (const name of ["page.html", "drawing.svg", "page.xhtml", "data.xml"]) {
  Deno.test(`an uploaded ${name} is shown in a browser and runs nothing`, async () => {
    const before = app.log.requests.length;
    await open(name, async (page) => {
      await page.getByText("shown").first().waitFor({ state: "attached" });
      if (name === "page.html") {
        await page.locator("#link").click();
        await page.locator("button").click();
      }
      const ran = await page.evaluate(() => document.documentElement.getAttribute("data-ran"));
      assert.equal(ran, null);
      assert.doesNotMatch(await page.title(), /ran/);
    });
    const paths = app.log.requests.slice(before).map(({ path }) => path);
    assert.deepEqual(paths.filter((path) => path !== `/api/raw/${name}`), []);
  });
}

Deno.test("a sound opened by its own address plays, with the cookie for its second request", async () => {
  await open("sound.wav", async (page) => {
    await page.waitForFunction(() => document.querySelector("video")?.duration === 1);
  });
});
