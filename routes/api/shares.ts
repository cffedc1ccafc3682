import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { flagOption } from "../../lib/server/http/request/query.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { listAnswer } from "../../lib/server/http/request/lists/list.ts";
import { ownShareList, shareList } from "../../lib/server/http/request/lists/share_lists.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";

/** The user's own shares; for administrators all. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    if (!user.perm.admin && !user.perm.share) {
      throw new DomainError("forbidden", 'Cannot list shares: the permission "share" is missing');
    }
    const isOwn = flagOption(ctx.url.searchParams, "own");
    return await listAnswer(ctx, isOwn ? ownShareList(ctx) : shareList(ctx, user));
  },
});
