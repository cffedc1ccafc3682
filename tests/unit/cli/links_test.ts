import assert from "node:assert/strict";
import { join } from "node:path";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

const password = "otters hold 9 hands";

/** A terminal whose store has an administrator and the user "anna". */
async function openWithUsers(): Promise<TestTerminal> {
  const terminal = await openTerminal();
  await plant(terminal.root, { docs: { "a.txt": "a" }, "#%?日本 `.txt": "odd" });
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("users", "add", "anna", password);
  return terminal;
}

/** The only item that a command lists as JSON. */
async function onlyOf(terminal: TestTerminal, ...args: string[]) {
  const items = JSON.parse((await terminal.ok(...args, "--json")).join("\n"));
  assert.equal(items.length, 1);
  return items[0];
}

Deno.test("a command line that is no call is refused with status 2, and makes none", async () => {
  await using terminal = await openWithUsers();
  const refused: [string[], RegExp][] = [
    [["shares", "add", "/docs"], /--as is missing/],
    [["shares", "add", "--as", "anna"], /the path is missing/],
    [["shares", "add", "/docs", "--as", "anna", "--passwort", "x"], /Cannot use --passwort/],
    [["shares", "add", "/docs", "--as", "anna", "--expires", "soon"], /Cannot read expires/],
    [["shares", "add", "/docs", "--as", "anna", "--unit", "moons"], /Cannot read unit/],
    [["shares", "add", "/docs", "--as", "anna", "--audience", "root:rule"], /audience/],
    [["shares", "add", "/docs", "--as", "anna", "--audience", "nemo"], /nemo/],
    [["shares", "add", "/docs", "--as", "anna", "--password-stdin"], /standard input is empty/],
    [["shares", "update", "x"], /no flags given/],
    [["shares", "lst"], /^unknown command "shares lst", did you mean "shares ls"\?$/],
    [["requests", "add", "/docs", "--as", "anna", "--maxFiles", "-1"], /Cannot read maxFiles/],
    [["sessions", "ls"], /--as is missing/],
    [["sessions", "rm", "--as", "anna"], /the id is missing/],
    [["trash", "empty"], /--as is missing/],
    [["trash", "restore", "--as", "anna"], /the id is missing/],
    [["invites", "rm"], /the id is missing/],
  ];
  for (const [args, reason] of refused) {
    const { status, printed, warned } = await terminal.run(...args);
    assert.deepEqual([status, printed], [2, []], args.join(" "));
    assert.match(warned.join("\n"), reason, args.join(" "));
  }
  for (const command of ["shares", "requests"]) {
    assert.equal((await terminal.ok(command, "ls")).length, 1);
  }
});

Deno.test("what a call refuses, its command refuses with status 1", async () => {
  await using terminal = await openWithUsers();
  await terminal.ok("users", "add", "bert", password, "--perm.share=false", "--perm.delete=false");
  await terminal.ok("users", "add", "carl", password, "--scope", "/docs");
  const refused: [string[], RegExp][] = [
    [["shares", "add", "/docs", "--as", "nobody"], /Cannot find the user "nobody"/],
    [["shares", "add", "/none", "--as", "anna"], /Cannot share "\/none": it is not there/],
    [["shares", "add", "/docs", "--as", "bert"], /Cannot share "\/docs"/],
    [["shares", "add", "/docs", "--as", "carl"], /Cannot share "\/docs"/],
    [["shares", "rm", "none"], /Cannot find the share/],
    [["shares", "update", "none", "--notify"], /Cannot find the share/],
    [["requests", "add", "/docs/a.txt", "--as", "anna"], /it is not a folder/],
    [["requests", "add", "/docs", "--as", "bert"], /permission/],
    [["requests", "rm", "none"], /Cannot find/],
    [["sessions", "rm", "none", "--as", "anna"], /no such session/],
    [["trash", "restore", "none", "--as", "anna"], /it is not in the trash/],
    [["trash", "rm", "none", "--as", "anna"], /it is not in the trash/],
    [["trash", "empty", "--as", "bert"], /Cannot empty the trash/],
    [["invites", "rm", "none"], /no such link/],
  ];
  for (const [args, reason] of refused) {
    const { status, printed, warned } = await terminal.run(...args);
    assert.deepEqual([status, printed], [1, []], args.join(" "));
    assert.match(warned.join("\n"), reason, args.join(" "));
  }
});

Deno.test("files are not looked for in a folder that happens to be the current one", async () => {
  await using terminal = await openWithUsers();
  for (const args of [["shares", "add", "/docs"], ["trash", "empty"], ["trash", "restore", "x"]]) {
    const { status, warned } = await terminal.runWith({ FB_ROOT: "" }, ...args, "--as", "anna");
    assert.equal(status, 2, args.join(" "));
    assert.match(warned.join(), /--root is missing/);
  }
});

