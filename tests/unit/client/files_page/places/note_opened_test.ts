import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import type { Resource } from "../../../../../lib/shared/schemas/entry.ts";
import { pathWith } from "../../../../../lib/client/base/api/api_path.ts";
import { noteOpened } from "../../../../../lib/client/files_page/live/live.ts";
import { fakeTimers } from "../../../../support/run/fake_timers.ts";
import { fileNamed, folderOf } from "../../support.ts";

Deno.test("a file that stays on screen is noted once; one that is flicked past is not", async () => {
  using timers = fakeTimers();
  const noted: string[] = [];
  const resource = signal<Resource | null>(null);
  const calls = {
    done: (name: string, { params }: { params: { path: string } }) =>
      void noted.push(pathWith(name, params)),
  };
  const stop = noteOpened({ calls } as never, { resource } as never);
  const odd = fileNamed("#%?日本 `.txt");
  resource.value = folderOf([], new URLSearchParams(), "/");
  await timers.pass(5000);
  resource.value = fileNamed("flicked.jpg");
  await timers.pass(900);
  resource.value = odd;
  await timers.pass(999);
  assert.deepEqual(noted, []);
  await timers.pass(1);
  // It is read again, as it has changed.
  resource.value = { ...odd };
  await timers.pass(5000);
  assert.deepEqual(noted, [`/api/recent/${encodeURIComponent("#%?日本 `.txt")}`]);
  resource.value = null;
  resource.value = odd;
  await timers.pass(500);
  stop();
  await timers.pass(5000);
  assert.equal(noted.length, 1);
});
