import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type FilesPageData, FIRST_ROWS } from "../../../shared/page_data.ts";
import type { Memory } from "../../../shared/schemas/timeline.ts";
import { timelineList } from "../../../shared/timeline_list.ts";
import type { State } from "../define.ts";
import { statusOf } from "../openapi/statuses.ts";
import { accessFor } from "../request/access_for.ts";
import { serverClock } from "../request/server_clock.ts";
import { photoQuery, timelineOf } from "../request/timeline_requests.ts";

/** The first photos of all folders, as a list; or the refusal to show them. */
export async function photosData(
  ctx: Context<State>,
): Promise<{ files: FilesPageData; memories: Memory[] }> {
  const about = { area: "photos", path: "/" } as const;
  try {
    const { photos } = ctx.state.cubby;
    const access = accessFor(ctx);
    const resource = timelineList(await timelineOf(ctx, FIRST_ROWS), "month");
    const memories = await photos.memories(access, serverClock(ctx.req).timeZone);
    const window = { offset: 0, limit: FIRST_ROWS };
    const ratios = await photos.ratios(access, photoQuery(ctx), window);
    // The page asks for the others.
    const unread = resource.numFiles === ratios.length && !ratios.includes(0) ? 0 : 1;
    return { files: { ...about, resource, failure: null, ratios: { ratios, unread } }, memories };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message } = error;
    const failure = { ok: false, status: statusOf(code), code, message } as const;
    return { files: { ...about, resource: null, failure }, memories: [] };
  }
}
