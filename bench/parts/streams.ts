import { join } from "node:path";
import type { Page } from "playwright-core";
import { TOKEN_KEY } from "../../lib/client/base/session/session.ts";
import { filmKey } from "../../lib/client/screens/preview/film/kept_films.ts";
import { QuickStarts } from "../../lib/client/screens/preview/film/quick_starts.ts";
import {
  argsOf,
  type RecipeName,
  recipes,
} from "../../lib/server/features/previews/media/programs/recipes.ts";
import { segmentSeconds } from "../../lib/server/features/previews/media/programs/video_encoding.ts";
import { inputPath } from "../../lib/server/core/sandbox/reader_domain.ts";
import { openBrowser, visit } from "../../tests/support/browser/browser.ts";
import { temporaryFolder } from "../../tests/support/disks/files.ts";
import { type RunningServer, startServer } from "../../tests/support/server/server.ts";
import { has, run, runQuietly } from "../commands.ts";
import { median, progress, secondsOf } from "../race.ts";
import { signIn } from "../set_up.ts";
import { Pinger } from "../stall.ts";
import { atMost, duration, type Row, table } from "../table.ts";

/** The film, which later runs find again: it takes minutes to make. */
const kept = join(Deno.env.get("TMPDIR") ?? "/tmp", "cubby-bench-film.mkv");
/** The length of what is encoded, in seconds, and of the whole, which repeats it. */
const encodedSeconds = 20;
const filmSeconds = 2_000;

/** Where a film is watched from, as parts of its length. */
const places = [0.5, 0.2, 0.9, 0.35, 0.7];
/** Where it was left, as parts of its length: far from those. */
const left = [0.6, 0.27, 0.8];

/** How the player plays it. */
const converted = { is: "stream", video: "480", why: { is: "choice" } } as const;

/**
 * A film of 2 GiB, HEVC of 1080 lines with AC-3 in Matroska, watched at 480 lines and with its
 * pictures copied: the first segment, a seek, all of it; and what /health waits meanwhile. Prints a
 * table.
 */
export async function measureStreams(isQuick: boolean): Promise<void> {
  if (!has("ffmpeg")) throw new Error("ffmpeg is not installed");
  await using folder = await temporaryFolder();
  const [root, film] = [join(folder.path, "root"), isQuick ? join(folder.path, "film.mkv") : kept];
  await Deno.mkdir(root);
  if (!hasFile(film)) await makeFilm(film, folder.path, isQuick);
  const served = join(root, "film.mkv");
  await Deno.link(film, served).catch(() => Deno.copyFile(film, served));
  await using server = await startServer({ root, flags: ["--disable-media-programs=false"] });
  using pinger = new Pinger(server.url);
  const token = await signIn(server);
  const viewer = new Viewer(server, token, served);
  const rounds = isQuick ? 1 : 3;
  const rows = [
    ...await measureStart(viewer, served, rounds, pinger),
    ...isQuick ? [] : await measurePlayer(server, token, await viewer.quickStarts()),
    ...await measureCopy(viewer, served, isQuick, pinger),
  ];
  console.log(table(rows));
}

/** Looks at the film as a player does. */
class Viewer {
  readonly #server: RunningServer;
  readonly #token: string;
  readonly #film: string;

  constructor(server: RunningServer, token: string, film: string) {
    this.#server = server;
    this.#token = token;
    this.#film = film;
  }

