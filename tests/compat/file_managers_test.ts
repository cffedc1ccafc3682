/** The network drives of GNOME's and KDE's file managers, by their own programs: gvfs and KIO. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { installPackages } from "../support/run/debian.ts";
import { startApp, type TestApp, userPassword } from "../support/server/app.ts";

/** What the packages bring, of which programs alone would not tell: the parts that speak WebDAV. */
const parts = {
  "gvfs-daemons": ["/usr/libexec/gvfsd"],
  "gvfs-backends": ["/usr/libexec/gvfsd-dav"],
  "libglib2.0-bin": ["/usr/bin/gio"],
  "kde-cli-tools": ["/usr/bin/kioclient5"],
  "kio": ["/usr/lib/*/qt5/plugins/kf5/kio/kio_http.so"],
  "dbus-daemon": ["/usr/bin/dbus-run-session"],
};

const missing = Object.entries(parts)
  .filter(([, paths]) => !paths.every(isThere)).map(([name]) => name);
if (missing.length > 0) {
  const advice = `install ${missing.join(" ")} (on Debian: apt-get install)`;
  await installPackages(missing, `Cannot run the tests of file managers: ${advice}`);
}

function isThere(path: string): boolean {
  const [before = "", after] = path.split("*");
  const candidates = after === undefined
    ? [path]
    : [...Deno.readDirSync(before)].map(({ name }) => before + name + after);
  return candidates.some((each) => {
    try {
      return Deno.statSync(each).isFile;
    } catch {
      return false;
    }
  });
}

const odd = "#%?日本 ü `.txt";

/** The files below a folder by their paths, with their texts, and folders with a slash. */
async function treeOf(folder: string, above = ""): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name === ".cubby-trash") continue;
    const path = join(folder, name);
    if (isDirectory) {
      Object.assign(tree, { [`${above}${name}/`]: "" }, await treeOf(path, `${above}${name}/`));
    } else tree[above + name] = await Deno.readTextFile(path);
  }
  return tree;
}

