const TYPES: Record<string, string> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css; charset=UTF-8",
  csv: "text/csv; charset=UTF-8",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html; charset=UTF-8",
  html: "text/html; charset=UTF-8",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  map: "application/json; charset=UTF-8",
  md: "text/markdown; charset=UTF-8",
  mjs: "text/javascript; charset=UTF-8",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  txt: "text/plain; charset=UTF-8",
  wasm: "application/wasm",
  wav: "audio/x-wav",
  webm: "video/webm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "text/xml; charset=UTF-8",
  zip: "application/zip",
};

/** The media type of a static file, by its extension; plain text for an unknown one. */
export function contentTypeOf(pathname: string): string {
  const extension = /\.([^./]+)$/.exec(pathname)?.[1] ?? "";
  return TYPES[extension.toLowerCase()] ?? "text/plain";
}
