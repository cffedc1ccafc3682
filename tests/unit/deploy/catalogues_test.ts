import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { SaxesParser } from "saxes";
import { parse as parseToml } from "smol-toml";
import * as v from "valibot";
import { parse, parseAllDocuments } from "yaml";
import { entriesOf, type Release } from "../../../deploy/catalogues/main.ts";
import { readCommand, readDockerfile, readPairs } from "../../../deploy/prove/dockerfile.ts";
import { targets } from "../../../deploy/release/program.ts";
import { findOption } from "../../../lib/server/core/config/options.ts";
import { StartRefusal } from "../../../lib/server/core/config/refusal.ts";
import { version } from "../../../lib/shared/version.ts";

const top = new URL("../../../", import.meta.url);
const folder = new URL("deploy/catalogues/", top).pathname;
const digest = `sha256:${"d".repeat(64)}`;
const sums = ["x64", "arm64"].map((arch) =>
  `${(arch === "x64" ? "a" : "b").repeat(64)}  cubby-files-${version}-linux-${arch}.tar.gz\n`
).join("");
const release: Release = { repository: "Owner/cubby", digest, sums, date: new Date(86_400_000) };
const image = `ghcr.io/owner/cubby:${version}`;
const { files, leftOut } = entriesOf(release);
const paths = files.map(({ path }) => path);

function read(path: string): string {
  const file = files.find((file) => file.path === path);
  assert.ok(file, path);
  return file.text;
}

/** What the image declares. */
const steps = readDockerfile(Deno.readTextFileSync(new URL("deploy/Dockerfile", top)));
const only = (name: string) => steps.findLast((step) => step.name === name)?.text ?? "";
const port = Number(only("EXPOSE"));
const volumes = readCommand(only("VOLUME"));
const uid = Number(/--uid (\d+)/.exec(steps.map(({ text }) => text).join("\n"))?.[1]);
const env = Object.fromEntries(
  steps.filter(({ name }) => name === "ENV").flatMap(({ text }) => readPairs(text)),
);

Deno.test("the writer refuses values that a catalogue would refuse", () => {
  const refused: [Partial<Release>, RegExp][] = [
    [{ repository: "cubby" }, /"cubby": it is not OWNER\/NAME/],
    [{ repository: "a/b/c" }, /OWNER\/NAME/],
    [{ digest: "sha256:12" }, /it is not sha256: and 64 digits/],
    [{ image: "ghcr.io/a/b:1" }, /give a registry and a name, no tag/],
    [{ image: "cubby" }, /give a registry and a name/],
    [{ sums: `${"a".repeat(64)}  other.tar.gz\n` }, /"cubby-files-.*x64.tar.gz" is not among them/],
    [{ sums: sums.replaceAll("a".repeat(64), "a") }, /is not among them/],
  ];
  for (const [part, reason] of refused) {
    assert.throws(
      () => entriesOf({ ...release, ...part }),
      (error) => error instanceof StartRefusal && reason.test(error.message),
    );
  }
});

Deno.test("the tarballs have the names that the release gives them", () => {
  const writer = Deno.readTextFileSync(new URL("deploy/release/main.ts", top));
  assert.ok(writer.includes("`cubby-files-${version}-linux-${target.cpu}`"));
  for (const { cpu, debian } of targets) {
    const address = `https://github.com/Owner/cubby/releases/download/v${version}`;
    const { main } = v.parse(sources, parseToml(read("yunohost/manifest.toml"))).resources.sources;
    assert.equal(main[debian].url, `${address}/cubby-files-${version}-linux-${cpu}.tar.gz`);
  }
});

