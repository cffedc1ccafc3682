import assert from "node:assert/strict";
import { posix } from "node:path";
import { parse } from "yaml";
import {
  isIgnored,
  readCommand,
  readDockerfile,
  readPairs,
} from "../../../deploy/prove/dockerfile.ts";
import { findOption } from "../../../lib/server/core/config/options.ts";

const top = new URL("../../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, top));
const composeFiles = [
  ...["compose.yaml", "compose.nginx.yaml", "compose.nodes.yaml"],
  ...["compose.collabora.yaml", "compose.onlyoffice.yaml"],
];

interface Service {
  image?: string;
  build?: { dockerfile: string };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
}

function exists(path: string): boolean {
  try {
    return Boolean(Deno.statSync(new URL(path, top)));
  } catch {
    return false;
  }
}

Deno.test("the Dockerfile builds with the Deno of the tests, and runs as another user than root", () => {
  const steps = readDockerfile(read("deploy/Dockerfile"));
  const runs = steps.filter(({ name }) => name === "RUN").map(({ text }) => text);
  assert.ok(runs.some((text) => text.includes(`deno@${Deno.version.deno} task release --program`)));
  const bases = steps.filter(({ name }) => name === "FROM").map(({ text }) => text);
  for (const base of bases) assert.match(base, /^[\w:.-]+@sha256:[0-9a-f]{64}(?: AS \w+)?$/);
  assert.ok(steps.some(({ name, text }) => name === "LABEL" && text.includes("image.licenses")));
  const last = steps.findLastIndex(({ name }) => name === "FROM");
  const image = steps.slice(last);
  assert.equal(image.findLast(({ name }) => name === "USER")?.text, "cubby");
  assert.equal(image.findLast(({ name }) => name === "ENTRYPOINT")?.text, '["image-start"]');
});

Deno.test("every variable that the samples set is an option of the server", () => {
  const environments = readDockerfile(read("deploy/Dockerfile"))
    .filter(({ name }) => name === "ENV").flatMap(({ text }) => readPairs(text));
  const units = ["deploy/systemd/cubby.service", "deploy/systemd/commands.conf"]
    .flatMap((path) => [...read(path).matchAll(/^Environment=(.*)$/gm)])
    .flatMap(([, text = ""]) => readPairs(text));
  const services = composeFiles.flatMap((name) =>
    Object.values<Service>(parse(read(`deploy/${name}`), { merge: true }).services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
  );
  const names = [...environments, ...units, ...services].map(([name]) => name)
    .filter((name) => name.startsWith("FB_"));
  assert.ok(names.length >= 10, names.join());
  const unknown = names.filter((name) => findOption(name.slice(3)) === undefined);
  assert.deepEqual(unknown, []);
});

for (const name of composeFiles) {
  Deno.test(`deploy/${name} gives Cubby no rights, and names only files that exist`, () => {
    const { services } = parse(read(`deploy/${name}`), { merge: true });
    const all = Object.values<Service>(services);
    const own = all.filter(({ image }) => image === "cubby");
    assert.ok(own.length > 0);
    for (const service of own) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ["ALL"]);
      assert.deepEqual(service.security_opt, ["no-new-privileges:true"]);
      assert.ok(service.tmpfs?.[0]?.startsWith("/tmp:"));
      assert.ok(exists(service.build?.dockerfile ?? ""));
    }
    const configs = all.flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(":")[0] ?? "").filter((path) => path.endsWith(".conf"));
    for (const path of configs) assert.ok(exists(posix.join("deploy", path)), path);
  });
}

