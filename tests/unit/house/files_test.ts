import assert from "node:assert/strict";
import { readSources } from "../../support/run/imports.ts";

const sources = await readSources(new URL("../../../", import.meta.url));

/** Calls that take the path of a file, and the modules that have such calls. */
const BY_PATH = new RegExp(
  String
    .raw`\bDeno\s*\.\s*(?:(?:chmod|chown|copyFile|create|link|lstat|make\w+|mkdir|open|read(?:Dir|` +
    String
      .raw`File|Link|TextFile)|realPath|remove|rename|stat|symlink|truncate|utime|write(?:Text)?` +
    String.raw`File)(?:Sync)?|watchFs)\b(?!\w)|["']node:(?:fs|fs/promises|sqlite)["']`,
);

/**
 * Who opens files by their paths, and which: a folder, or a module. Files of users are not among
 * them: those are opened by descriptors, through `lib/server/core/access`.
 */
const READERS: Record<string, string> = {
  "lib/server/core/disk/": "the disk itself: the one room below the gate",
  "lib/server/core/access/file_handle.ts": "the gate opens by path, then compares the inode",
  "lib/server/core/config/": "settings, keys and certificates; the program's own files",
  "lib/server/boot/build.ts": "the build, and the folder of packages",
  "lib/server/boot/import_foreign.ts": "the store that an import makes",
  "lib/server/boot/bundle.ts": "the scripts of a build",
  "lib/server/boot/launcher.ts": "the socket of the server",
  "lib/server/boot/merge_chunks.ts": "the scripts of a build",
  "lib/server/boot/own_files.ts": "the program's own files, which no root may hold",
  "lib/server/boot/prepare_data.ts": "the store and the cache",
  "lib/server/boot/serving.ts": "the certificate, and the mode of the socket",
  "lib/server/boot/starters.ts": "/proc, for the processes that started this one",
  "lib/server/boot/stored.ts": "the folder that the administrator sets",
  "lib/server/boot/trial.ts": "the store of a trial start",
  "lib/server/boot/warm.ts": "the scripts of a build",
  "lib/server/core/sandbox/": "what the confined process may see",
  "lib/server/core/kv/": "the store",
  "lib/server/features/filebrowser/": "a database of File Browser, to import",
  "lib/server/cli/backup_commands.ts": "backups",
  "lib/server/cli/export/export_command.ts": "the folder of an export",
  "lib/server/cli/json_files.ts": "JSON that the command line names",
  "lib/server/cli/store_copies.ts": "copies of the store",
  "lib/server/features/previews/cache_folder.ts": "previews, facts and PDFs in the cache",
  "lib/server/features/previews/media/programs/": "programs that make previews",
  "lib/server/features/contents/index_file.ts": "the index in the cache",
  "lib/server/features/contents/index_worker.ts": "the index in the cache",
  "lib/server/http/find_calls.ts": "the routes that declare calls",
  "lib/server/http/pages/branding_files.ts": "the folder that the administrator sets",
  "lib/server/features/commands/confine.ts": "/proc, for limits",
  "lib/server/features/commands/find_program.ts": "programs in PATH",
  "lib/server/features/commands/host_check.ts": "the folder of a command: the check after the gate",
  "lib/server/features/commands/host_process.ts": "the folder of a host",
  "lib/server/features/commands/sandboxed_command.ts": "the programs that make the sandbox",
  "lib/server/features/commands/serve_host.ts": "the folder of a host",
  "lib/fresh/": "the framework: routes, static files and builds",
};

/** The modules of the product that open files by path though no reader of the table. */
function strangersIn(modules: ReadonlyMap<string, string>): string[] {
  const places = Object.keys(READERS);
  return [...modules].filter(([path, text]) =>
    !/^(?:tests|bench|deploy)\//.test(path) && BY_PATH.test(text) &&
    !places.some((place) => place.endsWith("/") ? path.startsWith(place) : path === place)
  ).map(([path]) => path);
}

Deno.test("only modules of the table open files by their paths", () => {
  assert.deepEqual(strangersIn(sources), []);
});

Deno.test("each line of the table is needed", () => {
  const used = [...sources].filter(([, text]) => BY_PATH.test(text)).map(([path]) => path);
  const idle = Object.keys(READERS).filter((place) => !used.some((path) => path.startsWith(place)));
  assert.deepEqual(idle, []);
});

for (
  const code of [
    `await Deno.readTextFile("a")`,
    `Deno.statSync("a")`,
    `Deno.readDir(path)`,
    `import { openSync } from "node:fs";`,
    `import { stat } from "node:fs/promises";`,
  ]
) {
  Deno.test(`a planted reader is found: ${code}`, () => {
    const planted = [
      "lib/server/http/pages/a.ts",
      "routes/a.ts",
      "lib/server/features/archive/a.ts",
      "lib/server/features/commands/hooks.ts",
      "lib/server/boot/cubby/a.ts",
      "lib/server/cli/doctor/a.ts",
    ];
    assert.deepEqual(strangersIn(new Map(planted.map((path) => [path, code]))), planted);
  });
}

Deno.test("a module that is a program, too, starts with its last line", () => {
  // What a call in the middle reaches later in the module is not initialized yet.
  const programs = [...sources].filter(([path, text]) =>
    /^(?:lib|main|dev)/.test(path) && /^if \(import\.meta\.main\)/m.test(text)
  );
  assert.ok(programs.length > 1);
  const early = programs.filter(([, text]) => !/\nif \(import\.meta\.main\) [^\n]*\n$/.test(text));
  assert.deepEqual(early.map(([path]) => path), []);
});