Deno.test("an entry without a value of the release is left out and named, the others are whole", () => {
  const { files, leftOut } = entriesOf({ repository: "Owner/cubby" });
  assert.deepEqual(
    [...leftOut].map(([name, tokens]) => [name, [...tokens].sort()]),
    [["umbrel", ["DIGEST"]], ["yunohost", ["SHA256_ARM64", "SHA256_X64"]]],
  );
  assert.ok(!files.some(({ path }) => /^(?:umbrel|yunohost)\//.test(path)));
  assert.ok(files.some(({ path }) => path.startsWith("truenas/")));
});

Deno.test("no token is left, and no entry has a version or an image of its own", () => {
  assert.equal(leftOut.size, 0);
  const named: string[] = [];
  for (const { path, text } of files) {
    assert.doesNotMatch(text, /@[A-Z][A-Z0-9_]*@/, path);
    const source = Deno.readTextFileSync(join(folder, path));
    assert.ok(!source.includes(`"${version}"`) && !source.includes(`:${version}`), path);
    const images = [...text.matchAll(/(?:image"?:|FROM|<Repository>)\s*"?([\w./-]+\/[\w./:@-]+)/g)]
      .map(([, name = ""]) => name);
    for (const name of images) assert.match(name, new RegExp(`^${image}(?:@${digest})?$`), path);
    named.push(...images);
  }
  assert.equal(named.length, 7, named.join());
  const { images } = parse(read("truenas/cubby/ix_values.yaml"));
  assert.equal(`${images.image.repository}:${images.image.tag}`, image);
  const { image: chart } = parse(read("helm/cubby/values.yaml"));
  assert.equal(`${chart.repository}:${parse(read("helm/cubby/Chart.yaml")).appVersion}`, image);
});

Deno.test("every file of an entry can be parsed", () => {
  for (const { path, text } of files) {
    if (/templates\/[^/]+\.yaml$/.test(path)) continue;
    if (path.endsWith(".json")) JSON.parse(text);
    else if (path.endsWith(".toml")) parseToml(text);
    else if (path.endsWith(".xml")) new SaxesParser().write(text).close();
    else if (/\.ya?ml$/.test(path)) {
      for (const { errors, warnings } of parseAllDocuments(text)) {
        assert.deepEqual([...errors, ...warnings], [], path);
      }
    }
  }
});

const url = v.pipe(v.string(), v.url());
const text = v.pipe(v.string(), v.minLength(1));
const portNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const localized = v.looseObject({ en_US: text });
const own = v.literal(version);

/** The tarballs of the package for YunoHost, by its names of the architectures. */
const sources = v.looseObject({
  resources: v.looseObject({
    sources: v.object({
      main: v.looseObject({
        amd64: v.object({ url, sha256: v.literal("a".repeat(64)) }),
        arm64: v.object({ url, sha256: v.literal("b".repeat(64)) }),
      }),
    }),
  }),
});

/** The fields that a catalogue documents as required, and the forms of those that it checks. */
const required: [path: string, v.GenericSchema][] = [
  [
    "casaos/Cubby/docker-compose.yml",
    v.looseObject({
      name: v.pipe(v.string(), v.regex(/^[a-z0-9_-]+$/)),
      services: v.looseObject({ cubby: v.looseObject({ image: text }) }),
      "x-casaos": v.looseObject({
        id: v.pipe(v.string(), v.regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/)),
        main: v.literal("cubby"),
        port_map: v.pipe(v.string(), v.digits()),
        icon: url,
        title: localized,
        tagline: localized,
        description: localized,
        category: v.picklist(["Media", "Productivity", "Home", "Networking", "Others"]),
        architectures: v.array(v.picklist(["amd64", "arm64"])),
        version: own,
      }),
    }),
  ],
  [
    "home-assistant/cubby/config.yaml",
    v.looseObject({
      name: text,
      version: own,
      slug: v.pipe(v.string(), v.regex(/^[a-z0-9_]+$/)),
      description: text,
      arch: v.array(v.picklist(["aarch64", "amd64"])),
      ingress: v.literal(false),
      backup: v.literal("cold"),
      map: v.array(v.object({ type: text, read_only: v.boolean(), path: text })),
    }),
  ],
  ["home-assistant/repository.yaml", v.object({ name: text, url, maintainer: text })],
  [
    "helm/cubby/Chart.yaml",
    v.looseObject({ apiVersion: v.literal("v2"), name: text, version: own, appVersion: own }),
  ],
  [
    "runtipi/cubby/config.json",
    v.looseObject({
      id: v.literal("cubby"),
      available: v.boolean(),
      port: portNumber,
      name: text,
      tipi_version: v.number(),
      version: own,
      short_desc: text,
      author: text,
      source: url,
      created_at: v.pipe(v.number(), v.integer()),
      updated_at: v.pipe(v.number(), v.integer()),
      form_fields: v.array(v.looseObject({ type: text, label: text, env_variable: text })),
    }),
  ],
  [
    "truenas/cubby/app.yaml",
    v.looseObject({
      name: v.literal("cubby"),
      train: v.literal("community"),
      app_version: own,
      version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/)),
      lib_version: text,
      date_added: v.pipe(v.string(), v.isoDate()),
      run_as_context: v.array(v.looseObject({ uid: v.number(), gid: v.number() })),
      categories: v.array(text),
      maintainers: v.array(v.looseObject({ name: text, email: text, url })),
    }),
  ],
  [
    "umbrel/cubby/umbrel-app.yml",
    v.looseObject({
      manifestVersion: v.literal(1),
      id: v.literal("cubby"),
      category: v.literal("files"),
      name: text,
      version: own,
      tagline: text,
      description: text,
      developer: text,
      website: url,
      dependencies: v.array(text),
      repo: url,
      support: url,
      port: portNumber,
      gallery: v.array(text),
      path: v.string(),
      submitter: text,
      submission: url,
    }),
  ],
  [
    "yunohost/manifest.toml",
    v.looseObject({
      packaging_format: v.literal(2),
      id: v.literal("cubby"),
      version: v.literal(`${version}~ynh1`),
      upstream: v.looseObject({ license: v.literal("MIT") }),
      integration: v.looseObject({ yunohost: text, helpers_version: text }),
      resources: v.looseObject({
        ...sources.entries.resources.entries,
        ports: v.object({}),
        system_user: v.object({}),
        install_dir: v.object({}),
        data_dir: v.object({}),
      }),
    }),
  ],
];

