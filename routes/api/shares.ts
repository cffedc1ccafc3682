import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { isShareWithin, shareInfos } from "../../lib/server/http/request/share_lists.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";

/** The user's own shares; for administrators all. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    const { shares } = ctx.state.cubby;
    if (!user.perm.admin && !user.perm.share) {
      throw new DomainError("forbidden", 'Cannot list shares: the permission "share" is missing');
    }
    const seen = user.perm.admin ? await shares.list() : await shares.listOf(user.id);
    return jsonAnswer(
      await shareInfos(ctx, seen.filter((share) => isShareWithin(share, user)), user),
    );
  },
});
