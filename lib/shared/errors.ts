import type { FactorMethod } from "./schemas/choices/choices.ts";

/**
 * All error codes of the product. They are stable: clients translate them.
 * `lib/server/http/openapi/statuses.ts` holds the one map from a code to an HTTP status.
 */
export type ErrorCode =
  | "invalid_json"
  | "invalid_path"
  | "invalid_name"
  | "invalid_option"
  | "invalid_password"
  | "invalid_rule"
  | "invalid_body"
  | "invalid_address"
  | "not_signed_in"
  | "wrong_credentials"
  | "password_required"
  | "second_factor_required"
  | "forbidden"
  | "factor_setup_required"
  | "read_only"
  | "not_a_file"
  | "last_admin"
  | "hook_failed"
  | "not_found"
  | "method_not_allowed"
  | "exists"
  | "is_folder"
  | "precondition_failed"
  | "body_too_large"
  | "range_not_satisfiable"
  | "wrong_offset"
  | "checksum_mismatch"
  | "wrong_content_type"
  | "locked"
  | "throttled"
  | "busy"
  | "internal"
  | "mail_failed"
  | "not_supported"
  | "no_trash"
  | "unsafe_archive"
  | "broken_archive"
  | "encrypted_archive"
  | "archive_too_large"
  | "disk_full"
  | "over_quota"
  | "disk_error"
  | "disk_away"
  | "disk_timeout";

/** The data of an error besides its code and its sentence. */
export interface ErrorDetails {
  /** The factors that can prove who the user is, with `second_factor_required`. */
  factors?: FactorMethod[];
}

/**
 * An error with a stable code and one sentence for people. The message quotes the caller's input,
 * never a real path on the server.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";

  /**
   * @param code stable word that decides the HTTP status and the translation
   * @param message `Cannot move "a.txt": the destination already exists`
   * @param retryAfter seconds after which a new attempt makes sense (`throttled`, `busy`)
   * @param details further members of the answer
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfter?: number,
    readonly details?: ErrorDetails,
  ) {
    super(message);
  }
}
