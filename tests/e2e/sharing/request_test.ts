import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { islandsAwake } from "../../support/browser/awake.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { dropFiles } from "../../support/browser/drop.ts";
import { eventually } from "../../support/browser/listing.ts";
import { withholdCode } from "../../support/browser/scripts.ts";
import { addUser, openSettings, theirPassword, tokenFor } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { plant, plantBytes, sha256, temporaryFolder } from "../../support/disks/files.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [2] });

test("files are requested, sent by a visitor, and seen by the owner", {
  tree: { inbox: { "own.txt": "own" } },
  device: "phone",
}, async ({ page }) => {
  await page.getByRole("button", { name: "Actions for inbox" }).click();
  await page.getByRole("menuitem", { name: "Request files" }).click();
  await page.getByLabel("Heading (optional)").fill("Photos of the trip");
  await page.getByLabel("Message (optional)").fill("Thank you!");
  await page.getByText("More options").click();
  const number = page.getByLabel("Number of files (optional)");
  await number.fill("many");
  await page.getByText("Enter a number").waitFor();
  await number.fill("3");
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("Nothing received yet").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  const copy = page.getByRole("button", { name: "Copy link" });
  await copy.and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Edit request" }).click();
  await page.getByRole("radio", { name: "No change" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  const link = await page.getByRole("textbox", { name: "Copy link" }).inputValue();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Actions for inbox" }).and(page.locator(":focus"))
    .waitFor();

  const context = await page.context().browser()?.newContext();
  assert.ok(context);
  const visitor = await context.newPage();
  await visitor.goto(link);
  await visitor.getByRole("heading", { name: "Photos of the trip" }).waitFor();
  assert.deepEqual(await findBarriers(visitor), []);
  await visitor.getByLabel("Your name (optional)").fill("Anna");
  const chooser = visitor.waitForEvent("filechooser");
  await visitor.getByRole("button", { name: "Choose files" }).click();
  const named = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("sent") });
  await (await chooser).setFiles([named("one.txt"), named("two.txt")]);
  await visitor.getByText("Received: 2 of 2").waitFor();
  assert.deepEqual(await findBarriers(visitor), []);
  assert.ok(!(await visitor.content()).includes("own.txt"));
  await context.close();

  await page.goto(new URL("/shared", page.url()).href);
  await page.getByText(/Received: 2 \/ 3/).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("link", { name: /\/inbox$/ }).click();
  await page.getByRole("link", { name: /^Anna - / }).waitFor();
});

/** Requests files for a folder beside the browser; answers with the request's hash. */
async function request(
  server: RunningServer,
  path: string,
  token: string,
  draft: { password?: string } = {},
): Promise<string> {
  const init = { method: "POST", headers: { "x-auth": token }, body: JSON.stringify(draft) };
  const answer = await fetch(`${server.url}/api/request${path}`, init);
  assert.equal(answer.status, 200);
  return (await answer.json()).hash;
}

test(
  "a whole folder is dropped on a request with a password, and comes with what is in it",
  { tree: { inbox: {} }, expected: [401] },
  async ({ page, server, folder, address }) => {
    const token = await tokenFor(server, server.username, server.password);
    const hash = await request(server, `${address.replace("/files", "")}inbox`, token, {
      password: "open sesame",
    });
    await using outside = await temporaryFolder();
    await plant(outside.path, {
      trip: { "sea.txt": "sea", day: { "sky.txt": "sky", empty: {} } },
      "alone.txt": "alone",
    });
    await page.goto(`/request/${hash}`);
    await islandsAwake(page);
    const gate = page.getByLabel("Password");
    await gate.fill("open parsley");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Wrong credentials" }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/request/${hash}`);
    await gate.fill("open sesame");
    await page.keyboard.press("Enter");
    await page.locator("h1:focus").waitFor();
    await page.getByRole("button", { name: "Choose files" }).and(page.locator(":enabled"))
      .waitFor();
    const files = ["trip", "alone.txt"].map((name) => join(outside.path, name));
    await dropFiles(page, page.locator(".request__drop"), files);
    await page.getByText("Received: 3 of 3").waitFor();
    await page.getByText("trip/day/sky.txt").waitFor();
    const read = (path: string) => Deno.readTextFile(join(folder, "inbox", path));
    assert.deepEqual(
      [await read("trip/sea.txt"), await read("trip/day/sky.txt"), await read("alone.txt")],
      ["sea", "sky", "alone"],
    );
  },
);

