import { DomainError } from "../../../shared/errors.ts";

/** The longest form that is read, in bytes: a password of 72 bytes, percent-encoded, and its name. */
const longest = 1_024;

/**
 * Reads the field `password` of a form that a page without scripts sends.
 *
 * @returns "" when it is missing
 * @throws DomainError `body_too_large`; `invalid_body` for another kind of body
 */
export async function readPasswordForm(req: Request): Promise<string> {
  const isForm = req.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (!isForm) throw new DomainError("invalid_body", "Cannot read the form: it is of another kind");
  if (!(Number(req.headers.get("content-length") ?? Infinity) <= longest)) {
    throw new DomainError("body_too_large", `Cannot read the form: it is over ${longest} bytes`);
  }
  return new URLSearchParams(await req.text()).get("password") ?? "";
}