for (const [path, schema] of required) {
  Deno.test(`${path} has the fields that the catalogue requires`, () => {
    const source = read(path);
    v.parse(schema, path.endsWith(".toml") ? parseToml(source) : parse(source));
  });
}

/** A container as an entry declares it. */
interface Container {
  path: string;
  env: Record<string, unknown>;
  ports: number[];
  mounts: string[];
  user: string;
  dropped: string[];
  secured: boolean;
}

interface ComposeService {
  user?: string;
  environment?: Record<string, unknown>;
  ports?: (string | { target: number })[];
  volumes?: (string | { target: string })[];
  cap_drop?: string[];
  security_opt?: string[];
}

const composed = ["casaos/Cubby", "compose", "umbrel/cubby"].map((name): Container => {
  const path = paths.find((path) => new RegExp(`^${name}/(?:docker-)?compose.ya?ml$`).test(path)) ??
    "";
  const { services } = parse(read(path));
  const service: ComposeService = services.cubby ?? services.server;
  const { app_proxy: proxy } = services;
  return {
    path,
    env: service.environment ?? {},
    ports: [
      ...(service.ports ?? []).map((at) =>
        typeof at === "string" ? Number(at.split(":").at(-1)) : at.target
      ),
      ...proxy ? [proxy.environment.APP_PORT] : [],
    ],
    mounts: (service.volumes ?? []).map((at) =>
      typeof at === "string" ? at.split(":").at(-1) ?? "" : at.target
    ),
    user: service.user ?? "",
    dropped: service.cap_drop ?? [],
    secured: service.security_opt?.includes("no-new-privileges:true") ?? false,
  };
});