test(
  "a password that is there before the page is awake opens the request, by Enter before and after",
  { tree: { inbox: {} }, expected: [401] },
  async ({ page, server, address }) => {
    const token = await tokenFor(server, server.username, server.password);
    const place = `${address.replace("/files", "")}inbox`;
    const hash = await request(server, place, token, { password: "open sesame" });
    const gate = page.getByLabel("Password");
    const opened = page.getByRole("button", { name: "Choose files" });

    const wake = await withholdCode(page);
    await page.goto(`/request/${hash}`, { waitUntil: "commit" });
    await gate.fill("open parsley");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Wrong credentials" }).waitFor();
    await gate.fill("open sesame");
    await page.keyboard.press("Enter");
    await opened.waitFor();
    wake();
    await opened.and(page.locator(":enabled")).waitFor();

    const wakeAgain = await withholdCode(page);
    await page.goto(`/request/${hash}`, { waitUntil: "commit" });
    await gate.fill("open sesame");
    wakeAgain();
    await islandsAwake(page);
    assert.equal(await gate.inputValue(), "open sesame");
    await gate.press("Enter");
    await opened.and(page.locator(":enabled")).waitFor();
  },
);

test(
  "a visitor's upload that a reload has broken off goes on where it was, with the file chosen again",
  { tree: { inbox: {} } },
  async ({ page, server, folder, address }) => {
    const token = await tokenFor(server, server.username, server.password);
    const hash = await request(server, `${address.replace("/files", "")}inbox`, token);
    await using outside = await temporaryFolder();
    const path = join(outside.path, "film.bin");
    await plantBytes(path, 12 * 2 ** 20);
    const choose = async () => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Choose files" }).and(page.locator(":enabled"))
        .click();
      await (await chooser).setFiles([path]);
    };
    const offsets: string[] = [];
    let isHeld = true;
    await page.route("**/api/public/request/*/files/*", async (route) => {
      const { "upload-offset": offset = "" } = route.request().headers();
      if (route.request().method() === "PATCH") offsets.push(offset);
      // The second part hangs until the page is gone.
      if (!isHeld || offset === "" || offset === "0") return await route.continue();
    });
    page.on("dialog", (dialog) => void dialog.accept());
    await page.goto(`/request/${hash}`);
    await choose();
    await eventually(() => offsets.length === 2);
    isHeld = false;
    await page.reload();
    await choose();
    await page.getByText("Received: 1 of 1").waitFor();
    const [first, broken, resumed] = offsets;
    assert.ok(first === "0" && Number(broken) > 0 && resumed === broken, `${offsets}`);
    assert.equal(await sha256(join(folder, "inbox/film.bin")), await sha256(path));
    assert.deepEqual(
      [...Deno.readDirSync(join(folder, "inbox"))].length,
      1,
      "nothing is left over",
    );
  },
);

test(
  "administrators see the requests of all beside the shares, and end them",
  { tree: { inbox: {} } },
  async ({ page, server, address }) => {
    await addUser(server, "asking anna");
    const token = await tokenFor(server, "asking anna", theirPassword);
    const path = `${address.replace("/files", "")}inbox`;
    const hash = await request(server, path, token);
    await openSettings(page, "shares");
    const row = page.getByRole("row").filter({ hasText: "asking anna" });
    await row.getByRole("link", { name: path }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await row.getByRole("button", { name: `Delete the request for ${path}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
    await row.waitFor({ state: "detached" });
    const answer = await fetch(`${server.url}/request/${hash}`);
    await answer.body?.cancel();
    assert.equal(answer.status, 404);
  },
);
