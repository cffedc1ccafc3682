/**
 * The surface of File Browser: calls of all its routes, on one tree of files. `record.ts` makes them
 * to File Browser itself and keeps its answers; `surface_test.ts` makes them to Cubby.
 */
import { join } from "node:path";
import { plant } from "../../support/disks/files.ts";
import { furtherCalls } from "./further_calls.ts";
import { bitmap, quarters } from "../../support/data/pictures.ts";

/** The administrator with whom both begin. */
export const admin = { username: "admin", password: "a cub naps beside 7 rivers" };

/** A call of the surface. */
export interface SurfaceCall {
  /** `GET /api/resources/t`: values of former answers are written `{name}`. */
  sends: string;
  /** Tells calls apart that send the same. */
  case?: string;
  /** The name of the token in `X-Auth`: "admin" unless given; none for "". */
  as?: string;
  headers?: Record<string, string>;
  /** A value that is sent as JSON. Ids in it are written `"{quinId}"`. */
  json?: unknown;
  body?: string;
  /** The name under which a value of the answer is kept: the text, or that member of its JSON. */
  keeps?: { name: string; member?: string; header?: string };
  /** The difference in `docs/api/differences.md` that the answers show, by its title. */
  shows?: string;
}

/** The name of a call, unique in the surface. */
export function nameOfCall({ sends, case: what, as = "admin" }: SurfaceCall): string {
  return [sends, as === "admin" ? "" : `as ${as || "anybody"}`, what].filter(Boolean).join(", ");
}

const time = new Date("2024-03-01T10:00:00Z");

/** Plants the files that the calls are about, and sets their times. */
export async function plantSurface(root: string): Promise<void> {
  const png = await quarters(400, 300).png().toBuffer();
  await plant(root, {
    t: { "one.txt": "one", "two.md": "# two", sub: { "in.txt": "inner" } },
    odd: {
      ...{ notes: "a text without an extension", ".profile": "export A=1", ".dot": {}, empty: "" },
      "page.html": "<script>1</script>",
    },
    umlauts: { "a.txt": "a", "z.txt": "z", "ä.txt": "ä", "B.txt": "b", "10.txt": "", "9.txt": "" },
    order: { "old.txt": "old", "new.txt": "new", middle: {} },
    pics: {
      "pic.png": png,
      "photo.jpg": await quarters(400, 300).jpeg().toBuffer(),
      "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      "scan.tiff": await quarters(40, 40).tiff({ compression: "lzw" }).toBuffer(),
      "move.gif": await quarters(40, 40).gif().toBuffer(),
      "old.bmp": bitmap(2, [[230, 20, 20], [20, 180, 20], [20, 20, 230], [250, 250, 250]]),
      "broken.png": "no picture",
    },
    film: {
      "film.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n",
      "film.mp4": new Uint8Array([0, 0, 0, 1, 2, 3]),
      "film.srt": "1\n00:00:01,000 --> 00:00:02,500\nTwo<br>lines\n",
      subs: {
        "film.ass": "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n" +
          "Format: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\n" +
          "Format: Layer, Start, End, Style, Text\n" +
          "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Spoken\n",
      },
    },
    every: {
      ...{ "a.txt": "a", "b.txt": "b", "c.txt": "c", f: { "in.txt": "f" }, g: { "own.txt": "g" } },
      "latin.txt": new Uint8Array([99, 97, 102, 0xe9]),
      "wide.txt": new Uint8Array([0xff, 0xfe, 99, 0, 97, 0]),
      "data.bin": new Uint8Array([0, 1, 2, 3]),
    },
    links: { "good.txt": "good", holder: {} },
    "100% sure": { "a+b.txt": "plus" },
    work: { "a.txt": "a", "b.txt": "b", c: { "d.txt": "d" }, "gone.txt": "gone" },
    own: { "mine.txt": "mine" },
  });
  setModes(root);
  const at = (path: string) => join(root, path);
  await Deno.symlink("nowhere", at("links/broken"));
  await Deno.symlink("/etc/passwd", at("links/leaving"));
  await Deno.symlink("/etc/passwd", at("links/holder/leaving"));
  await Deno.symlink("good.txt", at("links/inside"));
  for (const [path, days] of [["order/old.txt", 0], ["order/middle", 1], ["order/new.txt", 2]]) {
    const when = new Date(time.getTime() + Number(days) * 86_400_000);
    await Deno.utime(at(String(path)), when, when);
  }
}

