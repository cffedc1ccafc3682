/** The player of films, as a person uses it. */
import type { Locator, Page } from "playwright-core";

/** A button of the page, by all of its name. */
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true });

/** Presses **Play**. */
export const play = (page: Page): Promise<void> => button(page, "Play").click();

/** The position bar. */
export const position = (page: Page): Locator => page.getByRole("slider", { name: "Position" });

/** Waits until pictures past a time are shown. */
export async function plays(page: Page, from: number): Promise<void> {
  await page.waitForFunction((from) => {
    const video = document.querySelector<HTMLVideoElement>(".film__video");
    return video !== null && !video.paused && video.readyState >= 3 && video.videoWidth > 0 &&
      video.currentTime > from;
  }, from);
}

/** Gathers what is asked of the server for streams: the queries, in their order. */
export function watchStreams(page: Page): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/\/stream\/hls\//.test(pathname)) asked.push(searchParams);
  });
  return asked;
}

/** Has the browser not open Matroska files; call it before the page is loaded. */
export async function lackMatroska(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { canPlayType } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.canPlayType = function (type) {
      return type.includes("matroska") ? "" : canPlayType.call(this, type);
    };
  });
}
