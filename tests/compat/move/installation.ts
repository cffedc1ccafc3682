/**
 * A rich installation of File Browser: what it holds is declared here. `record.ts` has File Browser
 * itself make it, and keeps what that answers about it; `check.ts` compares a server that it was
 * moved to, whichever way.
 */
import { plant, type Tree } from "../../support/disks/files.ts";

/** The administrator. */
export const admin = { username: "admin", password: "Correct-Horse-9!!" };

/** The served folder. */
const tree: Tree = {
  "hello.txt": "hello",
  "100% sure": { "a+b.txt": "plus" },
  ".config": { rc: "set" },
  docs: {
    "a.txt": "A",
    "report.md": "# report",
    private: { "salary.csv": "1;2" },
    deep: { er: { "in.txt": "inner" } },
  },
  logs: { "app.log": "log", "app.log.1": "older" },
  photos: { "sea.txt": "sea", ".hidden": "dot" },
  secret: { "key.txt": "key", open: { "ad.txt": "ad" } },
  team: {
    anna: { "own.txt": "anna's", sub: { "deep.txt": "deeper" } },
    "bert & co": { "x y.txt": "blank" },
    "ünder": { "ö.txt": "umlaut" },
    "日本": { "猫.txt": "cat", "犬": { "わん.txt": "dog" } },
  },
};

/** Makes the served folder in an empty one. */
export async function plantInstallation(root: string): Promise<void> {
  await plant(root, tree);
}

/** A user, with the flags of `users add`. */
interface RichUser {
  username: string;
  password?: string;
  flags: string[];
  rules?: string[][];
}

/** The password of all others. */
const usual = "four-Herons-at-dawn";

/** Flags of a user, whose scope is the served folder unless they name another. */
function withScope(flags: string[]): string[] {
  return flags.includes("--scope") ? flags : ["--scope", "/", ...flags];
}

/** Names that people have, and that break what escapes or splits them. */
const names = [
  ...["with blank", "DOMAIN\\bert", "slash/ed", "o'neil", 'quote"d', "semi;colon&amp", "100%"],
  ...[
    "<b>bold</b>",
    "smile 🙂",
    "Ольга",
    "李雷",
    "jürgen",
    "-dash",
    "_under",
    "12",
    "Anna",
    "anna",
  ],
  ...["a.b+c@example.org", "n".repeat(100), "{{.Username}}", "../up", "$HOME", "null"],
];

const permissions = ["create", "rename", "modify", "delete", "share", "download", "execute"];

/** All users but the administrator, in the order in which they are made. */
export const users: RichUser[] = [
  ...names.map((username) => ({ username })),
  { username: "umlaut", password: "pässwörd mit ümläut" },
  { username: "decomposed", password: "pa\u0308sswo\u0308rd zerlegt" },
  { username: "cyrillic", password: "очень длинный пароль" },
  { username: "cjk", password: "正しい馬電池釘です" },
  { username: "longest", password: "x".repeat(72) },
  { username: "short", password: "eightchr" },
  ...permissions.map((name) => ({
    username: `only ${name}`,
    flags: permissions.map((each) => `--perm.${each}=${each === name}`),
  })),
  { username: "second admin", flags: ["--perm.admin", "--perm.execute=false", "--lockPassword"] },
  { username: "locked", flags: ["--lockPassword", "--dateFormat", "--hideDotfiles"] },
  {
    username: "settled",
    flags: [
      ...["--locale", "pt-br", "--viewMode", "mosaic", "--singleClick", "--aceEditorTheme", "nord"],
      ...[
        "--sorting.by",
        "size",
        "--sorting.asc",
        "--redirectAfterCopyMove",
        "--commands",
        "git,ls",
      ],
    ],
  },
  { username: "scoped", flags: ["--scope", "/team/anna", "--sorting.by", "modified"] },
  { username: "blank scope", flags: ["--scope", "team/bert & co"] },
  { username: "umlaut scope", flags: ["--scope", "/team/ünder/"] },
  { username: "cjk scope", flags: ["--scope", "/team/日本"] },
  { username: "percent scope", flags: ["--scope", "/100% sure"] },
  { username: "dotted scope", flags: ["--scope", "./docs/../docs/deep"] },
  { username: "hidden scope", flags: ["--scope", "/.config", "--hideDotfiles"] },
  { username: "ruled", rules: [["/docs/private"], ["/docs/private/salary.csv", "--allow"]] },
  { username: "by expression", rules: [["\\.txt$", "--regex"], ["hello", "--regex", "--allow"]] },
  { username: "everything denied", rules: [["/"]] },
  { username: "scoped rule", flags: ["--scope", "/team"], rules: [["/anna/sub"]] },
  { username: "secret allowed", rules: [["/secret", "--allow"]] },
  { username: "by defaults", flags: ["--scope", "/team"] },
  { username: "former sharer" },
  { username: "leaver" },
].map((user: Partial<RichUser> & { username: string }) => ({
  password: usual,
  ...user,
  flags: withScope(user.flags ?? []),
}));

/** The rules of everybody, made after the shares. */
export const rules = [["/secret"], ["\\.log\\.\\d+$", "--regex"], ["/secret/open", "--allow"]];

/** Command lines of events. */
export const hooks = [
  ["after_upload", "echo done $FILE"],
  ["before_delete", "true"],
  ["after_copy", "sh -c 'echo \"$FILE $DESTINATION\"'"],
  ["after_save", "/usr/local/bin/notify --user=$USERNAME"],
];