/** The modes of the recorded answers, whatever the umask is. */
function setModes(folder: string): void {
  Deno.chmodSync(folder, 0o755);
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) setModes(join(folder, name));
    else Deno.chmodSync(join(folder, name), 0o644);
  }
}

const proof = { current_password: admin.password };
const perm = {
  ...{ admin: false, execute: false, create: true, rename: true, modify: true, delete: true },
  ...{ share: true, download: true },
};
const userPassword = "four herons at dawn";
const draft = (username: string, more: object = {}) => ({
  what: "user",
  which: [],
  ...proof,
  data: {
    ...{ id: 0, username, password: userPassword, scope: "/", locale: "en", lockPassword: false },
    ...{ viewMode: "list", singleClick: false, redirectAfterCopyMove: false, commands: [] },
    ...{ sorting: { by: "name", asc: false }, rules: [], hideDotfiles: false, dateFormat: false },
    ...{ aceEditorTheme: "", perm, ...more },
  },
});
const signIn = (username: string, password = userPassword) => ({
  sends: "POST /api/login",
  case: `for ${username}`,
  as: "",
  json: { username, password, recaptcha: "" },
  keeps: { name: username },
});

const sessions: SurfaceCall[] = [
  { sends: "GET /health", as: "", shows: "`GET /health`" },
  signIn(admin.username, admin.password),
  { ...signIn(admin.username, "a wrong password"), case: "wrong password", keeps: undefined },
  { ...signIn("nobody"), case: "unknown name", keeps: undefined },
  { sends: "POST /api/login", case: "no JSON", as: "", body: "{", shows: "Malformed sign-ins" },
  {
    ...signIn(admin.username, admin.password),
    ...{ case: "behind a proxy that replaces Host", keeps: undefined },
    headers: { origin: "http://nas.local" },
  },
  {
    ...signIn(admin.username, admin.password),
    ...{ case: "of another site", keeps: undefined },
    headers: { origin: "http://evil.test", "sec-fetch-site": "cross-site" },
    shows: "Requests of other sites",
  },
  { sends: "GET /api/login", as: "", shows: "Methods that a call does not have" },
  { sends: "POST /api/renew", keeps: { name: "admin" } },
  { sends: "GET /api/renew", shows: "Methods that a call does not have" },
  { sends: "POST /api/renew", as: "" },
  {
    sends: "POST /api/signup",
    ...{ case: "while it is off", as: "", json: { username: "vera", password: userPassword } },
    shows: "`POST /api/signup` while signing up is off",
  },
  { sends: "GET /api/resources/", case: "without a token", as: "" },
  { sends: "GET /api/resources/", case: "with a bad token", as: "bad" },
  { sends: "GET /api/nothing", shows: "Unknown addresses below `/api`" },
  {
    sends: "GET /api/raw/t/one.txt?auth={admin}",
    ...{ case: "a session token in the address", as: "" },
  },
  {
    sends: "GET /api/raw/t/one.txt?auth=anything",
    ...{ case: "beside a cookie", as: "", headers: { cookie: "auth={admin}" } },
  },
  {
    sends: "GET /api/resources/t",
    ...{ case: "with a cookie", as: "", headers: { cookie: "auth={admin}" } },
  },
  {
    sends: "DELETE /api/resources/none",
    ...{ case: "with a cookie", as: "", headers: { cookie: "auth={admin}" } },
  },
];

