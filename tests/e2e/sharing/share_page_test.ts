import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { administer } from "../../support/server/administer.ts";
import { addUser, enterAs, share } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { fingers, smallTargets } from "../../support/browser/touch.ts";
import { docxOf, epubOf, xlsxOf } from "../../support/data/documents.ts";
import { quarters } from "../../support/data/pictures.ts";
import type { RunningServer } from "../../support/server/server.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { silence } from "../../support/data/media.ts";

const test = browserTests({ workerCounts: [1] });
const photo = await quarters(600, 400).jpeg().toBuffer();
const tree = {
  album: {
    "a.jpg": photo,
    "b.jpg": photo,
    "c.jpg": photo,
    "read.md": "# The sea\n\n[A](a.jpg) ![B](b.jpg) <b onclick=alert(1)>bold</b>\n\n- one",
    deep: { "sky.txt": "The sky" },
  },
};
const papers = {
  papers: {
    "letter.docx": docxOf("<w:p><w:r><w:t>Dear Anna</w:t></w:r></w:p>"),
    "sums.xlsx": xlsxOf([["Item", "Price"], ["Bread", 3]]),
    "list.csv": "Item,Price\nBread,3\n",
    "trip.zip": zipOf([{ name: "in.txt", content: "the text inside" }]),
    "code.ts": "const answer = 42;\n",
    "book.epub": epubOf(["<p>It began</p>"]),
  },
};

/** Pictures of differing shapes. */
const album = Object.fromEntries(
  await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const [width, height] = [[900, 600], [600, 900], [800, 450], [600, 600]][index % 4] ?? [];
      return [`${index}.jpg`, await quarters(width ?? 1, height ?? 1).jpeg().toBuffer()] as const;
    }),
  ),
);

/** Large enough that a smaller picture is shown in its place. */
const large = new Uint8Array([
  ...await quarters(2400, 1600).jpeg().toBuffer(),
  ...new Uint8Array(300_000),
]);

