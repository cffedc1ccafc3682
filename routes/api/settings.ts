import type { State } from "../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../lib/server/http/response/answers.ts";
import { readJsonObject } from "../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../lib/server/http/request/activities.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../lib/server/http/middleware/sign_in.ts";
import { requireReauthentication } from "../../lib/server/http/request/auth/require_passwords.ts";
import { escalatesPrivileges } from "../../lib/server/settings/escalates_privileges.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { changedSettings } from "../../lib/server/settings/changed_settings.ts";
import { readSettings } from "../../lib/server/settings/settings.ts";

/** The global settings, for administrators. */
export const handler = methods<State>({
  GET(ctx) {
    const { settings } = adminOf(ctx, "read the settings");
    return jsonAnswer({ ...settings, authMethod: ctx.state.cubby.config.authMethod });
  },
  async PUT(ctx) {
    const { settings } = adminOf(ctx, "change the settings");
    const body = await readJsonObject(ctx);
    const { authMethod } = ctx.state.cubby.config;
    if ((body.authMethod || authMethod) !== authMethod) {
      throw new DomainError(
        "invalid_body",
        'Cannot change authMethod: "deno task cubby config set --auth.method" does, for the next start',
      );
    }
    const next = readSettings(body, settings);
    if (escalatesPrivileges(settings, next)) await requireReauthentication(ctx, body);
    const changed = changedSettings(settings, next);
    const noting = settings.audit.level === "off" ? next : settings;
    if (changed !== "") {
      noteActivity(ctx, "settings_change", { subject: changed, settings: noting });
    }
    // Earlier activities are logged even where the log is about to be switched off.
    if (next.audit.level === "off") await ctx.state.cubby.audit.flush();
    await ctx.state.cubby.settings.update(next);
    // Content search may be on or off now; that takes its time.
    await ctx.state.cubby.contents.follow();
    return textAnswer();
  },
});
