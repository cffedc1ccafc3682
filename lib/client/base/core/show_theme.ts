import { frameColors } from "../../../shared/page_data.ts";

/** A theme; "" follows the device. */
export type Theme = "" | "light" | "dark";

/**
 * Gives the page a theme, as the server renders it: the attribute of the document, and the colours
 * of the browser's frame.
 *
 * @param color the site's own colour of the frame; "" for the theme's
 */
export function showTheme(document: Document, theme: Theme, color: string): void {
  const { documentElement: root, head } = document;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  head.querySelector("meta[name=color-scheme]")?.setAttribute("content", theme || "light dark");
  for (const old of head.querySelectorAll("meta[name=theme-color]")) old.remove();
  for (const frame of theme ? [theme] : ["light", "dark"] as const) {
    const meta = document.createElement("meta");
    meta.name = "theme-color";
    meta.content = color || frameColors[frame];
    if (!theme) meta.media = `(prefers-color-scheme: ${frame})`;
    head.append(meta);
  }
}