function fromRuntipi(): Container {
  const path = "runtipi/cubby/docker-compose.json";
  const { services: [service] } = JSON.parse(read(path));
  return {
    path,
    env: Object.fromEntries(
      service.environment.map(({ key, value }: { key: string; value: string }) => [key, value]),
    ),
    ports: [service.internalPort],
    mounts: service.volumes.map(({ containerPath }: { containerPath: string }) => containerPath),
    user: service.user,
    dropped: service.capDrop,
    secured: service.securityOpt.includes("no-new-privileges:true"),
  };
}

function fromUnraid(): Container {
  const path = "unraid/cubby.xml";
  const configs: Record<string, string>[] = [];
  let extra = "";
  const parser = new SaxesParser();
  let name = "";
  parser.on("opentag", (tag) => {
    name = tag.name;
    if (name === "Config") configs.push(tag.attributes as Record<string, string>);
  });
  parser.on("text", (text) => extra += name === "ExtraParams" ? text : "");
  parser.write(read(path)).close();
  const targets = (type: string) =>
    configs.filter(({ Type }) => Type === type).map(({ Target = "" }) => Target);
  return {
    path,
    env: Object.fromEntries(
      configs.filter(({ Type }) => Type === "Variable")
        .map(({ Target = "", Default }) => [Target, Default]),
    ),
    ports: targets("Port").map(Number),
    mounts: targets("Path"),
    user: /--user=(\S+)/.exec(extra)?.[1] ?? "",
    dropped: [/--cap-drop=(\w+)/.exec(extra)?.[1] ?? ""],
    secured: extra.includes("--security-opt=no-new-privileges"),
  };
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec?: unknown;
}

interface Deployment {
  strategy: { type: string };
  selector: { matchLabels: Record<string, string> };
  template: { metadata: { labels: Record<string, string> }; spec: Pod };
}

interface Pod {
  securityContext: { runAsUser: number; runAsGroup: number };
  containers: [PodContainer];
  initContainers?: [PodContainer & { command: [string, ...string[]] }];
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}

const manifests: Manifest[] = parseAllDocuments(read("kubernetes/cubby.yaml"))
  .map((document) => document.toJS());

interface PodContainer {
  image: string;
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: { capabilities: { drop: string[] }; allowPrivilegeEscalation: boolean };
  [probe: string]: unknown;
}

function deploymentIn(manifests: Manifest[]): Deployment {
  const [deployment] = manifests.filter(({ kind }) => kind === "Deployment");
  assert.ok(deployment);
  return deployment.spec as Deployment;
}

function fromKubernetes(): Container {
  const { spec } = deploymentIn(manifests).template;
  const [container] = spec.containers;
  return {
    path: "kubernetes/cubby.yaml",
    env: Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
    ports: container.ports.map(({ containerPort }) => containerPort),
    mounts: container.volumeMounts.map(({ mountPath }) => mountPath),
    user: `${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`,
    dropped: container.securityContext.capabilities.drop,
    secured: !container.securityContext.allowPrivilegeEscalation,
  };
}

for (const container of [...composed, fromRuntipi(), fromUnraid(), fromKubernetes()]) {
  Deno.test(`${container.path} agrees with the image about port, folders, user and variables`, () => {
    const { env, mounts, user } = container;
    assert.deepEqual(container.ports, [port]);
    // An imported installation has a port of its own.
    assert.equal(String(env.FB_PORT), String(port));
    for (const name of Object.keys(env)) assert.ok(findOption(name.slice(3)), name);
    for (const volume of volumes) {
      assert.ok(mounts.some((at) => at === volume || at.startsWith(`${volume}/`)), volume);
    }
    const known = [...volumes, "/database", "/config", "/tmp"];
    for (const at of mounts) assert.ok(known.some((one) => `${at}/`.startsWith(`${one}/`)), at);
    assert.deepEqual(container.dropped, ["ALL"]);
    assert.ok(container.secured);
    assert.ok([`${uid}:${uid}`, "99:100", "0:0"].includes(user), user);
  });
}

