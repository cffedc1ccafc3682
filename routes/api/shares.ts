import type { State } from "../../lib/define.ts";
import { DomainError } from "../../lib/errors.ts";
import { jsonAnswer } from "../../lib/http/answers.ts";
import { methods } from "../../lib/http/methods.ts";
import { shareInfos } from "../../lib/http/share_requests.ts";
import { signedInOf } from "../../lib/http/sign_in.ts";

/** One's own shares; an administrator sees everybody's. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    const { shares } = ctx.state.cubby;
    if (!user.perm.admin && !user.perm.share) {
      throw new DomainError("forbidden", 'Cannot list shares: the permission "share" is missing');
    }
    const seen = user.perm.admin ? await shares.list() : await shares.listOf(user.id);
    return jsonAnswer(shareInfos(seen, user));
  },
});
