import type { Context } from "fresh";

/** Answers with a style sheet: cacheable for a year where its address contains the build. */
export function sheetAnswer(
  { config, url }: Pick<Context<unknown>, "config" | "url">,
  sheet: Uint8Array<ArrayBuffer>,
): Response {
  const kept = url.search !== "" && config.mode !== "development";
  return new Response(sheet, {
    headers: {
      "content-length": String(sheet.length),
      "content-type": "text/css; charset=utf-8",
      "cache-control": kept ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}
