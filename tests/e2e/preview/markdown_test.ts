import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { quarters } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });
const picture = new Uint8Array(await quarters(40, 30).png().toBuffer());
const ran = "document.documentElement.dataset.ran='yes'";

const evil = `# Shown
<script>${ran}</script>
<img src=x onerror="${ran}"> <svg onload="${ran}"><a xlink:href="javascript:${ran}">svg</a></svg>
<a href="javascript:${ran}" onclick="${ran}">one</a> [two](javascript:${ran}) [seven](#%zz)
[three](data:text/html,<script>${ran}</script>) <a href="//evil.example/">four</a>
<iframe srcdoc="<script>parent.${ran}</script>"></iframe>
<form action="/api/login" method="post"><input name="username"><button>send</button></form>
<style>.sheet { display: none }</style><p style="position:fixed;inset:0" class="viewer">five</p>
<a id="page-data" name="createElement" data-place href="/api/logout">six</a>

![tracked](https://evil.example/pixel.png) <video src="https://evil.example/v.mp4"></video>
<math><mtext><table><mglyph><style><img src=x onerror="${ran}">
`;

const guide = `# Guide

See [the end](#the-end), [a note](more/note%20one.md) and [the site](https://example.org/).

![Four colours](pictures/four.png)

- [x] done
- [ ] open

| a | b |
| - | - |
| 1 | 2 |

${"A long line of text.\n\n".repeat(60)}
## The end
`;

test(
  "a Markdown document of an attacker runs nothing, loads nothing and looks like nothing else",
  { expected: [404], tree: { "evil.md": evil } },
  async ({ page, address }) => {
    await page.goto(`${address}evil.md`);
    await page.getByRole("button", { name: "Edit" }).waitFor();
    const sheet = page.getByRole("document", { name: "Document preview" });
    await sheet.getByRole("heading", { name: "Shown" }).waitFor();
    for (const words of ["one", "two", "three", "four", "seven"]) {
      await sheet.getByText(words, { exact: true }).click();
    }
    const found = await sheet.evaluate((element) => ({
      active: element.querySelectorAll(
        "script, style, iframe, form, button, input, svg, math, video, object, embed, [style]",
      ).length,
      named:
        element.querySelectorAll(".markdown__text [name], [class]:not(.markdown__text)").length,
      handlers: [...element.querySelectorAll("*")].flatMap(({ attributes }) => [...attributes])
        .filter(({ name, value }) => name.startsWith("on") || /^javascript:/i.test(value)).length,
      ids: [...element.querySelectorAll("[id]")].map(({ id }) => id),
      places: element.querySelectorAll("[data-place]").length,
      ran: document.documentElement.dataset.ran,
    }));
    const nothing = { active: 0, named: 0, handlers: 0, ran: undefined };
    assert.deepEqual(found, { ...nothing, ids: ["text-shown"], places: 1 });
    assert.equal(new URL(page.url()).pathname, `${address}evil.md`);
    const tracked = sheet.getByRole("link", { name: "tracked" });
    assert.equal(await tracked.getAttribute("rel"), "noopener noreferrer");
  },
);

test(
  "a Markdown document shows its pictures and leads to its places and neighbours",
  {
    tree: {
      "guide.md": guide,
      pictures: { "four.png": picture },
      more: { "note one.md": "# One" },
    },
  },
  async ({ page, address }) => {
    await page.goto(`${address}guide.md`);
    await page.getByRole("button", { name: "Edit" }).waitFor();
    const sheet = page.getByRole("document", { name: "Document preview" });
    const colours = sheet.getByRole("img", { name: "Four colours" });
    await colours.scrollIntoViewIfNeeded();
    await page.waitForFunction(() =>
      document.querySelector<HTMLImageElement>(".markdown img")?.naturalWidth === 40
    );
    assert.deepEqual(await findBarriers(page), []);

    await sheet.getByRole("link", { name: "the end" }).click();
    const end = sheet.getByRole("heading", { name: "The end" });
    await page.waitForFunction(() => {
      const heading = document.querySelector("#text-the-end")?.getBoundingClientRect();
      return heading && heading.top < innerHeight && heading.top > 0;
    });
    assert.ok(await end.isVisible());
    await sheet.getByRole("link", { name: "a note" }).click();
    await page.waitForURL(`${address}more/note%20one.md`);
    await page.waitForFunction(() => document.title === "note one.md - Files");
    await sheet.getByRole("heading", { name: "One" }).waitFor();
    await page.locator(".markdown:focus").waitFor();
    await page.goBack();
    await sheet.getByRole("heading", { name: "Guide" }).waitFor();
    await page.keyboard.press("ControlOrMeta+f");
    await page.locator("input[name=search]:focus").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    await sheet.getByRole("heading", { name: "Guide" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.locator(".cm-content:focus").waitFor();
    await page.reload();
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    await sheet.getByRole("heading", { name: "Guide" }).waitFor();
  },
);

test(
  "keys scroll code that is wider than the page",
  {
    device: "phone",
    tree: { "code.md": `# Code\n\n\`\`\`\n${"wide ".repeat(60)}\n\`\`\`\n` },
  },
  async ({ page, address }) => {
    await page.goto(`${address}code.md`);
    const code = page.getByRole("document", { name: "Document preview" }).locator("pre");
    await page.locator(".markdown[data-quiet] pre").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await code.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() =>
      (document.querySelector(".markdown pre")?.scrollLeft ?? 0) > 0
    );
  },
);

test(
  "footnotes lead to their notes and back, and code in an Arabic text runs from left to right",
  {
    tree: {
      "notes.md": `---\ntitle: Of all\n---\n\n# Notes\n\nFirst[^one]\n\n${
        "A line.\n\n".repeat(60)
      }[^one]: The note\n`,
      "arabic.md": "# \u0639\u0646\u0648\u0627\u0646\n\n```\ncode\n```\n",
    },
  },
  async ({ page, address }) => {
    const isSeen = (selector: string) =>
      page.waitForFunction((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box && box.top < innerHeight && box.top > 0;
      }, selector);
    await page.goto(`${address}notes.md`);
    await page.locator(".markdown[data-quiet]").waitFor();
    const sheet = page.getByRole("document", { name: "Document preview" });
    await sheet.locator("pre").getByText("title: Of all").waitFor();
    await sheet.getByRole("link", { name: "1", exact: true }).click();
    await isSeen("#text-note-1");
    assert.deepEqual(await findBarriers(page), []);
    await sheet.getByRole("link", { name: "\u21a9" }).click();
    await isSeen("#text-note-mark-1");

    await page.goto(`${address}arabic.md`);
    const code = page.locator(".markdown[data-quiet] pre code");
    await code.waitFor();
    const [start, room] = await code.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const box = element.parentElement?.getBoundingClientRect();
      return [range.getBoundingClientRect().left - (box?.left ?? 0), box?.width ?? 0];
    });
    assert.ok(start !== undefined && room !== undefined && start < room / 4, `${start} of ${room}`);
  },
);
