import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { appFolder } from "../../../lib/server/config/app_folder.ts";
import { codePaths } from "../../../lib/server/config/app_folder.ts";
import { resolveConfig, type ResolvedConfig } from "../../../lib/server/config/resolve_config.ts";
import { plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";

const configNames = ["json", "yaml", "yml", "toml"].map((kind) => `.filebrowser.${kind}`);

interface Given {
  args?: string[];
  env?: Record<string, string>;
  tree?: Tree;
}

/** Resolves settings in a folder of their own, with no other environment than the given one. */
async function resolve({ args = [], env = {}, tree = {} }: Given = {}): Promise<
  ResolvedConfig & { cwd: string }
> {
  await using folder = await temporaryFolder();
  await plant(folder.path, tree);
  const environment = { args, env: new Map(Object.entries(env)), cwd: folder.path };
  return { ...resolveConfig(environment), cwd: folder.path };
}

async function refuses(given: Given, message: string | RegExp): Promise<void> {
  await assert.rejects(() => resolve(given), { name: "StartRefusal", message });
}

Deno.test("resolveConfig() refuses a flag it does not know, and a stray word", async () => {
  await refuses({ args: ["--rot", "x"] }, "Cannot use --rot: there is no such flag; see --help");
  await refuses({ args: ["-x"] }, "Cannot use -x: there is no such flag; see --help");
  await refuses({ args: ["photos"] }, 'Cannot use "photos": it is not a flag');
});

Deno.test("resolveConfig() refuses a flag without its value", async () => {
  await refuses({ args: ["--port"] }, "Cannot use --port: its value is missing");
  await refuses({ args: ["-r"] }, "Cannot use -r: its value is missing");
});

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
      /a remote store has an https URL; http is for this machine/,
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
  assert.deepEqual(local.notices, ["Not used: --database-ca: the store is no server"]);
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
  await refuses({ args: ["--auth-method=proxy"] }, /--trusted-proxies names no proxy$/);
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
  assert.deepEqual(notices, ["Not used: FB_AUTH_COMMAND: the method to sign in is not hook"]);
});

const oidc = ["--oidc-issuer=https://id.example/house", "--oidc-client-id=cubby"];

Deno.test("resolveConfig() refuses half of a provider, and issuers that secrets should not go to", async () => {
  await refuses(
    { args: [oidc[0] ?? ""] },
    /--oidc-issuer: --oidc-client-id must be given as well$/,
  );
  await refuses(
    { args: [oidc[1] ?? ""] },
    /--oidc-client-id: --oidc-issuer must be given as well$/,
  );
  const issuers = ["id.example", "http://id.example", "https://id.example/?a", "https://u:p@h"];
  for (const issuer of [...issuers, "https://h/#a", "ftp://h", `https://h/${"a".repeat(500)}`]) {
    const message = /^Cannot use --oidc-issuer .*: expected the https address of an issuer/;
    await refuses({ args: [`--oidc-issuer=${issuer}`, oidc[1] ?? ""] }, message);
  }
  const more: [flags: string[], message: RegExp][] = [
    [['--oidc-scopes=a"b'], /expected scopes, such as/],
    [["--oidc-groups=chiefs"], /"chiefs" is not of the form GROUP=PERMISSION,…$/],
    [["--oidc-groups=a=download;=share"], /"=share" is not of the form/],
    [["--oidc-groups=a=download,fly"], /"fly" is no permission: there are admin, create/],
    [["--oidc-groups=a=share;a=download"], /it names a group twice$/],
    [["--oidc-create-users=perhaps"], /expected true or false$/],
    [["--oidc-client-secret=s", "--oidc-client-secret-file=f"], /-file is given as well$/],
    [["--oidc-client-secret-file=empty"], /it is empty$/],
    [["--oidc-client-secret-file=none"], /the file does not exist$/],
    [["--oidc-ca=f"], /it has no certificate \(PEM\)$/],
  ];
  for (const [flags, message] of more) {
    await refuses({ args: [...oidc, ...flags], tree: { f: "s", empty: " \n" } }, message);
  }
});

