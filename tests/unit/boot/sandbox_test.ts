import assert from "node:assert/strict";
import type { Config } from "../../../lib/server/core/config/config.ts";
import { appFolder } from "../../../lib/server/core/config/app_folder.ts";
import { confinementOf } from "../../../lib/server/core/sandbox/confinement.ts";
import {
  describeCaptcha,
  describeDirectory,
  describeMail,
  describeProvider,
  describeSandbox,
  describeWebhooks,
} from "../../../lib/server/core/sandbox/describe_sandbox.ts";
import { right } from "../../../lib/server/core/sandbox/landlock.ts";
import { permissionFlags } from "../../../lib/server/core/sandbox/deno_permissions.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

const landlock = { abi: 7, ports: true, signals: true };

async function configOf(change: Partial<Config> = {}): Promise<Config> {
  await using folder = await temporaryFolder();
  const { config } = resolveConfig({ args: [], env: new Map(), cwd: folder.path });
  return { ...config, ...change };
}

function flag(flags: string[], name: string): string[] | undefined {
  return flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3).split(",");
}

Deno.test("permissionFlags() never gives all of a kind, and no programs", async () => {
  const config = await configOf();
  const flags = permissionFlags(config, true);
  for (const all of ["-A", "--allow-all", "--allow-read", "--allow-write", "--allow-run"]) {
    assert(!flags.includes(all), all);
  }
  for (const kind of ["allow-run", "allow-import"]) assert.equal(flag(flags, kind), undefined);
  assert(flags.includes("--no-prompt"));
});

Deno.test("permissionFlags() lets the server ask for commands, and run none itself", async () => {
  const commandHost = { socket: "/tmp/cubby-x/commands.sock", refusal: null };
  const config = await configOf({ disableExec: false, commandHost });
  const flags = permissionFlags(config, true);
  assert(!flags.some((each) => each.startsWith("--allow-run")));
  assert.deepEqual(flag(flags, "allow-net"), [
    "127.0.0.1:8080",
    "unix:/tmp/cubby-x/commands.sock",
  ]);
});

Deno.test("permissionFlags() writes to the root and the data alone, never to the program", async () => {
  const config = await configOf();
  const flags = permissionFlags(config, true);
  const files = ["", "-wal", "-shm", "-journal"].map((end) => config.database + end);
  assert.deepEqual(flag(flags, "allow-write"), [config.root, config.cacheDir, ...files]);
  for (const name of ["lib", "routes", "node_modules", "_fresh", "main.ts", "deno.json", ".git"]) {
    assert(flag(flags, "deny-write")?.includes(`${appFolder}/${name}`), name);
  }
});

Deno.test("permissionFlags() opens one address, and a remote store's host", async () => {
  const hosts = async (change: Partial<Config>) =>
    flag(permissionFlags(await configOf(change), true), "allow-net");
  assert.deepEqual(await hosts({}), ["127.0.0.1:8080"]);
  assert.deepEqual(await hosts({ address: "::1", port: 81 }), ["[::1]:81"]);
  const database = "https://kv.example:8443/";
  assert.deepEqual(await hosts({ database }), ["127.0.0.1:8080", "kv.example:8443"]);
});

Deno.test("a captcha opens its host, and port, to the server alone", async () => {
  const of = async (host: string) => {
    const config = await configOf({ recaptcha: { host, key: "k", secret: "s" } });
    const hosts = flag(permissionFlags(config, true), "allow-net")?.slice(1);
    return { hosts, ports: confinementOf(config).connectPorts };
  };
  const google = await of("https://www.google.com");
  assert.deepEqual(google, { hosts: ["www.google.com:443"], ports: [443, 53] });
  const own = await of("http://[::1]:8081");
  assert.deepEqual(own, { hosts: ["[::1]:8081"], ports: [8081, 53] });
  assert.deepEqual(confinementOf(await configOf()).connectPorts, []);
});

Deno.test("a provider opens its issuer and what it was found to need to the server alone", async () => {
  const origins = ["https://id.example", "https://keys.example:8443"];
  const provider = { issuer: "https://id.example/house", clientId: "c", scopes: "", name: "" };
  const oidc = {
    ...{ ...provider, origins, usernameClaim: "", groupsClaim: "" },
    ...{ createUsers: false, linkUsers: false, only: false, logout: false },
  };
  const config = await configOf({ oidc });
  const hosts = flag(permissionFlags(config, true), "allow-net")?.slice(1);
  assert.deepEqual(hosts, ["id.example:443", "keys.example:8443"]);
  assert.deepEqual(confinementOf(config).connectPorts, [443, 8443, 53]);
  assert.match(describeProvider(config) ?? "", /connect to https:\/\/id\.example, https:\/\/keys/);
});

Deno.test("the servers of a directory may be reached, and no others", async () => {
  const ldap = {
    ...{ urls: ["ldaps://a.example", "ldap://127.0.0.1"], startTls: false, bindDn: "" },
    ...{ bindPassword: "", base: "dc=example", filter: "(uid={name})", usernameAttribute: "uid" },
    ...{ groupsAttribute: "memberOf", createUsers: false, linkUsers: false },
  };
  const config = await configOf({ ldap });
  const hosts = flag(permissionFlags(config, true), "allow-net")?.slice(1);
  assert.deepEqual(hosts, ["a.example:636", "127.0.0.1:389"]);
  assert.deepEqual(confinementOf(config).connectPorts, [636, 389, 53]);
  assert.match(
    describeDirectory(config) ?? "",
    /^Sign-in through the directory dc=example; .*ldaps:\/\/a\.ex/,
  );
});

