import assert from "node:assert/strict";
import { join } from "node:path";
import { refuses, resolve } from "./resolving.ts";

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
    [["--oidc-groups=a=download,fly"], /"fly" is not a permission; expected admin, create/],
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
    ...{ only: false, logout: false, trustEmail: false },
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

const ldap = ["--ldap-url=ldaps://ldap.example", "--ldap-base=dc=example,dc=org"];

Deno.test("resolveConfig() refuses half of a directory, and passwords that could be read on the way", async () => {
  const cases: [flags: string[], message: RegExp][] = [
    [[ldap[0] ?? ""], /--ldap-url: --ldap-base must be given as well$/],
    [[ldap[1] ?? ""], /--ldap-base: --ldap-url must be given as well$/],
    [["--ldap-url=ldap://ldap.example", ldap[1] ?? ""], /use ldaps or --ldap-start-tls$/],
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
    [[...mail, "--mail-tls=none"], /--mail-tls none: mail would travel in plain text$/],
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

Deno.test("resolveConfig() reads an office server, and refuses what is no address of one", async () => {
  const url = "--office-url=http://collabora:9980/";
  for (
    const address of ["office.example", "ftp://h", "https://h/?a", "https://h/#a", "http://u:p@h"]
  ) {
    await refuses({ args: [`--office-url=${address}`] }, /expected an http or https address/);
    await refuses({ args: [url, `--office-host-url=${address}`] }, /expected an http or https/);
  }
  // In the policy of a page they would let in frames of any server.
  for (const address of ["https://*", "https://*.h", "https://h;x", "https://a,b"]) {
    await refuses({ args: [url, `--office-public-url=${address}`] }, /expected an http or https/);
  }
  for (const half of ["office-public-url", "office-host-url"]) {
    const message = `Cannot use --${half}: --office-url must be given as well`;
    await refuses({ args: [`--${half}=https://h`] }, message);
  }
  assert.equal((await resolve({ args: ["--office-url="] })).config.office, undefined);
  const plain = { url: "http://collabora:9980", publicUrl: "http://collabora:9980" };
  assert.deepEqual((await resolve({ args: [url] })).config.office, plain);
  const env = {
    FB_OFFICE_URL: "http://collabora:9980",
    FB_OFFICE_PUBLIC_URL: "https://office.example/office/",
    FB_OFFICE_HOST_URL: "http://cubby:8080",
  };
  assert.deepEqual((await resolve({ env })).config.office, {
    ...plain,
    publicUrl: "https://office.example/office",
    hostUrl: "http://cubby:8080",
  });
});
