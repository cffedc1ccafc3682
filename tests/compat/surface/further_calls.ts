/** Options, headers and refusals of File Browser's calls that its own front end seldom sends. */
import type { SurfaceCall } from "./calls.ts";

const tus = { "content-type": "application/offset+octet-stream" };

/** What users may not do. Pia may do nothing but download. */
const refused: SurfaceCall[] = [
  { sends: "GET /api/resources/t/one.txt", as: "pia" },
  { sends: "POST /api/resources/every/p/", as: "pia" },
  { sends: "POST /api/resources/every/p.txt", as: "pia", body: "p" },
  { sends: "POST /api/resources/every/a.txt?override=true", as: "pia", body: "p" },
  { sends: "PUT /api/resources/every/a.txt", as: "pia", body: "p" },
  { sends: "DELETE /api/resources/every/a.txt", as: "pia" },
  { sends: "PATCH /api/resources/every/a.txt?action=copy&destination=%2Fevery%2Fp", as: "pia" },
  { sends: "PATCH /api/resources/every/a.txt?action=rename&destination=%2Fevery%2Fp", as: "pia" },
  { sends: "POST /api/tus/every/p.bin", as: "pia", headers: { "upload-length": "3" } },
  { sends: "HEAD /api/tus/every/p.bin", as: "pia", shows: "Refusals of uploads" },
  {
    sends: "PATCH /api/tus/every/p.bin",
    ...{ as: "pia", headers: { ...tus, "upload-offset": "0" } },
    shows: "Refusals of uploads",
  },
  { sends: "DELETE /api/tus/every/p.bin", as: "pia", shows: "Refusals of uploads" },
  { sends: "GET /api/shares", as: "pia" },
  { sends: "GET /api/share/t", as: "pia" },
  { sends: "GET /api/settings", as: "pia" },
  { sends: "GET /api/users/1", as: "pia" },
  { sends: "DELETE /api/users/1", as: "pia", json: {} },
  { sends: "GET /api/raw/t/one.txt", as: "pia" },
];

const entries: SurfaceCall[] = [
  { sends: "GET /api/resources/t/one.txt?checksum=sha1" },
  { sends: "GET /api/resources/t/one.txt?checksum=sha512" },
  {
    sends: "GET /api/resources/t/one.txt?checksum=md5",
    as: "quin",
    shows: "A missing permission to download",
  },
  {
    sends: "GET /api/resources/pics/pic.png",
    ...{ case: "with X-Encoding", headers: { "x-encoding": "true" } },
  },
  {
    sends: "GET /api/resources/every/latin.txt",
    ...{ case: "with X-Encoding", headers: { "x-encoding": "true" } },
  },
  {
    sends: "GET /api/resources/every/data.bin",
    ...{ case: "with X-Encoding", headers: { "x-encoding": "true" } },
  },
  { sends: "GET /api/resources/t/", case: "X-Encoding", headers: { "x-encoding": "true" } },
  { sends: "GET /api/resources/odd/empty" },
  { sends: "GET /api/resources/every/latin.txt", shows: "Texts in other encodings" },
  { sends: "GET /api/resources/every/wide.txt", shows: "Texts in other encodings" },
  { sends: "GET /api/resources/every/data.bin" },
  { sends: "GET /api/resources/film/film.mp4" },
  { sends: "GET /api/resources/film/", shows: "Subtitles in listings" },
  { sends: "GET /api/resources/recursive", shows: "Runs of slashes" },
  { sends: "GET /api/resources/recursive/none" },
  { sends: "GET /api/resources/recursive/film/" },
  { sends: "GET /api/usage", shows: "Runs of slashes" },
  { sends: "GET /api/usage/", as: "quin" },
  { sends: "PATCH /api/resources/every/a.txt?destination=%2Fevery%2Fq" },
  {
    sends: "PATCH /api/resources/every/a.txt?action=copy&destination=%2Fevery%2Fa.txt&rename=true",
  },
  { sends: "PATCH /api/resources/every/a.txt?action=copy&destination=%2Fevery%2Fslash%2F" },
  { sends: "PATCH /api/resources/every/a.txt?action=copy&destination=%2Fevery%2Fx%2Fy%2Fz.txt" },
  { sends: "PATCH /api/resources/every/f?action=copy&destination=%2Fevery%2Fg&override=true" },
  { sends: "GET /api/resources/recursive/every/g" },
  { sends: "PATCH /api/resources/every/f/?action=rename&destination=%2Fevery%2Fmoved" },
  {
    sends: "PATCH /api/resources/every/moved?action=rename&destination=%2Fevery%2Fh&override=true",
  },
  {
    sends:
      "PATCH /api/resources/every/b.txt?action=rename&destination=%2Fevery%2Fc.txt&override=true",
  },
  { sends: "PATCH /api/resources/every/c.txt?action=rename&destination=%2Fevery%2FC.txt" },
  { sends: "PATCH /api/resources/every/C.txt?action=copy&destination=/every/plus%2Bplus.txt" },
  { sends: "PATCH /api/resources/every/C.txt?action=copy&destination=%2Fevery%2Fper%2520cent.txt" },
  { sends: "GET /api/resources/every/", shows: "Destinations" },
  { sends: "DELETE /api/resources/every/g/" },
  { sends: "POST /api/resources/every/new.txt?override=maybe", body: "new" },
  { sends: "POST /api/resources/every/new.txt?override=1", body: "new" },
];