/** Programs of one desktop, on a message bus of their own, in a home of their own. */
async function onDesktop(home: string, services: string[], script: string): Promise<string> {
  const at = (name: string) => join(home, name);
  await Deno.mkdir(at("services"));
  for (const name of services) {
    await Deno.copyFile(`/usr/share/dbus-1/services/${name}`, at(`services/${name}`));
  }
  await Deno.mkdir(at("run"), { mode: 0o700 });
  // No more than these services are started: a test must leave none of the desktop's behind.
  await Deno.writeTextFile(
    at("bus.conf"),
    `<busconfig><type>session</type><listen>unix:tmpdir=${home}</listen>` +
      `<servicedir>${at("services")}</servicedir><policy context="default">` +
      '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>' +
      '<allow own="*"/></policy></busconfig>',
  );
  await Deno.writeTextFile(at("script"), `set -e\n${script}`);
  const { stdout, stderr, success } = await new Deno.Command("dbus-run-session", {
    args: [`--config-file=${at("bus.conf")}`, "--", "timeout", "60", "bash", at("script")],
    env: {
      ...{ HOME: home, XDG_RUNTIME_DIR: at("run"), XDG_CACHE_HOME: at("cache") },
      ...{ QT_QPA_PLATFORM: "offscreen", GVFS_DISABLE_FUSE: "1", GIO_USE_VOLUME_MONITOR: "unix" },
      ...{ LC_ALL: "C.UTF-8", LANGUAGE: "C" },
    },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.ok(success, text);
  return text;
}

async function startWith(tree: Parameters<typeof plant>[1], config = {}): Promise<TestApp> {
  return await startApp({ config: { webdav: true, syncClients: true, ...config }, tree });
}

/** A name as an address has it. */
const named = encodeURIComponent;

for (const address of ["/dav", "/remote.php/webdav"]) {
  Deno.test(`gvfs mounts ${address}, and copies, renames, moves, saves and removes there`, async () => {
    await using home = await temporaryFolder();
    const app = await startWith({ "a.txt": "a", docs: { [odd]: "odd" }, gone: { "g.txt": "g" } });
    try {
      const { host } = new URL(app.listen().url);
      const base = `dav://${host}${address}`;
      await plant(home.path, { local: { [odd]: "from here", deep: { "d.txt": "d" }, empty: {} } });
      const { username, password } = app.admin;
      // gio copies no folders: a file manager makes each, and then copies what is in it.
      const text = await onDesktop(
        home.path,
        ["org.gtk.vfs.Daemon.service"],
        `printf '%s\\n%s\\n' '${username}' '${password}' | gio mount ${base}/
         gio list ${base}/docs
         gio cat '${base}/docs/${named(odd)}'
         cd '${home.path}'/local
         find . -mindepth 1 -type d | while read -r each; do gio mkdir "${base}/$each"; done
         gio copy '${odd}' '${base}/deep/${named(odd)}'
         gio copy deep/d.txt ${base}/deep/d.txt
         gio copy deep/d.txt ${base}/a.txt
         printf saved | gio save '${base}/docs/${named(odd)}'
         gio rename ${base}/deep 'renamed ü'
         gio move ${base}/a.txt '${base}/${named("renamed ü")}/moved.txt'
         gio copy '${base}/${named("renamed ü")}/moved.txt' ${base}/copied.txt
         gio move ${base}/docs ${base}/empty/docs
         gio remove ${base}/gone/g.txt
         gio remove ${base}/gone
         gio info -a 'standard::size,time::modified,etag::value' ${base}/copied.txt
         gio mount -u ${base}`,
      );
      assert.ok(text.includes(odd), text);
      assert.match(text, /standard::size: 1/);
      assert.deepEqual(await treeOf(app.root), {
        [`renamed ü/`]: "",
        [`renamed ü/${odd}`]: "from here",
        "renamed ü/d.txt": "d",
        "renamed ü/moved.txt": "d",
        "copied.txt": "d",
        "empty/": "",
        "empty/docs/": "",
        [`empty/docs/${odd}`]: "saved",
      }, text);
    } finally {
      await app.close();
    }
  });
}

Deno.test("gvfs tells why something is refused, and harms nothing", async () => {
  await using home = await temporaryFolder();
  const app = await startWith({ "a.txt": "a", docs: { "in.txt": "in" } });
  try {
    const perm = { create: false, modify: false, rename: false, delete: false };
    await app.addUser("reader", { perm });
    const { host } = new URL(app.listen().url);
    const base = `dav://${host}/dav`;
    const before = await treeOf(app.root);
    const text = await onDesktop(
      home.path,
      ["org.gtk.vfs.Daemon.service"],
      `printf 'reader\\n%s\\n' '${userPassword}' | gio mount ${base}/
       echo new > "$HOME/new.txt"
       refused() { ! "$@" || { echo "not refused: $*"; exit 1; }; }
       refused gio copy "$HOME/new.txt" ${base}/new.txt
       refused gio copy "$HOME/new.txt" ${base}/a.txt
       refused gio rename ${base}/a.txt b.txt
       refused gio remove ${base}/a.txt
       refused gio mkdir ${base}/made
       gio cat ${base}/docs/in.txt
       gio mount -u ${base}`,
    );
    assert.match(text, /HTTP Error|Permission|Forbidden/i);
    assert.deepEqual(await treeOf(app.root), before, text);
  } finally {
    await app.close();
  }
});

Deno.test("KIO signs in by the address, and lists and reads", async () => {
  await using home = await temporaryFolder();
  const app = await startWith({ "a.txt": "the text of a", docs: { [odd]: "odd" } });
  try {
    const { host } = new URL(app.listen().url);
    const { username, password } = app.admin;
    const base = `webdav://${username}:${named(password)}@${host}/dav`;
    const text = await onDesktop(
      home.path,
      [],
      `kioclient5 --noninteractive ls '${base}/docs/'
       kioclient5 --noninteractive cat '${base}/a.txt'`,
    );
    assert.ok(text.includes(odd), text);
    assert.match(text, /the text of a/);
  } finally {
    await app.close();
  }
});

// Without a window KIO asks nobody for the password of an upload: the server asks for none.
Deno.test("KIO uploads folders, renames, moves, copies, replaces and removes", async () => {
  await using home = await temporaryFolder();
  const tree = { "a.txt": "a", docs: { [odd]: "odd" }, gone: { in: { "g.txt": "g" } } };
  const app = await startWith(tree, { authMethod: "noauth" });
  try {
    const { host } = new URL(app.listen().url);
    const base = `webdav://${host}/dav`;
    const local = { [odd]: "from here", deep: { "d.txt": "d", er: { "e.txt": "e" } }, empty: {} };
    await plant(home.path, { local });
    const text = await onDesktop(
      home.path,
      [],
      `kio() { kioclient5 --noninteractive "$@"; }
       kio copy 'file://${home.path}/local' '${base}/uploaded'
       kio move '${base}/uploaded/deep/d.txt' '${base}/uploaded/${named(`d ${odd}`)}'
       kio move '${base}/uploaded/deep' '${base}/${named("moved ü")}'
       kio copy '${base}/docs' '${base}/copied'
       kio --overwrite copy 'file://${home.path}/local/${named(odd)}' '${base}/a.txt'
       kio remove '${base}/gone'
       kio copy '${base}/uploaded' 'file://${home.path}/back'`,
    );
    assert.deepEqual(await treeOf(app.root), {
      "a.txt": "from here",
      "docs/": "",
      [`docs/${odd}`]: "odd",
      "copied/": "",
      [`copied/${odd}`]: "odd",
      "uploaded/": "",
      [`uploaded/${odd}`]: "from here",
      [`uploaded/d ${odd}`]: "d",
      "uploaded/empty/": "",
      "moved ü/": "",
      "moved ü/er/": "",
      "moved ü/er/e.txt": "e",
    }, text);
    assert.deepEqual(await treeOf(join(home.path, "back")), {
      [odd]: "from here",
      [`d ${odd}`]: "d",
      "empty/": "",
    }, text);
  } finally {
    await app.close();
  }
});