Deno.test("without webhooks the server connects nowhere, with them to their ports", async () => {
  const off = await configOf();
  assert.deepEqual(confinementOf(off).connectPorts, []);
  assert.equal(describeWebhooks(off), null);
  const webhooks = { ports: [443, 8443], privateNetworks: ["10.0.0.0/8"], http: false };
  const config = await configOf({ webhooks });
  assert.deepEqual(confinementOf(config).connectPorts, [443, 8443, 53]);
  assert.ok(permissionFlags(config, true).includes("--allow-net"));
  assert.equal(
    describeWebhooks(config),
    "Webhooks: the server may connect to the internet and 10.0.0.0/8 by https, ports 443, 8443",
  );
});

Deno.test("the server that mail is handed to may be reached, and no other", async () => {
  const from = { name: "", address: "cubby@example.org" };
  const mail = { host: "smtp.example", port: 2525, tls: "starttls", from } as const;
  const config = await configOf({ mail });
  const hosts = flag(permissionFlags(config, true), "allow-net")?.slice(1);
  assert.deepEqual(hosts, ["smtp.example:2525"]);
  assert.deepEqual(confinementOf(config).connectPorts, [2525, 53]);
  const byAddress = await configOf({ mail: { ...mail, host: "::1" } });
  assert.deepEqual(flag(permissionFlags(byAddress, true), "allow-net")?.slice(1), ["[::1]:2525"]);
  assert.equal(
    describeMail(config),
    "Mail of cubby@example.org; the server may connect to smtp://smtp.example:2525",
  );
});

Deno.test("a path with a comma is held by the kernel, or refused", async () => {
  const config = await configOf({ root: "/srv/photos, films/2020" });
  assert.equal(flag(permissionFlags(config, true), "allow-write")?.[0], "/srv");
  assert.throws(() => permissionFlags(config, false), {
    name: "StartRefusal",
    message: /^Cannot use "\/srv\/photos, films\/2020": without Landlock/,
  });
});

Deno.test("a store in a broad folder does not open that folder", async () => {
  const { paths } = confinementOf(await configOf({ database: "/filebrowser.kv" }));
  const top = paths.filter(({ path }) => path === "/");
  assert.deepEqual(top.map(({ rights }) => rights), [right.removeFile]);
});

Deno.test("confinementOf() opens no port but the server's own, and those of a remote store", async () => {
  const local = confinementOf(await configOf({ port: 81 }));
  assert.deepEqual([local.listenPorts, local.connectPorts], [[81], []]);
  const remote = confinementOf(await configOf({ database: "https://kv.example/" }));
  assert.deepEqual(remote.connectPorts, [443, 53]);
  const near = confinementOf(await configOf({ database: "http://127.0.0.1:4512" }));
  assert.deepEqual(near.connectPorts, [4512, 53]);
});

Deno.test("confinementOf() lets nothing of the root be executed, also when commands are on", async () => {
  const executed = (config: Config) =>
    confinementOf(config).paths.filter(({ rights }) => (rights & right.execute) !== 0n)
      .map(({ path }) => path);
  for (const disableExec of [true, false]) {
    const config = await configOf({ disableExec });
    assert(!executed(config).includes(config.root));
    assert(!executed(config).includes("/usr"));
  }
});

Deno.test("describeSandbox() tells what is in force, and what is not", async () => {
  const config = await configOf();
  assert.equal(
    describeSandbox(config, landlock, ["seccomp"]),
    "Sandbox: Landlock ABI 7 (files, ports, signals), Deno permissions, seccomp; commands off",
  );
  assert.equal(
    describeSandbox(
      { ...config, disableExec: false },
      { abi: 3, ports: false, signals: false },
      [],
    ),
    "Sandbox: Landlock ABI 3 (files), Deno permissions; commands on, each in a sandbox of its own",
  );
  const refused = { socket: "/tmp/x", refusal: "unshare is not installed" };
  assert.match(
    describeSandbox({ ...config, disableExec: false, commandHost: refused }, landlock, []),
    /; commands refused without a sandbox: unshare is not installed$/,
  );
  assert.match(
    describeSandbox({ ...config, disableExec: false, execSandbox: "none" }, landlock, []),
    /; commands on, WITHOUT A SANDBOX, with all rights of this account$/,
  );
  assert.equal(
    describeSandbox(config, null, ["no seccomp (error 38)"]),
    "Sandbox: no Landlock on this system, Deno permissions, no seccomp (error 38); commands off",
  );
  assert.match(
    describeSandbox({ ...config, root: appFolder }, landlock, []),
    /contains the program/,
  );
  assert.equal(describeCaptcha(config), null);
  const recaptcha = { host: "https://www.google.com", key: "k", secret: "s" };
  const line = describeCaptcha({ ...config, recaptcha }) ?? "";
  assert.match(line, /the server may connect to https:\/\/www\.google\.com$/);
});
