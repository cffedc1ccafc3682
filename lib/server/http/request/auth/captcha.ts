import type { Context } from "fresh";
import type { State } from "../../define.ts";
import type { Recaptcha } from "../../../core/config/sign_in_options.ts";
import { isSolved } from "../../../features/accounts/auth/captcha_verifier.ts";
import { textField } from "../json_body.ts";
import type { OtherSources } from "../../middleware/security_headers.ts";

/** Google's own hosts load parts of the widget from further hosts. */
const google = {
  hosts: ["https://www.google.com", "https://www.recaptcha.net"],
  scripts: ["https://www.gstatic.com/recaptcha/", "https://www.gstatic.cn/recaptcha/"],
  frames: ["https://recaptcha.google.com/recaptcha/"],
};

/** The sources that the page with the widget loads. */
export function widgetSources({ host }: Recaptcha): OtherSources {
  const own = `${host}/recaptcha/`;
  const more = google.hosts.includes(host) ? google : { scripts: [], frames: [] };
  return {
    scripts: [own, ...more.scripts],
    frames: [own, ...more.frames],
    connections: [own],
  };
}

/**
 * The check that the user solved the captcha; null where none is configured. Reads the token from
 * the field `recaptcha`; a missing field is an empty token.
 *
 * @throws DomainError `invalid_json` when the field is no text
 */
export function captchaCheck(
  { state }: Pick<Context<State>, "state">,
  body: Record<string, unknown>,
): (() => Promise<boolean>) | null {
  const { config: { recaptcha }, log } = state.cubby;
  if (!recaptcha) return null;
  const token = (body.recaptcha ?? null) === null ? "" : textField(body, "recaptcha");
  return () => isSolved(recaptcha, token, { note: (sentence) => log.line(sentence) });
}
