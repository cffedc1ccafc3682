import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { findBarriers } from "../support/browser/axe.ts";
import { setStage } from "../support/browser/stage.ts";

const play = setStage({ workerCounts: [2] });

play("files are requested, sent by a visitor, and seen by the owner", {
  tree: { inbox: { "own.txt": "own" } },
  device: "phone",
}, async ({ page }) => {
  await page.getByRole("button", { name: "Actions for inbox" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("button", { name: "Request files" }).click();
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
  const link = await page.getByRole("textbox", { name: "Copy link" }).inputValue();

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
