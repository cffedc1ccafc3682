import assert from "node:assert/strict";
import { join } from "node:path";
import { bundledPath, bundleFolder } from "../../../lib/server/core/config/app_folder.ts";
import { findCalls } from "../../../lib/server/http/find_calls.ts";
import { apiDocument } from "../../../lib/server/http/openapi/document.ts";
import { startServer } from "../../support/server/server.ts";

const top = new URL("../../../", import.meta.url);
const store = "lib/server/core/kv/store.ts";

/** The command line of a server, without the program. */
async function argumentsOf({ pid }: { pid: number }): Promise<string[]> {
  const line = await Deno.readTextFile(`/proc/${pid}/cmdline`);
  return line.split("\0").filter(Boolean).slice(1);
}

Deno.test({
  name: "deno task start runs the bundle, and errors name the lines of its sources",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using server = await startServer({ command: ["task", "start"] });
    const [child] = (await Deno.readTextFile(`/proc/${server.pid}/task/${server.pid}/children`))
      .split(" ").map(Number);
    const args = await argumentsOf({ pid: child ?? server.pid });
    assert.equal(args.at(-1), bundledPath("lib/server/boot/serve.ts"));

    // Without Deno KV the store cannot be opened.
    const variables = await Deno.readTextFile(`/proc/${child ?? server.pid}/environ`);
    const env = Object.fromEntries(
      variables.split("\0").filter(Boolean).map((text) => text.split(/=(.*)/s).slice(0, 2)),
    );
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: args.filter((word) => word !== "--unstable-kv"),
      clearEnv: true,
      env,
    }).output();
    const line = Deno.readTextFileSync(new URL(store, top)).split("\n")
      .findIndex((text) => text.includes("Deno.openKv(")) + 1;
    assert.ok(new TextDecoder().decode(stderr).includes(`/${store}:${line}:`));
  },
});

Deno.test("the bundle describes the calls as the sources do", async () => {
  await using server = await startServer();
  const answer = await fetch(`${server.url}/api/openapi.json`);
  const calls = await findCalls(new URL("routes/", top));
  assert.equal(await answer.text(), JSON.stringify(apiDocument(server.url, calls)));
});

Deno.test("V8 keeps the bundle in a byte for each character, and Deno reads no late part", () => {
  const scripts = [...Deno.readDirSync(bundleFolder)].filter(({ name }) => name.endsWith(".js"));
  for (const { name } of scripts) {
    const code = Deno.readTextFileSync(join(bundleFolder, name));
    assert.doesNotMatch(code, /[^\0-\x7f]/, name);
    assert.doesNotMatch(code, /\bimport\("\./, name);
  }
  assert.ok(scripts.length > 1);
});
