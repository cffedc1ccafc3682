import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { appFolder, codePaths } from "../../../../lib/server/core/config/app_folder.ts";
import { resolveConfig } from "../../../../lib/server/core/config/resolve_config.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { type Given, refuses, resolve } from "./resolving.ts";

const configNames = ["json", "yaml", "yml", "toml"].map((kind) => `.filebrowser.${kind}`);

Deno.test("resolveConfig() refuses numbers that are none, and ports that cannot be", async () => {
  for (const text of ["abc", "", "-1", "65536", "80.5", "0x50", "99999999999"]) {
    const message =
      `Cannot use --port ${JSON.stringify(text)}: expected a whole number from 0 to ` +
      "65535";
    await refuses({ args: [`--port=${text}`] }, message);
  }
  await refuses({ env: { FB_WORKERS: "0" } }, /^Cannot use FB_WORKERS "0": expected/);
});

Deno.test("resolveConfig() refuses a root that is missing, a file, or below a file", async () => {
  const tree = { "a.txt": "a" };
  await refuses({ args: ["-r", "gone"] }, 'Cannot serve "gone": the folder does not exist');
  await refuses({ args: ["-r", "a.txt"], tree }, 'Cannot serve "a.txt": it is not a folder');
  await refuses({ args: ["-r", "a.txt/b"], tree }, /^Cannot serve "a\.txt\/b": /);
});

Deno.test("resolveConfig() refuses a database that is a folder or lies in none", async () => {
  const tree = { data: {} };
  await refuses(
    { args: ["-d", "data"], tree },
    'Cannot use the database "data": it is a folder; name a file with --database',
  );
  await refuses(
    { args: ["-d", "gone/x.kv"] },
    'Cannot use the database "gone/x.kv": the file\'s folder does not exist',
  );
  for (
    const url of ["http://kv.example/", "http://127.0.0.1.example/", "HTTP://kv.example", "ftp://x"]
  ) {
    await refuses(
      { args: ["-d", url] },
      /a remote store has an https URL; http is only for this machine/,
    );
  }
  await refuses({ args: ["-d", ":memory:", "--workers=2"] }, /each worker would have its own$/);
});

Deno.test("resolveConfig() takes a remote store by https, and by http on this machine", async () => {
  for (
    const host of [
      "https://kv.example",
      "http://127.0.0.1:4512",
      "http://[::1]",
      "http://localhost/",
    ]
  ) {
    assert.equal((await resolve({ args: ["-d", host] })).config.database, host);
  }
  assert.equal(
    (await resolve({ args: ["-d", "HTTPS://kv.example"] })).config.database,
    "https://kv.example",
  );
});

Deno.test("resolveConfig() takes authorities for a remote store alone, and hides their file", async () => {
  const tree = {
    "ca.pem": "-----BEGIN CERTIFICATE-----\n",
    "no.pem": "-----BEGIN PRIVATE KEY-----\n",
  };
  const remote = ["-d", "https://kv.example"];
  const cases: [Given, string][] = [
    [{ args: [...remote, "--database-ca", "no.pem"] }, "--database-ca"],
    [{ args: remote, env: { FB_DATABASE_CA: "no.pem" } }, "FB_DATABASE_CA"],
    [{ args: remote, env: { DENO_CERT: "no.pem" } }, "DENO_CERT"],
  ];
  for (const [given, source] of cases) {
    await refuses({ ...given, tree }, `Cannot use ${source} "no.pem": it has no certificate (PEM)`);
  }
  const given = { args: [...remote, "--database-ca=ca.pem"], env: { DENO_CERT: "no.pem" }, tree };
  const { config, cwd } = await resolve(given);
  assert.equal(config.databaseCa, join(cwd, "ca.pem"));
  assert(config.reserved.includes(join(cwd, "ca.pem")));
  const local = await resolve({
    args: ["--database-ca", "gone.pem"],
    env: { DENO_CERT: "gone.pem" },
  });
  assert.equal(local.config.databaseCa, undefined);
  assert.deepEqual(local.notices, ["Not used: --database-ca: the store is not a server"]);
});

Deno.test("resolveConfig() refuses a cache folder that holds the served one", async () => {
  const tree = { cache: { photos: {} } };
  await refuses(
    { args: ["-r", "cache/photos", "--cache-dir", "cache"], tree },
    'Cannot keep the cache in "cache": the served folder lies in it',
  );
});

