import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import type { ProbeAnswer, ProbeStep } from "../../support/probes/probe.ts";
import { hasLandlock, type RunningProbe, startProbe } from "../../support/probes/probe_server.ts";

const top = new URL("../../..", import.meta.url).pathname;

/** The server refuses to do each of these, and the refusal comes from where it should. */
async function refuses(probe: RunningProbe, from: RegExp, ...steps: ProbeStep[]): Promise<void> {
  for (const step of steps) {
    const answer = await probe.ask(step);
    assert(!answer.ok && from.test(answer.error), JSON.stringify([step, answer]));
  }
}

async function does(probe: RunningProbe, ...steps: ProbeStep[]): Promise<string[]> {
  const texts: string[] = [];
  for (const step of steps) {
    const answer = await probe.ask(step);
    assert(answer.ok, JSON.stringify([step, answer]));
    texts.push(answer.text);
  }
  return texts;
}

const byDeno = /^NotCapable: /;
const byKernel = /^PermissionDenied: /;

Deno.test("the server process cannot read what lies outside the root, the data and the program", async () => {
  await using outside = await temporaryFolder();
  await plant(outside.path, { "secret.txt": "secret" });
  await using probe = await startProbe();
  const paths = ["/etc/shadow", "/etc/passwd", "/proc/self/environ", `${outside.path}/secret.txt`];
  await refuses(probe, byDeno, ...paths.map((path) => ({ do: "read", path }) as const));
  await refuses(probe, byDeno, { do: "list", path: "/" }, { do: "list", path: outside.path });
  await refuses(probe, byDeno, { do: "read", path: `${probe.root}/../../etc/passwd` });
});

Deno.test("a link in the root leads the server process nowhere else", {
  ignore: !hasLandlock,
}, async () => {
  await using outside = await temporaryFolder();
  await plant(outside.path, { "secret.txt": "secret", folder: {} });
  const targets = {
    out: outside.path,
    etc: "/etc",
    shadow: "/etc/shadow",
    self: "/proc/self",
    init: "/proc/1",
    top: "/",
    program: top,
    home: Deno.env.get("HOME") ?? "/root",
  };
  const prepare = async (root: string) => {
    await plant(root, { "mine.txt": "mine" });
    for (const [name, path] of Object.entries(targets)) await Deno.symlink(path, join(root, name));
  };
  await using probe = await startProbe({ prepare });
  const { root } = probe;

  await refuses(
    probe,
    byKernel,
    { do: "read", path: `${root}/out/secret.txt` },
    { do: "read", path: `${root}/shadow` },
    { do: "read", path: `${root}/etc/passwd` },
    { do: "read", path: `${root}/top/etc/shadow` },
    { do: "list", path: `${root}/out` },
    { do: "list", path: `${root}/top` },
    { do: "list", path: `${root}/home` },
  );
  // Here Deno looks through the link itself.
  await refuses(
    probe,
    byDeno,
    { do: "read", path: `${root}/self/environ` },
    { do: "read", path: `${root}/init/environ` },
  );
  await refuses(
    probe,
    byKernel,
    { do: "write", path: `${root}/out/secret.txt`, text: "overwritten" },
    { do: "write", path: `${root}/out/new.txt`, text: "new" },
    { do: "write", path: `${root}/program/main.ts`, text: "overwritten" },
    { do: "write", path: `${root}/program/node_modules/evil.js`, text: "new" },
    { do: "makeFolder", path: `${root}/out/new` },
    { do: "remove", path: `${root}/out/secret.txt` },
    { do: "remove", path: `${root}/out/folder` },
  );
  await refuses(
    probe,
    /^(PermissionDenied|Error): /,
    { do: "move", path: `${root}/mine.txt`, to: `${root}/out/mine.txt` },
    { do: "move", path: `${root}/out/secret.txt`, to: `${root}/stolen.txt` },
    { do: "hardLink", path: `${root}/out/secret.txt`, to: `${root}/stolen.txt` },
  );
  assert.equal(await Deno.readTextFile(join(outside.path, "secret.txt")), "secret");
  assert.deepEqual([...Deno.readDirSync(outside.path)].map(({ name }) => name).sort(), [
    "folder",
    "secret.txt",
  ]);
});

