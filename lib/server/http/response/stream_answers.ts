import type { Context } from "fresh";
import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { streamPictures } from "../../../shared/schemas/stream.ts";
import type { Access } from "../../core/access/access.ts";
import { header } from "../../features/previews/media/streams/segments.ts";
import type { Film, StreamChoice } from "../../features/video/stream_choice.ts";
import type { Timeline } from "../../features/video/timeline.ts";
import type { State } from "../define.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { countOption, flagOption, type StreamPart } from "../request/query.ts";
import { jsonAnswer } from "./answers.ts";
import { refuseAsCode, sandboxPolicy } from "./downloads.ts";
import { bytesBody } from "./page_stream.ts";

/**
 * Answers with the tracks of a film, a playlist of it, one of its segments, subtitles inside of it,
 * or a small picture of a place.
 *
 * @param owner key of the user, or of all visitors of one: who has one conversion at a time
 * @throws DomainError `forbidden`, `not_found`, `is_folder`, `not_a_file`, `invalid_option`;
 * `not_supported` for what cannot be converted; `throttled`, `busy` when too much is being converted
 */
export async function streamAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  { part, owner }: { part: StreamPart; owner: string },
): Promise<Response> {
  const { req, url, state: { cubby: { streams, seekPictures } } } = ctx;
  refuseAsCode(req);
  const query = url.searchParams;
  const opened = await streams.open(access, path, req.signal, countOption(query, "size"));
  // The tracks are told at once: the browser may play the film without the server.
  const isMeasured = part === "hls" || part === "picture";
  const film = isMeasured ? await streams.measured(opened, req.signal) : opened;
  if (part === "info") {
    const asker = { owner, signal: req.signal };
    return jsonAnswer({
      ...film.info,
      ...query.has("video") && { place: await streams.placeOf(film, choiceOf(query), asker) },
      ...flagOption(query, "starts") && {
        quickStarts: await streams.quickStarts(film, req.signal),
      },
    });
  }
  if (part === "subtitle") {
    const track = countOption(query, "subtitle") ?? 0;
    return await bytesAnswer(
      ctx,
      "text/vtt; charset=utf-8",
      () => streams.subtitles(film, track, req.signal),
    );
  }
  if (part === "picture") {
    const seconds = countOption(query, "at") ?? 0;
    return await bytesAnswer(
      ctx,
      "image/jpeg",
      () => seekPictures.picture(film, seconds, { owner, signal: req.signal }),
      "private, max-age=86400",
    );
  }
  const choice = choiceOf(query);
  const segment = segmentOption(query);
  if (segment === null) {
    const timeline = await streams.timeline(film, choice, req.signal);
    return await bytesAnswer(
      ctx,
      "application/vnd.apple.mpegurl",
      () => Promise.resolve(new TextEncoder().encode(playlistOf(film, timeline, choice, query))),
    );
  }
  const near = countOption(query, "at") ?? 0;
  const options = { near, owner, signal: req.signal };
  return await bytesAnswer(
    ctx,
    typeOf(film, choice),
    () => streams.segment(film, choice, segment, options),
  );
}

function choiceOf(query: URLSearchParams): StreamChoice {
  const text = query.get("video") ?? "480";
  const video = streamPictures.find((name) => name === text);
  if (video === undefined) {
    const known = streamPictures.join(", ");
    throw new DomainError(
      "invalid_option",
      `Cannot use "${text}" as video: expected one of ${known}`,
    );
  }
  return { video, audio: countOption(query, "audio") ?? 0 };
}

/** The segment that a query asks for; null for the playlist. */
function segmentOption(query: URLSearchParams): number | null {
  return query.get("segment") === "init" ? header : countOption(query, "segment") ?? null;
}

function typeOf({ info }: Film, { video }: StreamChoice): string {
  return video === "none" || !info.video ? "audio/mp4" : "video/mp4";
}

/** A playlist (RFC 8216). Its addresses differ from its own in the query alone. */
function playlistOf(
  { state }: Film,
  { starts, end }: Timeline,
  { video, audio }: StreamChoice,
  query: URLSearchParams,
): string {
  const kept = new URLSearchParams({ video, audio: String(audio), size: String(state.size) });
  for (const name of ["at", "token"]) {
    const value = query.get(name);
    if (value !== null) kept.set(name, value);
  }
  const address = (segment: string) => `?${kept}&segment=${segment}`;
  const lengths = starts.map((start, index) => (starts[index + 1] ?? end) - start);
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...lengths))}`,
    "#EXT-X-MEDIA-SEQUENCE:0",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    `#EXT-X-MAP:URI="${address("init")}"`,
    ...lengths.flatMap((length, index) => [`#EXTINF:${length.toFixed(3)},`, address(`${index}`)]),
    "#EXT-X-ENDLIST",
    "",
  ].join("\n");
}

async function bytesAnswer(
  ctx: Context<State>,
  type: string,
  make: () => Promise<Uint8Array<ArrayBuffer>>,
  cacheControl = "private, no-store",
): Promise<Response> {
  const headers = new Headers({
    "cache-control": cacheControl,
    "content-security-policy": sandboxPolicy(type),
    "content-type": type,
    "x-content-type-options": "nosniff",
  });
  if (ctx.req.method === "HEAD") return new Response(null, { headers });
  const bytes = await make();
  await reserveMemory(ctx, bytes.length);
  return new Response(bytesBody(bytes, headers), { headers });
}
