import type { EntryType } from "../../../shared/schemas/choices/choices.ts";
import { utf16WithoutMark, utf32WithoutMark } from "../text/unicode.ts";

/** The type of a regular file, excluding those of folders and links. */
export type FileType = Extract<EntryType, "image" | "audio" | "video" | "pdf" | "text" | "blob">;

/** The largest file handled as text, in bytes; a larger one is a blob. */
export const maxTextBytes = 10 * 1024 * 1024;

/** The extension with its dot in lower case: ".jpg"; "" for "README" and ".bashrc". */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 || dot === name.length - 1 ? "" : name.slice(dot).toLowerCase();
}

/** The type by name; undefined when the name does not determine it. */
export function typeOfName(name: string): FileType | undefined {
  const extension = extensionOf(name);
  if (extension !== "") return typesByExtension.get(extension);
  return textNames.has(name.toLowerCase()) ? "text" : undefined;
}

/**
 * The type of a regular file: by name, else by its first bytes if given.
 *
 * @param firstBytes the first 512, for a single file whose name does not determine the type
 */
export function typeOf(name: string, size: number, firstBytes?: Uint8Array): FileType {
  const type = firstBytes && isAmbiguous(name)
    ? typeOfBytes(firstBytes)
    : typeOfName(name) ?? (firstBytes ? typeOfBytes(firstBytes) : "blob");
  return type === "text" && size > maxTextBytes ? "blob" : type;
}

/** Names of programs that are those of recordings as well. */
const recordingNames = /.\.(ts|mod)$/i;

/** Whether the content must decide: an unknown name, or ".ts", a program or a video. */
export function isAmbiguous(name: string): boolean {
  return recordingNames.test(name) || typeOfName(name) === undefined;
}

/** The packets of an MPEG transport stream, and from where on a program is not expected, in bytes. */
const packetBytes = 188;
const longProgram = 64 * 1024;

/**
 * Whether a file with the name of a program may be a recording, which its first bytes tell: of
 * whole packets, or longer than programs. Listings then read them; of other programs none is read.
 */
export function mayBeRecording(name: string, size: number): boolean {
  return hasRecordingSize(size) && recordingNames.test(name);
}

/** The same by the size alone. */
export function hasRecordingSize(size: number): boolean {
  return size >= longProgram || size > 0 && size % packetBytes === 0;
}

/** Text that the viewer may not modify is shown without an editor. */
export function forViewer(type: FileType, canModify: boolean): EntryType {
  return type === "text" && !canModify ? "textImmutable" : type;
}

/**
 * The media type for a download: by extension; text is UTF-8.
 *
 * @param firstBytes those of what {@link mayBeRecording}
 */
export function mediaTypeOf(name: string, firstBytes?: Uint8Array): string {
  const known = mediaTypes.get(extensionOf(name).slice(1));
  if (firstBytes && typeOf(name, 0, firstBytes) === "video") {
    return extensionOf(name) === ".ts" ? "video/mp2t" : "video/mpeg";
  }
  if (typeOfName(name) !== "text") return known ?? "application/octet-stream";
  return `${known ?? "text/plain"}; charset=utf-8`;
}

const words = (text: string) => text.trim().split(/\s+/);

/** Extensions of cameras' RAW files by media type, and those without a usual one. */
const rawExtensionsOf: Record<string, string> = {
  "image/x-hasselblad-*": "3fr fff",
  "image/x-sony-*": "arq arw sr2 srf",
  "image/x-canon-*": "cr2 cr3 crw",
  "image/x-kodak-*": "dc2 dcr dcs k25 kdc",
  "image/x-adobe-dng": "dng",
  "image/x-minolta-mrw": "mrw",
  "image/x-nikon-*": "nef nrw",
  "image/x-olympus-*": "orf ori",
  "image/x-panasonic-*": "raw rw2",
  "image/x-pentax-*": "pef ptx",
  "image/x-fuji-raf": "raf",
  "image/x-sigma-x3f": "x3f",
};
const otherRaw = "ari bay cap cs1 drf erf gpr iiq mef mos obm pxn rwl rwz srw";

/** The extensions of cameras' RAW files, with their dots: those that ExifTool knows. */
export const rawExtensions: ReadonlySet<string> = new Set(
  words([...Object.values(rawExtensionsOf), otherRaw].join(" ")).map((extension) =>
    `.${extension}`
  ),
);