Deno.test("the server process cannot write outside the root and the data, nor its own program", async () => {
  await using outside = await temporaryFolder();
  await using probe = await startProbe();
  const folders = [outside.path, top, join(top, "lib"), join(top, "node_modules"), "/tmp", "/etc"];
  await refuses(
    probe,
    byDeno,
    ...folders.map((folder) => ({ do: "write", path: `${folder}/evil.ts`, text: "" }) as const),
  );
  await refuses(
    probe,
    byDeno,
    { do: "write", path: join(probe.data, "beside-the-store.txt"), text: "" },
    { do: "move", path: join(top, "lib"), to: join(probe.root, "lib") },
    { do: "remove", path: join(top, "main.ts") },
  );
});

Deno.test("a root that holds the program does not let the server process rewrite it", async () => {
  await using probe = await startProbe({ root: top });
  await does(probe, { do: "read", path: join(top, "main.ts") });
  await refuses(
    probe,
    byDeno,
    { do: "write", path: join(top, "main.ts"), text: "" },
    { do: "write", path: join(top, "lib", "shared", "errors.ts"), text: "" },
    { do: "write", path: join(top, "package.json"), text: "{}" },
    { do: "write", path: join(top, ".git", "hooks", "post-checkout"), text: "" },
    { do: "makeFolder", path: join(top, "node_modules", "evil") },
    { do: "remove", path: join(top, "routes") },
    { do: "move", path: join(top, "lib"), to: join(top, "old") },
    { do: "move", path: join(top, "README.md"), to: join(top, "_fresh", "server.js") },
  );
});

Deno.test("the server process cannot run programs, load libraries or send signals", async () => {
  const prepare = async (root: string) => {
    await Deno.copyFile("/bin/true", join(root, "true"));
    await Deno.copyFile("/bin/true", join(root, "library.so"));
    await Deno.chmod(join(root, "true"), 0o755);
  };
  await using probe = await startProbe({ prepare });
  await refuses(
    probe,
    byDeno,
    { do: "run", program: "/bin/true", args: [] },
    { do: "run", program: join(probe.root, "true"), args: [] },
    { do: "run", program: Deno.execPath(), args: ["eval", "1"] },
    { do: "loadLibrary", path: "libc.so.6" },
    { do: "loadLibrary", path: join(probe.root, "library.so") },
    { do: "signal" },
  );
});

Deno.test("the server process cannot connect anywhere, nor listen on another port", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using probe = await startProbe();
  await refuses(
    probe,
    byDeno,
    { do: "connect", port: listener.addr.port },
    { do: "listen", port: 0 },
    { do: "listen", port: 8099 },
  );
});

Deno.test("with a captcha, the server process can connect to its host and to no other", async () => {
  using verifier = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const host = `http://127.0.0.1:${verifier.addr.port}`;
  const flags = ["--recaptcha-key=k", "--recaptcha-secret=s", `--recaptcha-host=${host}`];
  await using probe = await startProbe({ flags });
  await refuses(probe, byDeno, { do: "connect", port: other.addr.port });
  await does(probe, { do: "connect", port: verifier.addr.port });
  assert.ok(probe.output().includes(`\nCaptcha before signing in`));
  assert.ok(probe.output().includes(host));
});

Deno.test("the server process sees no environment but the one variable it was handed", async () => {
  await using probe = await startProbe();
  const names = ["HOME", "PATH", "FB_PASSWORD", "INIT_CWD"];
  const steps = names.map((name) => ({ do: "environment", name }) as const);
  assert.deepEqual(await does(probe, ...steps), names.map(() => "undefined"));
});

