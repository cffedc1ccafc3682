import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { Navigation } from "../../../../../lib/client/base/navigation/navigation.ts";
import { pause, until } from "../../support.ts";
import { Tab } from "../../tab.ts";

const here = "http://nas.local/files/a/";
const at = (text: string) => parsePath(text).path;

/** A tab that came from "/" to "/a" and on to "/a/notes.txt", where something is unsaved. */
function openTab() {
  const tab = new Tab("http://nas.local/files/");
  const navigation = new Navigation({
    baseUrl: "",
    place: { path: at("/"), folder: true },
    browser: tab,
    titleOf: ({ path }) => path,
    onAgain: () => {},
  });
  navigation.start();
  navigation.go(at("/a"));
  navigation.go(at("/a/notes.txt"), { folder: false });
  const asked: ((may: boolean) => void)[] = [];
  let unsaved = true;
  const release = navigation.guard.hold({
    holds: () => unsaved,
    ask: async () => {
      const may = await new Promise<boolean>((resolve) => asked.push(resolve));
      if (may) unsaved = false;
      return may;
    },
  });
  const answer = async (may: boolean) => {
    asked.shift()?.(may);
    await pause(0);
  };
  return { tab, navigation, asked, answer, release };
}

Deno.test("a place with something unsaved is not left before the user has answered", async () => {
  const { tab, navigation, asked, answer } = openTab();
  navigation.go(at("/b"));
  assert.equal(asked.length, 1);
  assert.equal(navigation.place.value.path, "/a/notes.txt");
  await answer(false);
  assert.equal(navigation.place.value.path, "/a/notes.txt");
  assert.equal(tab.location.href, `${here}notes.txt`);
  navigation.go(at("/b"));
  await answer(true);
  assert.equal(navigation.place.value.path, "/b");
});

Deno.test("the user is asked once, however often they try to leave meanwhile", async () => {
  const { navigation, asked, answer } = openTab();
  navigation.go(at("/b"));
  navigation.up();
  assert.equal(await navigation.guard.mayLeave(), false);
  assert.equal(asked.length, 1);
  await answer(true);
  assert.equal(navigation.place.value.path, "/b");
});

Deno.test("the back button stays where it was, and goes back once the user lets it", async () => {
  const { tab, navigation, asked, answer } = openTab();
  tab.travel(-2);
  await until(() => tab.location.href === `${here}notes.txt`);
  assert.equal(navigation.place.value.path, "/a/notes.txt");
  assert.equal(asked.length, 1);
  await answer(false);
  assert.equal(tab.location.href, `${here}notes.txt`);

  tab.travel(-2);
  await until(() => tab.location.href === `${here}notes.txt`);
  await answer(true);
  await until(() => navigation.place.value.path === "/");
  tab.travel(2);
  assert.equal(navigation.place.value.path, "/a/notes.txt");
});

Deno.test("nobody is asked once nothing is held, or the holder has gone", async () => {
  const { navigation, asked, release } = openTab();
  release();
  assert.equal(await navigation.guard.mayLeave(), true);
  navigation.go(at("/b"));
  assert.equal(navigation.place.value.path, "/b");
  assert.equal(asked.length, 0);
});