/**
 * Extensions by media type; `*` stands for the extension. (Not a package's list: those take
 * megabytes in every Worker, and map too many extensions, such as text to programs.)
 */
const extensionsOf: Record<string, string> = {
  // Pictures: those that browsers show or the server makes previews of.
  "image/*": "apng avif bmp gif heic heif jxl png qoi webp",
  "image/x-icon": "cur ico",
  "image/jpeg": "jfif jpe jpeg jpg pjp pjpeg",
  "image/svg+xml": "svg svgz",
  ...rawExtensionsOf,
  "image/x-*": `${otherRaw} tga xcf`,
  "image/jp2": "j2k jp2",
  "image/x-portable-bitmap": "pbm",
  "image/x-portable-graymap": "pgm",
  "image/x-portable-anymap": "pnm",
  "image/x-portable-pixmap": "ppm",
  "image/vnd.adobe.photoshop": "psd",
  "image/tiff": "tif tiff",
  // Audio.
  "audio/*": "aac ac3 amr eac3 flac wav",
  "audio/x-*": "ape caf dff dsf mpc tak tta",
  "audio/vnd.dts": "dts",
  "audio/x-ms-wma": "wma",
  "audio/aiff": "aif aifc aiff",
  "audio/basic": "au snd",
  "audio/mp4": "m4a m4b m4r",
  "audio/midi": "mid midi",
  "audio/x-matroska": "mka",
  "audio/mpeg": "mp2 mp3 mpga",
  "audio/ogg": "oga ogg opus",
  "audio/x-realaudio": "ra",
  "audio/webm": "weba",
  "audio/x-wavpack": "wv",
  // Video.
  "video/x-ms-*": "asf wmv",
  "video/x-*": "dv flv",
  "application/mxf": "mxf",
  "video/webm": "webm",
  "video/3gpp2": "3g2",
  "video/3gpp": "3gp",
  "video/x-msvideo": "avi divx",
  "video/mp4": "f4v m4v mp4",
  "video/mpeg": "m1v m2v mpe mpeg mpg vob",
  "video/mp2t": "m2ts mts",
  "video/x-matroska": "mkv",
  "video/quicktime": "mov qt",
  "video/ogg": "ogm ogv",
  "application/vnd.rn-realmedia": "rm rmvb",
  // Documents.
  "image/vnd.djvu": "djvu",
  "application/*": "pdf rtf",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx",
  "application/vnd.ms-word.document.macroenabled.12": "docm",
  "application/vnd.ms-word.template.macroenabled.12": "dotm",
  "application/epub+zip": "epub",
  "application/x-mobipocket-ebook": "mobi",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/postscript": "ps",
  "application/vnd.ms-excel": "xls",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xltx",
  "application/vnd.ms-excel.sheet.macroenabled.12": "xlsm",
  "application/vnd.ms-excel.template.macroenabled.12": "xltm",
  // Archives and disk images.
  "application/x-*": "lz4 lzma rpm tar xz",
  "application/vnd.rar": "rar",
  "application/zip": "zip",
  "application/x-7z-compressed": "7z",
  "application/vnd.android.package-archive": "apk",
  "application/x-brotli": "br",
  "application/x-bzip2": "bz2",
  "application/vnd.ms-cab-compressed": "cab",
  "application/vnd.comicbook-rar": "cbr",
  "application/vnd.comicbook+zip": "cbz",
  "application/vnd.debian.binary-package": "deb",
  "application/x-apple-diskimage": "dmg",
  "application/gzip": "gz tgz",
  "application/x-iso9660-image": "iso",
  "application/java-archive": "jar war",
  "application/x-snappy-framed": "sz",
  "application/zstd": "zst",
  // Programs, fonts, databases.
  "application/x-msi": "msi",
  "font/*": "otf ttf woff woff2",
  "application/wasm": "wasm",
  "application/java-vm": "class",
  "application/vnd.microsoft.portable-executable": "dll exe",
  "application/vnd.ms-fontobject": "eot",
  "application/x-python-code": "pyc",
  "application/vnd.sqlite3": "sqlite sqlite3",
  "font/collection": "ttc",
  "application/octet-stream": "bin db img o so",
  // Text with a media type of its own.
  "text/*": "css csv vtt xml",
  "application/json": "json",
  "text/html": "htm html",
  "text/calendar": "ics",
  "text/javascript": "js mjs",
  "application/ld+json": "jsonld",
  "text/markdown": "md",
  "application/x-subrip": "srt",
  "text/tab-separated-values": "tsv",
  "text/vcard": "vcf",
  "application/xhtml+xml": "xhtml",
};

