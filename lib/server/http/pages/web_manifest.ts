import type { TFunction } from "i18next";
import { frameColors, type PageConfig } from "../../../shared/page_data.ts";
import { directionOf, languageTag } from "../../../shared/i18n/locales.ts";

/**
 * The manifest of the installed site (W3C Web Application Manifest): its name, colours and icons,
 * its shortcuts, and its place in the system's share menu.
 *
 * @param locale of the texts
 */
export function webManifest(
  { BaseURL, Name, Color, Theme, Icon }: PageConfig,
  locale: string,
  t: TFunction,
): Record<string, unknown> {
  const at = (path: string) => `${BaseURL}${path}`;
  const frame = Color || frameColors[Theme === "dark" ? "dark" : "light"];
  return {
    id: at("/"),
    name: Name,
    short_name: Name,
    lang: languageTag(locale),
    dir: directionOf(locale),
    start_url: at("/files/"),
    scope: at("/"),
    display: "standalone",
    theme_color: frame,
    background_color: frame,
    icons: iconsOf(BaseURL, Icon),
    shortcuts: [
      { name: t("search.label"), url: at("/files/?search=") },
      { name: t("trash.title"), url: at("/trash") },
    ],
    share_target: {
      action: at("/share-target"),
      method: "POST",
      enctype: "multipart/form-data",
      params: { files: [{ name: "files", accept: ["*/*"] }] },
    },
  };
}

/** The site's own icon where it has one that can be drawn at any size, otherwise the product's. */
function iconsOf(base: string, own: string): Record<string, string>[] {
  const isDrawn = own.includes("/branding/icon") && own.includes("svg");
  if (isDrawn) return [{ src: own, sizes: "any", type: "image/svg+xml" }];
  const icon = (name: string, side: number, purpose: string) => {
    const src = `${base}/icons/${name}-${side}.png`;
    return { src, sizes: `${side}x${side}`, type: "image/png", purpose };
  };
  return [icon("icon", 192, "any"), icon("icon", 512, "any"), icon("maskable", 512, "maskable")];
}