/** Waits until the server knows the shapes of all pictures of a share. */
async function shapesRead(server: RunningServer, hash: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${server.url}/api/public/ratios/${hash}?read=true`);
    const { unread } = await answer.json();
    if (unread === 0) return;
  }
}

/** Opens the page of a share as a visitor without an account. */
async function visit(page: Page, address: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(address);
}

test(
  "the picture of a shared photo is fetched from one address, alone and in a folder",
  { tree: { "small.jpg": photo, "large.jpg": large, album: { "large.jpg": large } } },
  async ({ page, server, folder }) => {
    const at = folder.slice(server.root.length);
    for (const name of ["small.jpg", "large.jpg", "album/large.jpg"]) {
      const [shared = "", below = ""] = name.split("/");
      const { hash } = await share(server, join(at, shared));
      const fetched = new Set<string>();
      page.on("request", (request) => {
        const url = request.url();
        if (/\/api\/public\/(?:preview\/big|dl)\//.test(url) && url.includes(hash)) {
          fetched.add(url);
        }
      });
      await visit(page, `/share/${hash}/${below}`);
      await page.waitForFunction(() =>
        (document.querySelector<HTMLImageElement>(".viewer__picture")?.naturalWidth ?? 0) > 0
      );
      assert.equal(fetched.size, 1, [...fetched].join(" "));
    }
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(`a shared folder of pictures is shown as photos, a grid or a list (${device}, ${scheme})`, {
    tree,
    device,
    scheme,
  }, async ({ page, server, folder }) => {
    const path = folder.slice(server.root.length);
    const { hash } = await share(server, join(path, "album"), { expires: 2, unit: "days" });
    await visit(page, `/share/${hash}`);
    await page.getByText(`Shared by ${server.username}`).waitFor();
    await page.getByText("Available until").waitFor();
    const photos = page.getByRole("radio", { name: "Photos" });
    assert.ok(await photos.isChecked(), "most entries are pictures");
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>("[data-tile=photo] .thumb > img")]
        .filter((image) => !image.dataset.blur && image.naturalWidth > 0).length === 3
    );
    await page.getByRole("rowheader").first().waitFor();
    assert.deepEqual(await findBarriers(page), []);
    if (device === "phone") assert.deepEqual(await smallTargets(page), []);
    await photos.focus();
    await page.keyboard.press("ArrowLeft");
    assert.ok(await page.getByRole("radio", { name: "Grid" }).isChecked());
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>(".shared__thumb")]
        .every((image) => image.naturalWidth === 256)
    );
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ArrowLeft");
    assert.ok(await page.getByRole("radio", { name: "List" }).isChecked());
    assert.deepEqual(await findBarriers(page), []);
    await page.reload();
    assert.ok(await page.getByRole("radio", { name: "List" }).isChecked(), "it is remembered");
  });

  test(`photos of a share appear where they stay, and are requested once (${device})`, {
    tree: { album },
    device,
    scheme,
  }, async ({ page, server, folder }) => {
    for (const [index, name] of Object.keys(album).entries()) {
      const seconds = 1_700_000_000 - index * 17 % 24 * 172_800;
      await Deno.utime(join(folder, "album", name), seconds, seconds);
    }
    const path = folder.slice(server.root.length);
    const { hash } = await share(server, join(path, "album"));
    await shapesRead(server, hash);
    const requested: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/public/preview/")) requested.push(pathname);
    });
    await page.addInitScript(() => {
      const seen = globalThis as unknown as { shifted: number };
      seen.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          seen.shifted += (entry as PerformanceEntry & { value: number }).value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await visit(page, `/share/${hash}`);
    await page.locator("[data-tile=photo]").first().waitFor();
    await page.waitForFunction(() => {
      const inView = [...document.querySelectorAll("[data-tile=photo]")]
        .filter((tile) => tile.getBoundingClientRect().top < innerHeight);
      return inView.every((tile) => tile.querySelector(".thumb > img:not([data-blur])"));
    });
    const shifted = await page.evaluate(() =>
      (globalThis as unknown as { shifted: number }).shifted
    );
    assert.ok(shifted < 0.1, `the layout shifted by ${shifted}`);
    assert.ok(requested.length > 0);
    assert.deepEqual(requested.toSorted(), [...new Set(requested)].toSorted());
  });

  test(`a visitor walks through pictures by keys, and back (${device}, ${scheme})`, {
    tree,
    device,
    scheme,
  }, async ({ page, server, folder }) => {
    // Photos come by their dates: the newest first.
    for (const [index, name] of ["a.jpg", "b.jpg", "c.jpg"].entries()) {
      const seconds = 1_700_000_000 - index;
      await Deno.utime(join(folder, "album", name), seconds, seconds);
    }
    const path = folder.slice(server.root.length);
    const { hash } = await share(server, join(path, "album"));
    await visit(page, `/share/${hash}`);
    await page.locator("[data-tile=photo]").getByRole("link", { name: "a.jpg" }).click();
    await page.waitForURL(`**/share/${hash}/a.jpg`);
    await page.getByRole("img", { name: "a.jpg" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    for (const command of ["Delete", "Rename", "Move", "Share"]) {
      assert.equal(await page.getByRole("button", { name: command, exact: true }).count(), 0);
    }
    await page.keyboard.press("ArrowRight");
    await page.getByRole("img", { name: "b.jpg" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("img", { name: "a.jpg" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(`**/share/${hash}`);
    await page.locator("[data-tile=photo]").first().waitFor();
    await page.goto(`/share/${hash}/c.jpg`);
    await page.locator(".viewer").getByRole("img", { name: "c.jpg" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(`**/share/${hash}/`);
    await page.getByRole("heading", { name: "album" }).waitFor();
  });
}

test("a finger that swipes over a shared picture leads to the next one and back", {
  tree,
  device: "phone",
  anyFont: true,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"));
  await visit(page, `/share/${hash}/a.jpg`);
  const shown = page.locator(".viewer");
  const session = await page.context().newCDPSession(page);
  const swipe = async (name: string, from: number, to: number) => {
    const box = await shown.getByRole("img", { name }).boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await fingers(session, [[{ x: from, y }], [{ x: (from + to) / 2, y }], [{ x: to, y }]]);
  };
  await swipe("a.jpg", 300, 60);
  await shown.getByRole("img", { name: "b.jpg" }).waitFor();
  await swipe("b.jpg", 60, 300);
  await shown.getByRole("img", { name: "a.jpg" }).waitFor();
  assert.deepEqual(await smallTargets(page), []);
});

test("on a phone the head of a shared album takes two lines, with sign-up on", {
  tree: { songs: { "a.wav": silence(30) } },
  device: "phone",
  signedIn: false,
}, async ({ page, server, folder }) => {
  await administer(server, { settings: { signup: true } });
  const { hash } = await share(server, join(folder.slice(server.root.length), "songs"));
  await page.goto(`/share/${hash}/`);
  const play = page.getByRole("button", { name: "Play", exact: true });
  await play.waitFor();
  const middles = async (...all: Locator[]) =>
    await Promise.all(all.map(async (one) => {
      const box = await one.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390);
      return Math.round((box.y + box.height / 2) / 8);
    }));
  const signIn = page.getByRole("link", { name: "Sign in" });
  const lines = await middles(play, page.getByRole("link", { name: "Download all" }), signIn);
  assert.equal(new Set(lines).size, 1);
  const details = page.getByText("Details", { exact: true });
  const [title, beside] = await middles(page.locator(".shared__about"), details);
  assert.ok(Math.abs((title ?? 0) - (beside ?? 9)) <= 1);
  const small = await smallTargets(page);
  assert.deepEqual(small.filter((target) => !target.includes("Select a.wav")), []);
  await details.tap();
  await page.getByText("Other formats").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Escape");
  // On a tablet, too, the words of buttons make way for the title.
  await page.setViewportSize({ width: 820, height: 1180 });
  const button = await play.boundingBox();
  assert.ok(button && button.width < 60, `the button to play is ${button?.width} pixels wide`);
  await signIn.click();
  await page.getByRole("button", { name: "Create an account" }).waitFor();
  await administer(server, { settings: { signup: false } });
});

test("on a phone the handle of the dates leaves the switch of views free until photos scroll", {
  tree: {
    many: Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`${index}.jpg`, photo])),
  },
  device: "phone",
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "many"));
  await shapesRead(server, hash);
  await visit(page, `/share/${hash}`);
  const handle = page.locator(".scrubber__now");
  await handle.waitFor({ state: "attached" });
  const list = page.getByRole("radio", { name: "List" });
  const reached = () =>
    list.evaluate((input) => {
      const { left, top, width, height } = (input.closest("label") ?? input)
        .getBoundingClientRect();
      const met = document.elementFromPoint(left + width / 2, top + height / 2);
      return met !== null && (input.closest("label") ?? input).contains(met);
    });
  await handle.waitFor({ state: "hidden" });
  assert.ok(await reached());
  await page.locator(".listing").evaluate((listing) => listing.scrollTop = 400);
  await handle.waitFor({ state: "visible" });
  await page.locator(".listing").evaluate((listing) => listing.scrollTop = 0);
  await handle.waitFor({ state: "hidden" });
});

test("a shared document is rendered with its styles, and leads to what is shared beside it", {
  tree,
  expected: [401],
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"), {
    password: "open sesame",
  });
  await visit(page, `/share/${hash}/read.md`);
  await page.getByLabel("Password").fill("open sesame");
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("document");
  const heading = sheet.getByRole("heading", { name: "The sea" });
  await heading.waitFor();
  const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
  assert.ok(
    await heading.evaluate(sizeOf) > 1.3 * await sheet.getByRole("listitem").evaluate(sizeOf),
  );
  await page.waitForFunction(() =>
    (document.querySelector<HTMLImageElement>(".markdown img")?.naturalWidth ?? 0) > 0
  );
  assert.equal(await sheet.locator("[onclick]").count(), 0);
  assert.deepEqual(await findBarriers(page), []);
  await sheet.getByRole("link", { name: "A", exact: true }).click();
  await page.getByRole("img", { name: "a.jpg" }).waitFor();
});

test("documents, tables, books and archives of a share are shown without an account", {
  tree: papers,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "papers"));
  const shows: [name: string, text: string][] = [
    ["letter.docx", "Dear Anna"],
    ["sums.xlsx", "Bread"],
    ["list.csv", "Bread"],
    ["trip.zip", "in.txt"],
    ["code.ts", "const answer = 42;"],
    ["book.epub", "It began"],
  ];
  for (const [name, text] of shows) {
    await visit(page, `/share/${hash}/${name}`);
    const shown = page.locator(".viewer, .editor").getByText(text);
    await shown.filter({ visible: true }).first().waitFor();
    assert.deepEqual(await findBarriers(page), [], name);
  }
});

test("a share for viewing alone shows pictures and texts, and offers nothing to be saved", {
  tree: { shown: { "a.jpg": photo, "b.jpg": photo, "sea.txt": "The sea", ...papers.papers } },
}, async ({ page, server, folder }) => {
  const path = join(folder.slice(server.root.length), "shown");
  const { hash } = await share(server, path, { viewOnly: true });
  const taking = /Download|^Print|^Open|Copy link|direct link/;
  const isNotOffered = async () => {
    const more = page.locator(".viewer").getByRole("button", { name: "More actions" });
    if (await more.count() > 0) {
      await more.click();
      await page.getByRole("menu").getByRole("menuitem").first().waitFor();
      assert.equal(await page.getByRole("menuitem", { name: taking }).count(), 0);
      await page.keyboard.press("Escape");
    }
    await page.locator(".viewer").getByRole("button", { name: "Details" }).click();
    await page.locator(".details .qr").waitFor();
    assert.equal(await page.getByText(taking).filter({ visible: true }).count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".viewer, .printed").filter({ visible: true }).count(), 0);
    await page.emulateMedia({ media: "screen" });
    await page.keyboard.press("i");
  };
  await visit(page, `/share/${hash}/a.jpg`);
  await page.locator(".viewer").getByRole("img", { name: "a.jpg" }).waitFor();
  await isNotOffered();
  const texts = { "sea.txt": "The sea", "list.csv": "Bread", "code.ts": "42" };
  for (const [name, text] of Object.entries(texts)) {
    await visit(page, `/share/${hash}/${name}`);
    await page.locator(".viewer").getByText(text).filter({ visible: true }).first().waitFor();
    await isNotOffered();
  }
  for (const name of ["sums.xlsx", "trip.zip", "book.epub"]) {
    await visit(page, `/share/${hash}/${name}`);
    await page.getByText("No preview available").waitFor();
    await page.getByText("Details").click();
    assert.equal(await page.getByText(taking).filter({ visible: true }).count(), 0, name);
  }
  await visit(page, `/share/${hash}/letter.docx`);
  await page.getByText("No preview available").waitFor();
  assert.equal(await page.getByText("Download").filter({ visible: true }).count(), 0);
  await visit(page, `/share/${hash}/`);
  const starts = await page.locator(".shared__when").evaluateAll((times) =>
    times.map((time) => Math.round(time.getBoundingClientRect().right))
  );
  assert.equal(starts.length, 9);
  assert.equal(new Set(starts).size, 1, `the dates are one column: ${starts}`);
  await page.getByRole("radio", { name: "Photos" }).check({ force: true });
  await page.locator(".listing").getByRole("link", { name: "b.jpg" }).hover();
  await page.getByRole("button", { name: "Actions for b.jpg" }).first().click();
  await page.getByRole("menuitem", { name: "Details" }).waitFor();
  assert.equal(await page.getByText("Download").filter({ visible: true }).count(), 0);
});

test("whoever may edit acts on the picture that is seen, also after going on to the next", {
  tree,
}, async ({ page, server, folder }) => {
  const name = `editor of ${folder.slice(server.root.length + 1)}`;
  await addUser(server, name);
  const path = join(folder.slice(server.root.length), "album");
  const { hash } = await share(server, path, { audience: [{ name, may: "edit" }] });
  await enterAs(page, name);
  await page.goto(`/share/${hash}/a.jpg`);
  const viewer = page.locator(".viewer");
  await viewer.getByRole("img", { name: "a.jpg" }).waitFor();
  await viewer.getByRole("button", { name: "Rename" }).waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 1);
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("ArrowRight");
  await viewer.getByRole("img", { name: "b.jpg" }).waitFor();
  await viewer.getByRole("button", { name: "Rename" }).click();
  const asked = page.getByRole("dialog").getByLabel("Name");
  assert.equal(await asked.inputValue(), "b.jpg");
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Escape");
  await viewer.getByRole("button", { name: "Delete" }).click();
  await page.getByText("1 item moved to the owner’s trash").waitFor();
  const names = [...Deno.readDirSync(join(folder, "album"))].map((entry) => entry.name).sort();
  assert.deepEqual(names, ["a.jpg", "c.jpg", "deep", "read.md"]);
});

test("the details of a file of a share have the QR code of its page, as those of its folder", {
  tree,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"));
  await visit(page, `/share/${hash}/read.md`);
  await page.locator(".viewer").getByRole("button", { name: "Details" }).click();
  const code = page.getByRole("img", { name: `QR code for ${server.url}/share/${hash}/read.md` });
  await code.waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

test("a file that is shared alone has no way to a folder", {
  tree: { "unknown.bin": new Uint8Array([0, 1, 2]), "a.jpg": photo },
}, async ({ page, server, folder }) => {
  for (const name of ["unknown.bin", "a.jpg"]) {
    const { hash } = await share(server, join(folder.slice(server.root.length), name));
    await visit(page, `/share/${hash}`);
    await page.locator(".viewer").getByRole("button", { name: "Details" }).waitFor();
    assert.equal(await page.getByText(name).filter({ visible: true }).count(), 1, name);
    assert.equal(await page.getByText("Path", { exact: true }).count(), 0);
    for (const role of ["link", "button"] as const) {
      assert.equal(await page.getByRole(role, { name: "Back to folder" }).count(), 0);
    }
    assert.deepEqual(await findBarriers(page), []);
  }
});

test("an album that is shared plays, one song after the other", {
  tree: { songs: { "a.wav": silence(30), "b.wav": silence(60) } },
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "songs"));
  await visit(page, `/share/${hash}`);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const player = page.getByRole("region", { name: "Music player" });
  await player.getByRole("link", { name: "a", exact: true }).waitFor();
  await player.getByRole("button", { name: "Next track" }).click();
  await player.getByRole("link", { name: "b", exact: true }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

test("the page of a share does without scripts", {
  tree,
  scripts: false,
  signedIn: false,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"));
  await page.goto(`/share/${hash}`);
  assert.ok(!await page.getByRole("radio", { name: "Photos" }).isVisible(), "it takes scripts");
  await page.getByRole("radio", { name: "List" }).check({ force: true });
  await page.getByRole("link", { name: "b.jpg" }).click();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("3 of 4").waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("# The sea").waitFor();
});
