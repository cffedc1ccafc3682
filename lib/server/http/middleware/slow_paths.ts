import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import {
  type EntryPath,
  parentOf,
  parsePath,
  parseUrlPath,
  segmentsOf,
} from "../../../shared/path.ts";
import { slowMountsOf } from "../../access/slow_mounts.ts";
import { SERVER } from "../../access/viewer.ts";
import type { State } from "../../define.ts";
import { type Mount, mounts } from "../../disk/mounts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { homeOf } from "../../users/home.ts";
import { enterShare } from "../../shares/visit.ts";
import { accessFor } from "../request/access_for.ts";
import { transferOptions } from "../request/transfer_options.ts";

/** The calls whose address names an entry, behind this much of it. */
const entryCalls =
  /^(\/files|\/api\/(?:resources|raw|search|subtitle|usage|watch|share|preview\/[^/]*))(\/.*)?$/;

/** The calls whose address names a share, and an entry in it. */
const shareCalls = /^\/(?:share|api\/public\/(?:dl|share))(\/.+)$/;

/** The calls that may make a home folder, wherever the settings say. */
const homeCalls = /^\/api\/(?:signup|users)\/?$/;

/** The calls that go through all that is below a folder. */
const deepCalls = /^\/api\/(?:raw|search|public\/dl)(?:\/|$)/;

/**
 * Middleware: hands a request about a disk that may hang on to a thread that waits for it. The gate
 * is not asked here but there, so what a viewer may do is decided in one place. A socket for commands
 * can't be handed on: its folder is refused by the guard of the disk (`disk_timeout`).
 */
export async function leaveToSlowDisks(ctx: Context<State>): Promise<Response> {
  const { slowDisks } = ctx.state.cubby;
  if (slowDisks === null || mounts.slow.length === 0) return await ctx.next();
  const concerned = await slowDisksOf(ctx);
  if (concerned === null || concerned.disks.length === 0) return await ctx.next();
  return await slowDisks.fetch(ctx.req, ctx.info, concerned.disks, concerned.path);
}

interface Concerned {
  disks: Mount[];
  path: EntryPath;
}

/** Null for a request that is about no entry, or is refused without a look at one. */
async function slowDisksOf(ctx: Context<State>): Promise<Concerned | null> {
  try {
    const call = ctx.url.pathname.slice(ctx.config.basePath.length);
    const { method } = ctx.req;
    const reach = deepCalls.test(call) || method === "DELETE" || method === "PATCH"
      ? "below"
      : "entry";
    const share = shareCalls.exec(call);
    if (share) return await disksOfShare(ctx, share[1] ?? "/", reach);
    const { gate, settings } = ctx.state.cubby;
    if (homeCalls.test(call) && method === "POST") {
      const homes = parentOf(homeOf("any", (await settings.get()).defaults.scope));
      return concernedBy(gate.enter(SERVER), homes, "entry");
    }
    const entry = entryCalls.exec(call);
    if (!entry || !ctx.state.signedIn) return null;
    const access = accessFor(ctx);
    const concerned = concernedBy(access, parseUrlPath(entry[2] ?? "/").path, reach);
    if (method !== "PATCH") return concerned;
    const { to } = transferOptions(ctx.url);
    const target = concernedBy(access, to, "below");
    return { ...concerned, disks: [...new Set([...concerned.disks, ...target.disks])] };
  } catch (error) {
    // The route refuses it in its own words.
    if (error instanceof DomainError) return null;
    throw error;
  }
}

async function disksOfShare(
  { state: { cubby } }: Context<State>,
  text: string,
  reach: "entry" | "below",
): Promise<Concerned> {
  const { gate, settings, shares, users } = cubby;
  const [hash = "", ...rest] = segmentsOf(parseUrlPath(text).path);
  const share = await shares.get(hash);
  const visit = await enterShare(share, { gate, users, settings: await settings.get() });
  return concernedBy(visit.access, parsePath(rest.join("/")).path, reach);
}

function concernedBy(access: Access, path: EntryPath, reach: "entry" | "below"): Concerned {
  return { path, disks: slowMountsOf(access, path, reach) };
}