const users: SurfaceCall[] = [
  {
    sends: "POST /api/users",
    json: draft("quin", { perm: { ...perm, download: false, share: false } }),
    keeps: { name: "quinAt", header: "location" },
  },
  {
    sends: "POST /api/users",
    ...{ case: "a taken name", json: draft("quin"), shows: "User names" },
  },
  {
    sends: "POST /api/users",
    ...{ case: "without the password", json: { ...draft("ivy"), current_password: undefined } },
    shows: "A missing or wrong `current_password`",
  },
  {
    sends: "POST /api/users",
    ...{ case: "with a wrong password", json: { ...draft("ivy"), current_password: "wrong" } },
    shows: "A missing or wrong `current_password`",
  },
  {
    sends: "POST /api/users",
    ...{ case: "a short password", json: draft("ivy", { password: "short" }) },
  },
  {
    sends: "POST /api/users",
    case: "an administrator with a locked password",
    json: draft("lena", { lockPassword: true, perm: { ...perm, admin: true, execute: true } }),
    keeps: { name: "lenaAt", header: "location" },
  },
  { sends: "POST /api/users", case: "own", json: draft("otto", { scope: "/own" }) },
  {
    sends: "POST /api/users",
    case: "sorted by time",
    json: draft("mona", { sorting: { by: "modified", asc: false } }),
    keeps: { name: "monaAt", header: "location" },
  },
  {
    sends: "POST /api/users",
    case: "who may only download",
    json: draft("pia", {
      perm: {
        ...{ admin: false, execute: false, create: false, rename: false, modify: false },
        ...{ delete: false, share: false, download: true },
      },
    }),
    keeps: { name: "piaAt", header: "location" },
  },
  { sends: "POST /api/users", case: "another kind", json: { ...draft("ivy"), what: "group" } },
  { sends: "POST /api/users", case: "an empty password", json: draft("ivy", { password: "" }) },
  signIn("quin"),
  signIn("pia"),
  signIn("mona"),
  signIn("otto"),
  signIn("lena"),
  { sends: "GET /api/users", shows: "A locked password of an administrator" },
  { sends: "GET /api/users/1" },
  { sends: "GET /api/users/{lenaId}", shows: "A locked password of an administrator" },
  { sends: "GET /api/users/{quinId}", as: "quin" },
  { sends: "GET /api/users", as: "quin" },
  { sends: "GET /api/users/999" },
  {
    sends: "PUT /api/users/{quinId}",
    json: { what: "user", which: ["locale"], data: { id: "{quinId}", locale: "de" } },
  },
  {
    sends: "PUT /api/users/{quinId}",
    ...{ case: "of another", json: { what: "user", which: ["locale"], data: { id: 1 } } },
  },
  {
    sends: "PUT /api/users/{quinId}",
    ...{
      case: "an unknown field",
      json: { what: "user", which: ["Nothing"], ...proof, data: { id: "{quinId}" } },
    },
    shows: "Unknown names in `which`",
  },
  {
    sends: "PUT /api/users/{piaId}",
    ...{
      case: "another id",
      json: { what: "user", which: ["perm"], ...proof, data: { id: 1, perm } },
    },
  },
  {
    sends: "PUT /api/users/{lenaId}",
    ...{
      case: "share without download",
      json: {
        ...{ what: "user", which: ["perm"], ...proof },
        data: { id: "{lenaId}", perm: { ...perm, download: false } },
      },
    },
    shows: "Sharing without downloading",
  },
  {
    sends: "PUT /api/users/{piaId}",
    ...{
      case: "a short password",
      json: {
        ...{ what: "user", which: ["password"], ...proof },
        data: { id: "{piaId}", password: "short" },
      },
    },
  },
  {
    sends: "PUT /api/users/{piaId}",
    ...{ case: "everything, by oneself", as: "pia" },
    json: { what: "user", which: [], data: { id: "{piaId}", locale: "de" } },
  },
  {
    sends: "PUT /api/users/999",
    json: { what: "user", which: ["locale"], data: { id: 999, locale: "de" } },
    shows: "Users that are not there",
  },
  {
    sends: "DELETE /api/users/{piaId}",
    ...{ case: "without a body", shows: "A missing or wrong `current_password`" },
  },
  { sends: "DELETE /api/users/{lenaId}", json: {}, shows: "A missing or wrong `current_password`" },
  { sends: "DELETE /api/users/{lenaId}", case: "with the password", json: proof },
  {
    sends: "POST /api/users",
    ...{
      case: "share without download",
      json: draft("sam", { perm: { ...perm, download: false } }),
    },
    shows: "Sharing without downloading",
  },
];

