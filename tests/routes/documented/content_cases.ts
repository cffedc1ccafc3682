import { type Ask, asking, type Case, type Scene } from "./case.ts";

const tarKinds = [
  ["tar", "application/x-tar"],
  ["tar.gz", "application/gzip"],
  ["tar.bz2", "application/x-bzip2"],
  ["tar.xz", "application/x-xz"],
  ["tarlz4", "application/x-lz4"],
  ["tar.sz", "application/x-snappy-framed"],
  ["tar.zst", "application/zstd"],
  ["tar.br", "application/x-brotli"],
] as const;

/** The calls that find entries, hand out what they hold, and tell of the server. */
export function contentCases(scene: Scene): Case[] {
  const finding = [
    downloading,
    choosing,
    previewing,
    telling,
    hashing,
    measuring,
    dating,
    subtitling,
    streaming,
  ];
  return [...finding, browsing, searching, indexing, editing, together].flatMap((cases) =>
    cases(scene)
  );
}

function downloading(scene: Scene): Case[] {
  const ask = asking("download", "/api/raw", scene);
  return [
    ask("400 invalid_path", "/%zz"),
    ask("400 invalid_option", "/photos/?algo=rar"),
    ...downloads(ask),
  ];
}

function editing(scene: Scene): Case[] {
  const ask = asking("openDocument", "/api/office", scene);
  const check = asking("checkOffice", "/api/check/office", scene);
  return [
    check("501 not_supported", ""),
    check("200 application/json", "", {}, scene.editing),
    ask("400 invalid_path", "/%zz"),
    ask("400 invalid_option", "/a.txt?right=own"),
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none"),
    ask("409 is_folder", "/photos"),
    ask("501 not_supported", "/a.txt"),
    ask("200 application/json", "/a.txt", {}, scene.editing),
  ];
}

/** The call that edits a text together, but for opening its WebSocket. */
function together(scene: Scene): Case[] {
  const ask = asking("editTogether", "/api/coediting", scene);
  return [
    ask("400 invalid_path", "/%zz"),
    ask("400 invalid_option", "/a.txt"),
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none"),
    ask("409 is_folder", "/photos"),
  ];
}

function choosing(scene: Scene): Case[] {
  const ask = asking("downloadChosen", "/api/raw", scene);
  const form = (files: string) => () => {
    const body = new FormData();
    body.append("files", files);
    return { body };
  };
  return [
    ask("400 invalid_path", "/%zz", form("a.txt")),
    ask("400 invalid_body", "/", { body: "files=a.txt" }),
    ask("400 invalid_option", "/?algo=rar", form("a.txt")),
    ask("403 not_a_file", "/", form("pipe")),
    ask("404 not_found", "/", form("none")),
    ask("413 body_too_large", "/", form("a".repeat(4 * 1024 * 1024))),
    ask("200 application/zip", "/", form("a.txt,photos%2Fsea.jpg")),
    ...tarKinds.map(([algo, type]) => ask(`200 ${type}`, `/?algo=${algo}`, form("photos"))),
  ];
}

function previewing(scene: Scene): Case[] {
  const ask = asking("preview", "/api/preview", scene);
  const asWebp = { headers: { accept: "image/webp,*/*" } };
  return [
    ask("400 invalid_path", "/thumb/%zz"),
    ask("400 invalid_option", "/thumb/dot.png?side=300"),
    ask("403 not_a_file", "/thumb/pipe"),
    ask("404 not_found", "/huge/dot.png"),
    ask("412 precondition_failed", "/big/dot.png", { headers: { "if-match": '"other"' } }),
    ask("501 not_supported", "/thumb/a.txt"),
    ask("204", "/thumb/a.txt?optional=true"),
    ask("304", "/thumb/dot.png", { headers: { "if-none-match": "*" } }),
    ask("200 image/jpeg", "/big/dot.png?k=1"),
    ask("200 image/webp", "/thumb/dot.png", asWebp),
    ask("200 text/plain", "/thumb/a.txt", { headers: { accept: "text/plain" } }),
  ];
}

function telling(scene: Scene): Case[] {
  const ask = asking("mediaInfo", "/api/media", scene);
  return [
    ask("400 invalid_path", "/%zz"),
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none.png"),
    ask("409 is_folder", "/photos"),
    ask("501 not_supported", "/a.txt"),
    ask("200 application/json", "/dot.png"),
  ];
}

function hashing(scene: Scene): Case[] {
  const ask = asking("thumbHashes", "/api/thumbhashes", scene);
  const json = (paths: unknown) => ({ json: { paths } });
  return [
    ask("400 invalid_path", "", json(["/a\0b"])),
    ask("400 invalid_body", "", json("/dot.png")),
    ask("200 application/json", "", json(["/dot.png", "/none.png"])),
  ];
}

function measuring(scene: Scene): Case[] {
  const ask = asking("ratios", "/api/ratios", scene);
  return [
    ask("400 invalid_path", "/%zz"),
    ask("400 invalid_option", "/photos?sort=colour"),
    ask("404 not_found", "/none"),
    ask("200 application/json", "/photos?read=true"),
  ];
}