Deno.test("resolveConfig() reads a provider, whose secret's file is hidden from users", async () => {
  const issuer = "https://id.example/house";
  const plain = {
    ...{ issuer, clientId: "cubby", clientSecret: undefined, ca: undefined, groups: undefined },
    ...{ scopes: "openid profile email", name: "id.example", groupsClaim: "groups" },
    ...{ usernameClaim: "preferred_username", createUsers: false, linkUsers: false },
    ...{ only: false, logout: false },
  };
  assert.deepEqual((await resolve({ args: oidc })).config.oidc, plain);
  const env = { FB_OIDC_ISSUER: issuer, FB_OIDC_CLIENT_ID: "cubby" };
  const off = ["--oidc-issuer=", "--oidc-client-id="];
  assert.equal((await resolve({ env, args: off })).config.oidc, undefined);
  assert.equal((await resolve({ env, args: ["--noauth"] })).config.oidc, undefined);
  const args = ["--oidc-scopes=groups, openid", "--oidc-only", "--oidc-client-secret-file=s.txt"];
  const groups = "--oidc-groups=*=default; cn=a,dc=b = share,download ;c=";
  const { config, cwd } = await resolve({ env, args: [...args, groups], tree: { "s.txt": "x\n" } });
  assert.deepEqual(config.oidc, {
    ...plain,
    ...{ scopes: "openid groups", only: true, clientSecret: "x" },
    groups: [
      { group: "*", may: "default" },
      { group: "cn=a,dc=b", may: ["share", "download"] },
      { group: "c", may: [] },
    ],
  });
  assert.ok(config.reserved.includes(join(cwd, "s.txt")));
});

Deno.test("resolveConfig() refuses addresses that are none", async () => {
  for (const address of ["1.2.3", "999.1.1.1", "a b", "http://h", "-x", "h:80"]) {
    await refuses({ args: [`--address=${address}`] }, /: expected an IP address or a host name$/);
  }
});

