/** A real LDAP directory (OpenLDAP's slapd) on free ports of this machine. */
import { Client } from "ldapts";
import { delay } from "../../../lib/shared/delay.ts";
import type { LdapDirectory } from "../../../lib/server/core/config/ldap_options.ts";
import { temporaryFolder } from "../disks/files.ts";
import { ensurePrograms } from "../run/debian.ts";

const suffix = "dc=example,dc=org";
const tls = new URL("../data/tls/", import.meta.url).pathname;

/** How long it may take to listen, in milliseconds. */
const timeoutMs = 30_000;

/** A running directory. Only `cn=reader` may look users up. */
export interface TestDirectory extends AsyncDisposable {
  /** For the configuration of the application; by `ldap:` without encryption. */
  config: LdapDirectory;
  /** The address by `ldaps:`, and the authority that its certificate is signed by. */
  secure: { url: string; ca: string };
  /** Adds an entry below the suffix. */
  add(rdn: string, attributes: Record<string, string | string[]>): Promise<void>;
  /** Adds a person whose user name is `uid`. */
  addPerson(uid: string, password: string, more?: Record<string, string>): Promise<void>;
  rename(rdn: string, to: string): Promise<void>;
}

/** Starts an empty directory. */
export async function startDirectory(): Promise<TestDirectory> {
  await ensurePrograms({ slapd: "slapd" }, "LDAP");
  const folder = await temporaryFolder();
  const [port, securePort] = [freePort(), freePort()];
  const configuration = `${folder.path}/slapd.conf`;
  await Deno.writeTextFile(configuration, configurationOf(folder.path));
  const urls = [`ldap://127.0.0.1:${port}`, `ldaps://127.0.0.1:${securePort}`];
  const server = new Deno.Command("slapd", {
    args: ["-f", configuration, "-h", urls.join(" "), "-d", "0"],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const admin = await connect(urls[0] ?? "");
  const dnOf = (rdn: string) => `${rdn},${suffix}`;
  const add: TestDirectory["add"] = (rdn, attributes) => admin.add(dnOf(rdn), attributes);
  await admin.add(suffix, {
    objectClass: ["dcObject", "organization"],
    dc: "example",
    o: "Example",
  });
  const role = ["organizationalRole", "simpleSecurityObject"];
  await add("cn=reader", { objectClass: role, userPassword: "reads" });
  return {
    config: {
      ...{ urls: urls.slice(0, 1), startTls: false, base: suffix, filter: "(uid={name})" },
      ...{ bindDn: dnOf("cn=reader"), bindPassword: "reads" },
      ...{ usernameAttribute: "uid", groupsAttribute: "memberOf" },
      ...{ createUsers: true, linkUsers: false },
    },
    secure: { url: urls[1] ?? "", ca: await Deno.readTextFile(`${tls}certificate.pem`) },
    add,
    addPerson: (uid, userPassword, more = {}) =>
      add(`uid=${uid}`, {
        ...{ objectClass: ["inetOrgPerson"], cn: uid, sn: uid, userPassword },
        ...more,
      }),
    rename: (rdn, to) => admin.modifyDN(dnOf(rdn), to),
    async [Symbol.asyncDispose]() {
      await admin.unbind();
      server.kill("SIGTERM");
      await server.status;
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The administrator's connection, once the server listens. */
async function connect(url: string): Promise<Client> {
  for (const end = Date.now() + timeoutMs;;) {
    const client = new Client({ url });
    try {
      await client.bind(`cn=admin,${suffix}`, "rules");
      return client;
    } catch (error) {
      await client.unbind();
      if (Date.now() > end) throw error;
      await delay(50);
    }
  }
}

function configurationOf(folder: string): string {
  const schemas = ["core", "cosine", "inetorgperson"];
  return `${schemas.map((name) => `include /etc/ldap/schema/${name}.schema`).join("\n")}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCertificateFile ${tls}certificate.pem
TLSCertificateKeyFile ${tls}key.pem
database mdb
suffix "${suffix}"
rootdn "cn=admin,${suffix}"
rootpw rules
directory ${folder}
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=reader,${suffix}" read by * none
`;
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
