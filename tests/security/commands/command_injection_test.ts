import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { encodePath, parsePath } from "../../../lib/shared/path.ts";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import { untilLogged } from "../../support/server/logged.ts";
import { startApp } from "../../support/server/app.ts";
import { runCommand } from "../../support/clients/command.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ config: { disableExec: false }, tree: { anna: {} } });
Deno.test.afterAll(app.close);
const home = join(app.root, "anna");
const commands = ["echo", "git", "cat"];
const { token } = await app.addUser("anna", { scope: "/anna", perm: { execute: true }, commands });
const { url } = app.listen();

/** Names that do something in a shell, in `eval`, or in a program that reads its arguments. */
const names = [
  ...["$(touch injected)", "`touch injected`", "a;touch injected", "a|touch injected"],
  ...["a&touch injected", "a\ntouch injected\n", "'; touch injected; '", '"; touch injected; "'],
  ...["${IFS}touch${IFS}injected", "a\\\ntouch injected", "> injected", "-rf", "--output=injected"],
  ...[
    "LD_PRELOAD=evil.so",
    "FILE=injected",
    "$FILE",
    "%s%n",
    "~",
    "*",
    "!!",
    "\u202efdp.exe",
    "ä 中 😀",
  ],
];

/** The two ways in which an administrator may hook: with and without a shell. */
const hooks = {
  "without a shell": { shell: [], line: `sh -c 'printf "%s" "$FILE" > "$SCOPE/told"'` },
  "through a shell": { shell: ["sh", "-c"], line: 'printf "%s" "$FILE" > "$SCOPE/told"' },
};

for (const [how, { shell, line }] of Object.entries(hooks)) {
  Deno.test(`no file name becomes part of a hooked line ${how}`, async () => {
    const settings = defaultSettings();
    const hooked = { ...settings.commands, after_upload: [line] };
    await app.cubby.settings.update({ ...settings, shell, commands: hooked });
    for (const name of names) {
      const path = encodePath(parsePath(name).path);
      const answer = await app.call("POST", `/api/resources${path}`, { token, body: "x" });
      await assertStatus(answer, 200, name);
      assert.equal(await Deno.readTextFile(join(home, "told")), join(home, name));
      await Deno.remove(join(home, name));
      await Deno.remove(join(home, "told"));
      assert.deepEqual([...Deno.readDirSync(home)], [], name);
    }
    await app.cubby.settings.update(defaultSettings());
  });
}

Deno.test("a hooked line is not expanded, so its own $FILE is no way in either", async () => {
  const settings = defaultSettings();
  const line = "cp $FILE ${FILE} $(echo x) told";
  const hooked = { ...settings.commands, after_upload: [line] };
  await app.cubby.settings.update({ ...settings, commands: hooked });
  const path = encodePath(parsePath("-t told").path);
  await assertStatus(await app.call("POST", `/api/resources${path}`, { token, body: "x" }), 200);
  await untilLogged(app, /after_upload 1 .*\$FILE/);
  await app.cubby.settings.update(settings);
  await Deno.remove(join(home, "-t told"));
});

Deno.test("no name adds a variable to the environment of a hooked line, nor replaces one", async () => {
  const settings = defaultSettings();
  const line = `sh -c 'tr "\\0" "|" < /proc/self/environ > "$SCOPE/told"'`;
  await app.cubby.settings.update({
    ...settings,
    commands: { ...settings.commands, after_upload: [line] },
  });
  for (const name of ["a\nLD_PRELOAD=evil.so", "PATH=.", "a FILE=b", "--"]) {
    const path = encodePath(parsePath(name).path);
    await assertStatus(await app.call("POST", `/api/resources${path}`, { token, body: "x" }), 200);
    const told = await Deno.readTextFile(join(home, "told"));
    const pairs = told.split("|").filter((pair) => pair !== "");
    const names = pairs.map((pair) => pair.split("=")[0]).filter((name) => name !== "PWD");
    assert.deepEqual(names.sort(), [
      ...["DESTINATION", "FILE", "HOME", "LANG", "PATH", "SCOPE", "TERM", "TRIGGER", "USERNAME"],
    ]);
    assert.ok(pairs.includes(`FILE=${join(home, name)}`), told);
    await Deno.remove(join(home, name));
    await Deno.remove(join(home, "told"));
  }
  await app.cubby.settings.update(settings);
});

Deno.test("a typed line chains, substitutes and redirects nothing", async () => {
  const signs = [";", "&&", "||", "|", "&", "\n", ">", ">>", "<", "$IFS", "${IFS}", "$(", "`", "#"];
  for (const sign of signs) {
    for (const line of [`echo a${sign}touch injected`, `echo a ${sign} touch injected)`]) {
      const { lines } = await runCommand(line, { url, token });
      assert.deepEqual(lines.join(" ").split(/\s+/), line.split(/\s+/).slice(1));
    }
  }
  assert.deepEqual([...Deno.readDirSync(home)], []);
});

Deno.test("the first word cannot be dressed up as one that is allowed", async () => {
  const dressed = [
    ...["FILE=x echo a", "LD_PRELOAD=/x.so echo a", "./echo a", "/bin/echo a", "ec''hox a"],
    ...["echo\\;id", "$(echo) a", "`echo`", "exec echo", "command echo", "env echo a", "\\ echo a"],
    ...["'echo a'", "ECHO a", "echo\u0000id", "'' echo", "sh -c echo"],
  ];
  for (const line of dressed) {
    const { code } = await runCommand(line, { url, token });
    assert.equal(code, 1008, line);
  }
});

Deno.test("programs and libraries of a user's folder do not take the place of the system's", async () => {
  for (const name of ["echo", "git", "evil.so"]) {
    await Deno.writeTextFile(join(home, name), "#!/bin/sh\necho mine\n");
    await Deno.chmod(join(home, name), 0o755);
  }
  const { lines } = await runCommand("echo system", { url, token });
  assert.deepEqual(lines, ["system"]);
  for (const name of ["echo", "git", "evil.so"]) await Deno.remove(join(home, name));
});

Deno.test("with a shell in the settings, no line gets a second command past it", async () => {
  const settings = defaultSettings();
  await app.cubby.settings.update({ ...settings, shell: ["sh", "-c"] });
  try {
    const risky = fc.string({
      unit: fc.constantFrom(..."abc ;&|<>()$`\\\"'*?[]#~{}!\n\t=%^"),
      minLength: 1,
      maxLength: 8,
    });
    for (const rest of fc.sample(risky, 40)) {
      const line = `echo ${rest}`.trim();
      const { lines, code } = await runCommand(line, { url, token });
      if (code === 1008) continue;
      assert.deepEqual(lines, [line.split(/ +/).slice(1).join(" ")], JSON.stringify(line));
    }
    assert.deepEqual([...Deno.readDirSync(home)], []);
  } finally {
    await app.cubby.settings.update(settings);
  }
});

Deno.test("a line of the log cannot be forged by a command", async () => {
  const forged = 'echo \'\n2026-01-31T12:00:00.000Z command 0 1ms "id" in "/" by "admin"\'';
  await runCommand(forged, { url, token });
  const line = await untilLogged(app, /2026-01-31/);
  assert(!line.includes("\n") && line.includes(String.raw`\n2026-01-31`), line);
});