Deno.test("resolveConfig() refuses a config file that is missing, broken or in another format", async () => {
  await refuses({ args: ["-c", "my.json"] }, /my\.json": it does not exist$/);
  await refuses({ tree: { ".filebrowser.json": "{port" } }, /: it is not valid JSON$/);
  await refuses({ tree: { ".filebrowser.json": "[1]" } }, /: it does not hold a JSON object$/);
  await refuses({ tree: { ".filebrowser.json": {} } }, /: it is not a readable file$/);
  await refuses({ tree: { ".filebrowser.yaml": "port: [80" } }, /: it is not valid YAML/);
  const bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
  await refuses({ tree: { ".filebrowser.yml": bomb } }, /: it is not valid YAML/);
  await refuses({ tree: { ".filebrowser.toml": "port 80" } }, /: it is not valid TOML/);
  await refuses(
    { tree: { ".filebrowser.json": '{"port": {"a": 1}}' } },
    /^Cannot use "port" in ".*": expected a string, a number or a boolean$/,
  );
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
    drainDelayMs: 0,
    metricsToken: undefined,
    workers: 1,
    disableExec: true,
    execSandbox: "kernel",
    fileMode: undefined,
    dirMode: undefined,
    disableInstall: false,
    disableMediaPrograms: false,
    webdav: false,
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

Deno.test("resolveConfig() reads where webhooks may be sent", async () => {
  const args = ["--webhook-ports", "443, 8443", "--webhook-private=10.0.0.0/8,fd00::1"];
  assert.equal((await resolve({ args })).config.webhooks, undefined, "off without --webhooks");
  const on = await resolve({ args: ["--webhooks", ...args, "--webhook-http"] });
  assert.deepEqual(on.config.webhooks, {
    ports: [443, 8443],
    privateNetworks: ["10.0.0.0/8", "fd00::1"],
    http: true,
    ca: undefined,
  });
  assert.deepEqual((await resolve({ args: ["--webhooks"] })).config.webhooks, {
    ports: [443],
    privateNetworks: [],
    http: false,
    ca: undefined,
  });
  for (const ports of ["0", "65536", "ssh", "1-1024", "-1"]) {
    await refuses({ args: ["--webhooks", `--webhook-ports=${ports}`] }, /^Cannot use .*ports/);
  }
  await refuses({ args: ["--webhook-private=10.0.0.0/40"] }, /addresses and CIDR blocks/);
});

Deno.test("a config file that is not there yet can be made by nobody: the next start would obey it", async () => {
  await using home = await temporaryFolder();
  const env = { HOME: home.path };
  const missing = await resolve({ env });
  for (const folder of [missing.cwd, Deno.realPathSync(home.path)]) {
    for (const name of configNames) {
      assert(missing.config.reserved.includes(join(folder, name)), `${folder}/${name}`);
    }
  }
  await Deno.writeTextFile(join(home.path, ".filebrowser.json"), "{}");
  const found = await resolve({ env });
  assert(found.config.reserved.includes(join(found.cwd, ".filebrowser.json")), "looked for first");

  await Deno.symlink(join(home.path, ".filebrowser.json"), join(home.path, "named.json"));
  const named = await resolve({ args: ["--config", join(home.path, "named.json")] });
  for (const name of [".filebrowser.json", "named.json"]) {
    assert(named.config.reserved.includes(join(Deno.realPathSync(home.path), name)), name);
  }
  assert(!named.config.reserved.includes(join(named.cwd, ".filebrowser.json")));
});

Deno.test("resolveConfig() takes flags before environment before config file", async () => {
  const tree = { ".filebrowser.json": '{"port": 1, "address": "::1", "baseURL": "/file"}' };
  const env = { FB_PORT: "2", FB_ADDRESS: "127.0.0.2" };
  const { config } = await resolve({ args: ["--port", "3"], env, tree });
  assert.deepEqual([config.port, config.address, config.baseUrl], [3, "127.0.0.2", "/file"]);
});

Deno.test("resolveConfig() reads a flag in each of its spellings", async () => {
  const spellings = [
    ["--port", "81"],
    ["--port=81"],
    ["-p", "81"],
    ["-p81"],
    ["-p=81"],
    ["-p", "80", "--port=81"],
  ];
  for (const args of spellings) {
    assert.equal((await resolve({ args })).config.port, 81, args.join());
  }
  const { config } = await resolve({ args: ["--cacheDir", "c", "--disableThumbnails"] });
  assert.match(config.cacheDir, /\/c$/);
  assert.equal(config.disableThumbnails, true);
});

Deno.test("resolveConfig() reads switches with and without a value", async () => {
  const on = await resolve({ args: ["--disable-thumbnails", "--disable-exec=false"] });
  assert.deepEqual([on.config.disableThumbnails, on.config.disableExec], [true, false]);
  const off = await resolve({ args: ["--disable-thumbnails=0"], env: { FB_DISABLE_EXEC: "f" } });
  assert.deepEqual([off.config.disableThumbnails, off.config.disableExec], [false, false]);
  await refuses({ args: ["--disable-exec=maybe"] }, /: expected true or false$/);
  await refuses({ args: ["--disable-exec", "false"] }, 'Cannot use "false": it is not a flag');
});

Deno.test("resolveConfig() reads File Browser's own config file", async () => {
  const content = { port: 80, baseURL: "", address: "", log: "stdout", database: "/tmp/x.kv" };
  const tree = { ".filebrowser.json": JSON.stringify({ ...content, root: "." }) };
  const { config, notices, cwd } = await resolve({ tree });
  assert.deepEqual([config.address, config.port, config.root], ["0.0.0.0", 80, cwd]);
  assert.equal(config.database, "/tmp/x.kv");
  assert.deepEqual(notices, []);
  assert(config.reserved.includes(join(cwd, ".filebrowser.json")));
});

Deno.test("resolveConfig() says which keys of the config file mean nothing here", async () => {
  const { notices } = await resolve({
    args: ["-c", "f.json"],
    tree: { "f.json": '{"sparkle":"s","tus":{"retryCount":5}}' },
  });
  const told = /^Not used from the config file ".*\/f\.json": "sparkle", "tus\.retryCount"$/;
  assert.match(notices.join(), told);
});

Deno.test("resolveConfig() looks for the config file in the home folder as well", async () => {
  await using home = await temporaryFolder();
  await plant(home.path, { ".filebrowser.json": '{"port": 4}' });
  const { config } = await resolve({ env: { HOME: home.path } });
  assert.equal(config.port, 4);
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

Deno.test("what only File Browser has is answered by one line, and never ignored in silence", async () => {
  await refuses({ args: ["--followExternalSymlinks"] }, /: no link leads out of the root/);
  await using folder = await temporaryFolder();
  const log = join(folder.path, "c.json");
  await Deno.writeTextFile(
    log,
    '{"redisCacheUrl": "redis://r", "imageProcessors": 8, "sparkle": 1}',
  );
  const { notices } = resolveConfig({ args: ["-c", log], env: new Map(), cwd: folder.path });
  assert.equal(notices.length, 3);
  assert.match(
    notices[0] ?? "",
    /^Not used: "redisCacheUrl" in ".*": previews are kept on the disk/,
  );
  assert.match(notices[2] ?? "", /"sparkle"/);
  await Deno.writeTextFile(log, '{"log": "stdout", "followExternalSymlinks": false}');
  const usual = resolveConfig({ args: ["-c", log], env: new Map(), cwd: folder.path });
  assert.deepEqual(usual.notices, []);
});

Deno.test("resolveConfig() listens on a socket in place of a port, in one thread, without TLS", async () => {
  await using folder = await temporaryFolder();
  const path = join(await Deno.realPath(folder.path), "s.sock");
  await refuses({ args: ["--socket", "/gone/s.sock"] }, /^Cannot use --socket "\/gone\/s\.sock": /);
  await refuses({ args: ["--socket", path, "--workers", "2"] }, /: one thread listens on a socket/);
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

Deno.test("a variable is read in either spelling, and not in two that differ", async () => {
  await using folder = await temporaryFolder();
  const read = (env: Record<string, string>) =>
    resolveConfig({ args: [], env: new Map(Object.entries(env)), cwd: folder.path }).config;
  for (const name of ["FB_BASE_URL", "FB_BASEURL"]) {
    assert.equal(read({ [name]: "/b" }).baseUrl, "/b");
  }
  assert.equal(read({ FB_CACHEDIR: "c" }).cacheDir, join(folder.path, "c"));
  await refuses(
    { env: { FB_BASE_URL: "/a", FB_BASEURL: "/b" } },
    /: FB_BASEURL has another value$/,
  );
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

const ldap = ["--ldap-url=ldaps://ldap.example", "--ldap-base=dc=example,dc=org"];

Deno.test("resolveConfig() refuses half of a directory, and passwords that could be read on the way", async () => {
  const cases: [flags: string[], message: RegExp][] = [
    [[ldap[0] ?? ""], /--ldap-url: --ldap-base must be given as well$/],
    [[ldap[1] ?? ""], /--ldap-base: --ldap-url must be given as well$/],
    [["--ldap-url=ldap://ldap.example", ldap[1] ?? ""], /use ldaps, or --ldap-start-tls$/],
    [[...ldap, "--ldap-start-tls"], /ldaps:\/\/ is encrypted from the start$/],
    [[...ldap, "--ldap-bind-dn=cn=a"], /--ldap-bind-password must be given as well$/],
    [[...ldap, "--ldap-bind-password=a"], /--ldap-bind-dn must be given as well$/],
    [[...ldap, "--ldap-filter=(uid=anna)"], /expected a filter with "\{name\}"/],
    [[...ldap, "--ldap-username-attribute=u)id"], /expected the name of an attribute/],
    [[`--ldap-base=${"a".repeat(501)}`, ldap[0] ?? ""], /expected at most 500 characters$/],
  ];
  for (const url of ["ldap.example", "https://h", "ldaps://h/dc=a", "ldaps://u:p@h", "ldaps://"]) {
    cases.push([[`--ldap-url=${url}`, ldap[1] ?? ""], /expected addresses of servers/]);
  }
  for (const [args, message] of cases) await refuses({ args }, message);
});

Deno.test("resolveConfig() reads a directory, whose secret's file is hidden from users", async () => {
  const { config, cwd } = await resolve({
    args: [
      ...["--ldap-url=ldap://a.example,ldap://b.example", ldap[1] ?? "", "--ldap-start-tls"],
      ...["--ldap-bind-dn=cn=reader", "--ldap-bind-password-file=p", "--ldap-link-users"],
      ...["--ldap-filter=(sAMAccountName={name})", "--ldap-groups=staff=share"],
    ],
    tree: { p: "reads\n" },
  });
  assert.deepEqual(config.ldap, {
    ...{ urls: ["ldap://a.example", "ldap://b.example"], startTls: true, ca: undefined },
    ...{ bindDn: "cn=reader", bindPassword: "reads", base: "dc=example,dc=org" },
    ...{ filter: "(sAMAccountName={name})", usernameAttribute: "uid" },
    ...{ groupsAttribute: "memberOf", groups: [{ group: "staff", may: ["share"] }] },
    ...{ createUsers: false, linkUsers: true },
  });
  assert.ok(config.reserved.includes(join(cwd, "p")));
  assert.equal((await resolve({ args: [...ldap, "--noauth"] })).config.ldap, undefined);
});

const mail = ["--mail-host=smtp.example", "--mail-from=Files <cubby@example.org>"];

Deno.test("resolveConfig() refuses half of a mail server, and mail that could be read on the way", async () => {
  const cases: [flags: string[], message: RegExp][] = [
    [[mail[0] ?? ""], /--mail-host: --mail-from must be given as well$/],
    [[mail[1] ?? ""], /--mail-from: --mail-host must be given as well$/],
    [[...mail, "--mail-tls=none"], /--mail-tls none: mail would be readable on the way$/],
    [[...mail, "--mail-tls=ssl"], /expected starttls, tls or none$/],
    [[...mail, "--mail-port=0"], /expected a whole number from 1 to 65535$/],
    [[...mail, "--mail-user=a"], /--mail-user: --mail-password must be given as well$/],
    [[...mail, "--mail-password=a"], /--mail-password: --mail-user must be given as well$/],
    [["--mail-host=smtp example", mail[1] ?? ""], /expected an IP address or a host name$/],
    [["--mail-host=0.0.0.0", mail[1] ?? ""], /expected the name of a server$/],
  ];
  for (const from of ["cubby", "a@b.org, c@d.org", "A\r\nBcc: x <a@b.org>", "<a@b.org> x"]) {
    cases.push([[mail[0] ?? "", `--mail-from=${from}`], /expected an address, such as Files </]);
  }
  for (const [args, message] of cases) await refuses({ args }, message);
});

Deno.test("resolveConfig() reads a mail server, whose secret's file is hidden from users", async () => {
  const { config, cwd } = await resolve({
    args: [...mail, "--mail-user=cubby", "--mail-password-file=p"],
    tree: { p: "posts\n" },
  });
  assert.deepEqual(config.mail, {
    ...{ host: "smtp.example", port: 587, tls: "starttls", ca: undefined },
    account: { user: "cubby", password: "posts" },
    from: { name: "Files", address: "cubby@example.org" },
  });
  assert.ok(config.reserved.includes(join(cwd, "p")));
  const encrypted = await resolve({ args: [...mail, "--mail-tls=tls"] });
  assert.deepEqual([encrypted.config.mail?.port, encrypted.config.mail?.account], [465, undefined]);
  const args = [
    "--mail-host=localhost",
    "--mail-from=a@b.org",
    "--mail-tls=none",
    "--mail-port=25",
  ];
  const { config: { mail: plain } } = await resolve({ args });
  assert.deepEqual([plain?.port, plain?.from], [25, { name: "", address: "a@b.org" }]);
});