function dating(scene: Scene): Case[] {
  const ask = asking("timeline", "/api/timeline", scene);
  const shapes = asking("timelineRatios", "/api/timeline/ratios", scene);
  const places = asking("timelinePlaces", "/api/timeline/places", scene);
  return [
    ask("400 invalid_path", "?around=/%00"),
    ask("400 invalid_option", "?groupBy=colour"),
    ask("200 application/json", "?limit=10&groupBy=day"),
    shapes("400 invalid_option", "?within=1,2"),
    shapes("200 application/json", "?offset=1"),
    places("200 application/json", ""),
  ];
}

function subtitling(scene: Scene): Case[] {
  const ask = asking("subtitle", "/api/subtitle", scene);
  return [ask("400 invalid_path", "/%zz"), ...subtitled(ask)];
}

/** What a call for subtitles is answered with, whoever asks for it. */
export function subtitled(ask: Ask): Case[] {
  return [
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none.srt"),
    ask("409 is_folder", "/photos"),
    ask("412 precondition_failed", "/film.srt", { headers: { "if-match": '"other"' } }),
    ask("501 not_supported", "/a.txt"),
    ask("304", "/film.srt", { headers: { "if-none-match": "*" } }),
    ask("200 text/vtt", "/film.srt"),
  ];
}

function streaming(scene: Scene): Case[] {
  const ask = asking("stream", "/api/stream/info", scene);
  return [ask("400 invalid_path", "/%zz"), ...streamed(ask)];
}

/** What a call for a stream is answered with, whoever asks for it. */
export function streamed(ask: Ask): Case[] {
  return [
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none.mkv"),
    ask("409 is_folder", "/photos"),
    ask("501 not_supported", "/a.txt"),
  ];
}

function browsing(scene: Scene): Case[] {
  const ask = asking("browseArchive", "/api/archive", scene);
  return [ask("400 invalid_path", "/%zz"), ...archived(ask, "/slow.tar.gz")];
}

/** What a look into an archive is answered with, whoever asks for it. */
export function archived(ask: Ask, slow = "/slow-shared.tar.gz"): Case[] {
  return [
    ask("400 invalid_option", "/trip.zip?sort=colour"),
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none.zip"),
    ask("409 is_folder", "/photos"),
    ask("412 precondition_failed", "/trip.zip?entry=in.txt", {
      headers: { "if-match": '"other"' },
    }),
    ask("413 archive_too_large", "/many.tar"),
    ask("422 broken_archive", "/cut.tar"),
    ask("422 encrypted_archive", "/trip.zip?entry=secret.txt"),
    ask("422 unsafe_archive", "/long.tar"),
    ask("501 not_supported", "/a.txt"),
    ask("304", "/trip.zip?entry=in.txt", { headers: { "if-none-match": "*" } }),
    ask("200 application/json", "/trip.zip"),
    ask("200 */*", "/trip.zip?entry=in.txt"),
    ask("202 application/json", slow, { headers: { prefer: "respond-async, wait=0" } }),
  ];
}

function searching(scene: Scene): Case[] {
  const ask = asking("search", "/api/search", scene);
  return [
    ask("400 invalid_path", "/%00?query=sea"),
    ask("400 invalid_option", "/"),
    ask("404 not_found", "/none/?query=sea"),
    ask("501 not_supported", "/?query=content:s"),
    ask("200 application/json", "/?query=s"),
    ask("200 application/json", "/?query=s&details=true"),
    ask("200 application/x-ndjson", "/?query=s", { headers: { accept: "application/x-ndjson" } }),
  ];
}

function indexing(scene: Scene): Case[] {
  const tell = asking("contentIndex", "/api/contents", scene);
  const rebuild = asking("rebuildContentIndex", "/api/contents", scene);
  return [
    tell("200 application/json", ""),
    rebuild("501 not_supported", ""),
    rebuild("200 text/plain", "", {}, scene.guarded),
  ];
}

/** What a download is answered with, whoever asks for it. */
export function downloads(ask: Ask): Case[] {
  const range = (range: string) => ({ headers: { range } });
  return [
    ask("403 not_a_file", "/pipe"),
    ask("404 not_found", "/none"),
    ask("412 precondition_failed", "/a.txt", { headers: { "if-match": '"other"' } }),
    ask("416 range_not_satisfiable", "/a.txt", range("bytes=10-")),
    ask("304", "/a.txt", { headers: { "if-none-match": "*" } }),
    ask("206 */*", "/a.txt", range("bytes=2-4")),
    ask("206 multipart/byteranges", "/a.txt", range("bytes=0-1,4-5")),
    ask("200 */*", "/a.txt"),
    ask("200 */*", "/a.txt?inline=true"),
    ask("200 application/zip", "/photos/"),
    ask("200 application/zip", "/?files=a.txt,photos%252Fsea.jpg&compress=true"),
    ...tarKinds.map(([algo, type]) => ask(`200 ${type}`, `/photos/?algo=${algo}`)),
  ];
}