const uploads: SurfaceCall[] = [
  { sends: "POST /api/tus/every/in/up.bin", headers: { "upload-length": "6" } },
  { sends: "GET /api/tus/every/in/up.bin" },
  { sends: "PATCH /api/tus/every/in/up.bin", case: "without a type", body: "a" },
  { sends: "PATCH /api/tus/every/in/up.bin", case: "without an offset", body: "a", headers: tus },
  {
    sends: "PATCH /api/tus/every/in/up.bin",
    ...{ case: "behind the end", body: "a", headers: { ...tus, "upload-offset": "7" } },
    shows: "Refusals of uploads",
  },
  {
    sends: "PATCH /api/tus/every/in/up.bin",
    ...{ case: "too long", body: "abcdefg", headers: { ...tus, "upload-offset": "0" } },
  },
  { sends: "HEAD /api/tus/every/in/up.bin" },
  { sends: "DELETE /api/tus/every/in/up.bin" },
  { sends: "HEAD /api/tus/every/in/up.bin", case: "after its end" },
  {
    sends: "PATCH /api/tus/every/in/up.bin",
    ...{ case: "after its end", body: "a", headers: { ...tus, "upload-offset": "0" } },
  },
  {
    sends: "POST /api/tus/every/in",
    case: "onto a folder",
    headers: { "upload-length": "6" },
    shows: "Refusals of uploads",
  },
  { sends: "POST /api/tus/every/none.bin", headers: { "upload-length": "0" } },
  { sends: "GET /api/resources/every/none.bin", shows: "Types of files without an extension" },
  { sends: "POST /api/tus/every/less.bin", headers: { "upload-length": "-1" } },
  { sends: "POST /api/tus/every/a.txt?override=true", headers: { "upload-length": "2" } },
  {
    sends: "PATCH /api/tus/every/a.txt?override=true",
    ...{ body: "AA", headers: { ...tus, "upload-offset": "0" } },
  },
  { sends: "GET /api/raw/every/a.txt", case: "after its upload" },
];