  /** Gives the film another time: nothing that is known of it holds any more. */
  async forget(): Promise<void> {
    const time = Math.round(Math.random() * 1e9);
    await Deno.utime(this.#film, time, time);
  }

  async get(part: string, query: string): Promise<Uint8Array<ArrayBuffer>> {
    const answer = await fetch(`${this.#server.url}/api/stream/${part}/film.mkv?${query}`, {
      headers: { "x-auth": this.#token },
    });
    const bytes = await answer.bytes();
    if (answer.ok) return bytes;
    throw new Error(`Cannot play: ${answer.status} ${new TextDecoder().decode(bytes)}`);
  }

  /** Where conversions begin soonest, in seconds. */
  async quickStarts(): Promise<number[]> {
    const info = JSON.parse(new TextDecoder().decode(await this.get("info", "starts=true")));
    return info.quickStarts;
  }

  /** The number of segments. */
  async playlist(video: string): Promise<number> {
    const text = new TextDecoder().decode(await this.get("hls", `video=${video}`));
    return text.match(/^#EXTINF/gm)?.length ?? 0;
  }

  /** Asks for a segment. @returns its length in bytes */
  async segment(video: string, segment: number | "init", at = 0): Promise<number> {
    return (await this.get("hls", `video=${video}&segment=${segment}&at=${at}`)).length;
  }

  /** From the click to the first pictures: tracks, playlist, header and segment. */
  async start(video: string, at: number): Promise<void> {
    await this.get("info", "");
    await this.playlist(video);
    const init = this.segment(video, "init", at * segmentSeconds);
    await Promise.all([init, this.segment(video, at)]);
  }
}

/** The first segment at 480 lines, and those after a seek. */
async function measureStart(
  viewer: Viewer,
  film: string,
  rounds: number,
  pinger: Pinger,
): Promise<Row[]> {
  const [first, quick, exact]: [number[], number[], number[]] = [[], [], []];
  const [alone, quickAlone, exactAlone]: [number[], number[], number[]] = [[], [], []];
  await viewer.start("480", 0);
  const count = await viewer.playlist("480");
  await pinger.waits();
  for (let round = 0; round < rounds; round++) {
    await viewer.forget();
    first.push(await secondsOf(() => viewer.start("480", 0)));
    // As the player does while it plays: it fills its buffer, and knows where seeks are quick.
    const starts = await viewer.quickStarts();
    for (let segment = 1; segment <= 6; segment++) await viewer.segment("480", segment);
    const seek = async (seconds: number) => {
      const at = Math.floor(seconds / segmentSeconds);
      const taken = await secondsOf(() => viewer.segment("480", at));
      await Promise.all([1, 2, 3].map((next) => viewer.segment("480", at + next)));
      return taken;
    };
    const to = Math.floor((places[round % places.length] ?? 0) * count) * segmentSeconds;
    const goal = goalOf(to, count * segmentSeconds, starts);
    quick.push(await seek(goal));
    exact.push(await seek(to));
    await viewer.forget();
    alone.push(await secondsOf(() => ffmpegAlone(film, "stream480", 0)));
    quickAlone.push(await secondsOf(() => ffmpegAlone(film, "stream480", Math.floor(goal))));
    exactAlone.push(await secondsOf(() => ffmpegAlone(film, "stream480", to)));
    progress(`480 lines: ${first.at(-1)}, ${alone.at(-1)}`);
    progress(`seek to ${to}, at ${goal}: ${quick.at(-1)}, ${quickAlone.at(-1)}`);
    progress(`at the very place: ${exact.at(-1)}, ${exactAlone.at(-1)}`);
  }
  const waits = await pinger.waits();
  return [
    {
      what: "first segment of 2 GiB HEVC with AC-3 at 480 lines",
      cubby: duration(median(first)),
      against: `of which FFmpeg ${duration(median(alone))}`,
      target: atMost(median(first), 2, "2 s"),
    },
    {
      what: "segment after a seek, from the keyframe before, as the player asks",
      cubby: duration(median(quick)),
      against: `FFmpeg alone ${duration(median(quickAlone))}`,
      target: atMost(median(quick), 1.5, "1.5 s"),
    },
    {
      what: "segment after a seek, at the very place",
      cubby: duration(median(exact)),
      against: `FFmpeg alone ${duration(median(exactAlone))}`,
    },
    healthRow("480 lines", waits),
  ];
}

/**
 * What a person waits for in Chromium: from a click on the seek bar to the picture, and from Play
 * where a film goes on.
 */
async function measurePlayer(
  { url }: RunningServer,
  token: string,
  starts: number[],
): Promise<Row[]> {
  const taken: number[] = [];
  const [resumed, exact]: [number[], number[]] = [[], []];
  const headers = { "x-auth": token };
  const entry = await (await fetch(`${url}/api/resources/film.mkv`, { headers })).json();
  const browser = await openBrowser();
  await visit(browser, { url }, async (page) => {
    await page.context().addCookies([{ name: "auth", value: token, url }]);
    await page.addInitScript(
      ({ key, token }) => localStorage.setItem(key, token),
      { key: TOKEN_KEY, token },
    );
    const isTold = page.waitForResponse((answer) => answer.url().includes("starts=true"));
    await page.goto("/files/film.mkv");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await isTold;
    for (const place of places) {
      // It plays, and loads what comes next.
      await page.waitForFunction(() => {
        const { buffered, currentTime } = document.querySelector("video") ?? {};
        return buffered && buffered.length > 0 && currentTime !== undefined &&
          buffered.end(buffered.length - 1) > currentTime + 3;
      });
      const seen = page.evaluate(() =>
        new Promise<number>((resolve) => {
          const video = document.querySelector("video");
          let [began, isSought] = [NaN, false];
          addEventListener("change", () => began = performance.now(), { capture: true });
          video?.addEventListener("seeked", () => isSought = true);
          const look = () => {
            if (isSought) resolve(performance.now() - began);
            else video?.requestVideoFrameCallback(look);
          };
          video?.addEventListener("seeking", () => video.requestVideoFrameCallback(look), {
            once: true,
          });
        })
      );
      const position = page.getByRole("slider", { name: "Position" });
      await position.fill(String(Math.floor(place * filmSeconds)));
      taken.push(await seen / 1_000);
      progress(`in Chromium: ${taken.at(-1)}`);
    }
    for (const place of left) {
      const to = Math.floor(place * filmSeconds);
      const [at, from] = [to + 10, new QuickStarts(starts).before(to, converted)];
      for (const [places, times] of [[[at], exact], [[to, from], resumed]] as const) {
        const text = JSON.stringify([[filmKey({ user: 1 }, entry), ...places]]);
        times.push(await resume(page, text) / 1_000);
      }
      progress(`goes on: ${resumed.at(-1)}, at the very place ${exact.at(-1)}`);
    }
  }).finally(() => browser.close());
  return [
    {
      what: "picture in Chromium after a click on the seek bar",
      cubby: duration(median(taken)),
      against: `longest ${duration(Math.max(...taken))}`,
      target: atMost(median(taken), 1.5, "1.5 s"),
    },
    {
      what: "picture in Chromium after Play, where a film goes on",
      cubby: duration(median(resumed)),
      against: `at the very place ${duration(median(exact))}`,
      target: atMost(median(resumed), 1.5, "1.5 s"),
    },
  ];
}

/** Goes on with the film where one was. @returns the time from Play to the picture, in milliseconds */
async function resume(page: Page, places: string): Promise<number> {
  // Not while the page of the former film writes its own.
  await page.goto("/files/");
  await page.evaluate((places) => localStorage.setItem("film places", places), places);
  await page.goto("/files/film.mkv");
  await page.getByText(/^Resumed at/).waitFor();
  const seen = page.evaluate(() =>
    new Promise<number>((resolve) => {
      let began = NaN;
      addEventListener("click", () => began = performance.now(), { capture: true, once: true });
      document.querySelector("video")?.requestVideoFrameCallback(() =>
        resolve(performance.now() - began)
      );
    })
  );
  await page.getByRole("button", { name: "Play", exact: true }).click();
  return await seen;
}

/** Where the player goes when a user seeks from the beginning, in seconds. */
function goalOf(to: number, duration: number, starts: number[]): number {
  const buffered = { length: 0, start: () => 0, end: () => 0 };
  const element = { currentTime: 0, duration, buffered };
  new QuickStarts(starts).seek(element, to, converted);
  return element.currentTime;
}

/** All segments of copied pictures, one after the other. */
async function measureCopy(
  viewer: Viewer,
  film: string,
  isQuick: boolean,
  pinger: Pinger,
): Promise<Row[]> {
  const rounds = isQuick ? 1 : 2;
  const speeds: number[] = [];
  const alone: number[] = [];
  const reads: number[] = [];
  const starts: number[] = [];
  const { size } = await Deno.stat(film);
  const length = isQuick ? encodedSeconds : filmSeconds;
  await pinger.waits();
  for (let round = 0; round < rounds; round++) {
    await viewer.forget();
    starts.push(await secondsOf(() => viewer.start("copy", 0)));
    const count = await viewer.playlist("copy");
    await viewer.forget();
    await viewer.playlist("copy");
    let bytes = 0;
    const seconds = await secondsOf(async () => {
      // As many bytes as make half of a gigabyte: the cache takes them, too.
      for (let at = 0; at < count && bytes < size / 4; at++) {
        bytes += await viewer.segment("copy", at);
      }
    });
    speeds.push(bytes / seconds);
    const limit = ["-t", String(length * bytes / size)];
    alone.push(bytes / await secondsOf(() => ffmpegAlone(film, "streamCopyHevc", 0, limit)));
    reads.push(size / await secondsOf(() => runQuietly("cat", film)));
    progress(`copied: ${starts.at(-1)}, ${speeds.at(-1)}, ${alone.at(-1)}, ${reads.at(-1)}`);
  }
  const waits = await pinger.waits();
  const speed = (bytes: number[]) => `${Math.round(median(bytes) / 2 ** 20)} MiB/s`;
  return [
    { what: "first segment, copied pictures", cubby: duration(median(starts)) },
    {
      what: "copied pictures with converted sound, all segments in turn",
      cubby: speed(speeds),
      against: `FFmpeg alone ${speed(alone)}, cat ${speed(reads)}`,
      ratio: median(alone) / median(speeds),
    },
    healthRow("copied pictures", waits),
  ];
}

function healthRow(what: string, waits: number[]): Row {
  const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? NaN;
  return {
    what: `/health meanwhile, ${what}: p99 of ${waits.length}`,
    cubby: `${p99.toFixed(1)} ms`,
    against: `median ${median(waits).toFixed(1)} ms, longest ${Math.max(...waits).toFixed(1)} ms`,
    target: atMost(p99, 20, "20 ms"),
  };
}

/** FFmpeg as the server runs it, without server and sandbox, for one segment from a place on. */
async function ffmpegAlone(
  film: string,
  name: RecipeName,
  start: number,
  limit = ["-t", String(segmentSeconds)],
): Promise<void> {
  const args = argsOf(recipes[name], { start, offset: start + 10, track: 0 });
  const shell = 'film=$1; shift; exec nice ffmpeg "$@" <"$film"';
  const at = args.indexOf(`file:${inputPath}`) + 1;
  await runQuietly("sh", "-c", shell, "sh", film, ...args.toSpliced(at, 0, ...limit));
}

/** Pictures with noise, as films have it, of 8.5 Mbit/s: some seconds, again and again. */
async function makeFilm(path: string, folder: string, isQuick: boolean): Promise<void> {
  const [part, seconds] = [join(folder, "part.mkv"), encodedSeconds];
  const tone = (hertz: number) => ["-f", "lavfi", "-i", `sine=f=${hertz}:d=${seconds}`];
  const picture = `testsrc2=s=1920x1080:r=24000/1001:d=${seconds},noise=alls=12:allf=t`;
  const rate = "keyint=240:bitrate=8500:vbv-maxrate=9000:vbv-bufsize=9000";
  await run(
    ...["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture, ...tone(220), ...tone(330)] as const,
    ...["-filter_complex", "[1:a][2:a]amerge=inputs=2[a]", "-map", "0:v", "-map", "[a]"],
    ...["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", `log-level=none:${rate}`],
    ...["-c:a", "ac3", "-b:a", "384k", part],
  );
  const times = isQuick ? 0 : filmSeconds / encodedSeconds - 1;
  await run(
    ...["ffmpeg", "-v", "error", "-stream_loop", `${times}`, "-i", part] as const,
    ...["-map", "0", "-c", "copy", "-y", path],
  );
}

function hasFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
