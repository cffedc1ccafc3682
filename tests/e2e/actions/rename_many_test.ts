import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { entry, eventually, listingAwake, namesShown } from "../../support/browser/listing.ts";
import { isTold } from "../../support/browser/news.ts";
import { chooseAction, prompt } from "../../support/browser/prompts.ts";

const test = browserTests();

const tree = { "a 2.txt": "a", "b 1.txt": "b", "c.txt": "c", docs: {}, "kept 1.txt": "kept" };

test(
  "several entries get new names at once, and one undo takes them back",
  { tree },
  async (fixture) => {
    const { page, folder } = fixture;
    await listingAwake(page);
    const read = (name: string) => Deno.readTextFileSync(join(folder, name));
    for (const [index, name] of ["a 2.txt", "b 1.txt", "c.txt"].entries()) {
      await entry(page, name).click({ modifiers: index > 0 ? ["ControlOrMeta"] : [] });
    }
    await chooseAction(page, "Rename…");
    const asking = prompt(page, "Rename several items");
    const pattern = asking.getByLabel("New name", { exact: true });
    await pattern.and(page.locator(":focus")).waitFor();
    const act = asking.getByRole("button", { name: "Rename" });
    assert.ok(await act.isDisabled(), "nothing changes yet");

    await pattern.fill("same");
    await asking.getByText("Several items would have this name.").first().waitFor();
    await pattern.fill("kept ");
    await asking.getByRole("button", { name: "Number" }).click();
    await asking.getByText("“kept 1.txt” already exists").waitFor();
    assert.ok(await act.isDisabled());
    assert.deepEqual(await findBarriers(page), []);
    await pattern.fill("x/{number}");
    await asking.getByText("A name can’t contain a slash.").first().waitFor();

    // The first takes the name that the second has.
    await pattern.fill("b {number}");
    await asking.getByLabel("First number").fill("1");
    await asking.getByLabel("Letters").selectOption("lower case");
    await page.keyboard.press("Enter");
    await asking.waitFor({ state: "detached" });
    await isTold(page, "3 items renamed");
    await eventually(async () =>
      (await namesShown(page)).join() === "docs,b 1.txt,b 2.txt,b 3.txt,kept 1.txt"
    );
    assert.deepEqual(["b 1.txt", "b 2.txt", "b 3.txt"].map(read), ["a", "b", "c"]);
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    await eventually(async () =>
      (await namesShown(page)).join() === "docs,a 2.txt,b 1.txt,c.txt,kept 1.txt"
    );
    assert.deepEqual(["a 2.txt", "b 1.txt", "c.txt"].map(read), ["a", "b", "c"]);
  },
);

test(
  "two entries exchange their names, on a phone too",
  { device: "phone", tree: { "1.txt": "one", "2.txt": "two" } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await chooseAction(page, "Rename…");
    const asking = prompt(page, "Rename several items");
    await asking.getByLabel("New name", { exact: true }).fill("{number}");
    await asking.getByLabel("First number").fill("2");
    assert.deepEqual(await findBarriers(page), []);
    await asking.getByRole("button", { name: "Rename" }).tap();
    await entry(page, "3.txt").waitFor();
    const textOf = (name: string) => Deno.readTextFileSync(join(folder, name));
    assert.deepEqual(["2.txt", "3.txt"].map(textOf), ["one", "two"]);
  },
);
