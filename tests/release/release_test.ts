/**
 * What a release holds: made twice, looked at, and each file installed in a clean root, where it
 * serves a file. It takes some ten minutes, so that it runs for `deno task test release` alone.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { version } from "../../lib/shared/version.ts";
import { holdsInstallation } from "../compat/move/check.ts";
import { fixture, plantInstallation } from "../compat/move/installation.ts";
import { filesBelow, temporaryFolder } from "../support/disks/files.ts";
import {
  billSchema,
  call,
  copyOf,
  copySources,
  freePort,
  isThere,
  machine,
  Place,
  read,
  readUnit,
  release,
  serve,
  top,
  unpack,
  whyNot,
  withVersion,
} from "./places.ts";

/** The commands of the documentation that move File Browser's database to the Debian package. */
const migrating = read(join(top, "docs/migrating.md"))
  .split("### A Debian package or a service")[1]?.split("```")[1]?.split("\n")
  .flatMap((line) => line.startsWith("# ") ? [line.slice(2)] : []) ?? [];

const deb = `cubby-files_${version}_${machine.debian}.deb`;

interface Component {
  group?: string;
  name: string;
  version: string;
  licenses: object[];
  components?: Component[];
}

/** What is read of an image. */
interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Volumes: Record<string, unknown>;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
}

interface Bill {
  components: Component[];
}

