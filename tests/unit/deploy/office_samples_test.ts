/** The samples with an office server: settings that the images have, which fit together. */
import assert from "node:assert/strict";
import { parse } from "yaml";

const top = new URL("../../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, top));

interface Service {
  image: string;
  ports: string[];
  environment: Record<string, string>;
  volumes?: string[];
  stop_grace_period?: string;
}

interface Sample {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

/** Variables of the images, from their start scripts and their documentation. */
const variables = {
  collabora: [
    ...["aliasgroup1", "username", "password", "server_name", "dictionaries", "extra_params"],
    ...["DONT_GEN_SSL_CERT", "cert_domain", "remoteconfigurl", "content_security_policy"],
  ],
  onlyoffice: [
    ...["WOPI_ENABLED", "JWT_ENABLED", "JWT_SECRET", "JWT_HEADER", "JWT_IN_BODY"],
    ...["ALLOW_PRIVATE_IP_ADDRESS", "ALLOW_META_IP_ADDRESS", "USE_UNAUTHORIZED_STORAGE"],
    ...["GENERATE_FONTS", "SECURE_LINK_SECRET", "DB_TYPE", "DB_HOST", "AMQP_URI"],
  ],
} as const;

/** Settings of Collabora Online (coolwsd.xml). */
const settings = [
  ...["ssl.enable", "ssl.termination", "net.frame_ancestors", "net.content_security_policy"],
  ...["admin_console.enable", "mount_jail_tree", "logging.level", "user_interface.mode"],
];

/** A sample, with what the shell would put in place of its variables. */
function sampleOf(name: string): Sample {
  const text = read(`deploy/compose.${name}.yaml`)
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1").replaceAll(/\$\{\w+:\?[^}]*\}/g, "given");
  return parse(text, { merge: true });
}

/** The address of a service on this machine, from its first port. */
function published({ ports: [port = ""] }: Service): string {
  const [, outside = ""] = /^127\.0\.0\.1:(\d+):\d+$/.exec(port) ?? [];
  assert.ok(outside, `"${port}" is reachable from this machine alone`);
  return `http://localhost:${outside}`;
}

for (const [name, known] of Object.entries(variables)) {
  Deno.test(`compose.${name}.yaml sets what the image knows, and addresses that fit together`, () => {
    const { services: { cubby, [name]: office }, volumes } = sampleOf(name);
    assert.ok(cubby && office);
    const unknown = Object.keys(office.environment).filter((key) =>
      !known.some((it) => it === key)
    );
    assert.deepEqual(unknown, []);
    const { environment } = cubby;
    assert.match(environment["FB_OFFICE_URL"] ?? "", new RegExp(`^http://${name}(:\\d+)?$`));
    assert.equal(environment["FB_OFFICE_PUBLIC_URL"], published(office));
    const { hostname, port } = new URL(environment["FB_OFFICE_HOST_URL"] ?? "");
    assert.equal(hostname, "cubby");
    assert.ok(cubby.ports[0]?.endsWith(`:${port}`), port);
    const [, inside] = /:(\d+)$/.exec(office.ports[0] ?? "") ?? [];
    assert.equal(new URL(environment["FB_OFFICE_URL"] ?? "").port || "80", inside);
    assert.match(office.stop_grace_period ?? "", /^60s$/, "it saves while it stops");
    for (const volume of [cubby, office].flatMap(({ volumes = [] }) => volumes)) {
      const [source = ""] = volume.split(":");
      if (!source.startsWith(".")) assert.ok(source in volumes, volume);
    }
  });
}

Deno.test("compose.collabora.yaml lets one server in, and one page show it, without a console", () => {
  const { services: { cubby, collabora } } = sampleOf("collabora");
  assert.ok(cubby && collabora);
  const { aliasgroup1, extra_params = "" } = collabora.environment;
  assert.equal(aliasgroup1, cubby.environment["FB_OFFICE_HOST_URL"]);
  const words = extra_params.trim().split(/\s+/);
  const given = words.map((word) => /^--o:([\w.]+)=(\S+)$/.exec(word)?.slice(1) ?? [word]);
  assert.deepEqual(given.map(([key]) => key).filter((key) => !settings.includes(key ?? "")), []);
  assert.deepEqual(Object.fromEntries(given), {
    "ssl.enable": "false",
    "ssl.termination": "false",
    "net.frame_ancestors": published(cubby),
    "admin_console.enable": "false",
  });
});

Deno.test("compose.onlyoffice.yaml has WOPI on, a secret that is not known, and keeps its keys", () => {
  const { services: { onlyoffice } } = sampleOf("onlyoffice");
  assert.ok(onlyoffice);
  const { WOPI_ENABLED, JWT_ENABLED = "true", JWT_SECRET, ALLOW_META_IP_ADDRESS = "false" } =
    onlyoffice.environment;
  assert.deepEqual([WOPI_ENABLED, JWT_ENABLED, ALLOW_META_IP_ADDRESS], ["true", "true", "false"]);
  assert.equal(JWT_SECRET, "given", "it has no default in the file");
  assert.ok(onlyoffice.volumes?.some((volume) => volume.endsWith(":/var/www/onlyoffice/Data")));
});

Deno.test("docs/office.md names variables and settings that there are", () => {
  const words = [...read("docs/office.md").matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
  const known: readonly string[] = Object.values(variables).flat();
  const shouted = words.map((word) => word.replace(/=.*$/, ""))
    .filter((word) => /^[A-Z][A-Z_]{4,}$/.test(word));
  assert.ok(shouted.length > 5, shouted.join());
  assert.deepEqual(shouted.filter((word) => !known.includes(word)), []);
  const named = words.flatMap((word) => [...word.matchAll(/--o:([\w.]+)|^(net\.\w+)$/g)])
    .map(([, option, plain]) => option ?? plain ?? "");
  assert.ok(named.length > 2, named.join());
  assert.deepEqual(named.filter((name) => !settings.includes(name)), []);
});