for (const path of ["deploy/install.sh", "deploy/nodes/make-ca.sh", "deploy/npm/cubby-files.sh"]) {
  Deno.test(`${path} is a program for any POSIX shell`, async () => {
    assert.match(read(path), /^#!\/bin\/sh\n/);
    const args = ["-n", new URL(path, top).pathname];
    const { success, stderr } = await new Deno.Command("sh", { args }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  });
}

Deno.test("install.sh refuses what it does not know, and relative folders, before it does anything", async () => {
  const script = new URL("deploy/install.sh", top).pathname;
  const refused: [args: string[], reason: RegExp][] = [
    [["--rot", "/srv"], /unknown argument "--rot"/],
    [["--root"], /--root needs a value/],
    [["--no-start"], /run it as root|--package has to name the file to install/],
    [["--package", "cubby-files", "--no-start"], /run it as root|"cubby-files" does not exist/],
    [["--root", "files", "--no-start"], /run it as root|the path "files" is not absolute/],
    [
      ["--root", "/a b", "--no-start"],
      /run it as root|has characters that a systemd unit does not allow/,
    ],
  ];
  for (const [args, reason] of refused) {
    const { code, stderr, stdout } = await new Deno.Command("sh", { args: [script, ...args] })
      .output();
    assert.equal(code, 2);
    assert.equal(stdout.length, 0);
    const told = new TextDecoder().decode(stderr);
    assert.match(told, /^Cannot install: [^\n]*\n$/);
    assert.match(told, reason);
  }
});

Deno.test("make-ca.sh makes an authority once, whose keys nobody else can read", async () => {
  const folder = await Deno.makeTempDir();
  const script = new URL("deploy/nodes/make-ca.sh", top).pathname;
  const make = (...args: string[]) => new Deno.Command("sh", { args: [script, ...args] }).output();
  try {
    assert.equal((await make("a/b", folder)).code, 2);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    assert.equal((await make("kv", folder)).code, 0);
    for (const name of ["ca.key", "kv.key"]) {
      assert.equal((Deno.statSync(`${folder}/${name}`).mode ?? 0) & 0o777, 0o600);
    }
    const { code } = await new Deno.Command("openssl", {
      args: ["verify", "-CAfile", `${folder}/ca.crt`, "-verify_hostname", "kv", `${folder}/kv.crt`],
    }).output();
    assert.equal(code, 0);
    const before = Deno.readTextFileSync(`${folder}/ca.crt`);
    assert.equal((await make("kv", folder)).code, 1);
    assert.equal(Deno.readTextFileSync(`${folder}/ca.crt`), before);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("Dockerfiles are read: comments, lines that go on, commands, and what is ignored", () => {
  const steps = readDockerfile(
    '# a\nFROM b AS c\n\nRUN x \\\n  && y\n# z\nENTRYPOINT ["d", "e f"]\n',
  );
  assert.deepEqual(steps.map(({ name, text }) => `${name} ${text}`), [
    "FROM b AS c",
    "RUN x && y",
    'ENTRYPOINT ["d", "e f"]',
  ]);
  assert.deepEqual(readCommand('CMD ["d", "e f"]'), ["d", "e f"]);
  assert.deepEqual(readPairs('A=1 B="c d"'), [["A", "1"], ["B", "c d"]]);
  const ignored = ["tests", "**/*.kv"];
  assert.deepEqual(
    ["tests", "tests/a.ts", "lib/tests/a.ts", "data/a.kv", "a.kv.ts"].map((path) =>
      isIgnored(path, ignored)
    ),
    [true, true, false, true, false],
  );
});

Deno.test("the nginx of two nodes starts before them: it looks their names up while it runs", () => {
  const conf = read("deploy/nodes/nginx.conf");
  const services = Object.keys(parse(read("deploy/compose.nodes.yaml"), { merge: true }).services);
  const fixed = services.filter((name) => conf.includes(`proxy_pass http://${name}:`));
  assert.deepEqual(fixed, [], "looked up once, at the start");
  const servers = [...conf.matchAll(/^\s*server ([\w-]+):\d+(.*);/gm)];
  assert.deepEqual(servers.map(([, name]) => name).sort(), ["denokv", "node1", "node2"]);
  for (const [line, , terms] of servers) assert.match(terms ?? "", / resolve\b/, line);
});