Deno.test("the template for TrueNAS uses the folders of the image, and each test value has a question", () => {
  const { consts } = parse(read("truenas/cubby/ix_values.yaml"));
  assert.deepEqual([consts.files_path, consts.data_path].sort(), [...volumes].sort());
  assert.equal(env.FB_ROOT, consts.files_path);
  const template = read("truenas/cubby/templates/docker-compose.yaml");
  const used = new Set([...template.matchAll(/consts\.(\w+)/g)].map(([, name]) => name));
  assert.deepEqual([...used].sort(), Object.keys(consts).sort());
  const { questions, groups } = parse(read("truenas/cubby/questions.yaml"));
  const names = groups.map(({ name }: { name: string }) => name);
  for (const { group } of questions) assert.ok(names.includes(group), group);
  const asked = questions.map(({ variable }: { variable: string }) => variable);
  const values = [...template.matchAll(/values\.(\w+)/g)].map(([, name = ""]) => name);
  const others = ["consts", "ix_certificates"];
  for (const name of values) assert.ok([...asked, ...others].includes(name), name);
  for (const path of paths.filter((path) => path.includes("/test_values/"))) {
    const given = Object.keys(parse(read(path))).filter((name) => name !== "ix_volumes");
    assert.deepEqual(given.filter((name) => !asked.includes(name)), [], path);
  }
});

/** Checks what refers to something else in the documents. */
function checkReferences(manifests: Manifest[]): void {
  const { selector, template: { metadata, spec } } = deploymentIn(manifests);
  const [container] = spec.containers;
  for (const [key, value] of Object.entries(selector.matchLabels)) {
    assert.equal(metadata.labels[key], value);
  }
  const claims = manifests.filter(({ kind }) => kind === "PersistentVolumeClaim")
    .map(({ metadata }) => metadata.name);
  const names = spec.volumes.map(({ name }) => name);
  assert.deepEqual(container.volumeMounts.map(({ name }) => name).sort(), [...names].sort());
  for (const { persistentVolumeClaim: claim } of spec.volumes) {
    if (claim && claim.claimName !== "former") assert.ok(claims.includes(claim.claimName));
  }
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
    const { httpGet } = container[probe] as { httpGet: { path: string; port: string } };
    assert.match(httpGet.path, /\/health(?:\/ready)?$/);
    assert.ok(container.ports.some(({ name }) => name === httpGet.port));
  }
}

Deno.test("the manifest for Kubernetes refers only to what it has", () => {
  checkReferences(manifests);
  assert.equal(deploymentIn(manifests).strategy.type, "Recreate");
  assert.equal(deploymentIn(manifests).template.spec.containers[0].image, image);
});

/** Writes an entry into a temporary folder. */
async function withEntry(name: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const { path, text, mode } of files.filter(({ path }) => path.startsWith(`${name}/`))) {
      Deno.mkdirSync(dirname(join(folder, path)), { recursive: true });
      Deno.writeTextFileSync(join(folder, path), text, { mode });
    }
    await use(join(folder, name));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function has(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--help"] }).output()).code < 100;
  } catch {
    return false;
  }
}

