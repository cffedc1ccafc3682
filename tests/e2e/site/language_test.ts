import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { wordsOf } from "../../../lib/server/http/pages/dictionaries.ts";
import { listingAwake } from "../../support/browser/listing.ts";
import { withholdCode } from "../../support/browser/scripts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

/** All texts of a locale. */
function textsOf(locale: string): string[] {
  const texts = (tree: object): string[] =>
    Object.values(tree).flatMap((value) => typeof value === "string" ? value : texts(value));
  return texts(wordsOf(locale));
}

/** The texts and names of controls on a page, in their order. */
function textsOn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("body *:not(script, style)")].flatMap((element) => [
      ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
      ...[...element.childNodes].map((node) => node instanceof Text ? node.data : ""),
    ]).filter((text) => /\p{L}/u.test(text))
  );
}

/** Notes every text that the page shows from now on, however briefly. */
async function noteTexts(page: Page): Promise<() => Promise<string[]>> {
  const notes = await page.evaluateHandle(() => {
    const texts: string[] = [];
    new MutationObserver((changes) => {
      for (const { type, target, attributeName, addedNodes } of changes) {
        if (type === "characterData") texts.push(target.textContent ?? "");
        if (target instanceof Element && attributeName !== null) {
          texts.push(target.getAttribute(attributeName) ?? "");
        }
        for (const node of addedNodes) texts.push(node.textContent ?? "");
      }
    }).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ["aria-label", "title", "placeholder"],
    });
    return texts;
  });
  return () => notes.jsonValue();
}

test(
  "islands wake in the language that the server rendered: no text changes, none is fetched",
  { language: "de", tree: { brief: "a", sub: {} } },
  async ({ page, address }) => {
    const release = await withholdCode(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("link", { name: "Zuletzt verwendet" }).waitFor();
    await page.getByText("brief").waitFor();
    const rendered = await textsOn(page);
    const noted = await noteTexts(page);
    release();
    await listingAwake(page);
    const shown = [...await textsOn(page), ...await noted()];
    assert.ok(shown.length > rendered.length);
    assert.ok(shown.includes("brief auswählen"), "no island is awake");
    const german = new Set(textsOf("de"));
    const foreign = new Set(textsOf("en").filter((text) => !german.has(text)));
    const isKey = (text: string) => /^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(text);
    assert.deepEqual(shown.filter((text) => foreign.has(text) || isKey(text)), []);
    assert.deepEqual(asked.filter((path) => !/^\/(?:_fresh|api|files)\/|\.css$/.test(path)), []);
  },
);