/**
 * Media types by extension. The part before the slash decides how a file is opened, except for the
 * text formats in {@link textExtensions}.
 */
const mediaTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(extensionsOf).flatMap(([type, extensions]) =>
    words(extensions).map((extension) => [extension, type.replace("*", extension)])
  ),
);

/** Videos without `video/…`, and documents with other types. */
const typeExceptions: ReadonlyMap<string, FileType> = new Map([
  ["djvu", "blob"],
  ["mxf", "video"],
  ["pdf", "pdf"],
  ["rm", "video"],
  ["rmvb", "video"],
]);

/** Extensions of text files, whatever their media type. */
const textExtensions: ReadonlySet<string> = new Set(
  words(`
  1 2 3 4 5 6 7 8 9 ada adb adoc ads ahk as asc asciidoc asm asp aspx ass astro awk bash bashrc bat bib
  bzl c c++ cabal cc cfg cjs clj cljc cljs cls cmake cmd cnf coffee conf config cpp cr crontab crt cs
  csh cshtml csproj css csv csr ctl cts cue cxx cypher d dart desktop diff dockerfile dot dtd ebnf
  edn ejs el elm eml env erb erl ex exs f f03 f77 f90 f95 fish for fs fsi fsproj fsx gd gemspec glsl go
  gql gradle graphql groovy gv h h++ haml handlebars hbs hcl hh hjson hlsl hpp hrl hs htaccess htm html
  http hxx ics idl ini inc inf info inl ino ipynb iss java jinja jinja2 jl js json json5 jsonc jsonl
  jsonld jsp jsx kt kts l latex ldif less lhs lisp list lock log lrc lsp lst lua m m3u m3u8 m4 mak
  make man markdown md mdown mdx mediawiki mjs mk mkd ml mli mm mod mpl mustache ndjson nfo nim nix
  njk nsi nt org p pas patch pem php phtml pl plist pls pm po pod pot pp pri pro prolog
  properties proto ps1 psd1 psm1 pub pug py pyi pyw qml r rake rb rbi re resx rkt rmd rs rst rtx ru
  s sass sbt sbv scala scm scss sed service sh shtml sln smali smi sol spec sql srt ss ssa st sty styl
  sub sv svelte svh swift t tcl tcsh templ tex text tf tfvars thrift toml tpl trs ts tsv tsx ttml
  twig txt unit url v vb vbproj vbs vcard vcf vert vhd vhdl vim vtt vue wat webmanifest wiki wsdl x xaml
  xbl xht xhtml xlf xliff xml xsd xsl xslt y yaml yml zig zsh zshrc
`),
);

/** The type by extension, with its dot. */
const typesByExtension: ReadonlyMap<string, FileType> = new Map<string, FileType>([
  ...Array.from(textExtensions, (extension) => [`.${extension}`, "text"] as const),
  ...Array.from(mediaTypes, ([extension, mediaType]) => {
    const [kind] = mediaType.split("/");
    const isMedia = kind === "image" || kind === "audio" || kind === "video";
    const other = textExtensions.has(extension) ? "text" : "blob";
    return [`.${extension}`, isMedia ? kind : other] as const;
  }),
  ...Array.from(typeExceptions, ([extension, type]) => [`.${extension}`, type] as const),
]);

/** Lower-case names without an extension whose files are text. */
const textNames: ReadonlySet<string> = new Set(words(`
  .babelrc .bash_history .bash_logout .bash_profile .bashrc .browserslistrc .clang-format .cshrc
  .dockerignore .editorconfig .env .eslintignore .eslintrc .gitattributes .gitconfig .gitignore
  .gitkeep .gitmodules .hgignore .htaccess .htpasswd .inputrc .mailmap .netrc .npmignore .npmrc .nvmrc
  .prettierrc .profile .stylelintrc .tmux.conf .vimrc .wgetrc .yarnrc .zprofile .zshenv .zshrc
  authors brewfile build caddyfile changelog changes cname codeowners contributing contributors
  copying copyright dockerfile fstab gemfile gnumakefile hosts install jenkinsfile justfile license
  licence maintainers makefile manifest news notice passwd pipfile procfile rakefile readme
  requirements security thanks todo vagrantfile version
`));