async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, env }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test({
  name: "the chart passes helm's linter, and makes the manifest for Kubernetes",
  ignore: !await has("helm"),
  fn: () =>
    withEntry("helm/cubby", async (folder) => {
      const options = [
        ...["--set", "ingress.enabled=true,baseUrl=/files,filebrowser.existingClaim=former"],
        ...["--set-string", "env.FB_WEBDAV=true", "--set", "trustedProxies={10.0.0.0/8}"],
      ];
      for (const more of [[], options]) {
        const lint = await run("helm", ["lint", "--strict", folder, ...more]);
        assert.equal(lint.code, 0, lint.stdout + lint.stderr);
      }
      const template = async (...more: string[]): Promise<Manifest[]> => {
        const args = ["template", "cubby", folder, "--kube-version", "1.30", ...more];
        const { code, stdout, stderr } = await run("helm", args);
        assert.equal(code, 0, stderr);
        return parseAllDocuments(stdout).map((document) => document.toJS()).filter(Boolean);
      };
      const plain = await template();
      checkReferences(plain);
      const podOf = (manifests: Manifest[]) => {
        const { imagePullPolicy: _, ...container } =
          deploymentIn(manifests).template.spec.containers[0];
        return { ...deploymentIn(manifests).template.spec, containers: [container] };
      };
      assert.deepEqual(podOf(plain), podOf(manifests));
      const full = await template(...options);
      checkReferences(full);
      const [container] = deploymentIn(full).template.spec.containers;
      const values = Object.fromEntries(
        container.env.map(({ name, value }) => [name, value]),
      );
      assert.deepEqual(values, {
        FB_PORT: String(port),
        FB_BASEURL: "/files",
        FB_TRUSTED_PROXIES: "10.0.0.0/8",
        FB_DATABASE: "/database/database.db",
        FB_IMPORT: "true",
        FB_WEBDAV: "true",
      });
      assert.ok(full.some(({ kind }) => kind === "Ingress"));
      const [[shell, ...args] = ["false"]] = deploymentIn(full).template.spec.initContainers
        ?.map(({ command }) => command) ?? [];
      const absent = await run(shell, args);
      assert.equal(absent.code, 1);
      assert.equal(
        absent.stderr,
        'Cannot import: the claim has no file "/database/database.db"\n',
      );
      const present = await run(shell, [...args.slice(0, -1), join(folder, "Chart.yaml")]);
      assert.equal(present.code, 0);
      const refused = await run("helm", ["lint", folder, "--set", "service.port=no"]);
      assert.equal(refused.code, 1);
    }),
});