Deno.test("shares are made, changed and ended for visitors of a running server", async () => {
  await using terminal = await openWithUsers();
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  const add = ["--as", "anna", "--expires", "2", "--unit", "days", "--name", "summer"];
  await terminal.ok("shares", "add", "#%?日本 `.txt", ...add);
  const share = await onlyOf(terminal, "shares", "ls");
  assert.deepEqual([share.path, share.username, share.name], ["/#%?日本 `.txt", "anna", "summer"]);
  const visit = () => app.call("GET", `/api/public/dl/${share.hash}`);
  assert.equal(await (await visit()).text(), "odd");

  const piped = ["shares", "update", share.hash, "--password-stdin"];
  assert.equal((await terminal.runReading(["open sesame"], false, ...piped)).status, 0);
  await assertStatus(await visit(), 401);
  const [, line = ""] = await terminal.ok("shares", "ls", "--as", "anna");
  assert.match(line, / yes +summer /);
  assert.equal((await terminal.ok("shares", "ls", "--as", "root")).length, 1);

  await terminal.ok("shares", "update", share.hash, "--path", "/docs/a.txt", "--as", "anna");
  await terminal.ok("shares", "update", share.hash, "--password", "");
  assert.equal(await (await visit()).text(), "a");
  assert.deepEqual(await terminal.ok("shares", "rm", share.hash), [
    `Ended the share "${share.hash}"`,
  ]);
  await assertStatus(await visit(), 404);
});

Deno.test("a share for some users opens for these alone", async () => {
  await using terminal = await openWithUsers();
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  await terminal.ok("shares", "add", "/docs", "--as", "root", "--audience", "anna:upload");
  const { hash, audience } = await onlyOf(terminal, "shares", "ls");
  assert.deepEqual(audience, [{ name: "anna", may: "upload" }]);
  const token = await app.tokenOf("anna");
  await assertStatus(await app.call("GET", `/api/public/share/${hash}`, { token }), 200);
  assert.notEqual((await app.call("GET", `/api/public/share/${hash}`)).status, 200);
});

Deno.test("a link to edit is made, and shown as one", async () => {
  await using terminal = await openWithUsers();
  await terminal.ok("shares", "add", "/docs", "--as", "root", "--anyoneMay", "edit");
  const share = await onlyOf(terminal, "shares", "ls");
  assert.equal(share.anyoneMay, "edit");
  const [, line = ""] = await terminal.ok("shares", "ls");
  assert.match(line, / anyone:edit\b/);
  await terminal.ok("shares", "update", share.hash, "--anyoneMay", "download");
  assert.equal((await onlyOf(terminal, "shares", "ls")).anyoneMay, undefined);
});

Deno.test("the server's most for links is set, and refuses a link that gives more", async () => {
  await using terminal = await openWithUsers();
  await terminal.ok("config", "set", "--maxLinkRight", "upload");
  const printed = await terminal.ok("config", "cat");
  assert.equal(JSON.parse(printed.join("\n")).maxLinkRight, "upload");
  await terminal.ok("shares", "add", "/docs", "--as", "root", "--anyoneMay", "upload");
  const { hash } = await onlyOf(terminal, "shares", "ls");
  const refused: [args: string[], reason: RegExp][] = [
    [["shares", "add", "/docs", "--as", "root"], /right "edit": this server allows "upload" at/],
    [["shares", "update", hash], /right "edit": this server allows "upload" at most/],
  ];
  for (const [args, reason] of refused) {
    const { status, warned } = await terminal.run(...args, "--anyoneMay", "edit");
    assert.equal(status, 1, args.join(" "));
    assert.match(warned.join("\n"), reason);
  }
  const wrong = await terminal.run("config", "set", "--maxLinkRight", "all");
  assert.equal(wrong.status, 1);
  assert.match(wrong.warned.join("\n"), /one of "view", "download", "upload", "edit"/);
});

Deno.test("requests for files are made, changed and ended", async () => {
  await using terminal = await openWithUsers();
  const add = ["--title", "Photos", "--maxFileSize", "10GB", "--kinds", "jpg,png"];
  await terminal.ok("requests", "add", "/docs", "--as", "anna", ...add);
  const request = await onlyOf(terminal, "requests", "ls", "--as", "anna");
  assert.deepEqual([request.title, request.maxFileSize, request.kinds], [
    "Photos",
    10_000_000_000,
    ["jpg", "png"],
  ]);
  const [, line = ""] = await terminal.ok("requests", "update", request.hash, "--title", "More");
  assert.match(line, / More +0 +0 B +never$/);
  await terminal.ok("requests", "rm", request.hash);
  assert.equal((await terminal.ok("requests", "ls")).length, 1);
});

