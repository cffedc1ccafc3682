import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually, rowOf } from "../../support/browser/listing.ts";
import { islandsAwake } from "../../support/browser/awake.ts";
import { quarters } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const photo = (taken: string, place?: [latitude: string, longitude: string]) =>
  quarters(300, 200).jpeg().withExif({
    IFD2: { DateTimeOriginal: taken },
    ...(place && {
      IFD3: {
        ...{ GPSLatitudeRef: "N", GPSLatitude: place[0] },
        ...{ GPSLongitudeRef: "E", GPSLongitude: place[1] },
      },
    }),
  }).toBuffer();

const pad = (number: number) => String(number).padStart(2, "0");
const now = new Date();
const onThisDay = `${now.getFullYear() - 3}:${pad(now.getMonth() + 1)}:${
  pad(now.getDate())
} 12:00:00`;
const berlin: [string, string] = ["52/1 30/1 0/1", "13/1 24/1 0/1"];
const tokyo: [string, string] = ["35/1 42/1 0/1", "139/1 18/1 0/1"];

const test = browserTests({
  workerCounts: [1],
  alone: true,
  async prepare(root) {
    const put = async (path: string, bytes: Uint8Array) => {
      await Deno.mkdir(join(root, path, ".."), { recursive: true });
      await Deno.writeFile(join(root, path), bytes);
    };
    await put("b/newest.jpg", await photo("2033:05:06 10:00:00", berlin));
    await put("a/second.jpg", await photo("2033:05:05 10:00:00", tokyo));
    await put("c/third.jpg", await photo("2033:04:05 10:00:00", berlin));
    await put("c/memory.jpg", await photo(onThisDay));
    for (let month = 1; month <= 12; month++) {
      const picture = await photo(`2031:${pad(month)}:15 12:00:00`);
      for (let at = 0; at < 8; at++) await put(`many/${pad(month)} ${at}.jpg`, picture);
    }
  },
});

/** Opens the page once all photos are in the index. */
async function openPhotos(page: Page): Promise<void> {
  await eventually(async () => {
    const { total, unread } = await (await page.request.get("/api/timeline?limit=0")).json();
    return total >= 100 && unread === 0;
  });
  await page.goto("/photos");
  await islandsAwake(page);
  await page.locator(".rows[data-placed]").waitFor();
}

test("the sidebar leads to the photos of all folders, by months", {}, async ({ page }) => {
  await openPhotos(page);
  await page.goto("/files/");
  await islandsAwake(page);
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  await page.waitForURL("**/photos");
  await page.getByRole("rowheader", { name: /May 2033/ }).waitFor();
  await page.getByText("100 files", { exact: true }).waitFor();
  assert.equal(
    await page.getByRole("link", { name: "Photos", exact: true }).getAttribute("aria-current"),
    "page",
  );
  await page.getByRole("region", { name: "On this day" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

test(
  "a photo is followed by the next one of another folder, and closes to the list",
  {},
  async ({ page }) => {
    await openPhotos(page);
    await rowOf(page, "newest.jpg").dblclick();
    await page.waitForURL("**/photos/b/newest.jpg");
    await page.getByRole("heading", { name: "newest.jpg" }).waitFor();
    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL("**/photos/a/second.jpg");
    await page.getByRole("heading", { name: "second.jpg" }).waitFor();
    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL("**/photos/c/third.jpg");
    await page.reload();
    await islandsAwake(page);
    await page.getByRole("button", { name: "Previous" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL("**/photos/a/second.jpg");
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/photos\/?$/);
    await rowOf(page, "second.jpg").waitFor();
  },
);

test("selected photos are deleted from their folders, and come back", {}, async ({ page }) => {
  await openPhotos(page);
  await page.locator("body").press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
  await page.getByText("98 files", { exact: true }).waitFor();
  assert.equal(await rowOf(page, "newest.jpg").count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("100 files", { exact: true }).waitFor();
  await rowOf(page, "newest.jpg").waitFor();
});

test(
  "the map shows where photos were taken, by the keyboard as well, and asks no other server",
  {},
  async ({ page, server }) => {
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).origin));
    await openPhotos(page);
    await page.getByRole("button", { name: "Map" }).press("Enter");
    const list = page.getByRole("list", { name: "Map" });
    await list.getByRole("button", { name: /Germany.*20\d\d.*2 files/ }).waitFor();
    await list.getByRole("button", { name: /Japan.*1 file/ }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await list.getByRole("button", { name: /Germany/ }).press("Enter");
    await page.getByText("2 files", { exact: true }).waitFor();
    await rowOf(page, "third.jpg").waitFor();
    assert.equal(await rowOf(page, "second.jpg").count(), 0);
    await page.getByRole("button", { name: "All places" }).click();
    await page.getByText("100 files", { exact: true }).waitFor();
    assert.deepEqual([...new Set(asked)].filter((origin) => origin !== "null"), [
      new URL(server.url).origin,
    ]);
  },
);

test("a photo of this day in a former year is at the head, and opens", {}, async ({ page }) => {
  await openPhotos(page);
  const memories = page.getByRole("region", { name: "On this day" });
  await memories.getByRole("link", { name: new RegExp(String(now.getFullYear() - 3)) }).click();
  await page.waitForURL("**/photos/c/memory.jpg");
});

test("the end is reached below what is at the head, and the dates scroll", {}, async ({ page }) => {
  await openPhotos(page);
  await page.keyboard.press("End");
  await rowOf(page, "memory.jpg").waitFor();
  await page.keyboard.press("Home");
  await rowOf(page, "newest.jpg").waitFor();
  const slider = page.getByRole("slider", { name: "Taken" });
  await slider.focus();
  await page.keyboard.press("PageDown");
  await eventually(async () => /2031/.test(await slider.getAttribute("aria-valuetext") ?? ""));
});
