import assert from "node:assert/strict";
import { openTerminal } from "./terminal.ts";

const password = "otters hold 9 hands";

Deno.test("a password is refused that is missing, given twice or typed differently", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const refused: [string[], boolean, string[], RegExp][] = [
    [[], false, ["users", "add", "anna"], /the password is missing; .*--password-stdin/],
    [[password], false, ["users", "add", "anna"], /the password is missing/],
    [[], false, ["users", "add", "anna", "--password-stdin"], /standard input is empty/],
    [[password], false, ["users", "add", "anna", password, "--password-stdin"], /an argument as/],
    [[password, "other"], true, ["users", "add", "anna"], /the two differ/],
    [[], false, ["hash"], /the password is missing/],
  ];
  for (const [lines, isTyped, args, reason] of refused) {
    const { status, printed, warned } = await terminal.runReading(lines, isTyped, ...args);
    assert.deepEqual([status, printed], [2, []], args.join(" "));
    assert.match(warned.join(), reason);
    assert.ok(!warned.join().includes(password));
  }
  const weak = await terminal.runReading(["short"], false, "users", "add", "a", "--password-stdin");
  assert.equal(weak.status, 1);
  assert.equal((await terminal.ok("users", "ls")).length, 1);
});

Deno.test("a password is typed twice, or read from standard input", async () => {
  await using terminal = await openTerminal();
  const typed = await terminal.runReading([password, password], true, "users", "add", "anna");
  assert.equal(typed.status, 0);
  const add = ["users", "add", "bert", "--password-stdin"];
  assert.equal((await terminal.runReading([password], false, ...add)).status, 0);
  const update = ["users", "update", "bert", "--password-stdin"];
  assert.equal((await terminal.runReading(["herons at the river"], false, ...update)).status, 0);
  const hash = await terminal.runReading([password], false, "hash", "--password-stdin");
  assert.match(hash.printed.join(), /^\$2/);
});

Deno.test("the program itself reads the first line of a pipe", async () => {
  await using terminal = await openTerminal();
  const program = new URL("../../../lib/server/cli/cubby.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", program, "users", "add", "anna", "--password-stdin"],
    env: { FB_DATABASE: terminal.database, FB_ROOT: terminal.root },
    ...{ stdin: "piped", stdout: "piped", stderr: "piped" } as const,
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${password}\r\nsecond line\n`));
  await writer.close();
  const { code, stderr } = await child.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const { openPasswords } = await import(
    "../../../lib/server/features/accounts/passwords/passwords.ts"
  );
  const { openStore } = await import("../../../lib/server/core/kv/store.ts");
  const { Users } = await import("../../../lib/server/features/accounts/users/users.ts");
  const store = await openStore(terminal.database);
  const passwords = await openPasswords();
  const anna = await new Users(store, passwords).byName("anna");
  assert.ok(await passwords.verify(password, anna?.passwordHash ?? null));
  passwords.close();
  store.close();
});
