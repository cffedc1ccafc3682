import assert from "node:assert/strict";
import { agentName } from "../../../../../lib/shared/agent_name.ts";
import {
  clearFlashMessage,
  setFlashMessage,
  showFlashMessage,
} from "../../../../../lib/client/screens/settings/use_unsaved.ts";
import { matchOf } from "../../../../../lib/client/screens/settings/profile/PasswordCard.tsx";
import { linesIn, wordsIn } from "../../../../../lib/client/screens/settings/ListFields.tsx";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";

Deno.test("wordsIn() and linesIn() drop what says nothing", () => {
  assert.deepEqual(wordsIn("  git  svn\thg "), ["git", "svn", "hg"]);
  assert.deepEqual(wordsIn("   "), []);
  assert.deepEqual(linesIn("echo one\n\n  echo two \r\n"), ["echo one", "echo two"]);
});

Deno.test("matchOf() is neutral while nothing is typed", () => {
  assert.equal(matchOf("", ""), "");
  assert.equal(matchOf("a", ""), "no");
  assert.equal(matchOf("a", "b"), "no");
  assert.equal(matchOf("a", "a"), "yes");
});

const agents = [
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
    "Edge, Windows",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    "Chrome, Linux",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox, macOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
    "Samsung Internet, Android",
  ],
  ["curl/8.5.0", "curl"],
  ["", ""],
] as const;

Deno.test("agentName() knows browsers and systems, and programs by their own name", () => {
  for (const [agent, name] of agents) {
    const { browser, system } = agentName(agent);
    assert.equal([browser, system].filter(Boolean).join(", "), name);
  }
});

Deno.test("news for the next page is shown there once, unless it is dropped", () => {
  const storage = memoryStorage();
  const told: string[] = [];
  const show = () => showFlashMessage(storage, (news) => told.push(news));
  setFlashMessage(storage, "userCreated");
  show();
  show();
  setFlashMessage(storage, "userDeleted");
  clearFlashMessage(storage);
  show();
  assert.deepEqual(told, ["userCreated"]);
});
