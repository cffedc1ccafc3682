import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";
import { plant, plantBytes, sha256 } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

const russian = "Это простой русский текст, по которому узнают кодировку.\r\n";

async function prepare(root: string): Promise<void> {
  await plant(root, {
    "film.mkv": "",
    Subs: {
      "film.ru.srt": encoderOf("windows-1251", "")(
        `1\r\n00:00:01,000 --> 00:00:02,000\r\n${russian}`,
      ),
    },
    "kept.txt": encoderOf("koi8-r", "")(russian),
    deep: { deeper: { "needle in here.txt": "" } },
  });
  await plantBytes(join(root, "large.bin"), 3_000_000);
  for (let folder = 0; folder < 20; folder++) {
    const path = join(root, `many ${folder}`);
    await Deno.mkdir(path);
    for (let file = 0; file < 200; file++) {
      await Deno.symlink("none", join(path, `${file} ${"hay ".repeat(50)}`));
    }
  }
}

async function signIn({ url, username, password }: RunningServer) {
  const body = JSON.stringify({ username, password, recaptcha: "" });
  const token = await (await fetch(`${url}/api/login`, { method: "POST", body })).text();
  return (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fetch(`${url}/api${path}`, { ...init, headers: { "x-auth": token, ...headers } });
}

for (const workers of [1, 2]) {
  Deno.test(`searching and reading work in the sandbox, with ${workers} threads`, async () => {
    await using server = await startServer({ workers, prepare });
    const ask = await signIn(server);
    // Connections are spread over the threads: each round may meet another.
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await (await ask("/search/?query=needle")).json(), [
        { path: "deep/deeper/needle in here.txt", dir: false },
      ]);
      const film = await (await ask("/resources/film.mkv")).json();
      assert.deepEqual(film.subtitles, ["/Subs/film.ru.srt"]);
      const vtt = await (await ask("/subtitle/Subs/film.ru.srt")).text();
      assert.equal(vtt, `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${russian.trim()}\n`);

      const sums = await (await ask("/resources/large.bin?checksum=sha256")).json();
      assert.equal(sums.checksums.sha256, await sha256(join(server.root, "large.bin")));
      const { content, encoding } = await (await ask("/resources/kept.txt")).json();
      assert.deepEqual([content, encoding], [russian, "koi8-r"]);
      const saved = await ask(`/resources/kept.txt?encoding=${encoding}`, {
        method: "PUT",
        body: content,
      });
      assert.equal(saved.status, 200, await saved.text());
      const kept = createHash("md5").update(Deno.readFileSync(join(server.root, "kept.txt")));
      assert.equal(
        kept.digest("hex"),
        createHash("md5").update(encoderOf("koi8-r", "")(russian)).digest("hex"),
      );
    }
    await hangsUp(ask);
    assert.doesNotMatch(server.output(), /Failed|Error|rejection/i);
    assert.equal(await server.stop(), 0);
  });
}

/** A client that goes in the middle of a search leaves nothing behind, not even a word in the log. */
async function hangsUp(ask: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  const answer = await ask("/search/?query=hay", {}, { accept: "application/x-ndjson" });
  const reader = answer.body?.getReader();
  assert((await reader?.read())?.value?.length);
  await reader?.cancel();
  const listing = await (await ask("/resources/?limit=1")).json();
  assert.equal(listing.numDirs, 22);
}