const scripts = paths.filter((path) => /^#!.*sh\n/.test(read(path)));

for (const path of scripts) {
  Deno.test(`${path} is a script for its shell`, async () => {
    const shell = read(path).startsWith("#!/bin/sh\n") ? "sh" : "bash";
    const { code, stderr } = await run(shell, ["-n", join(folder, path)]);
    assert.equal(code, 0, stderr);
  });
}

Deno.test({
  name: "shellcheck accepts the scripts of the entries",
  ignore: !await has("shellcheck"),
  fn: async () => {
    assert.ok(scripts.length >= 10, scripts.join());
    // YunoHost sources its helpers, and sets the variables of the form.
    const known = "SC1091,SC2034,SC2153,SC2154";
    for (const path of scripts) {
      const args = path.startsWith("yunohost/") ? ["-e", known] : [];
      const { code, stdout } = await run("shellcheck", [...args, join(folder, path)]);
      assert.equal(code, 0, stdout);
    }
  },
});

/** A program in place of cubby-files, which prints its arguments and the variables of the server. */
const recorder = `#!/bin/sh
echo "args: $*"
case "$*" in *--password-stdin*) echo "input: $(cat)" ;; esac
env | grep '^FB_' | sort
`;

Deno.test({
  name: "the app for Home Assistant turns its options into variables, and imports once",
  ignore: !await has("jq"),
  fn: () =>
    withEntry("home-assistant/cubby", async (folder) => {
      const data = join(folder, "data");
      const served = join(folder, "srv");
      Deno.mkdirSync(join(served, "addon_configs/x"), { recursive: true });
      Deno.mkdirSync(data);
      Deno.writeTextFileSync(join(served, "addon_configs/x/filebrowser.dB"), "");
      Deno.mkdirSync(join(folder, "bin"));
      Deno.writeTextFileSync(join(folder, "bin/cubby-files"), recorder, { mode: 0o755 });
      const env = {
        PATH: `${join(folder, "bin")}:${Deno.env.get("PATH")}`,
        CUBBY_DATA: data,
        CUBBY_SERVED: served,
      };
      const start = (options: Record<string, unknown>) => {
        Deno.writeTextFileSync(join(data, "options.json"), JSON.stringify(options));
        return run("sh", [join(folder, "run.sh")], env);
      };
      const { options } = parse(read("home-assistant/cubby/config.yaml"));
      for (const option of ["base_folder", "import_database"]) {
        const refused = await start({ ...options, [option]: "/share/../../etc" });
        assert.equal(refused.code, 2);
        assert.match(
          refused.stderr,
          new RegExp(`^Cannot start: ${option} ".*" leads out of .*\n$`),
        );
      }
      const plain = await start(options);
      assert.equal(plain.code, 0, plain.stderr);
      assert.match(plain.stdout, /^args: \nFB_CACHE_DIR/);
      assert.ok(plain.stdout.includes(`FB_DATABASE=${data}/cubby.kv\n`));
      assert.ok(plain.stdout.includes("FB_PASSWORD=\nFB_PORT=8080\n"));
      const full = await start({
        ...options,
        ssl: true,
        base_folder: "/share",
        import_database: "/addon_configs/x/filebrowser.dB",
        env_vars: [{ name: "FB_WEBDAV", value: "true" }, { name: "FB_MAIL_HOST", value: "a b\nc" }],
      });
      assert.equal(full.code, 0, full.stderr);
      const [first, second] = full.stdout.split(/^args: /m).slice(1);
      assert.match(first ?? "", /^import .*\/srv\/addon_configs\/x\/filebrowser\.dB\n/);
      for (
        const line of [
          ...["FB_CERT=/ssl/fullchain.pem", "FB_KEY=/ssl/privkey.pem", `FB_ROOT=${served}/share`],
          ...["FB_WEBDAV=true", "FB_MAIL_HOST=a b c"],
        ]
      ) assert.ok(second?.includes(`${line}\n`), line);
      const health = await run("sh", [join(folder, "run.sh"), "health"], env);
      assert.match(health.stdout, /^args: health\nFB_CACHE_DIR/);
      assert.ok(health.stdout.includes("FB_CERT=/ssl/fullchain.pem\n"));
      // With a store, nothing is imported again.
      Deno.writeTextFileSync(join(data, "cubby.kv"), "");
      const reset = { ...options, reset_password: true, import_database: "/addon_configs/x" };
      assert.match((await start(reset)).stderr, /reset_password needs a password/);
      const { stdout } = await start({ ...reset, password: "a 'long' one $x" });
      assert.match(stdout, /^args: users update admin --password-stdin\ninput: a 'long' one \$x\n/);
      assert.doesNotMatch(stdout, /^args: import/m);
    }),
});

Deno.test("the app for Umbrel copies File Browser's database once, and never over a store", () =>
  withEntry("umbrel/cubby", async (folder) => {
    // The hook gives the copy to the user of the server, which only root can.
    const bin = join(folder, "bin");
    Deno.mkdirSync(bin);
    Deno.writeTextFileSync(join(bin, "chown"), "#!/bin/sh\n", { mode: 0o755 });
    const env = { PATH: `${bin}:${Deno.env.get("PATH")}`, APP_DATA_DIR: folder };
    const hook = () => run("bash", [join(folder, "hooks/pre-start")], env);
    const former = join(dirname(folder), "file-browser/data");
    const copy = join(folder, "data/database/filebrowser.db");
    const names = () => [...Deno.readDirSync(dirname(copy))].map(({ name }) => name).sort();
    assert.equal((await hook()).code, 0);
    assert.deepEqual(names(), [".gitkeep"]);
    Deno.mkdirSync(former, { recursive: true });
    Deno.writeTextFileSync(join(former, "filebrowser.db"), "one");
    Deno.writeTextFileSync(join(folder, "data/store/cubby.kv"), "");
    assert.equal((await hook()).code, 0);
    assert.deepEqual(names(), [".gitkeep"]);
    Deno.removeSync(join(folder, "data/store/cubby.kv"));
    assert.equal((await hook()).code, 0);
    assert.deepEqual(names(), [".gitkeep", "filebrowser.db"]);
    Deno.writeTextFileSync(join(former, "filebrowser.db"), "two");
    assert.equal((await hook()).code, 0);
    assert.equal(Deno.readTextFileSync(copy), "one");
  }));

Deno.test("the package for YunoHost imports the database of Filebrowser, and copies its files", () =>
  withEntry("yunohost", async (folder) => {
    const former = join(folder, "former");
    const install = join(folder, "install");
    const data = join(folder, "data");
    for (const name of [former, join(former, "files/a"), join(install, "program"), data]) {
      Deno.mkdirSync(name, { recursive: true });
    }
    Deno.writeTextFileSync(join(former, "files/a/b.txt"), "b");
    Deno.writeTextFileSync(join(install, "program/cubby-files"), recorder, { mode: 0o755 });
    const script = `
      ynh_die() { echo "died: $1"; exit 1; }
      ynh_systemctl() { echo "service: $*"; }
      ynh_app_setting_get() { case $2 in --key=install_dir) echo "${former}" ;; *) echo "${former}/files" ;; esac; }
      source "${folder}/scripts/_common.sh"
      install_dir="${install}" data_dir="${data}"
      import_filebrowser filebrowser`;
    const refused = await run("bash", ["-euc", script]);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^died: filebrowser has no database in /);
    Deno.writeTextFileSync(join(former, "filebrowser.db"), "");
    Deno.writeTextFileSync(join(former, "settings.json"), `{"root":"${former}/files"}`);
    const { code, stdout, stderr } = await run("bash", ["-euc", script]);
    assert.equal(code, 0, stderr);
    const [stopped, args] = stdout.split("\n");
    assert.equal(stopped, "service: --service=filebrowser --action=stop");
    assert.equal(
      args,
      `args: import ${former}/filebrowser.db --database ${install}/store/cubby.kv`,
    );
    assert.match(stdout, /service: --service=filebrowser --action=start\n$/);
    assert.equal(Deno.readTextFileSync(join(data, "a/b.txt")), "b");
    Deno.writeTextFileSync(join(install, "program/cubby-files"), "#!/bin/sh\nexit 1\n");
    const failed = await run("bash", ["-euc", script]);
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /--action=start\ndied: filebrowser could not be imported/);
  }));