Deno.test("resolveConfig() refuses base URLs that are more than a path", async () => {
  for (
    const text of ["http://h/x", "/a?b", "/a#b", "/a b", "/../a", "/a/./b", "/a//b", "/:a", "/*"]
  ) {
    await refuses({ args: ["-b", text] }, /^Cannot use -b .*: expected a path such as \/files/);
  }
});

Deno.test("resolveConfig() refuses durations that are none", async () => {
  for (const text of ["", "2", "0h", "-1h", "2h30", "30m2h", "two hours"]) {
    await refuses(
      { args: [`--token-expiration-time=${text}`] },
      /: expected a duration such as 2h/,
    );
  }
});

Deno.test("resolveConfig() refuses half of a certificate and key, and missing ones", async () => {
  const tree = { "c.pem": "c", "k.pem": "k" };
  await refuses({ args: ["-t", "c.pem"], tree }, "Cannot use --cert: --key must be given as well");
  await refuses({ args: ["-k", "k.pem"], tree }, "Cannot use --key: --cert must be given as well");
  await refuses({ args: ["-t", "x.pem"] }, 'Cannot use -t "x.pem": the file does not exist');
});

Deno.test("resolveConfig() refuses addresses that are none", async () => {
  for (const address of ["1.2.3", "999.1.1.1", "a b", "http://h", "-x", "h:80"]) {
    await refuses({ args: [`--address=${address}`] }, /: expected an IP address or a host name$/);
  }
});

Deno.test("resolveConfig() has File Browser's defaults", async () => {
  const { config, notices, cwd } = await resolve();
  assert.deepEqual(notices, []);
  assert.deepEqual(config, {
    address: "127.0.0.1",
    socket: undefined,
    log: "stdout",
    logFormat: "text",
    port: 8080,
    root: cwd,
    database: join(cwd, "filebrowser.kv"),
    databaseCa: undefined,
    cacheDir: join(cwd, ".cubby-cache"),
    baseUrl: "",
    cert: undefined,
    key: undefined,
    hsts: undefined,
    tokenLifeMs: 7_200_000,
    authMethod: "json",
    authCommand: undefined,
    authHeader: "x-forwarded-user",
    authCreateUsers: false,
    trustedProxies: [],
    offload: undefined,
    recaptcha: undefined,
    oidc: undefined,
    ldap: undefined,
    webhooks: undefined,
    mail: undefined,
    office: undefined,
    drainDelayMs: 0,
    metricsToken: undefined,
    workers: 1,
    disableExec: true,
    execSandbox: "kernel",
    fileMode: undefined,
    dirMode: undefined,
    disableInstall: false,
    disableMediaPrograms: false,
    videoEncoder: "libx264",
    webdav: false,
    syncClients: false,
    windowsNames: false,
    databaseShared: false,
    disableThumbnails: false,
    apiCompat: "spec",
    disablePreviewResize: false,
    username: "admin",
    password: undefined,
    readOnly: codePaths,
    reserved: ["", "-wal", "-shm", "-journal"].map((end) => join(cwd, `filebrowser.kv${end}`))
      .concat(join(cwd, ".cubby-cache"), ...configNames.map((name) => join(cwd, name))),
  });
});

Deno.test("resolveConfig() hides the program's folder when it lies below the root", async () => {
  const { config: above } = await resolve({ args: ["-r", dirname(appFolder)] });
  assert(above.reserved.includes(appFolder));
  const { config: same } = await resolve({ args: ["-r", appFolder] });
  assert(!same.reserved.includes(appFolder));
});

Deno.test("resolveConfig() reads durations into milliseconds", async () => {
  const durations = { "2h": 7_200_000, "90m": 5_400_000, "1h30m": 5_400_000, "45s": 45_000 };
  for (const [text, ms] of Object.entries(durations)) {
    const { config } = await resolve({ env: { FB_TOKEN_EXPIRATION_TIME: text } });
    assert.equal(config.tokenLifeMs, ms, text);
  }
});

Deno.test("resolveConfig() takes no drain delay, or a duration", async () => {
  for (const [text, ms] of [["0", 0], ["0s", 0], ["10s", 10_000]] as const) {
    const { config } = await resolve({ args: [`--drain-delay=${text}`] });
    assert.equal(config.drainDelayMs, ms, text);
  }
  await refuses({ args: ["--drain-delay=10"] }, /: expected a duration such as 2h/);
});