/** Number of bytes that {@link typeOfBytes} needs. */
export const sniffLength = 512;

/** Expected bytes at an offset, as text in which each character is a byte. */
type Mark = [offset: number, bytes: string];

/** Distinguished picture formats. */
export type PictureFormat = "bmp" | "gif" | "jpeg" | "png" | "tiff" | "webp";

/** Signatures of file types. All marks of a line must match. */
const signatures: [FileType, PictureFormat | null, ...Mark[]][] = [
  ["pdf", null, [0, "%PDF-"]],
  ["image", "png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image", "jpeg", [0, "\xff\xd8\xff"]],
  ["image", "gif", [0, "GIF87a"]],
  ["image", "gif", [0, "GIF89a"]],
  ["image", "webp", [0, "RIFF"], [8, "WEBP"]],
  ["image", "bmp", [0, "BM"], [6, "\0\0\0\0"]],
  ["image", "tiff", [0, "II*\0"]],
  ["image", "tiff", [0, "MM\0*"]],
  ["image", null, [0, "\xff\x0a"]],
  ["image", null, [0, "\0\0\0\x0cJXL "]],
  ["image", null, [4, "ftypavif"]],
  ["image", null, [4, "ftypheic"]],
  ["image", null, [4, "ftypheix"]],
  ["image", null, [4, "ftypmif1"]],
  ["audio", null, [4, "ftypM4A "]],
  ["audio", null, [0, "ID3"]],
  ["audio", null, [0, "\xff\xfb"]],
  ["audio", null, [0, "\xff\xf1"]],
  ["audio", null, [0, "fLaC"]],
  ["audio", null, [0, "MThd"]],
  ["audio", null, [0, "RIFF"], [8, "WAVE"]],
  ["audio", null, [0, "FORM"], [8, "AIFF"]],
  ["audio", null, [0, "OggS"], [28, "OpusHead"]],
  ["audio", null, [0, "OggS"], [28, "\x01vorbis"]],
  ["video", null, [0, "OggS"]],
  ["video", null, [4, "ftyp"]],
  ["video", null, [4, "moov"]],
  ["video", null, [0, "\x1a\x45\xdf\xa3"]],
  ["video", null, [0, "RIFF"], [8, "AVI "]],
  ["video", null, [0, "FLV\x01"]],
  ["video", null, [0, "\0\0\x01\xba"]],
  ["video", null, [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"]],
  ["video", null, [0, "G"], [188, "G"], [376, "G"]],
  ["blob", null, [0, "bplist00"]],
  ["blob", null, [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]],
  ["blob", null, [0, "PK\x03\x04"]],
  ["blob", null, [0, "\x1f\x8b"]],
  ["blob", null, [0, "\x7fELF"]],
];

/**
 * The type of a file by its first 512 bytes: a known signature; or text, when it has only control
 * characters that occur in text, in UTF-16 or any superset of ASCII; otherwise a blob. An empty
 * file is text.
 */
export function typeOfBytes(bytes: Uint8Array): FileType {
  return signatureOf(bytes)?.[0] ?? (isText(bytes) ? "text" : "blob");
}

/** Whether bytes begin as a known format does. */
export function hasSignature(bytes: Uint8Array): boolean {
  return signatureOf(bytes) !== undefined;
}

/** The format of a picture by its first bytes; null for other formats and other files. */
export function pictureFormatOf(bytes: Uint8Array): PictureFormat | null {
  return signatureOf(bytes)?.[1] ?? null;
}

function signatureOf(bytes: Uint8Array) {
  return signatures.find(([, , ...marks]) => marks.every((mark) => hasMark(bytes, mark)));
}

function hasMark(bytes: Uint8Array, [offset, mark]: Mark): boolean {
  if (bytes.length < offset + mark.length) return false;
  for (let index = 0; index < mark.length; index++) {
    if (bytes[offset + index] !== mark.charCodeAt(index)) return false;
  }
  return true;
}

function isText(bytes: Uint8Array): boolean {
  const marks = ["\xff\xfe", "\xfe\xff", "\0\0\xfe\xff"];
  if (marks.some((mark) => hasMark(bytes, [0, mark]))) return true;
  const hasControls = bytes.some((byte) =>
    byte === 0x7f || (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b)
  );
  return !hasControls || (utf32WithoutMark(bytes) ?? utf16WithoutMark(bytes)) !== null;
}
