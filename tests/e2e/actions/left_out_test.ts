import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { isTold } from "../../support/browser/news.ts";

const test = browserTests({ workerCounts: [2] });
const strange = "#%?日本 `.txt";
const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

test(
  "a copy of a folder with a pipe and a socket says that the rest was copied, and what was not",
  { tree: { docs: {}, odd: { [strange]: "s", deep: { b: "b" } } } },
  async ({ page, folder }) => {
    await new Deno.Command("mkfifo", { args: [join(folder, "odd/pipe")] }).output();
    using _ = Deno.listen({ transport: "unix", path: join(folder, "odd/deep/socket") });
    await listingAwake(page);
    await entry(page, "odd").click();
    await page.keyboard.press("ControlOrMeta+c");
    await entry(page, "docs").dblclick();
    await page.getByText("It feels lonely here…").waitFor();
    await page.keyboard.press("ControlOrMeta+v");
    await isTold(page, "1 item copied");
    const message = page.getByRole("alert").getByText("Everything else was copied.");
    await message.waitFor();
    const text = await message.textContent() ?? "";
    for (const name of ["odd/pipe", "odd/deep/socket"]) assert.ok(text.includes(name), text);
    await entry(page, "odd").waitFor();
    assert.deepEqual(namesIn(join(folder, "docs/odd")), [strange, "deep"]);
    assert.deepEqual(await findBarriers(page), []);

    await page.getByRole("button", { name: "Recent actions" }).first().press("Enter");
    const history = page.getByRole("dialog", { name: "Recent actions" }).getByRole("listitem")
      .filter({ hasText: "docs" });
    await history.getByText("Incomplete: 1").waitFor();
    assert.equal(await history.getByText("Failed:").count(), 0);
  },
);

test(
  "an archive of a folder with a pipe says that the rest was compressed, and what was not",
  { tree: { odd: { [strange]: "s", deep: { b: "b" } } } },
  async ({ page, folder }) => {
    await new Deno.Command("mkfifo", { args: [join(folder, "odd/deep/pipe")] }).output();
    await listingAwake(page);
    await entry(page, "odd").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Compress…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Compress" }).click();
    await isTold(page, "Compressed to “odd.zip”");
    const message = page.getByRole("alert").getByText("Everything else was compressed.");
    await message.waitFor();
    assert.match(await message.textContent() ?? "", /: \u2068odd\/deep\/pipe\u2069$/);
    await entry(page, "odd.zip").waitFor();
    assert.deepEqual(await findBarriers(page), []);

    await page.getByRole("button", { name: "Recent actions" }).first().press("Enter");
    const history = page.getByRole("dialog", { name: "Recent actions" }).getByRole("listitem")
      .filter({ hasText: "odd.zip" });
    await history.getByText("Incomplete: 1").waitFor();
    assert.equal(await history.getByText("Failed:").count(), 0);
  },
);
