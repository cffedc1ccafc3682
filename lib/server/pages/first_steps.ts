import type { Context } from "fresh";
import type { FilesPageData, FirstSteps } from "../../shared/page_data.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../http/middleware/sign_in.ts";

/**
 * The steps that the first administrator of a new server is shown above the root folder; undefined
 * once all are done, or have been hidden.
 */
export async function firstStepsOf(
  ctx: Context<State>,
  { path, resource }: FilesPageData,
): Promise<FirstSteps | undefined> {
  const { user } = signedInOf(ctx);
  if (!user.firstSteps || !user.perm.admin || path !== "/" || !resource) return undefined;
  const { config, shares, users } = ctx.state.cubby;
  const steps: FirstSteps = {
    upload: (resource.numDirs ?? 0) + (resource.numFiles ?? 0) > 0,
    user: await users.count() > 1,
    share: await shares.isSharing(user.id),
  };
  if (user.hasPrintedPassword && config.authMethod === "json") steps.password = false;
  return Object.values(steps).includes(false) ? steps : undefined;
}