Deno.test("units of other packages are confined as the project's own", () => {
  const unit = Deno.readTextFileSync(new URL("deploy/systemd/cubby.service", top));
  for (const path of ["yunohost/conf/systemd.service", "dietpi/cubby.bash"]) {
    for (const line of unit.match(/^(?:Protect|Restrict|SystemCall|Capability)\S+=.*$/gm) ?? []) {
      assert.ok(read(path).includes(`\n${line}\n`), `${path}: ${line}`);
    }
    for (const [, name = ""] of read(path).matchAll(/\b(FB_[A-Z_]+)=/g)) {
      assert.ok(findOption(name.slice(3)), name);
    }
  }
  for (const [, name = ""] of read("yunohost/conf/cubby.env").matchAll(/^(\w+)=/gm)) {
    assert.ok(findOption(name.slice(3)), name);
  }
});

Deno.test("the README says for each entry how it is submitted, and how to come from File Browser", () => {
  const readme = Deno.readTextFileSync(join(folder, "README.md"));
  assert.match(readme, /\*\*No release of Cubby exists yet\*\*/);
  const [, submit = "", from = "", checked = ""] = readme.split("\n## ");
  const entries = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory);
  assert.equal(entries.length, 11);
  for (const { name } of entries) {
    assert.ok(submit.includes(`\`${name}/\``), name);
    const words = new RegExp(`^\\| ${name.replace("-", " ")} `, "im");
    assert.match(from, words);
    if (!["dietpi", "unraid", "compose"].includes(name)) assert.match(checked, words);
  }
});
