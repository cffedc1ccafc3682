import { DomainError } from "../../lib/shared/errors.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { sessionOf } from "../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../lib/server/http/request/activities.ts";
import { requireRecentSignIn } from "../../lib/server/http/request/auth/require_passwords.ts";
import { jsonAnswer, textAnswer } from "../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../lib/server/http/openapi/answers.ts";
import { wholeBody } from "../../lib/server/http/openapi/json_body.ts";
import { changedSettings } from "../../lib/server/features/settings/changed_settings.ts";
import { escalatesPrivileges } from "../../lib/server/features/settings/escalates_privileges.ts";
import { readSettings } from "../../lib/server/features/settings/settings.ts";
import { refuseUnreadableLines } from "../../lib/server/features/commands/command_line.ts";

/** The global settings, for administrators. */
export const handler = calls({
  GET: {
    id: "getSettings",
    tag: "Server",
    summary: "Give the settings",
    who: "admin",
    answers: { 200: json("The settings.", schemaNamed("Settings")) },
    examples: `
$ curl -s $CUBBY/api/settings -H "X-Auth: $TOKEN" | jq -r .defaults.viewMode
list
`,
    handle(ctx) {
      const { settings } = sessionOf(ctx);
      return jsonAnswer({ ...settings, authMethod: ctx.state.cubby.config.authMethod });
    },
  },
  PUT: {
    id: "changeSettings",
    tag: "Server",
    summary: "Change the settings",
    description:
      "Settings that the body leaves out stay as they are. Everything is validated before " +
      "anything is stored, and applies immediately, to open sessions as well. A command line " +
      "with an open quote or no word is 400. Other rules, " +
      "command lines, a shell, default rights and sign-up need `current_password`. With " +
      "`--api-compat 2.63`, a sign-in of the last ten minutes is enough.",
    who: "admin",
    body: wholeBody({ type: "object" }, { lenientAt: [""] }),
    answers: { 200: text("Changed.", schemaNamed("Empty")) },
    refusals: ["invalid_path", "invalid_rule", "wrong_credentials", "throttled"],
    examples: `
$ curl -i -X PUT $CUBBY/api/settings -H "X-Auth: $TOKEN" --json '{"branding": {"theme": "dark"}}'
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx, body) {
      const { settings } = sessionOf(ctx);
      const { authMethod } = ctx.state.cubby.config;
      if ((body.authMethod || authMethod) !== authMethod) {
        throw new DomainError(
          "invalid_body",
          'Cannot change authMethod: "deno task cubby config set --auth.method" does, for the next start',
        );
      }
      const next = readSettings(body, settings);
      refuseUnreadableLines(next, settings);
      if (escalatesPrivileges(settings, next)) await requireRecentSignIn(ctx, body);
      const changed = changedSettings(settings, next);
      const noting = settings.audit.level === "off" ? next : settings;
      if (changed !== "") {
        recordActivity(ctx, "settings_change", { subject: changed, settings: noting });
      }
      // Earlier activities are logged even where the log is about to be switched off.
      if (next.audit.level === "off") await ctx.state.cubby.audit.flush();
      await ctx.state.cubby.settings.update(next);
      // Content search may be on or off now; that takes its time.
      await ctx.state.cubby.contents.follow();
      return textAnswer();
    },
  },
});
