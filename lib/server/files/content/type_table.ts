import type { EntryType } from "../../../shared/api_types.ts";

/** The type of a regular file, excluding those of folders and links. */
export type FileType = Extract<EntryType, "image" | "audio" | "video" | "pdf" | "text" | "blob">;

const words = (text: string) => text.trim().split(/\s+/);

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
  "image/x-hasselblad-3fr": "3fr",
  "image/x-sony-arw": "arw",
  "image/x-canon-*": "cr2 cr3 crw",
  "image/x-adobe-dng": "dng",
  "image/x-nikon-nef": "nef",
  "image/x-olympus-orf": "orf",
  "image/x-pentax-pef": "pef",
  "image/x-fuji-raf": "raf",
  "image/x-panasonic-rw2": "rw2",
  "image/x-*": "tga xcf",
  "image/jp2": "j2k jp2",
  "image/x-portable-bitmap": "pbm",
  "image/x-portable-graymap": "pgm",
  "image/x-portable-anymap": "pnm",
  "image/x-portable-pixmap": "ppm",
  "image/vnd.adobe.photoshop": "psd",
  "image/tiff": "tif tiff",
  // Audio.
  "audio/*": "aac ac3 amr flac wav",
  "audio/x-*": "ape caf",
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
export const mediaTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(extensionsOf).flatMap(([type, extensions]) =>
    words(extensions).map((extension) => [extension, type.replace("*", extension)])
  ),
);

/** Videos without `video/…`, and documents with other types. */
export const typeExceptions: ReadonlyMap<string, FileType> = new Map([
  ["djvu", "blob"],
  ["mxf", "video"],
  ["pdf", "pdf"],
  ["rm", "video"],
  ["rmvb", "video"],
]);

/** Extensions of text files, whatever their media type. */
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

/** Lower-case names without an extension whose files are text. */
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
