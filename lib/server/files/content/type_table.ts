import type { EntryType } from "../../../shared/api_types.ts";

/** How an entry is opened, without what only folders and links are. */
export type FileType = Extract<EntryType, "image" | "audio" | "video" | "pdf" | "text" | "blob">;

/**
 * Media types by extension. The part before the slash decides how a file is opened, except for
 * text in disguise, which {@link textExtensions} lists.
 */
export const mediaTypes: Record<string, string> = {
  // Pictures that browsers show.
  apng: "image/apng",
  avif: "image/avif",
  bmp: "image/bmp",
  cur: "image/x-icon",
  gif: "image/gif",
  ico: "image/x-icon",
  jfif: "image/jpeg",
  jpe: "image/jpeg",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  jxl: "image/jxl",
  pjp: "image/jpeg",
  pjpeg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  svgz: "image/svg+xml",
  webp: "image/webp",
  // Pictures that the server may turn into previews.
  "3fr": "image/x-hasselblad-3fr",
  arw: "image/x-sony-arw",
  cr2: "image/x-canon-cr2",
  cr3: "image/x-canon-cr3",
  crw: "image/x-canon-crw",
  dng: "image/x-adobe-dng",
  heic: "image/heic",
  heif: "image/heif",
  j2k: "image/jp2",
  jp2: "image/jp2",
  nef: "image/x-nikon-nef",
  orf: "image/x-olympus-orf",
  pbm: "image/x-portable-bitmap",
  pef: "image/x-pentax-pef",
  pgm: "image/x-portable-graymap",
  pnm: "image/x-portable-anymap",
  ppm: "image/x-portable-pixmap",
  psd: "image/vnd.adobe.photoshop",
  qoi: "image/qoi",
  raf: "image/x-fuji-raf",
  rw2: "image/x-panasonic-rw2",
  tga: "image/x-tga",
  tif: "image/tiff",
  tiff: "image/tiff",
  xcf: "image/x-xcf",
  // Sound.
  aac: "audio/aac",
  ac3: "audio/ac3",
  aif: "audio/aiff",
  aifc: "audio/aiff",
  aiff: "audio/aiff",
  amr: "audio/amr",
  ape: "audio/x-ape",
  au: "audio/basic",
  caf: "audio/x-caf",
  flac: "audio/flac",
  m4a: "audio/mp4",
  m4b: "audio/mp4",
  m4r: "audio/mp4",
  mid: "audio/midi",
  midi: "audio/midi",
  mka: "audio/x-matroska",
  mp2: "audio/mpeg",
  mp3: "audio/mpeg",
  mpga: "audio/mpeg",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  ra: "audio/x-realaudio",
  snd: "audio/basic",
  wav: "audio/wav",
  weba: "audio/webm",
  wma: "audio/x-ms-wma",
  wv: "audio/x-wavpack",
  // Moving pictures.
  "3g2": "video/3gpp2",
  "3gp": "video/3gpp",
  asf: "video/x-ms-asf",
  avi: "video/x-msvideo",
  divx: "video/x-msvideo",
  dv: "video/x-dv",
  f4v: "video/mp4",
  flv: "video/x-flv",
  m1v: "video/mpeg",
  m2ts: "video/mp2t",
  m2v: "video/mpeg",
  m4v: "video/mp4",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp4: "video/mp4",
  mpe: "video/mpeg",
  mpeg: "video/mpeg",
  mpg: "video/mpeg",
  mts: "video/mp2t",
  mxf: "application/mxf",
  ogm: "video/ogg",
  ogv: "video/ogg",
  qt: "video/quicktime",
  rm: "application/vnd.rn-realmedia",
  rmvb: "application/vnd.rn-realmedia",
  vob: "video/mpeg",
  webm: "video/webm",
  wmv: "video/x-ms-wmv",
  // Documents.
  djvu: "image/vnd.djvu",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  mobi: "application/x-mobipocket-ebook",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  pdf: "application/pdf",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ps: "application/postscript",
  rtf: "application/rtf",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  // Archives and disk images.
  "7z": "application/x-7z-compressed",
  apk: "application/vnd.android.package-archive",
  br: "application/x-brotli",
  bz2: "application/x-bzip2",
  cab: "application/vnd.ms-cab-compressed",
  cbr: "application/vnd.comicbook-rar",
  cbz: "application/vnd.comicbook+zip",
  deb: "application/vnd.debian.binary-package",
  dmg: "application/x-apple-diskimage",
  gz: "application/gzip",
  img: "application/octet-stream",
  iso: "application/x-iso9660-image",
  jar: "application/java-archive",
  lz4: "application/x-lz4",
  lzma: "application/x-lzma",
  rar: "application/vnd.rar",
  rpm: "application/x-rpm",
  sz: "application/x-snappy-framed",
  tar: "application/x-tar",
  tgz: "application/gzip",
  war: "application/java-archive",
  xz: "application/x-xz",
  zip: "application/zip",
  zst: "application/zstd",
  // Programs, fonts, stores.
  bin: "application/octet-stream",
  class: "application/java-vm",
  db: "application/octet-stream",
  dll: "application/vnd.microsoft.portable-executable",
  eot: "application/vnd.ms-fontobject",
  exe: "application/vnd.microsoft.portable-executable",
  msi: "application/x-msi",
  o: "application/octet-stream",
  otf: "font/otf",
  pyc: "application/x-python-code",
  so: "application/octet-stream",
  sqlite: "application/vnd.sqlite3",
  sqlite3: "application/vnd.sqlite3",
  ttc: "font/collection",
  ttf: "font/ttf",
  wasm: "application/wasm",
  woff: "font/woff",
  woff2: "font/woff2",
  // Text with a media type of its own.
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  ics: "text/calendar",
  js: "text/javascript",
  json: "application/json",
  jsonld: "application/ld+json",
  md: "text/markdown",
  mjs: "text/javascript",
  srt: "application/x-subrip",
  tsv: "text/tab-separated-values",
  vcf: "text/vcard",
  vtt: "text/vtt",
  xhtml: "application/xhtml+xml",
  xml: "text/xml",
};

/** Films that are not `video/…`, and documents that are not. */
export const typeExceptions: Record<string, FileType> = {
  djvu: "blob",
  mxf: "video",
  pdf: "pdf",
  rm: "video",
  rmvb: "video",
};

const words = (text: string) => text.trim().split(/\s+/);

/** Extensions of files that are text, whatever their media type says. */
export const textExtensions: ReadonlySet<string> = new Set(
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

/** Names without an extension, lower case, whose files are text. */
export const textNames: ReadonlySet<string> = new Set(words(`
  .babelrc .bash_history .bash_logout .bash_profile .bashrc .browserslistrc .clang-format .cshrc
  .dockerignore .editorconfig .env .eslintignore .eslintrc .gitattributes .gitconfig .gitignore
  .gitkeep .gitmodules .hgignore .htaccess .htpasswd .inputrc .mailmap .netrc .npmignore .npmrc .nvmrc
  .prettierrc .profile .stylelintrc .tmux.conf .vimrc .wgetrc .yarnrc .zprofile .zshenv .zshrc
  authors brewfile build caddyfile changelog changes cname codeowners contributing contributors
  copying copyright dockerfile fstab gemfile gnumakefile hosts install jenkinsfile justfile license
  licence maintainers makefile manifest news notice passwd pipfile procfile rakefile readme
  requirements security thanks todo vagrantfile version
`));
