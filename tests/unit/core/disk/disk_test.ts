import assert from "node:assert/strict";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Disk, DiskError, type OpenFolder } from "../../../../lib/server/core/disk/disk.ts";
import { type Needle, needleOf } from "../../../../lib/server/core/disk/directory_records.ts";
import { isSameEntry } from "../../../../lib/server/core/disk/facts.ts";
import { libc } from "../../../../lib/server/core/disk/libc.ts";
import { linuxDisk } from "../../../../lib/server/core/disk/linux_disk.ts";
import {
  decodeName,
  displayName,
  encodeName,
  isCanonical,
  wellFormedName,
} from "../../../../lib/shared/entry_names.ts";
import { portableDisk } from "../../../../lib/server/core/disk/portable_disk.ts";
import { memoryPlace, plant, temporaryFolder } from "../../../support/disks/files.ts";
import { fc, runs } from "../../../support/run/property.ts";

/** Every implementation that this machine can run. */
const disks: Disk[] = [
  ...(libc ? [linuxDisk(libc, "openat2"), linuxDisk(libc, "openat")] : []),
  portableDisk(),
];

const text = (value: string) => new TextEncoder().encode(value);

function assertFails(action: () => unknown, ...codes: string[]): void {
  assert.throws(action, (error) => {
    assert(error instanceof DiskError, String(error));
    assert(codes.includes(error.code), `${error.code} is none of ${codes}`);
    return true;
  });
}

function namesIn(folder: OpenFolder, needle?: Needle): string[] {
  return folder.entries(needle).map(({ name, kind }) => `${name} ${kind}`).sort();
}

