import assert from "node:assert/strict";
import { join } from "node:path";
import { refuses, resolve } from "./resolving.ts";

Deno.test("resolveConfig() refuses noauth where others can reach it", async () => {
  for (const address of ["0.0.0.0", "192.0.2.1", "::", "files.example", ""]) {
    await refuses({ args: [`--address=${address}`, "--noauth"] }, /^Cannot use noauth on /);
  }
  const { config } = await resolve({ args: ["-a", "0.0.0.0", "--noauth", "--noauth-anywhere"] });
  assert.equal(config.authMethod, "noauth");
});

Deno.test("resolveConfig() allows noauth on this machine's own addresses", async () => {
  for (const address of ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"]) {
    const { config } = await resolve({ args: ["-a", address, "--noauth"] });
    assert.equal(config.authMethod, "noauth", address);
  }
});

Deno.test("resolveConfig() refuses contradictory and incomplete ways to sign in", async () => {
  await refuses({ args: ["--auth-method=magic"] }, /: expected json, hook, noauth or proxy$/);
  await refuses({ args: ["--noauth", "--auth-method=json"] }, /: --auth-method says json$/);
  await refuses(
    { args: ["--auth-method=proxy"] },
    /--trusted-proxies names no proxy, such as 127\.0\.0\.1 for one on this machine$/,
  );
  await refuses({ args: ["--trusted-proxies=10.0.0.0/40"] }, /: expected addresses and CIDR/);
  await refuses({ args: ["--auth-header=X User"] }, /: expected the name of a header$/);
});

Deno.test("resolveConfig() refuses half of a captcha, and hosts that secrets should not go to", async () => {
  const [key, secret] = ["--recaptcha-key=k", "--recaptcha-secret=s"];
  await refuses({ args: [key] }, /--recaptcha-key: --recaptcha-secret must be given as well$/);
  await refuses({ args: [secret, "--recaptcha-key= "] }, /--recaptcha-key must be given as well$/);
  const hosts = [
    "www.google.com",
    "http://www.google.com",
    "https://h/x",
    "https://h/?a",
    "ftp://h",
  ];
  for (const host of [...hosts, "https://u:p@h", "https://h#a", "http://127.example", " "]) {
    const args = [`--recaptcha-host=${host}`];
    const message = /^Cannot use --recaptcha-host .*: expected an https address without a path/;
    await refuses({ args: [...args, key, secret] }, message);
    await refuses({ args }, message);
  }
});

Deno.test("resolveConfig() reads a captcha from each source, File Browser's own words among them", async () => {
  const host = "https://www.google.com";
  const env = { FB_RECAPTCHA_KEY: "k", FB_RECAPTCHA_SECRET: "s" };
  assert.deepEqual((await resolve({ env })).config.recaptcha, { host, key: "k", secret: "s" });
  const off = ["--recaptcha-key=", "--recaptcha-secret="];
  assert.equal((await resolve({ env, args: off })).config.recaptcha, undefined);
  for (const args of [["--noauth"], ["--auth-method=proxy", "--trusted-proxies=10.0.0.1"]]) {
    assert.equal((await resolve({ env, args })).config.recaptcha, undefined, "nobody signs in");
  }
  const recaptcha = { host: "http://127.0.0.1:8081/", key: "k", secret: "s" };
  const empty = { recaptcha: { host: "", key: "", secret: "" } };
  const { config } = await resolve({ tree: { ".filebrowser.json": JSON.stringify(empty) } });
  assert.equal(config.recaptcha, undefined);
  for (const content of [{ recaptcha }, { auth: { method: "json", recaptcha } }]) {
    const tree = { ".filebrowser.json": JSON.stringify(content) };
    const { config, notices } = await resolve({ tree });
    assert.deepEqual(config.recaptcha, { ...recaptcha, host: "http://127.0.0.1:8081" });
    assert.deepEqual(notices, []);
  }
});

Deno.test("resolveConfig() wants a command for hook, and uses none for another method", async () => {
  const hook = "--auth-method=hook";
  await refuses({ args: [hook] }, /^Cannot use the hook method: --auth-command names no program$/);
  await refuses({ args: [hook, "--auth-command= "] }, /--auth-command " ": it is empty$/);
  const env = { FB_AUTH_COMMAND: "/opt/knows passwords" };
  const { config } = await resolve({ args: [hook], env });
  assert.deepEqual([config.authMethod, config.authCommand], ["hook", "/opt/knows passwords"]);
  const { config: other, notices } = await resolve({ env });
  assert.equal(other.authCommand, undefined);
  assert.deepEqual(notices, ["Not used: FB_AUTH_COMMAND: the sign-in method is not hook"]);
});

Deno.test("a token of the metrics is refused when it is short, twice given, or its file is missing", async () => {
  const good = "scrape-0123456789abcdef";
  for (const token of ["short", `${good} x`, `${good}\u00e9`]) {
    const answer = /^Cannot use FB_METRICS_TOKEN: expected 16 to 512 letters,/;
    await refuses({ env: { FB_METRICS_TOKEN: token } }, answer);
    await refuses(
      { args: ["--metrics-token-file", "token"], tree: { token } },
      /^Cannot use the token in --metrics-token-file: expected 16 to 512/,
    );
  }
  await refuses(
    { args: ["--metrics-token-file", "none"] },
    /^Cannot use --metrics-token-file "none": /,
  );
  await refuses(
    { args: ["--metrics-token-file=token", "--metrics-token", good], tree: { token: good } },
    "Cannot use --metrics-token: --metrics-token-file is given as well",
  );
});

Deno.test("the token of the metrics is read from its file, which is hidden then", async () => {
  const token = "scrape-0123456789abcdef";
  const args = ["--metrics-token-file", "token"];
  const { config, cwd } = await resolve({ args, tree: { token: `${token}\n` } });
  assert.equal(config.metricsToken, token);
  assert.ok(config.reserved.includes(join(cwd, "token")));
  const env = { FB_METRICS_TOKEN: token };
  assert.equal((await resolve({ env })).config.metricsToken, token);
  assert.equal((await resolve({ env: { FB_METRICS_TOKEN: "" } })).config.metricsToken, undefined);
});
