import assert from "node:assert/strict";
import { type EntryPath, parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import {
  type LinkClick,
  linkedPlace,
} from "../../../../../lib/client/base/navigation/leave_guard.ts";
import {
  filesHref,
  Navigation,
  placeOf,
} from "../../../../../lib/client/base/navigation/navigation.ts";
import { PlaceMemory } from "../../../../../lib/client/base/navigation/place_memory.ts";
import { pause } from "../../support.ts";
import { Tab } from "../../tab.ts";

const at = (text: string): EntryPath => parsePath(text).path;

function navigationIn(tab: Tab, baseUrl = "", onAgain = () => {}): Navigation {
  const place = placeOf(tab.location.href, baseUrl) ?? { path: ROOT, folder: true };
  const titleOf = ({ path }: { path: EntryPath }) => `title of ${path}`;
  return new Navigation({ baseUrl, place, browser: tab, titleOf, onAgain });
}

/** A plain click on a marked link. */
function clickOn(href: string, how: Partial<LinkClick> & Partial<Record<"download", true>> = {}) {
  const { download, ...held } = how;
  const link = {
    href,
    target: "",
    hasAttribute: (name: string) => name === "download" && download,
  };
  return {
    button: 0,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    defaultPrevented: false,
    target: { closest: () => link } as unknown as EventTarget,
    prevented: false,
    preventDefault() {
      this.prevented = true;
    },
    ...held,
  };
}

const here = "http://nas.local/base/files/";
const place = (href: string) => placeOf(href, "/base");

Deno.test("linkedPlace() leaves every click alone that means something else", () => {
  const others: Parameters<typeof clickOn>[1][] = [
    { button: 1 },
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
    { altKey: true },
    { defaultPrevented: true },
    { download: true },
    { target: { closest: () => null } as unknown as EventTarget },
    { target: null },
  ];
  for (const how of others) {
    assert.equal(linkedPlace(clickOn(`${here}a/`, how), place), null, JSON.stringify(how));
  }
});

Deno.test("linkedPlace() leaves links alone that lead out of the files area", () => {
  for (const href of ["http://nas.local/files/a/", "http://nas.local/base/filesystem/"]) {
    assert.equal(linkedPlace(clickOn(href), place), null, href);
  }
});

Deno.test("linkedPlace() reads the place from an ordinary click", () => {
  assert.deepEqual(linkedPlace(clickOn(`${here}a%20b/c`), place), {
    path: "/a b/c",
    folder: false,
  });
});

Deno.test("placeOf() answers null for an address that names no path", () => {
  assert.equal(placeOf(`${here}%FF`, "/base"), null);
  assert.equal(placeOf(`${here}a%2Fb`, "/base"), null);
});

Deno.test("placeOf() reads what filesHref() writes", () => {
  for (const path of ["/", "/a", "/50% & #1?/ü"]) {
    const href = new URL(filesHref("/base", at(path)), here).href;
    assert.deepEqual(placeOf(href, "/base"), { path, folder: true });
  }
  assert.deepEqual(placeOf("http://nas.local/files", ""), { path: "/", folder: true });
});

Deno.test("going somewhere makes one history entry, with its title", () => {
  const tab = new Tab(here);
  let again = 0;
  const navigation = navigationIn(tab, "/base", () => again++);
  navigation.start();
  navigation.go(at("/photos"));
  assert.equal(again, 0);
  navigation.go(at("/photos"));
  assert.equal(again, 1);
  assert.deepEqual(tab.entries.map(({ href }) => href), [here, `${here}photos/`]);
  assert.equal(tab.document.title, "title of /photos");
  assert.deepEqual(navigation.place.value, { path: "/photos", folder: true });
  navigation.go(at("/photos/sea.jpg"), { folder: false, replace: true });
  assert.deepEqual(tab.entries.map(({ href }) => href), [here, `${here}photos/sea.jpg`]);
  navigation.up();
  assert.equal(navigation.place.value.path, "/photos");
});

Deno.test("a click on a marked link goes there instead of loading a page", () => {
  const tab = new Tab(here);
  const navigation = navigationIn(tab, "/base");
  const stop = navigation.start();
  const [listener] = tab.clicks;
  const click = clickOn(`${here}music/`);
  listener?.(click as unknown as Event);
  assert.ok(click.prevented);
  assert.equal(navigation.place.value.path, "/music");

  const download = clickOn(`${here}music/`, { download: true });
  listener?.(download as unknown as Event);
  assert.ok(!download.prevented);
  stop();
  assert.equal(tab.clicks.size, 0);
});

Deno.test("the back button leads back, with the place's title", () => {
  const tab = new Tab(here);
  const navigation = navigationIn(tab, "/base");
  navigation.start();
  navigation.go(at("/a"));
  navigation.go(at("/b"));
  tab.travel(-1);
  assert.equal(navigation.place.value.path, "/a");
  assert.equal(tab.document.title, "title of /a");
  tab.travel(-1);
  assert.equal(navigation.place.value.path, "/");
  tab.travel(2);
  assert.equal(navigation.place.value.path, "/b");
});

Deno.test("leaving a file that was opened from its folder goes back", async () => {
  const tab = new Tab("http://nas.local/files/docs/");
  const navigation = navigationIn(tab);
  navigation.start();
  navigation.go(at("/docs/a.png"), { folder: false });
  navigation.go(at("/docs/b.png"), { folder: false, replace: true });
  navigation.leave();
  await pause(0);
  assert.equal(tab.location.href, "http://nas.local/files/docs/");
  assert.equal(navigation.place.value.path, "/docs");
  tab.travel(1);
  assert.equal(navigation.place.value.path, "/docs/b.png");
  navigation.leave();
  await pause(0);
  assert.equal(navigation.place.value.path, "/docs");
});

Deno.test("leaving a file that was opened by its address puts the folder in its place", () => {
  const tab = new Tab("http://nas.local/files/docs/a.png");
  const navigation = navigationIn(tab);
  navigation.start();
  navigation.leave();
  assert.deepEqual(tab.entries.map(({ href }) => href), ["http://nas.local/files/docs/"]);
  assert.equal(navigation.place.value.path, "/docs");
});

function scrolledTo(scrollTop: number): EventTarget & { scrollTop: number } {
  return Object.assign(new EventTarget(), { scrollTop });
}

Deno.test("every history entry finds its scrolling again", () => {
  const tab = new Tab(here);
  const navigation = navigationIn(tab, "/base");
  navigation.start();
  assert.equal(tab.history.scrollRestoration, "manual");
  const scroller = scrolledTo(1200);
  navigation.scrollsIn(scroller);
  navigation.go(at("/a"));
  assert.equal(navigation.savedScroll(), 0);
  scroller.scrollTop = 300;
  tab.travel(-1);
  assert.equal(navigation.savedScroll(), 1200);
  scroller.scrollTop = 1250;
  tab.travel(1);
  assert.equal(navigation.savedScroll(), 300);
});

Deno.test("every history entry finds again what was kept of it", () => {
  const tab = new Tab(here);
  const navigation = navigationIn(tab, "/base");
  navigation.start();
  let seen = "the first";
  navigation.keeps(() => ({ seen }));
  navigation.go(at("/a"));
  assert.equal(navigation.kept(), null);
  seen = "the second";
  tab.travel(-1);
  assert.deepEqual(navigation.kept(), { seen: "the first" });
});

Deno.test("scrolling is found again after a reload of the page", () => {
  const stored = new Map<string, string>();
  const tab = new Tab(here, stored);
  const navigation = navigationIn(tab, "/base");
  navigation.start();
  const scroller = scrolledTo(0);
  navigation.scrollsIn(scroller);
  scroller.scrollTop = 777;
  scroller.dispatchEvent(new Event("scroll"));
  tab.dispatchEvent(new Event("pagehide"));

  const reloaded = new Tab(here, stored);
  reloaded.history.replaceState(tab.history.state, "", here);
  const again = navigationIn(reloaded, "/base");
  again.start();
  assert.equal(again.savedScroll(), 777);
});

Deno.test("PlaceMemory begins anew when what is stored can't be read", () => {
  const memory = new PlaceMemory({ getItem: () => "{rubbish", setItem: () => {} });
  assert.deepEqual(memory.recall("a"), { top: 0, kept: null });
});

Deno.test("PlaceMemory forgets the oldest entries", () => {
  const memory = new PlaceMemory(undefined);
  for (let index = 0; index < 150; index++) {
    memory.note(`entry ${index}`, { top: index + 1, kept: `kept ${index}` });
  }
  assert.deepEqual(memory.recall("entry 0"), { top: 0, kept: null });
  assert.deepEqual(memory.recall("entry 149"), { top: 150, kept: "kept 149" });
  assert.equal(memory.recall("entry 60").top, 61);
});