Deno.test("resolveConfig() brings base URLs into one form", async () => {
  for (const [text, baseUrl] of [["/", ""], ["", ""], ["files", "/files"], ["/a/b/", "/a/b"]]) {
    assert.equal((await resolve({ args: [`-b=${text}`] })).config.baseUrl, baseUrl);
  }
});

Deno.test("resolveConfig() follows links of the root and the store to their real places", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { real: { "x.kv": "" } });
  await Deno.symlink(join(folder.path, "real"), join(folder.path, "link"));
  const args = ["-r", "link", "-d", "link/x.kv"];
  const { config } = resolveConfig({ args, env: new Map(), cwd: folder.path });
  assert.equal(config.root, join(folder.path, "real"));
  assert.equal(config.database, join(folder.path, "real", "x.kv"));
});

Deno.test("resolveConfig() reads the seconds of HSTS, and nothing else for them", async () => {
  for (const value of ["true", "-1", "1.5", "1y", "63072001"]) {
    await refuses(
      { args: [`--hsts=${value}`] },
      /^Cannot use --hsts ".*": expected a whole number/,
    );
  }
  assert.equal((await resolve({ args: ["--hsts", "31536000"] })).config.hsts, 31_536_000);
  assert.equal((await resolve({ env: { FB_HSTS: "0" } })).config.hsts, 0);
  const tree = { ".filebrowser.json": '{"hsts": 300}' };
  assert.equal((await resolve({ tree })).config.hsts, 300);
  assert.equal((await resolve({ args: ["--hsts="], tree })).config.hsts, undefined);
});

Deno.test("resolveConfig() listens on a socket in place of a port, in one thread, without TLS", async () => {
  await using folder = await temporaryFolder();
  const path = join(await Deno.realPath(folder.path), "s.sock");
  await refuses({ args: ["--socket", "/gone/s.sock"] }, /^Cannot use --socket "\/gone\/s\.sock": /);
  await refuses(
    { args: ["--socket", path, "--workers", "2"] },
    /: only one thread can listen on a socket/,
  );
  await refuses({ args: ["--socket", path, "--socket-perm", "rw"] }, /octal digits/);
  const { config, notices } = resolveConfig({
    args: ["--socket", path, "--port", "1"],
    env: new Map(),
    cwd: folder.path,
  });
  assert.deepEqual(config.socket, { path, mode: 0o660 });
  assert.ok(config.reserved.includes(path));
  assert.deepEqual(notices, ["Not used: --port: the server listens on a socket"]);
  const asThere = await resolve({ args: ["--socket", path, "--socket-perm", "438"] });
  assert.equal(asThere.config.socket?.mode, 0o666);
});

Deno.test("an offload is refused in another form, or without a proxy that could send", async () => {
  const trusted = ["--trusted-proxies", "127.0.0.1"];
  for (
    const text of [
      "nginx",
      "nginx:",
      "nginx:/",
      "nginx:/a",
      "nginx:a/",
      "nginx:/../",
      "nginx:/a b/",
    ]
  ) {
    await refuses(
      { args: [...trusted, `--offload=${text}`] },
      /^Cannot use --offload ".*": expected nginx:\/PREFIX\/,/,
    );
  }
  await refuses(
    { args: ["--offload", "sendfile"] },
    /^Cannot use --offload: --trusted-proxies names no proxy/,
  );
  const offloadOf = async (given: string) => {
    return (await resolve({ args: trusted, env: { FB_OFFLOAD: given } })).config.offload;
  };
  assert.deepEqual(await offloadOf("nginx:/cubby-offload/"), {
    kind: "nginx",
    prefix: "/cubby-offload/",
  });
  assert.deepEqual(await offloadOf("sendfile"), { kind: "sendfile" });
  assert.equal(await offloadOf(""), undefined);
});

Deno.test("resolveConfig() names the variables that no option has", async () => {
  const env = { FB_PROT: "9000", FB_SIGNUP_EVERYBODY: "1", FB_: "1", FB_GONE: "", HOME: "/root" };
  assert.deepEqual((await resolve({ env })).notices, [
    "Not used: FB_PROT: there is no such variable, did you mean FB_PORT?",
    "Not used: FB_SIGNUP_EVERYBODY: there is no such variable",
    "Not used: FB_: there is no such variable",
  ]);
  const known = { FB_CACHEDIR: "c", FB_CACHE_DIR: "c", FB_AUTH_METHOD: "json" };
  assert.deepEqual((await resolve({ env: known })).notices, []);
});
