import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { folder, has, paths, read, run, withEntry } from "./catalogue_entries.ts";

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
