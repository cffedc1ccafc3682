import assert from "node:assert/strict";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { parse as parseToml } from "smol-toml";
import * as v from "valibot";
import { parse, parseAllDocuments } from "yaml";
import { entriesOf, type Release } from "../../../deploy/catalogues/main.ts";
import { targets } from "../../../deploy/release/program.ts";
import { findOption } from "../../../lib/server/core/config/options.ts";
import { StartRefusal } from "../../../lib/server/core/config/refusal.ts";
import { version } from "../../../lib/shared/version.ts";
import {
  digest,
  files,
  folder,
  image,
  leftOut,
  read,
  release,
  sums,
  top,
} from "./catalogue_entries.ts";

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
