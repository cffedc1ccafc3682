/** A rich installation of File Browser, moved by each way that the documentation has. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startServer } from "../../support/server/server.ts";
import { spawnServer } from "../../support/server/spawned.ts";
import { openTerminal, type TestTerminal } from "../../unit/cli/terminal.ts";
import { layouts, openImage } from "../../unit/deploy/image.ts";
import { holdsInstallation, readAnswers } from "./check.ts";
import { admin, fixture, plantInstallation } from "./installation.ts";
import { signIn } from "./observe.ts";

/** What came along with the users and shares. */
const options = {
  ...{ address: "127.0.0.1", port: "8085", baseurl: "/files", "token-expiration-time": "6h" },
  ...{ "file-mode": "0644", "dir-mode": "0755", "disable-exec": "true", "api-compat": "2.63" },
  ...{ "disable-thumbnails": "false", "disable-preview-resize": "false" },
};

/** Starts a server on a store, or on a database that it imports. */
async function serve(terminal: TestTerminal, ...flags: string[]) {
  return await startServer({ root: terminal.root, data: terminal.folder, flags });
}

async function optionsIn(terminal: TestTerminal, database: string) {
  return JSON.parse((await terminal.ok("config", "cat", "--database", database)).join("")).server;
}

const storeIn = ({ folder }: TestTerminal) => join(folder, "filebrowser.kv");

Deno.test("a rich installation moves whole by one start with --import", async () => {
  await using terminal = await openTerminal();
  await plantInstallation(terminal.root);
  const db = join(terminal.folder, "filebrowser.db");
  await Deno.copyFile(fixture("rich", "filebrowser.db"), db);
  await using server = await serve(terminal, "--database", db, "--import");
  await holdsInstallation(server.url, server.output(), true);
  assert.deepEqual(await optionsIn(terminal, storeIn(terminal)), options);
  assert.deepEqual(await Deno.readFile(db), await Deno.readFile(fixture("rich", "filebrowser.db")));
});

Deno.test("a rich installation moves whole by the command import", async () => {
  await using terminal = await openTerminal();
  await plantInstallation(terminal.root);
  const store = storeIn(terminal);
  const told = await terminal.ok("import", fixture("rich", "filebrowser.db"), "--database", store);
  await using server = await serve(terminal, "--database", store);
  await holdsInstallation(server.url, told.join("\n"), true);
  assert.deepEqual(await optionsIn(terminal, store), options);
});

Deno.test("a rich installation moves by File Browser's exports, which have no shares", async () => {
  await using terminal = await openTerminal();
  await plantInstallation(terminal.root);
  const store = storeIn(terminal);
  const told = [
    ...await terminal.ok("users", "import", fixture("rich", "users.json"), "--database", store),
    ...await terminal.ok("config", "import", fixture("rich", "config.json"), "--database", store),
  ];
  await using server = await serve(terminal, "--database", store);
  await holdsInstallation(server.url, told.join("\n"), false);
  assert.deepEqual(await optionsIn(terminal, store), options);
});

/** In place of the image's program: that of the sources. */
const program = `#!/bin/sh
cd ${new URL("../../../", import.meta.url).pathname}
case \${1-} in
  "" | -*) module=boot/launch ;;
  *) module=cli/cubby ;;
esac
exec ${Deno.execPath()} run -A --cached-only lib/server/$module.ts "$@"
`;

for (const [name, { volumes, mounted, chosen }] of Object.entries(layouts)) {
  Deno.test(`a rich installation moves whole in a container: ${name}`, async () => {
    const database = await Deno.readFile(fixture("rich", "filebrowser.db"));
    const content = { ...volumes, [chosen.FB_IMPORT_FROM.slice(1)]: database };
    await using image = await openImage(content, mounted, program);
    const root = image.path + (chosen.FB_ROOT ?? "/srv");
    await Deno.remove(root, { recursive: true });
    await Deno.mkdir(root);
    await plantInstallation(root);
    const env = { FB_ADDRESS: "127.0.0.1", FB_PORT: freePort(), FB_BASEURL: "/files" };
    const home = { HOME: Deno.env.get("HOME") ?? "", ...env };
    const server = await spawnServer(image.command("image-start", [], home));
    try {
      await holdsInstallation(server.url, server.output(), true);
      const listed = await image.command("cubby-files", ["users", "ls"], home).output();
      const lines = new TextDecoder().decode(listed.stdout).trim().split("\n");
      assert.equal(lines.length - 1, (await readAnswers()).users.length, lines.join("\n"));
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
}

for (const method of ["proxy", "hook", "noauth"] as const) {
  Deno.test(`sign-in by ${method} is that of File Browser after each way`, async () => {
    await using terminal = await openTerminal();
    const at = (name: string) => join(terminal.folder, name);
    await Deno.copyFile(fixture(method, "filebrowser.db"), at("filebrowser.db"));
    const needed = method === "proxy" ? ["--trusted-proxies", "127.0.0.1"] : [];
    await using server = await serve(
      terminal,
      ...["--database", at("filebrowser.db"), "--import"],
      ...needed,
    );
    const answer = await fetch(`${server.url}/api/login`, {
      method: "POST",
      headers: method === "proxy" ? { "x-remote-user": "anna" } : {},
      body: method === "hook" ? JSON.stringify({ username: "anna", password: "any" }) : null,
    });
    const [, claims = ""] = (await answer.text()).split(".");
    assert.equal(answer.status, 200, server.output());
    const { user } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
    assert.equal(user.username, method === "noauth" ? admin.username : "anna");
    const isOpen = await signIn(server.url, "admin", "a wrong password") !== "";
    assert.equal(isOpen, method !== "proxy");

    await terminal.ok("import", at("filebrowser.db"), "--database", at("command.kv"));
    for (const [part, file] of [["config", "config.json"], ["users", "users.json"]] as const) {
      await terminal.ok(part, "import", fixture(method, file), "--database", at("json.kv"));
    }
    const kept = await optionsIn(terminal, storeIn(terminal));
    assert.equal(kept["auth-method"], method);
    for (const name of ["command.kv", "json.kv"]) {
      assert.deepEqual(await optionsIn(terminal, at(name)), kept, name);
    }
  });
}

function freePort(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return String(listener.addr.port);
}