for (const workers of [1, 2]) {
  Deno.test(`the server process has what it needs, with ${workers} serving threads`, async () => {
    await using probe = await startProbe({ workers });
    const { root } = probe;
    const [, , , text, , list] = await does(
      probe,
      { do: "makeFolder", path: `${root}/a` },
      { do: "write", path: `${root}/a/x.txt`, text: "x" },
      { do: "move", path: `${root}/a/x.txt`, to: `${root}/y.txt` },
      { do: "read", path: `${root}/y.txt` },
      { do: "hardLink", path: `${root}/y.txt`, to: `${root}/z.txt` },
      { do: "list", path: root },
      { do: "remove", path: `${root}/a` },
      { do: "write", path: `${probe.data}/cache/thumb`, text: "cached" },
      { do: "keep" },
    );
    assert.equal(text, "x");
    assert.deepEqual(list?.split(",").sort(), ["a", "y.txt", "z.txt"]);
    const [kept, hash] = await does(probe, { do: "recall" }, { do: "hash" });
    assert.match(kept ?? "", /^[\da-f-]{36}$/);
    assert.match(hash ?? "", /^\$2/);

    const threads = new Set<string>();
    for (let count = 0; count < 200 && threads.size < workers; count++) {
      const headers = { connection: "close" };
      threads.add(await (await fetch(`${probe.url}/thread`, { headers })).text());
    }
    assert.equal(threads.size, workers);
  });
}

Deno.test("a root with a comma in its path is served, and its neighbours are not", {
  ignore: !hasLandlock,
}, async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { "photos, films": { "a.txt": "a" }, "b.txt": "b" });
  await using probe = await startProbe({ root: join(folder.path, "photos, films") });
  assert.deepEqual(await does(probe, { do: "read", path: `${probe.root}/a.txt` }), ["a"]);
  await does(probe, { do: "write", path: `${probe.root}/c.txt`, text: "c" });
  await refuses(probe, byKernel, { do: "read", path: join(folder.path, "b.txt") });
});

Deno.test("the start tells in one line what is in force", async () => {
  await using probe = await startProbe();
  const line = hasLandlock
    ? /^Sandbox: Landlock ABI \d+ \(files(, ports)?(, signals)?\), Deno permissions, seccomp, files: openat2; commands off$/m
    : /^Sandbox: no Landlock on this system, Deno permissions, seccomp, files: openat2; commands off$/m;
  assert.match(probe.output(), line);
  assert.match(probe.output(), /^Listening on http:\/\/127\.0\.0\.1:\d+\/$/m);
});

Deno.test("an error that no page caught tells the client nothing, and the log all", async () => {
  await using probe = await startProbe();
  const answer = await fetch(`${probe.url}/fail`);
  assert.deepEqual([answer.status, await answer.text()], [500, "Internal server error"]);
  assert.match(probe.output(), /a secret of the program/);
});

Deno.test("a rejection that nobody waits for is logged, and the server goes on", async () => {
  await using probe = await startProbe();
  const [thread] = await does(probe, { do: "throwLater" });
  assert.equal(await (await fetch(`${probe.url}/thread`)).text(), thread);
  assert.match(probe.output(), /nobody waits for this/);
});

for (const thread of ["first", "further"] as const) {
  Deno.test(`an error thrown out of the event loop of the ${thread} thread ends the process`, async () => {
    await using probe = await startProbe({ workers: 2 });
    for (let count = 0; count < 200; count++) {
      const init = { method: "POST", body: JSON.stringify({ do: "crash", thread }) };
      const answer = await fetch(probe.url, { ...init, headers: { connection: "close" } });
      const outcome: ProbeAnswer = await answer.json();
      if (outcome.ok && outcome.text === "crashing") break;
    }
    assert.equal(await probe.ended, 1);
    assert.match(probe.output(), /thrown out of the event loop/);
  });
}