for (const disk of disks) {
  const test = (
    name: string,
    action: (root: string) => Promise<void> | void,
    place?: string,
  ) =>
    Deno.test(`${disk.kind}: ${name}`, async () => {
      await using folder = await temporaryFolder(place);
      await plant(folder.path, { real: { sub: { "a.txt": "a" }, "b.txt": "bee" } });
      Deno.symlinkSync("real", join(folder.path, "link"));
      Deno.symlinkSync("b.txt", join(folder.path, "real/to b"));
      await action(folder.path);
    });

  for (const place of [undefined, memoryPlace()]) {
    test(
      `bytes that are not kept in memory are written in their place, on ${place ?? "a disk"}`,
      async (root) => {
        using folder = disk.folder(join(root, "real"));
        using file = folder.file("large", "create");
        await file.writeLater(text("beginning, "), 0);
        for (let index = 0; index < 3; index++) {
          const bytes = new Uint8Array(100_000).fill(65 + index);
          await file.writeUncached(bytes.subarray(index), 11 + index * 100_000);
        }
        await file.sync();
        const written = Deno.readTextFileSync(join(root, "real/large"));
        const gap = "A".repeat(100_000) + "B".repeat(99_999) + "\0" + "C".repeat(99_998);
        assert.equal(written, "beginning, " + gap);
      },
      place,
    );
  }

  test("a failed write of bytes that are not kept in memory throws", async (root) => {
    using folder = disk.folder(join(root, "real"));
    using file = folder.file("b.txt", "read");
    await assert.rejects(
      file.writeUncached(text("more"), 0),
      (error) => error instanceof DiskError && error.code === "EBADF",
    );
  });

  test("a file without a name is nowhere until it gets one, which must be free", (root) => {
    using folder = disk.folder(join(root, "real"));
    const before = namesIn(folder);
    {
      using file = folder.unnamedFile();
      file?.write(text("gone"), 0);
      assert.deepEqual(namesIn(folder), before);
    }
    assert.deepEqual(namesIn(folder), before);
    using file = folder.unnamedFile(0o640);
    // The portable disk has none; neither has an old system.
    if (!file) return;
    file.write(text("named"), 0);
    assertFails(() => file.giveName(folder, "b.txt"), "EEXIST");
    assertFails(() => file.giveName(folder, "to b"), "EEXIST");
    file.giveName(folder, "new");
    assert.equal(Deno.readTextFileSync(join(root, "real/new")), "named");
    assert.equal(Deno.readTextFileSync(join(root, "real/b.txt")), "bee");
    const info = folder.look("new");
    assert(info && isSameEntry(info, file.facts()));
    assert.equal((info.mode ?? 0) & 0o777, 0o640);
  });

  test("a needle leaves out no folder, and no name that may hold it", (root) => {
    const names = ["Holiday.JPG", "my holiday", "hOLIDAy", "ÉTÉ", "日本", "holida", "holi day"];
    for (const name of names) Deno.writeTextFileSync(join(root, "real", name), "");
    using folder = disk.folder(join(root, "real"));
    const found = namesIn(folder, needleOf("holiday", true));
    const all = namesIn(folder);
    const kept = ["Holiday.JPG", "my holiday", "hOLIDAy", "ÉTÉ", "日本"].map((name) =>
      `${name} file`
    );
    for (const entry of [...kept, "sub folder"]) assert(found.includes(entry), entry);
    assert(found.every((entry) => all.includes(entry)));
    const exact = namesIn(folder, needleOf("Holiday", false));
    assert(exact.includes("Holiday.JPG file") && exact.includes("sub folder"));
    if (disk.kind === "portable") return;
    assert.deepEqual(found, [...kept, "sub folder"].sort());
    assert.deepEqual(exact, ["Holiday.JPG file", "sub folder", "ÉTÉ file", "日本 file"].sort());
    assert.deepEqual(
      namesIn(folder, needleOf("日", true)),
      ["sub folder", "ÉTÉ file", "日本 file"].sort(),
    );
  });

  test("no component of a path may be a link", (root) => {
    for (const path of ["link/sub/a.txt", "link/sub", "link/b.txt"]) {
      assertFails(() => disk.look(join(root, path)), "ELOOP");
    }
    for (const path of ["link", "link/sub"]) {
      assertFails(() => disk.folder(join(root, path)), "ELOOP");
    }
    using folder = disk.folder(root);
    assertFails(() => folder.folder("link"), "ELOOP");
    using real = folder.folder("real");
    assertFails(() => real.file("to b", "read"), "ELOOP");
    assertFails(() => real.file("to b", "write"), "ELOOP");
    assertFails(() => real.file("to b", "create"), "EEXIST");
  });

  test("look() tells of the entry itself, and null of none", (root) => {
    assert.equal(disk.look(join(root, "real/b.txt"))?.size, 3);
    assert.equal(disk.look(join(root, "real"))?.isDirectory, true);
    assert.equal(disk.look(join(root, "real/to b"))?.isSymlink, true);
    assert.equal(disk.look(join(root, "none/below")), null);
    assert.equal(disk.look(join(root, "real/b.txt/below")), null);
  });

  test("facts are those of the system", (root) => {
    const path = join(root, "real/b.txt");
    Deno.chmodSync(path, 0o640);
    Deno.utimeSync(path, new Date(1_000_000_123_456), new Date(1_234_567_890_987));
    const [facts, expected] = [disk.look(path), Deno.lstatSync(path)];
    assert(facts && isSameEntry(facts, expected));
    for (const key of ["size", "mode", "uid", "gid", "nlink", "blocks", "isFile"] as const) {
      assert.equal(facts[key], expected[key], key);
    }
    assert.equal(facts.mtime?.getTime(), 1_234_567_890_987);
    assert.equal(facts.atime?.getTime(), 1_000_000_123_456);
    // Deno tells of this time in whole seconds.
    const seconds = (time: Date | null) => Math.floor(Number(time) / 1000);
    assert.equal(seconds(facts.ctime), seconds(expected.ctime));
  });

  test("times before 1970 and after 2038 are kept", (root) => {
    const path = join(root, "real/b.txt");
    for (const time of [new Date("1969-12-31T23:59:58.250Z"), new Date("2100-01-01T00:00:00Z")]) {
      Deno.utimeSync(path, time, time);
      assert.equal(disk.look(path)?.mtime?.getTime(), time.getTime());
    }
  });

  test("entries() lists names and kinds, as often as asked", (root) => {
    using folder = disk.folder(join(root, "real"));
    const expected = ["b.txt file", "sub folder", "to b link"];
    assert.deepEqual(namesIn(folder), expected);
    assert.deepEqual(namesIn(folder), expected);
    assert.equal(folder.readLink("to b"), "b.txt");
    assertFails(() => folder.readLink("b.txt"), "EINVAL");
  });

  test("entries() lists more than one call of the system gives", async (root) => {
    const many = Array.from({ length: 5_000 }, (_, index) => `${"x".repeat(90)}${index}`);
    await plant(join(root, "real/sub"), Object.fromEntries(many.map((name) => [name, ""])));
    using folder = disk.folder(join(root, "real/sub"));
    assert.equal(new Set(folder.entries().map(({ name }) => name)).size, 5_001);
  }, memoryPlace());

  test("files are made, written, read, cut and synced", async (root) => {
    using folder = disk.folder(join(root, "real"));
    assertFails(() => folder.file("b.txt", "create"), "EEXIST");
    assertFails(() => folder.file("none", "read"), "ENOENT");
    {
      using file = folder.file("new.txt", "create", 0o600);
      file.write(text("hello"), 0);
      file.write(text("world"), 10);
      await file.sync();
      assert.equal(file.facts().size, 15);
      file.setSize(12);
      file.setMode(0o640);
      file.setTimes(folder.look("b.txt") ?? assert.fail());
    }
    await folder.sync();
    const info = Deno.lstatSync(join(root, "real/new.txt"));
    assert.deepEqual([info.size, (info.mode ?? 0) & 0o777], [12, 0o640]);
    const [made, given] = [info.mtime, Deno.lstatSync(join(root, "real/b.txt")).mtime].map(Number);
    assert(Math.abs((made ?? 0) - (given ?? 0)) <= 1, `${made} for ${given}`);
    using file = folder.file("new.txt", "read");
    const bytes = new Uint8Array(20);
    assert.equal(file.read(bytes, 3), 9);
    assert.equal(new TextDecoder().decode(bytes.subarray(0, 9)), "lo\0\0\0\0\0wo");
    assert.equal(await file.readLater(bytes, 12), 0);
  });

  test("names are given, changed and taken away", (root) => {
    using folder = disk.folder(join(root, "real"));
    using sub = folder.folder("sub");
    folder.makeFolder("made", 0o700);
    assert.equal((folder.look("made")?.mode ?? 0) & 0o777, 0o700);
    assertFails(() => folder.makeFolder("made"), "EEXIST");
    folder.rename("b.txt", sub, "moved.txt");
    assert.equal(folder.look("b.txt"), null);
    assertFails(() => sub.renameToFree("moved.txt", sub, "a.txt"), "EEXIST");
    sub.renameToFree("moved.txt", folder, "b.txt");
    sub.addName("a.txt", folder, "second.txt");
    assert.equal(folder.look("second.txt")?.nlink, 2);
    assertFails(() => sub.addName("a.txt", folder, "b.txt"), "EEXIST");
    folder.rename("second.txt", folder, "b.txt");
    assert.equal(folder.look("b.txt")?.size, 1);
    assertFails(() => folder.removeFile("sub"), "EISDIR", "EPERM");
    assertFails(() => folder.removeFolder("sub"), "ENOTEMPTY");
    folder.removeFolder("made");
    folder.removeFile("to b");
    assert.deepEqual(
      namesIn(folder).map((name) => name.split(" ")[0]),
      ["b.txt", "sub"]
        .concat(folder.look("second.txt") ? ["second.txt"] : []).sort(),
    );
  });

  test("links are made as they are told and removed themselves", (root) => {
    using folder = disk.folder(join(root, "real"));
    folder.makeLink("far", "/nowhere/at all");
    assert.equal(Deno.readLinkSync(join(root, "real/far")), "/nowhere/at all");
    folder.removeFile("far");
    assert.equal(folder.look("far"), null);
  });

  test("watch() reports what changes in a folder until it is disposed of", async (root) => {
    const heard: (string | null)[] = [];
    const until = async (name: string) => {
      for (let tries = 0; !heard.includes(name); tries++) {
        assert(tries < 500, `heard ${heard.join()}, not "${name}"`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const open = () => disk.folder(join(root, "real"));
    {
      using folder = open();
      using _one = folder.watch((name) => heard.push(name));
      using _other = folder.watch(() => {});
      Deno.writeTextFileSync(join(root, "real/new.txt"), "new");
      await until("new.txt");
      Deno.writeTextFileSync(join(root, "real/sub/below.txt"), "below");
      Deno.removeSync(join(root, "real/b.txt"));
      await until("b.txt");
      assert(!heard.includes("below.txt"));
    }
    const watchAgain = () => {
      using folder = open();
      return folder.watch((name) => heard.push(name));
    };
    using _again = watchAgain();
    Deno.removeSync(join(root, "real"), { recursive: true });
    await until("");
  });

  test("usage() is that of the system", async (root) => {
    using folder = disk.folder(root);
    const { total, used } = await folder.usage();
    const { bsize, blocks } = await statfs(root);
    assert.equal(total, bsize * blocks);
    assert(used > 0 && used <= total);
  });

  test("locks are shared or exclusive, and end with the folder", (root) => {
    using one = disk.folder(root);
    {
      using two = disk.folder(root);
      assert(one.lock("shared") && two.lock("shared"));
      assert(!two.lock("exclusive"));
    }
    assert(one.lock("exclusive"));
  });

  test("a folder that was moved away is still the one that was opened", (root) => {
    if (disk.kind === "portable") return; // It knows folders by their paths, and says ENOENT.
    using folder = disk.folder(join(root, "real"));
    Deno.renameSync(join(root, "real"), join(root, "away"));
    Deno.symlinkSync("/", join(root, "real"));
    assert.equal(folder.look("b.txt")?.size, 3);
    folder.file("new", "create")[Symbol.dispose]();
    assert(Deno.lstatSync(join(root, "away/new")).isFile);
  });

  if (disk.kind === "portable") continue;

  test("an error while reading a folder does not pass for its end", async () => {
    // The system lists no tasks of a process that has ended, and says so.
    const child = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
    using folder = disk.folder(`/proc/${child.pid}/task`);
    assert.equal(folder.entries().length, 1);
    child.kill("SIGKILL");
    await child.status;
    assertFails(() => folder.entries(), "ENOENT", "ESRCH");
  });

  test("holes stay holes", (root) => {
    using folder = disk.folder(root);
    using file = folder.file("sparse", "create");
    file.setSize(10_000_000);
    file.write(text("end"), 9_000_000);
    using read = folder.file("sparse", "read");
    const data = read.nextData(0) ?? assert.fail();
    assert(data.start > 1_000_000 && data.start <= 9_000_000, `${data.start}`);
    assert.equal(read.nextData(9_900_000), null);
  });

  test("the system copies a range into another file", (root) => {
    using folder = disk.folder(join(root, "real"));
    using from = folder.file("b.txt", "read");
    using to = folder.file("copy", "create");
    const count = from.copyRange(to, 1, 100);
    assert(count === 2 || count === null, `${count}`);
    if (count) assert.equal(Deno.readTextFileSync(join(root, "real/copy")), "\0ee");
    assert.equal(from.copyRange(to, 3, 100) ?? 0, 0);
  });

  test("names that are not UTF-8, and paths that no call takes whole, are reached", (root) => {
    let real = root;
    using top = disk.folder(root);
    let folder = top;
    const opened: OpenFolder[] = [];
    for (let depth = 0; depth < 60; depth++) {
      const name = `\uefff${"long ".repeat(40)}${depth}`;
      folder.makeFolder(name);
      folder = folder.folder(name);
      opened.push(folder);
      real = `${real}/${name}`;
    }
    folder.file("\uef80.txt", "create")[Symbol.dispose]();
    for (const each of opened) each[Symbol.dispose]();
    assert(encodeName(real).length > 2 * 4096);
    assert(disk.look(`${real}/\uef80.txt`)?.isFile);
    using last = disk.folder(real);
    assert.deepEqual(namesIn(last), ["\uef80.txt file"]);
    assert.equal(disk.look(`${real}/none`), null);
    assertFails(() => last.look("x".repeat(256)), "ENAMETOOLONG");
    assertFails(() => last.look("x".repeat(5_000)), "ENAMETOOLONG");
  });
}

Deno.test("every name has one spelling, and every other one is known for such", () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(0xc3, 0xbc, 0xe0, 0xed, 0xee, 0xbe, 0xbf, 0x80, 0xf0, 0xf4, 0x90),
  );
  fc.assert(
    fc.property(fc.array(byte, { minLength: 1, maxLength: 12 }), (bytes) => {
      const spelled = decodeName(new Uint8Array(bytes));
      assert(spelled.isWellFormed() && isCanonical(spelled));
      assert.deepEqual([...encodeName(spelled)], bytes);
    }),
    { numRuns: runs(2_000) },
  );
  const escape = byte.map((value) => value < 0x80 ? "a" : String.fromCharCode(0xef00 + value));
  fc.assert(
    fc.property(fc.array(escape, { minLength: 1, maxLength: 6 }), (escapes) => {
      const name = escapes.join("");
      assert.equal(isCanonical(name), decodeName(encodeName(name)) === name, name);
    }),
    { numRuns: runs(5_000) },
  );
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (name) => {
    if (!/[\uef80-\uefff]/.test(name)) assert.equal(decodeName(encodeName(name)), name);
  }));
});

Deno.test("the bytes of a character are not another spelling of it", () => {
  assert(!isCanonical("\uefc3\uefbc"));
  assert.equal(decodeName(text("\uef80")), "\uefee\uefbe\uef80");
  assert(isCanonical("\uef80") && isCanonical("\uefee\uefbe\uef80"));
  assert.equal(displayName("bad\uefff.txt"), "bad\ufffd.txt");
  assert.equal(displayName("a\u202egpj.exe"), "a\ufffdgpj.exe");
  assert.equal(displayName("\u2067a\u2069/\u05d0\u200f.txt"), "\ufffda\ufffd/\u05d0\u200f.txt");
  assert.equal(wellFormedName("a\u202e\uefff"), "a\u202e\ufffd");
});