const contents: SurfaceCall[] = [
  ...["zip", "true", "tarbz2", "tarxz", "tarlz4", "tarsz", "tarbr", "tarzst"].map((algo) => ({
    sends: `GET /api/raw/t/?algo=${algo}`,
  })),
  { sends: "GET /api/raw/odd/empty" },
  { sends: "GET /api/raw/film/film.vtt?inline=true" },
  { sends: "GET /api/raw/film/film.mp4?inline=true" },
  { sends: "GET /api/raw/odd/page.html?inline=true" },
  { sends: "GET /api/raw/t/one.txt?inline=false" },
  { sends: "GET /api/raw/t/one.txt", case: "its end", headers: { range: "bytes=-2" } },
  { sends: "GET /api/raw/t/one.txt", case: "from 1", headers: { range: "bytes=1-" } },
  {
    sends: "GET /api/raw/t/one.txt",
    ...{ case: "not modified", headers: { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" } },
  },
  {
    sends: "GET /api/raw/t/one.txt",
    ...{ case: "modified", headers: { "if-modified-since": "Fri, 01 Jan 2010 00:00:00 GMT" } },
  },
  {
    sends: "GET /api/raw/t/one.txt",
    ...{ case: "unmodified", headers: { "if-unmodified-since": "Fri, 01 Jan 2010 00:00:00 GMT" } },
  },
  { sends: "GET /api/raw/?files=%2Ft%2Fone.txt%2C%2Fodd%2Fnotes", shows: "The names of archives" },
  { sends: "GET /api/raw/t?files=sub%2Fin.txt,one.txt", shows: "The names of archives" },
  { sends: "GET /api/raw/t?files=..%2Fodd%2Fnotes,one.txt", shows: "Paths" },
  { sends: "GET /api/preview/big/pics/pic.png?inline=true" },
  { sends: "GET /api/preview/thumb/pics/pic.png" },
  { sends: "GET /api/preview/thumb/film/film.mp4" },
  { sends: "GET /api/preview/thumb/" },
  { sends: "GET /api/subtitle/film/film.srt?inline=true", shows: "Subtitles" },
  { sends: "GET /api/subtitle/film/subs/film.ass?inline=true", shows: "Subtitles" },
  { sends: "GET /api/subtitle/film", shows: "Subtitles" },
  {
    sends: "GET /api/subtitle/film/film.srt",
    as: "quin",
    shows: "A missing permission to download",
  },
];

const finds: SurfaceCall[] = [
  { sends: "GET /api/search/film/", shows: "Searches" },
  { sends: "GET /api/search/film?query=film" },
  { sends: "GET /api/search/film/?query=type%3Avideo" },
  { sends: "GET /api/search/film/?query=type%3Asrt" },
  { sends: "GET /api/search/film/?query=type%3Asrt%20FILM" },
  { sends: "GET /api/search/?query=mine", as: "otto" },
  { sends: "GET /api/search/t/one.txt?query=one", shows: "Searches" },
];

const links: SurfaceCall[] = [
  ...["seconds", "minutes", "hours", "days"].map((unit) => ({
    sends: "POST /api/share/every",
    ...{ case: `for 5 ${unit}`, json: { expires: "5", unit } },
  })),
  {
    sends: "POST /api/share/every",
    ...{ case: "no number", json: { expires: "soon", unit: "days" } },
    shows: "Lifetimes of shares",
  },
  {
    sends: "POST /api/share/every",
    ...{ case: "a number", json: { expires: 5, unit: "days" } },
    shows: "Lifetimes of shares",
  },
  {
    sends: "POST /api/share/every?expires=3&unit=days",
    ...{ case: "by the query", json: {}, shows: "Shares without a body" },
  },
  {
    sends: "POST /api/share/t/",
    ...{ json: {}, keeps: { name: "slashed", member: "hash" }, shows: "Paths in shares" },
  },
  {
    sends: "POST /api/share/every",
    ...{ case: "a long password", json: { password: "x".repeat(80) }, shows: "Passwords" },
  },
  { sends: "GET /api/share/t/", shows: "Paths in shares" },
  { sends: "GET /api/share/" },
  { sends: "GET /api/public/share/{slashed}/", as: "" },
  { sends: "GET /api/public/share/{slashed}/sub", as: "", shows: "Names in shares" },
  { sends: "GET /api/public/share/{slashed}/sub/in.txt", as: "" },
  { sends: "GET /api/public/share/{slashed}/%2e%2e/own", as: "" },
  { sends: "GET /api/public/share/", as: "", shows: "Runs of slashes" },
  { sends: "GET /api/public/dl/", as: "", shows: "Runs of slashes" },
  { sends: "GET /api/public/dl/{slashed}", as: "" },
  { sends: "GET /api/public/dl/{slashed}/sub?algo=tar", as: "" },
  { sends: "GET /api/public/dl/{slashed}/one.txt", as: "" },
  { sends: "GET /api/public/dl/{slashed}/one.txt?inline=true", as: "" },
  {
    sends: "GET /api/public/dl/{slashed}/one.txt",
    ...{ case: "a range", as: "", headers: { range: "bytes=1-1" } },
  },
  {
    sends: "GET /api/public/dl/{slashed}?files=%2Fone.txt%2C%2Fsub",
    as: "",
    shows: "The names of archives",
  },
  { sends: "GET /api/public/share/{folder}?token=wrong", as: "" },
  {
    sends: "POST /api/share/order",
    as: "mona",
    json: {},
    keeps: { name: "ordered", member: "hash" },
  },
  { sends: "GET /api/public/share/{ordered}/", as: "", shows: "The order in shares" },
  { sends: "DELETE /api/share/", shows: "Unknown addresses below `/api`" },
  { sends: "DELETE /api/share/{slashed}/" },
];

/** More calls, made after all others but those that change settings. */
export const furtherCalls: readonly SurfaceCall[] = [
  ...[...refused, ...entries, ...uploads, ...contents, ...finds, ...links],
];
