import assert from "node:assert/strict";
import { commandReference } from "../../../lib/server/cli/command_help.ts";
import { commands } from "../../../lib/server/cli/run_command.ts";
import { openTerminal } from "./terminal.ts";

Deno.test("a command that does not exist is refused with the one that was meant", async () => {
  await using terminal = await openTerminal();
  const cases: [string[], RegExp][] = [
    [["usres", "add", "anna"], /^unknown command "usres add", did you mean "users add"\?$/],
    [["users", "lst"], /^unknown command "users lst", did you mean "users ls"\?$/],
    [["hahs"], /^unknown command "hahs", did you mean "hash"\?$/],
    [["users", "frobnicate"], /^unknown command "users frobnicate": ".* users --help" lists/],
    [["wonderful"], /^unknown command "wonderful": ".* --help" lists the commands$/],
    [["--port", "80"], /^unknown command "--port": /],
  ];
  for (const [args, message] of cases) {
    const { status, printed, warned } = await terminal.run(...args);
    assert.deepEqual([status, printed, warned.length], [2, [], 1], args.join(" "));
    assert.match(warned[0] ?? "", message);
  }
});

Deno.test("each command has --help, which lists its flags and does nothing", async () => {
  await using terminal = await openTerminal();
  const names = (await terminal.ok("--help")).flatMap((line) => {
    const [, name] = /^ {2}([a-z-]+(?: [a-z-]+)?)(?= {2}| [<[])/.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
  assert.ok(names.includes("users add") && names.includes("doctor"), names.join());
  for (const name of names) {
    for (const flag of ["--help", "-h"]) {
      const lines = await terminal.ok(...name.split(" "), flag);
      assert.match(lines[0] ?? "", new RegExp(`^Usage: .* ${name}\\b.* \\[flags\\]$`), name);
      assert.ok(lines.includes("  -d, --database FILE"), name);
    }
  }
  assert.equal((await terminal.run("users", "add", "--help=perhaps")).status, 2);
  await assert.rejects(() => Deno.stat(terminal.database), Deno.errors.NotFound);
});

Deno.test("the name of a group lists its commands: with status 0 for --help, and else 2", async () => {
  await using terminal = await openTerminal();
  const shown = await terminal.ok("users", "--help");
  assert.ok(shown.some((line) => line.startsWith("  users add ")));
  assert.ok(!shown.some((line) => line.startsWith("  groups ")));
  const { status, printed, warned } = await terminal.run("users");
  assert.deepEqual([status, printed, warned], [2, [], shown]);
});

Deno.test("a value that looks like --help is a value", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const { status, warned } = await terminal.run("users", "update", "anna", "--password", "-h");
  assert.equal(status, 1);
  assert.match(warned.join(), /^Cannot find|^Cannot/);
});

Deno.test("docs/cli.md is what `deno task docs` writes", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/cli.md", import.meta.url));
  assert.equal(page, await commandReference(commands));
});