const listings: SurfaceCall[] = [
  { sends: "GET /api/resources/t" },
  { sends: "GET /api/resources/t/", case: "with a slash" },
  { sends: "GET /api/resources/t/one.txt" },
  { sends: "GET /api/resources/t/none.txt" },
  { sends: "GET /api/resources/odd", shows: "Types of files without an extension" },
  { sends: "GET /api/resources/odd/notes" },
  { sends: "GET /api/resources/umlauts", shows: "The order of names" },
  { sends: "GET /api/resources/order" },
  { sends: "GET /api/resources/order", as: "mona", shows: "The order by time" },
  { sends: "GET /api/resources/pics" },
  { sends: "GET /api/resources/links", shows: "Links" },
  { sends: "GET /api/resources/links/broken", shows: "Links" },
  { sends: "GET /api/resources/links/leaving" },
  { sends: "GET /api/resources/links/inside" },
  { sends: "GET /api/resources/100%25%20sure/a%2Bb.txt" },
  { sends: "GET /api/resources/t%2Fone.txt" },
  { sends: "GET /api/resources/t/%2e%2e/own/mine.txt" },
  { sends: "GET /api/resources/t/one.txt?checksum=md5" },
  { sends: "GET /api/resources/t/one.txt?checksum=sha256" },
  { sends: "GET /api/resources/t/one.txt?checksum=crc32" },
  { sends: "GET /api/resources/t?checksum=md5", shows: "The checksum of a folder" },
  {
    sends: "GET /api/resources/t/one.txt",
    ...{ case: "with X-Encoding", headers: { "x-encoding": "true" } },
  },
  { sends: "GET /api/resources/t/one.txt", as: "quin" },
  { sends: "GET /api/resources/recursive/t" },
  {
    sends: "GET /api/resources/recursive/t/one.txt",
    shows: "`GET /api/resources/recursive` of a file",
  },
  { sends: "GET /api/usage/" },
  { sends: "GET /api/usage/t/one.txt", shows: "`GET /api/usage` of a file" },
  { sends: "GET /api/search/t/?query=in" },
  { sends: "GET /api/search/?query=one%20two", shows: "Searches" },
  { sends: "GET /api/search/t/?query=", shows: "Searches" },
  { sends: "GET /api/search/none/?query=a", shows: "Searches" },
];