/** The flags of `config init`, besides the root, which is gone after the recording. */
export const settings = [
  ...[
    "--address",
    "127.0.0.1",
    "--port",
    "8085",
    "--baseURL",
    "/files",
  ],
  ...["--tokenExpirationTime", "6h", "--signup", "--hideLoginButton"],
  ...["--minimumPasswordLength", "8", "--shell", "bash -c", "--fileMode", "0644"],
  ...["--dirMode", "0755", "--branding.name", "Anna & Söhne", "--branding.theme", "dark"],
  ...["--branding.color", "#2979ff", "--branding.files", "/branding"],
  ...["--branding.disableExternal", "--branding.disableUsedPercentage"],
  ...["--tus.chunkSize", "5000000", "--tus.retryCount", "3", "--locale", "de"],
  ...["--scope", "/team", "--perm.delete=false", "--auth.logoutPage", "https://sso.example.org/"],
];

/** A share, and the paths behind its hash that are asked for. */
interface RichShare {
  name: string;
  owner: string;
  /** In the owner's scope. */
  path: string;
  password?: string;
  /** `36500 days`. */
  lasts?: string;
  /** Behind the hash: with and without, and as File Browser's copy button made them. */
  paths: string[];
}

const end = "36500 days";

/** All shares. */
export const shares: RichShare[] = [
  {
    ...{ name: "file", owner: "admin", path: "/docs/a.txt" },
    paths: ["", "/", "/a.txt", "/docs/a.txt", "/other/name.txt", "/a/b/c/d/e.txt"],
  },
  {
    ...{ name: "deep file", owner: "admin", path: "/docs/deep/er/in.txt", lasts: end },
    paths: ["", "/in.txt", "/docs/deep/er/in.txt"],
  },
  {
    ...{ name: "folder", owner: "admin", path: "/docs/", lasts: end },
    paths: ["/a.txt", "/deep/er/in.txt", "/private/salary.csv", "/none.txt"],
  },
  { name: "root", owner: "admin", path: "/", paths: ["/hello.txt", "/secret/key.txt"] },
  { name: "dot file", owner: "admin", path: "/photos/.hidden", paths: ["", "/.hidden"] },
  { name: "dot folder", owner: "admin", path: "/.config/", paths: ["/rc"] },
  { name: "odd folder", owner: "admin", path: "/100% sure/", paths: ["/a+b.txt", "/a%2Bb.txt"] },
  {
    ...{ name: "protected", owner: "admin", path: "/docs/report.md", lasts: end },
    ...{ password: "open sesame 12", paths: ["", "/docs/report.md"] },
  },
  {
    ...{ name: "protected folder", owner: "with blank", path: "/photos/" },
    ...{ password: "Ölbaum & +%", paths: ["/sea.txt", "/.hidden"] },
  },
  {
    ...{ name: "of a scope", owner: "scoped", path: "/own.txt" },
    paths: ["", "/own.txt", "/team/anna/own.txt"],
  },
  { name: "a whole scope", owner: "scoped", path: "/", paths: ["/sub/deep.txt", "/own.txt"] },
  {
    ...{ name: "cjk", owner: "cjk scope", path: "/犬/", lasts: end },
    paths: ["/わん.txt", "/%E3%82%8F%E3%82%93.txt"],
  },
  { name: "denied since", owner: "admin", path: "/secret/key.txt", paths: ["", "/key.txt"] },
  { name: "allowed in it", owner: "admin", path: "/secret/open/", paths: ["/ad.txt"] },
  { name: "denied older", owner: "admin", path: "/logs/", paths: ["/app.log", "/app.log.1"] },
  { name: "no right left", owner: "former sharer", path: "/hello.txt", paths: [""] },
  { name: "no owner left", owner: "leaver", path: "/hello.txt", paths: [""] },
  { name: "no file left", owner: "admin", path: "/gone.txt", paths: ["", "/gone.txt"] },
  { name: "ended", owner: "admin", path: "/hello.txt", lasts: "1 seconds", paths: [""] },
];

/** What each user asks for, below `/api/`. */
export const looks = [
  ...["resources/", "raw/hello.txt", "resources/docs", "raw/docs/private/salary.csv"],
  ...["resources/docs/deep/er/in.txt", "resources/photos", "resources/photos/.hidden"],
  ...["resources/.config/rc", "resources/secret/key.txt", "resources/secret/open/ad.txt"],
  ...["resources/logs", "resources/logs/app.log.1", "resources/anna/sub", "resources/own.txt"],
  ...["raw/team/anna/sub/deep.txt", "resources/none.txt"],
];

/** Small installations, one for each other way to sign in. */
export const otherMethods = {
  proxy: ["--auth.method", "proxy", "--auth.header", "X-Remote-User"],
  hook: ["--auth.method", "hook", "--auth.command", "/bin/echo hook.action=auth"],
  noauth: ["--auth.method", "noauth"],
};

/** A file that File Browser wrote for an installation: `filebrowser.db`, `users.json`, `config.json`. */
export function fixture(installation: "rich" | keyof typeof otherMethods, name: string): string {
  return new URL(`../../support/data/filebrowser/${installation}/${name}`, import.meta.url)
    .pathname;
}

/** An answer: the status, and the text of a file or the names in a folder. */
export type Seen = [status: number, content?: string | string[]];

/** What File Browser answered. */
export interface Recorded {
  version: string;
  /** `GET /api/users` of the administrator. */
  users: Record<string, unknown>[];
  /** `GET /api/settings`. */
  settings: Record<string, unknown>;
  /** What each user sees at {@linkcode looks}. */
  seen: Record<string, Seen[]>;
  /** The hashes of the shares, by their names. */
  hashes: Record<string, string>;
  /** The tokens that File Browser puts into addresses of shares with a password. */
  tokens: Record<string, string>;
  /** Calls of the shares: address, and the password if one is sent. */
  links: [address: string, password: string, seen: Seen][];
}
