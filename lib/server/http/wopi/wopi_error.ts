import type { Context } from "fresh";
import type { ErrorCode } from "../../../shared/errors.ts";
import { type WopiReason, WopiRefusal } from "../../features/office/wopi_refusal.ts";
import type { State } from "../define.ts";
import { statusOf } from "../openapi/statuses.ts";
import { jsonAnswer } from "../response/answers.ts";
import { logUnexpected, refusalOf, retryAfter } from "../response/error_response.ts";

const statuses: Record<WopiReason, number> = {
  lock_mismatch: 409,
  changed: 409,
  illegal_name: 400,
  too_large: 412,
  // As the protocol says.
  bad_proof: 500,
  no_operation: 501,
};

/** Statuses that the protocol does not have, as those that tell its clients the most. */
const others: Partial<Record<ErrorCode, number>> = {
  forbidden: 404,
  password_required: 401,
  locked: 409,
  disk_full: 413,
  over_quota: 413,
  invalid_name: 400,
  // Of 409, its clients read that another one has locked the document; of 403, that the token is over.
  is_folder: 404,
  not_a_file: 404,
  read_only: 500,
  hook_failed: 500,
};

/** Answers a failed request of the office server, and logs the error when it is a fault of this one. */
export function wopiError(ctx: Context<State>): Response {
  logUnexpected(ctx);
  const { error, req } = ctx;
  const refusal = refusalOf(error, req);
  const headers = new Headers({ "cache-control": "no-store", ...retryAfter(refusal) });
  const status = refusal instanceof WopiRefusal
    ? statuses[refusal.reason]
    : others[refusal.code] ?? statusOf(refusal.code);
  if (status === 409) {
    headers.set("x-wopi-lock", refusal instanceof WopiRefusal ? refusal.lock : "");
    headers.set("x-wopi-lockfailurereason", headerText(refusal.message));
  }
  // Of a status that it does not have, the protocol's clients keep the document open, and save again.
  if (status >= 500 || refusal.code === "throttled") {
    headers.set("x-wopi-servererror", headerText(refusal.message));
  }
  if (refusal.code === "invalid_name") {
    headers.set("x-wopi-invalidfilenameerror", headerText(refusal.message));
  }
  const body = { code: refusal.code, message: refusal.message };
  // Collabora Online then asks its user which of the two to keep.
  const isChanged = refusal instanceof WopiRefusal && refusal.reason === "changed";
  const further = isChanged ? { COOLStatusCode: 1010, LOOLStatusCode: 1010 } : {};
  if (refusal instanceof WopiRefusal && refusal.reason === "bad_proof") {
    ctx.state.cubby.log.line(`Office server: ${refusal.message}`, "error");
  }
  return jsonAnswer({ ...body, ...further }, { status, headers });
}

/** A sentence as a header can have it. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