const changes: SurfaceCall[] = [
  { sends: "POST /api/resources/work/new/" },
  { sends: "POST /api/resources/work/new.txt", body: "new" },
  { sends: "POST /api/resources/work/new.txt", case: "taken", body: "other" },
  { sends: "POST /api/resources/work/new.txt?override=true", body: "other" },
  { sends: "POST /api/resources/work/c", case: "onto a folder", body: "x" },
  { sends: "PUT /api/resources/work/new.txt", body: "saved" },
  { sends: "PUT /api/resources/work/none.txt", body: "saved" },
  { sends: "PUT /api/resources/work/c/", body: "x", shows: "`PUT /api/resources` of a folder" },
  { sends: "PATCH /api/resources/work/a.txt?action=copy&destination=%2Fwork%2Fa2.txt" },
  { sends: "PATCH /api/resources/work/a.txt?action=copy&destination=%2Fwork%2Fb.txt" },
  { sends: "PATCH /api/resources/work/a.txt?action=copy&destination=%2Fwork%2Fb.txt&rename=true" },
  { sends: "PATCH /api/resources/work/b.txt?action=rename&destination=%2Fwork%2Fb2.txt" },
  {
    sends: "PATCH /api/resources/work/a.txt?action=rename&destination=%2Fwork%2Fa.txt",
    shows: "A rename onto itself",
  },
  { sends: "PATCH /api/resources/work/c?action=copy&destination=%2Fwork%2Fc%2Fe" },
  {
    sends: "PATCH /api/resources/work/a.txt?action=swap&destination=%2Fwork%2Fq.txt",
  },
  {
    sends: "PATCH /api/resources/links/holder?action=copy&destination=%2Fwork%2Fholder",
    shows: "Links",
  },
  { sends: "DELETE /api/resources/work/gone.txt" },
  { sends: "DELETE /api/resources/work/gone.txt", case: "again" },
  { sends: "DELETE /api/resources/links/leaving", shows: "Links" },
  { sends: "DELETE /api/resources/" },
  {
    sends: "POST /api/tus/work/up.bin?override=false",
    ...{ headers: { "upload-length": "6" }, keeps: { name: "tus", header: "location" } },
  },
  { sends: "HEAD /api/tus/work/up.bin?override=false" },
  {
    sends: "PATCH /api/tus/work/up.bin?override=false",
    ...{ case: "at a wrong offset", body: "abc" },
    headers: { "upload-offset": "4", "content-type": "application/offset+octet-stream" },
  },
  {
    sends: "PATCH /api/tus/work/up.bin?override=false",
    headers: { "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: "abc",
  },
  { sends: "GET /api/resources/work/up.bin", shows: "Unfinished uploads" },
  {
    sends: "PATCH /api/tus/work/up.bin?override=false",
    ...{ case: "the rest", body: "def" },
    headers: { "upload-offset": "3", "content-type": "application/offset+octet-stream" },
  },
  { sends: "GET /api/raw/work/up.bin", case: "after its upload" },
  {
    sends: "POST /api/tus/work/up.bin?override=false",
    ...{ case: "taken", headers: { "upload-length": "6" } },
  },
  { sends: "POST /api/tus/work/none.bin" },
  { sends: "DELETE /api/tus/work/none.bin" },
];

/** Less usual forms of the calls above. */
const corners: SurfaceCall[] = [
  { sends: "POST /api/login", case: "an empty name", as: "", json: { username: "", password: "" } },
  { sends: "POST /api/login", case: "without a body", as: "", shows: "Malformed sign-ins" },
  {
    sends: "POST /api/login",
    case: "other types",
    as: "",
    json: { username: 1, password: [] },
    shows: "Malformed sign-ins",
  },
  { sends: "PUT /api/login", as: "", json: admin, shows: "Methods that a call does not have" },
  { sends: "HEAD /api/raw/t/one.txt", shows: "`HEAD` and `OPTIONS`" },
  { sends: "HEAD /api/resources/t", shows: "`HEAD` and `OPTIONS`" },
  { sends: "OPTIONS /api/resources/t", shows: "`HEAD` and `OPTIONS`" },
  { sends: "POST /api/resources/deep/er/new.txt", case: "with new parents", body: "deep" },
  {
    sends: "POST /api/resources/t/one.txt/below.txt",
    case: "below a file",
    body: "x",
    shows: "Names that a file has",
  },
  { sends: "POST /api/resources/work/new/", case: "again" },
  {
    sends: "POST /api/resources/work/a.txt/",
    case: "a folder at a file",
    shows: "Names that a file has",
  },
  { sends: "POST /api/resources/", case: "the root", body: "x" },
  { sends: "POST /api/resources/own/q.txt", case: "without a right", as: "quin", body: "q" },
  { sends: "PUT /api/resources/work/a.txt", case: "empty", body: "" },
  { sends: "PUT /api/resources/links/holder/leaving", body: "x", shows: "Links" },
  { sends: "PUT /api/resources/links/broken", body: "x" },
  {
    sends:
      "PATCH /api/resources/work/a2.txt?action=copy&destination=%2Fwork%2Fb2.txt&override=true",
  },
  { sends: "PATCH /api/resources/work/a2.txt?action=rename&destination=%2Fnone%2Fa.txt" },
  { sends: "PATCH /api/resources/work/none.txt?action=rename&destination=%2Fwork%2Fq.txt" },
  {
    sends: "PATCH /api/resources/work/a2.txt?action=copy",
    case: "without a destination",
    shows: "Destinations",
  },
  { sends: "PATCH /api/resources/?action=copy&destination=%2Fwork%2Fall" },
  { sends: "PATCH /api/resources/work/c?action=copy&destination=%2Fwork%2Fc2" },
  { sends: "PATCH /api/resources/work/c?action=rename&destination=%2Fwork%2Fc2" },
  { sends: "PATCH /api/resources/work/c?action=rename&destination=%2Fwork%2Fc2&rename=true" },
  {
    sends: "PATCH /api/resources/work/a2.txt?action=rename&destination=%2F..%2Fout.txt",
    shows: "Paths",
  },
  { sends: "DELETE /api/resources/work/c2" },
  { sends: "DELETE /api/resources/links/broken" },
  { sends: "GET /api/resources/t/one.txt/", shows: "Files with a slash" },
  { sends: "GET /api/resources/t//one.txt", shows: "Runs of slashes" },
  { sends: "GET /api/resources/%zz" },
  { sends: "GET /api/resources/a%00b", shows: "Paths" },
  { sends: "GET /api/resources/" },
  {
    sends: "GET /api/resources/",
    case: "the scope",
    as: "otto",
    shows: "The direction of a listing",
  },
  {
    sends: "GET /api/resources/../t",
    case: "out of the scope",
    as: "otto",
    shows: "Unknown addresses below `/api`",
  },
  { sends: "GET /api/resources/recursive/", as: "otto" },
  { sends: "GET /api/usage/", as: "otto" },
  { sends: "GET /api/usage/none" },
  { sends: "GET /api/search/?query=type%3Aimage%20" },
  { sends: "GET /api/search/?query=PIC" },
  { sends: "GET /api/search/?query=%22in.txt%22" },
  { sends: "GET /api/search/?query=case%3Asensitive%20PIC" },
  { sends: "GET /api/raw/", as: "otto", shows: "The names of archives" },
  { sends: "GET /api/raw/t?algo=zip&files=one.txt,sub", shows: "The names of archives" },
  { sends: "GET /api/raw/links/holder/leaving" },
  { sends: "GET /api/raw/links/broken" },
  { sends: "GET /api/raw/t/one.txt", case: "a bad range", headers: { range: "bytes=9-" } },
  { sends: "GET /api/raw/pics/logo.svg?inline=true" },
  { sends: "GET /api/preview/thumb/pics/none.png" },
  {
    sends: "GET /api/preview/thumb/pics/pic.png",
    as: "quin",
    shows: "A missing permission to download",
  },
  { sends: "GET /api/preview/thumb/pics", shows: "Previews of folders" },
  { sends: "GET /api/subtitle/film/none.vtt" },
  { sends: "POST /api/share/t/one.txt", case: "without a right", as: "quin", json: {} },
  { sends: "POST /api/share/t/one.txt", case: "no JSON", body: "{" },
  { sends: "POST /api/share/own", json: {}, keeps: { name: "bare", member: "hash" } },
  { sends: "GET /api/public/share/{bare}", as: "" },
  { sends: "GET /api/public/share/{bare}/none.txt", as: "" },
  { sends: "GET /api/public/share/{bare}/%2e%2e/t/one.txt", as: "" },
  {
    sends: "GET /api/public/dl/{bare}?files=mine.txt,q.txt",
    as: "",
    shows: "The names of archives",
  },
  { sends: "GET /api/share/none" },
  { sends: "GET /api/command/t", shows: "Commands" },
  { sends: "GET /api/users/abc", shows: "Unknown addresses below `/api`" },
  { sends: "POST /api/users", case: "no JSON", body: "{" },
  { sends: "POST /api/users", case: "without a name", json: draft(""), shows: "User names" },
  {
    sends: "POST /api/users",
    case: "with which",
    json: { ...draft("nora"), which: ["locale"] },
    shows: "`which` of a new user",
  },
  { sends: "POST /api/users", case: "as a user", as: "otto", json: draft("nora") },
  {
    sends: "PUT /api/users/{quinId}",
    case: "of another by a user",
    as: "otto",
    json: { what: "user", which: ["locale"], data: { id: "{quinId}", locale: "de" } },
  },
  {
    sends: "PUT /api/users/{quinId}",
    case: "own rights",
    as: "quin",
    json: { what: "user", which: ["perm"], ...proof, data: { id: "{quinId}", perm } },
    shows: "A missing or wrong `current_password`",
  },
  {
    sends: "PUT /api/users/{quinId}",
    case: "own preferences",
    as: "quin",
    json: {
      ...{ what: "user", which: ["locale", "hideDotfiles", "singleClick", "dateFormat"] },
      data: {
        id: "{quinId}",
        locale: "fr",
        hideDotfiles: true,
        singleClick: true,
        dateFormat: true,
      },
    },
  },
  { sends: "DELETE /api/users/1", json: proof, case: "the last administrator" },
  { sends: "DELETE /api/users/999", json: proof },
  { sends: "PUT /api/settings", as: "otto", json: { settings: {} } },
  { sends: "DELETE /api/settings", shows: "Methods that a call does not have" },
  { sends: "GET /api/tus/work/none.bin" },
  { sends: "OPTIONS /api/tus/work/none.bin", shows: "`HEAD` and `OPTIONS`" },
  { sends: "GET /api/public/dl/unknown1", as: "" },
];

const downloads: SurfaceCall[] = [
  { sends: "GET /api/raw/t/one.txt" },
  { sends: "GET /api/raw/t/one.txt?inline=true" },
  { sends: "GET /api/raw/pics/pic.png" },
  { sends: "GET /api/raw/100%25%20sure/a%2Bb.txt" },
  { sends: "GET /api/raw/t/one.txt", case: "a range", headers: { range: "bytes=1-1" } },
  { sends: "GET /api/raw/t/none.txt" },
  { sends: "GET /api/raw/t/one.txt", as: "quin", shows: "A missing permission to download" },
  { sends: "GET /api/raw/t/one.txt?files=x", shows: "`files` of a file" },
  { sends: "GET /api/raw/t" },
  { sends: "GET /api/raw/t?algo=tar" },
  { sends: "GET /api/raw/t?algo=targz" },
  { sends: "GET /api/raw/t?algo=rar", shows: "An unknown `algo`" },
  { sends: "GET /api/raw/t?files=one.txt", shows: "`files` of one entry" },
  { sends: "GET /api/raw/t?files=one.txt,two.md", shows: "The names of archives" },
  { sends: "GET /api/raw/t?files=none.txt,two.md", shows: "A missing member of an archive" },
  { sends: "GET /api/preview/thumb/pics/pic.png?inline=true&key=1" },
  { sends: "GET /api/preview/big/pics/photo.jpg?inline=true&key=1" },
  { sends: "GET /api/preview/big/pics/old.bmp?inline=true&key=1" },
  ...["logo.svg", "move.gif"].flatMap((name) =>
    ["thumb", "big"].map((size) => ({
      sends: `GET /api/preview/${size}/pics/${name}?inline=true&key=1`,
    }))
  ),
  { sends: "GET /api/preview/thumb/pics/scan.tiff?inline=true&key=1" },
  { sends: "GET /api/preview/big/pics/scan.tiff?inline=true&key=1" },
  { sends: "GET /api/preview/thumb/pics/broken.png?inline=true&key=1", shows: "Broken pictures" },
  { sends: "GET /api/preview/huge/pics/pic.png", shows: "Unknown sizes of previews" },
  { sends: "GET /api/preview/thumb/t/one.txt" },
  { sends: "GET /api/subtitle/film/film.vtt", shows: "Subtitles" },
  { sends: "GET /api/subtitle/t/one.txt", shows: "Subtitles" },
];

const shares: SurfaceCall[] = [
  { sends: "GET /api/share/t/sub/in.txt", case: "none yet" },
  { sends: "POST /api/share/t/sub/in.txt", json: {}, keeps: { name: "file", member: "hash" } },
  { sends: "POST /api/share/t/none.txt", json: {} },
  {
    sends: "POST /api/share/t?expires=2&unit=days",
    json: { password: "open sesame 12%", expires: "2", unit: "days" },
    keeps: { name: "folder", member: "hash" },
  },
  { sends: "GET /api/share/t" },
  { sends: "GET /api/shares" },
  { sends: "GET /api/shares", as: "quin" },
  {
    sends: "POST /api/share/t/one.txt?expires=-1&unit=days",
    json: { expires: "-1", unit: "days" },
    shows: "Lifetimes of shares",
  },
  {
    sends: "POST /api/share/t/one.txt?expires=1&unit=moons",
    json: { expires: "1", unit: "moons" },
    shows: "Lifetimes of shares",
  },
  { sends: "GET /api/public/share/{file}", as: "" },
  ...["", "/in.txt", "/any%20name.bin", "/t/sub/in.txt"].map((rest) => ({
    sends: `GET /api/public/dl/{file}${rest}`,
    as: "",
  })),
  { sends: "GET /api/public/dl/{file}?inline=true", as: "" },
  { sends: "GET /api/public/share/{folder}", as: "" },
  {
    sends: "GET /api/public/share/{folder}",
    ...{ case: "with a wrong password", as: "", headers: { "x-share-password": "wrong" } },
  },
  {
    sends: "GET /api/public/share/{folder}",
    ...{ case: "with the password", as: "", keeps: { name: "entry", member: "token" } },
    headers: { "x-share-password": encodeURIComponent("open sesame 12%") },
  },
  {
    sends: "GET /api/public/share/{folder}/one.txt",
    ...{ case: "with the password", as: "" },
    headers: { "x-share-password": encodeURIComponent("open sesame 12%") },
  },
  { sends: "GET /api/public/dl/{folder}/one.txt?token={entry}", as: "" },
  { sends: "GET /api/public/dl/{folder}/one.txt", as: "" },
  { sends: "GET /api/public/dl/{folder}/none.txt?token={entry}", as: "" },
  { sends: "GET /api/public/dl/{folder}?token={entry}&algo=zip", as: "" },
  { sends: "GET /api/public/share/unknown1", as: "" },
  { sends: "DELETE /api/share/{file}", as: "otto" },
  { sends: "DELETE /api/share/{file}" },
  { sends: "DELETE /api/share/unknown1" },
  { sends: "POST /api/share/own", case: "without a body", shows: "Shares without a body" },
];

const settings: SurfaceCall[] = [
  { sends: "GET /api/settings", as: "quin" },
  { sends: "GET /api/settings", keeps: { name: "settings" } },
  { sends: "PUT /api/settings", json: { settings: { signup: true } } },
  { sends: "PUT /api/settings", case: "no JSON", body: "{" },
  {
    sends: "PUT /api/settings",
    ...{
      case: "shorter passwords",
      json: { settings: { signup: true, minimumPasswordLength: 6 } },
    },
  },
  {
    sends: "POST /api/users",
    ...{ case: "a shorter password", json: draft("tina", { password: "a-Heron-9" }) },
    shows: "Passwords",
  },
  {
    sends: "POST /api/users",
    ...{ case: "a password of 73 bytes", json: draft("tom", { password: "a-Heron-9".repeat(9) }) },
  },
  {
    sends: "POST /api/signup",
    ...{ as: "", json: { username: "vera", password: userPassword } },
    shows: "The body of `POST /api/signup`",
  },
  {
    sends: "POST /api/signup",
    ...{ case: "taken", as: "", json: { username: "vera", password: userPassword } },
  },
  { sends: "POST /api/signup", case: "without a name", as: "", json: { password: userPassword } },
  { sends: "POST /api/signup", case: "no JSON", as: "", body: "{" },
  {
    sends: "POST /api/signup",
    ...{ case: "a short password", as: "", json: { username: "wim", password: "short" } },
  },
  {
    sends: "POST /api/signup",
    ...{
      case: "a well-known password",
      as: "",
      json: { username: "wim", password: "password123456" },
    },
  },
  {
    sends: "DELETE /api/users/{ottoId}",
    as: "otto",
    json: { current_password: userPassword },
    shows: "Deleting oneself",
  },
  {
    sends: "PUT /api/users/{quinId}",
    ...{ case: "a new password", as: "quin", shows: "The answer to a new password" },
    json: {
      ...{ what: "user", which: ["password"], current_password: userPassword },
      data: { id: "{quinId}", password: "five herons at dusk" },
    },
  },
  {
    sends: "GET /api/resources/t",
    ...{ case: "after a new password", as: "quin", shows: "Sessions" },
  },
  { sends: "PUT /api/settings", case: "nothing", body: "{}" },
  { sends: "GET /api/settings", case: "after nothing", shows: "Missing members of settings" },
];

/** All calls, in the order in which they are made. */
export const surface: readonly SurfaceCall[] = [
  ...[...sessions, ...users, ...listings, ...changes, ...corners, ...downloads, ...shares],
  ...[...furtherCalls, ...settings],
];