Deno.test("sessions of a running server are listed, and end at once", async () => {
  await using terminal = await openWithUsers();
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  const [one, two, other] = [
    await app.tokenOf("anna"),
    await app.tokenOf("anna"),
    await app.tokenOf("root"),
  ];
  const ask = (token: string | undefined) => app.call("GET", "/api/resources/", { token });
  assert.equal((await terminal.ok("sessions", "ls", "--as", "anna")).length, 3);
  const [, newest = ""] = await terminal.ok("sessions", "ls", "--as", "anna");
  await terminal.ok("sessions", "rm", newest.split(" ")[0] ?? "", "--as", "anna");
  const statuses = [(await ask(one)).status, (await ask(two)).status].sort();
  assert.deepEqual(statuses, [200, 401]);
  await terminal.ok("sessions", "clear", "--as", "anna");
  for (const token of [one, two]) await assertStatus(await ask(token), 401);
  await assertStatus(await ask(other), 200);
});

Deno.test("the trash is listed to its end, restored, deleted and emptied", async () => {
  await using terminal = await openWithUsers();
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  const token = await app.tokenOf("anna");
  for (const name of ["a", "b", "c"]) {
    await plant(terminal.root, { [`${name} #.txt`]: name });
    const path = `/api/resources/${encodeURIComponent(`${name} #.txt`)}?trash=true`;
    await assertStatus(await app.call("DELETE", path, { token }), 200);
  }
  const ids = async () =>
    (await terminal.ok("trash", "ls", "--as", "anna")).slice(1).map((line) => line.split(" ")[0]);
  const [c = "", b = "", a = ""] = await ids();
  assert.deepEqual(await terminal.ok("trash", "restore", b, "--as", "anna"), [
    "Restored to /b #.txt",
  ]);
  assert.equal(await Deno.readTextFile(join(terminal.root, "b #.txt")), "b");
  await assertStatus(await app.call("GET", "/api/resources/b%20%23.txt", { token }), 200);
  const foreign = await terminal.run("trash", "rm", c, "--as", "root");
  assert.equal(foreign.status, 1);
  await terminal.ok("trash", "rm", c, "--as", "anna");
  assert.deepEqual(await ids(), [a]);
  const [, used = ""] = await terminal.ok("trash", "usage");
  assert.match(used, /^2 +anna +1 +1 B$/);
  await terminal.ok("trash", "empty", "--as", "anna");
  assert.deepEqual(await ids(), []);
});

Deno.test("invitations are listed without their secret, and withdrawn", async () => {
  await using terminal = await openWithUsers();
  const [link = ""] = await terminal.ok("users", "invite", "ivy");
  const listed = await terminal.ok("invites", "ls");
  assert.ok(!listed.join().includes(link.split("#")[1] ?? link));
  const { id, username } = await onlyOf(terminal, "invites", "ls");
  assert.equal(username, "ivy");
  await terminal.ok("invites", "rm", "--", id);
  assert.equal((await terminal.ok("invites", "ls")).length, 1);
});

Deno.test("the activity log names the command line, and the user for whom it acts", async () => {
  await using terminal = await openWithUsers();
  await terminal.ok("config", "set", "--audit.level", "changes");
  await terminal.ok("shares", "add", "/docs", "--as", "anna");
  const { hash } = await onlyOf(terminal, "shares", "ls");
  await terminal.ok("shares", "rm", hash);
  await terminal.ok("sessions", "clear", "--as", "anna");
  const [, , ...records] = await terminal.ok("audit", "export", "--format", "csv");
  const fields = records.map((record) => record.split(",").slice(2, 9));
  assert.deepEqual(fields, [
    ['"share_add"', '"command line"', "", "", '"/docs"', "", `"${hash}"`],
    ['"share_remove"', '"command line"', "", "", '"/docs"', "", `"${hash}"`],
    ['"signout"', '"command line"', "", "", "", "", '"anna"'],
  ]);
});

Deno.test("each flag of a call has the description of its member in the help", async () => {
  await using terminal = await openTerminal();
  const lines = await terminal.ok("shares", "add", "--help");
  const at = lines.indexOf("      --downloadLimit NUMBER");
  assert.equal(lines[at + 1]?.trim(), "Most downloads; 0 for no limit.");
  assert.ok(lines.includes("      --unit seconds|minutes|hours|days"));
  assert.match(lines.join("\n"), /Other users of the machine can see arguments/);
  assert.ok(!lines.join().includes("current_password"));
});
