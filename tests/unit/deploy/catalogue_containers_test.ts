import assert from "node:assert/strict";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { parse, parseAllDocuments } from "yaml";
import { findOption } from "../../../lib/server/core/config/options.ts";
import {
  env,
  has,
  image,
  paths,
  port,
  read,
  run,
  uid,
  volumes,
  withEntry,
} from "./catalogue_entries.ts";

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