Deno.test("a release installs in a clean root, and serves a file there", async (t) => {
  await using work = await temporaryFolder();
  const dist = join(work.path, "dist");
  const reason = await whyNot({ debootstrap: "debootstrap", lintian: "lintian" });
  if (reason !== null) console.log(`Not tried: clean roots and Debian packages: ${reason}`);
  const needsRoot = { ignore: reason !== null };
  const noEmulator = machine.cpu === "x64"
    ? reason ?? await whyNot({ "qemu-aarch64-static": "qemu-user-static" })
    : "it runs on x64";
  if (noEmulator !== null) console.log(`Not tried: arm64 under emulation: ${noEmulator}`);
  const noEngine = reason ?? await whyNot({ buildah: "buildah" });
  if (noEngine !== null) console.log(`Not tried: a container engine: ${noEngine}`);
  const base = join(work.path, "base");

  await t.step("it refuses a folder with content, and what it does not know", async () => {
    const refused: [args: string[], reason: RegExp][] = [
      [[top], /^Cannot write into ".*": it has content; remove it first\n$/],
      [["--none"], /^Cannot release: [^\n]*--none[^\n]*\n/],
      [["a", "b"], /^Cannot use "b": one folder is enough\n$/],
      [["--publish", "--maintainer", "A <a@b.org>"], /^Cannot publish: leave out --dirty\n$/],
      [["--maintainer", "Ann", dist], /^Cannot name "Ann" as the maintainer: [^\n]*\n$/],
    ];
    for (const [args, reason] of refused) {
      const { code, stderr } = await release(top, ["--dirty", ...args]);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
    for (const args of [["--publish"], ["--publish", "--maintainer", ""]]) {
      const { stderr } = await release(top, [...args, dist]);
      assert.match(stderr, /^Cannot publish: [^\n]*; add --maintainer "Name <[^\n]*\n$/);
    }
    assert.ok(!isThere(dist));
  });

  await t.step("it writes all files, and their checksums", async () => {
    const { code, stderr } = await release(top, ["--dirty", dist]);
    assert.equal(code, 0, stderr);
    const names = [...Deno.readDirSync(dist)].map(({ name }) => name).sort();
    assert.deepEqual(names, [
      ...[".dockerignore", "Dockerfile", "NOTES.md", "SHA256SUMS", "THIRD-PARTY-LICENSES"],
      ...[`cubby-files-${version}-linux-arm64.tar.gz`, `cubby-files-${version}-linux-x64.tar.gz`],
      ...[`cubby-files-${version}.cdx.json`, `cubby-files-${version}.tgz`],
      ...[`cubby-files_${version}_amd64.deb`, `cubby-files_${version}_arm64.deb`],
    ]);
    await call("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: dist });
  });

  await t.step(
    "the same commit gives the same bytes, in another folder and without git",
    async () => {
      const copy = join(work.path, "elsewhere", "copy");
      await copySources(copy);
      const [commit = "", seconds = ""] = (await call("git", ["log", "-1", "--format=%H %ct"], {
        cwd: top,
      })).trim().split(" ");
      const again = join(work.path, "again");
      const { code, stderr } = await release(copy, [again], {
        ...{ GITHUB_SHA: commit, SOURCE_DATE_EPOCH: seconds },
      });
      assert.equal(code, 0, stderr);
      const sums = (folder: string) => Deno.readTextFileSync(join(folder, "SHA256SUMS"));
      assert.equal(sums(again), sums(dist));
      Deno.removeSync(again, { recursive: true });
    },
  );

  await t.step("the bill of materials is valid, and names all that is shipped", () => {
    const bill: Bill = JSON.parse(read(join(dist, `cubby-files-${version}.cdx.json`)));
    const validate = billSchema();
    assert.ok(validate(bill), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...bill, specVersion: 1.6 }));
    const licenses = read(join(dist, "THIRD-PARTY-LICENSES"));
    const names = bill.components.map(({ group, name, version }) =>
      `${group === undefined ? "" : `${group}/`}${name} ${version}`
    );
    assert.ok(names.length > 150);
    for (const name of names) assert.ok(licenses.includes(`\n${name} (`), name);
    const crates = bill.components.flatMap(({ components = [] }) => components);
    assert.ok(crates.length > 800);
    for (const { name, version } of crates) {
      assert.ok(licenses.includes(`\ncrate ${name} ${version} (`), name);
    }
    const texts = [
      /GNU LESSER GENERAL PUBLIC LICENSE/,
      /Mozilla Public License/,
      /unRAR/,
      /In V8: ICU/,
    ];
    for (const text of texts) assert.match(licenses, text);
  });

  for (const cpu of ["x64", "arm64"]) {
    await t.step(
      `the tarball for ${cpu} has only native code for it, and all licences`,
      async () => {
        const folder = await unpack(dist, cpu, join(work.path, cpu));
        const packages = join(folder, "node_modules");
        const licenses = read(join(folder, "THIRD-PARTY-LICENSES"));
        const below = filesBelow(packages).map((path) => join(packages, path));
        const native = below.filter((path) => /\/deno$|\.node$|\.so[.\d]*$/.test(path));
        assert.ok(native.length >= 6, native.join());
        for (const path of native) {
          const header = Deno.readFileSync(path).subarray(0, 20);
          assert.equal(new TextDecoder().decode(header.subarray(1, 4)), "ELF", path);
          // The field e_machine: x86-64, AArch64.
          assert.equal(header[18], cpu === "x64" ? 62 : 183, path);
        }
        const manifests = below.filter((path) =>
          /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path)
        );
        assert.ok(manifests.length > 15);
        for (const path of manifests) {
          const { name, version } = JSON.parse(read(path));
          assert.ok(licenses.includes(`\n${name} ${version} (`), name);
        }
      },
    );
  }

  await t.step("the npm package serves a file, installed by npm without scripts", async () => {
    const folder = join(work.path, "npm");
    Deno.mkdirSync(folder);
    await call("npm", [
      ...["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"],
      join(dist, `cubby-files-${version}.tgz`),
    ]);
    const command = join(folder, "node_modules", ".bin", "cubby-files");
    const data = join(work.path, "npm-data");
    await using server = await serve(new Place(""), command, data, {
      PATH: Deno.env.get("PATH") ?? "",
    });
    await server.holdsFile();
  });

  await t.step({
    name: "a plain Debian is there, without Node",
    ...needsRoot,
    fn: async () => {
      await call("debootstrap", ["--variant=minbase", "--include=systemd", "bookworm", base]);
      assert.throws(() => Deno.statSync(join(base, "usr/bin/node")), Deno.errors.NotFound);
    },
  });

  await t.step({
    name: "the tarball serves a file from a clean root, read-only and without a network",
    ...needsRoot,
    fn: async () => {
      const root = await copyOf(base, join(work.path, "tarball"));
      const folder = await unpack(dist, machine.cpu, join(root.path, "opt"));
      const command = folder.slice(root.path.length) + "/cubby-files";
      await root.run([command, "compile"]);
      await using server = await serve(root, command, "/var/lib/data", {}, "nobody");
      await server.holdsFile();
      assert.doesNotMatch(server.output(), /Compiling/);
    },
  });

  await t.step({
    name: "install.sh makes a service of the tarball, without Node",
    ...needsRoot,
    fn: async () => {
      const root = await copyOf(base, join(work.path, "installer"));
      const file = `cubby-files-${version}-linux-${machine.cpu}.tar.gz`;
      for (const path of [join(dist, file), join(top, "deploy/install.sh")]) {
        await call("cp", [path, join(root.path, "root")]);
      }
      await root.run(["sh", "/root/install.sh", "--no-start", "--package", `/root/${file}`]);
      const unit = read(join(root.path, "etc/systemd/system/cubby.service"));
      const { command, environment } = readUnit(unit);
      await using server = await serve(root, command, "/var/lib/cubby", environment, "cubby");
      await server.holdsFile();
    },
  });

  await t.step({
    name: "the program for arm64 runs under emulation, with its native packages",
    ignore: noEmulator !== null,
    fn: async () => {
      const libraries = join(work.path, "libraries");
      const system = ["--arch=arm64", "--foreign", "--variant=minbase", "--include=libstdc++6"];
      await call("debootstrap", [...system, "bookworm", libraries]);
      const folder = await unpack(dist, "arm64", join(work.path, "emulated"));
      const deno = async (...args: string[]) =>
        await call("qemu-aarch64-static", [
          ...["-L", libraries, join(folder, "node_modules/@deno/linux-arm64-glibc/deno"), "run"],
          ...["-A", "--quiet", "--cached-only", "--no-config", "--no-lock", "--unstable-kv"],
          ...["--node-modules-dir=manual", ...args],
        ], { cwd: folder });
      const launcher = join(folder, "_fresh/bundle/lib/server/boot/launcher.js");
      assert.match(await deno(launcher, "--version"), new RegExp(`^Cubby ${version} `));
      const script = join(folder, "try.js");
      Deno.writeTextFileSync(
        script,
        `import sharp from "sharp";
         import { hash } from "@node-rs/bcrypt";
         import { compress } from "snappy";
         import { compress as compressLz4 } from "lz4-napi";
         import { compress as compressXz } from "@napi-rs/lzma/xz";
         const image = { width: 4, height: 3, channels: 3, background: "red" };
         const picture = await sharp({ create: image }).webp().toBuffer();
         for (const pack of [compress, compressLz4, compressXz]) await pack(picture);
         console.log(Deno.build.arch, picture.subarray(8, 12).toString(), await hash("a", 4));`,
      );
      assert.match(await deno(script), /^aarch64 WEBP \$2/);
    },
  });

  await t.step({
    name: "lintian finds no error and no warning in the Debian packages",
    ...needsRoot,
    fn: async () => {
      for (const architecture of ["amd64", "arm64"]) {
        const printed = await call("lintian", [
          ...["--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0"],
          join(dist, `cubby-files_${version}_${architecture}.deb`),
        ]);
        assert.doesNotMatch(printed, /^[EW]: /m);
      }
    },
  });

  await t.step({
    name: "the Debian package is installed, started, upgraded, removed and purged",
    ...needsRoot,
    fn: async () => {
      const root = await copyOf(base, join(work.path, "debian"));
      const at = (path: string) => join(root.path, path);
      await call("cp", [join(dist, deb), at("root")]);
      await root.run(["dpkg", "-i", `/root/${deb}`]);
      assert.match(read(at("etc/passwd")), /^cubby:/m);
      assert.equal((await root.run(["systemctl", "is-enabled", "cubby"])).trim(), "enabled");
      await root.run(["systemd-analyze", "verify", "--man=no", "cubby.service"]);
      assert.equal((Deno.statSync(at("etc/cubby/cubby.env")).mode ?? 0) & 0o777, 0o640);

      const port = freePort();
      const settings = `FB_ROOT=/srv/files\nFB_PORT=${port}\n`;
      Deno.writeTextFileSync(at("etc/cubby/cubby.env"), settings);
      const { command, environment } = readUnit(
        read(at("usr/lib/systemd/system/cubby.service")),
      );
      const variables = { ...environment, FB_PORT: String(port) };
      let password = "";
      {
        await using server = await serve(root, command, "/var/lib/cubby", variables, "cubby");
        password = await server.holdsFile();
        assert.doesNotMatch(server.output(), /Compiling/);
      }

      const newer = await withVersion(join(dist, deb), `${version}+1`, join(work.path, "newer"));
      await call("cp", [newer, at("root/newer.deb")]);
      await root.run(["dpkg", "-i", "/root/newer.deb"]);
      assert.equal(read(at("etc/cubby/cubby.env")), settings, "the settings are kept");
      {
        await using server = await serve(root, command, "/var/lib/cubby", variables, "cubby");
        await server.holdsFile(password);
      }

      await root.run(["dpkg", "-r", "cubby-files"]);
      for (const path of ["usr/lib/cubby-files", "usr/bin/cubby-files"]) {
        assert.ok(!isThere(at(path)), `${path} is gone`);
      }
      for (const path of ["etc/cubby/cubby.env", "var/lib/cubby/cubby.kv", "srv/files/a.txt"]) {
        assert.ok(isThere(at(path)), `${path} is kept`);
      }
      await root.run(["dpkg", "-P", "cubby-files"]);
      for (const path of ["etc/cubby", "var/lib/cubby", "var/cache/cubby"]) {
        assert.ok(!isThere(at(path)), `${path} is purged`);
      }
      assert.ok(isThere(at("srv/files/a.txt")));
      const left = filesBelow(at("etc/systemd")).filter((path) => path.endsWith("/cubby.service"));
      assert.deepEqual(left, []);
    },
  });

  await t.step({
    name: "File Browser's installation moves to the Debian package, as the documentation says",
    ...needsRoot,
    fn: async () => {
      const root = await copyOf(base, join(work.path, "moved"));
      const at = (path: string) => join(root.path, path);
      await call("cp", [join(dist, deb), fixture("rich", "filebrowser.db"), at("root")]);
      await root.run(["dpkg", "-i", `/root/${deb}`]);
      const { command, environment } = readUnit(read(at("usr/lib/systemd/system/cubby.service")));
      {
        // The package has started its service.
        await using _ = await serve(root, command, "/var/lib/cubby", environment, "cubby");
      }
      await plantInstallation(at("srv/files"));
      const settings = migrating.filter((line) => !/^(?:systemctl|journalctl) /.test(line));
      assert.equal(settings.length, 2, settings.join("\n"));
      await root.run(["sh", "-ec", `cd /root; ${settings.join("; ")}`]);
      const { FB_IMPORT_FROM = "" } = readUnit(
        read(at("etc/cubby/cubby.env")).replace(/^(?=FB_)/gm, "Environment="),
      ).environment;
      const variables = { ...environment, FB_IMPORT_FROM };
      await using server = await serve(root, command, "/var/lib/cubby", variables, "cubby");
      await holdsInstallation(server.url, server.output(), true);
    },
  });

  await t.step({
    name: "an engine builds the image of the release from its archives, and it serves",
    ignore: noEngine !== null,
    fn: async () => {
      const context = join(work.path, "context");
      await call("cp", ["-a", dist, context]);
      // The plain Debian stands for the base image.
      const plain = "localhost/debian";
      const file = join(context, "Dockerfile");
      Deno.writeTextFileSync(file, read(file).replaceAll(/(?<=^FROM )debian:\S+/gm, plain));
      const storage = ["root", "runroot"].flatMap((name) => [
        `--${name}`,
        join(work.path, `engine-${name}`),
      ]);
      const buildah = async (...args: string[]) =>
        (await call("buildah", ["--storage-driver", "vfs", ...storage, ...args])).trim();
      const empty = await buildah("from", "scratch");
      await buildah("add", "-q", empty, base, "/");
      await buildah("commit", "-q", "--rm", empty, plain);
      const options = ["--pull-never", "--isolation", "chroot", "--format", "docker"];
      await buildah("bud", "-q", ...options, "-t", "cubby", context);
      const inspected = await buildah("inspect", "--type", "image", "cubby");
      const { config }: { config: ImageConfig } = JSON.parse(inspected).Docker;
      assert.equal(config.User, "cubby");
      assert.deepEqual(config.Healthcheck.Test, ["CMD", "image-start", "health"]);
      assert.deepEqual(Object.keys(config.Volumes).sort(), ["/data", "/srv"]);
      assert.equal(config.Labels["org.opencontainers.image.version"], version);
      const root = new Place(await buildah("mount", await buildah("from", "cubby")));
      const own = Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/, 2)));
      const env = { ...own, FB_ADDRESS: "127.0.0.1" };
      const [command = ""] = config.Entrypoint;
      await using server = await serve(root, `/usr/local/bin/${command}`, "/data", env, "cubby");
      await server.holdsFile();
      assert.doesNotMatch(server.output(), /Compiling/);
    },
  });

  await t.step({
    name: "the image is built from a checkout where there is nothing but Node and npm",
    ...needsRoot,
    fn: async () => {
      const args = ["run", "-A", "deploy/prove/main.ts", base];
      assert.match(await call(Deno.execPath(), args, { cwd: top }), /Held: SIGTERM ends it/);
    },
  });
});
