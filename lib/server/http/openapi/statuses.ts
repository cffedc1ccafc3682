import type { ErrorCode } from "../../../shared/errors.ts";

/** The only map from error codes to HTTP statuses. */
const STATUSES: Record<ErrorCode, number> = {
  invalid_json: 400,
  invalid_path: 400,
  invalid_name: 400,
  invalid_option: 400,
  invalid_password: 400,
  invalid_rule: 400,
  invalid_body: 400,
  invalid_address: 400,
  not_signed_in: 401,
  password_required: 401,
  second_factor_required: 401,
  wrong_credentials: 403,
  forbidden: 403,
  factor_setup_required: 403,
  read_only: 403,
  last_admin: 403,
  hook_failed: 403,
  not_a_file: 403,
  not_found: 404,
  method_not_allowed: 405,
  exists: 409,
  is_folder: 409,
  precondition_failed: 412,
  body_too_large: 413,
  range_not_satisfiable: 416,
  wrong_offset: 409,
  checksum_mismatch: 460,
  archive_too_large: 413,
  wrong_content_type: 415,
  unsafe_archive: 422,
  broken_archive: 422,
  encrypted_archive: 422,
  locked: 423,
  throttled: 429,
  internal: 500,
  not_supported: 501,
  no_trash: 501,
  busy: 503,
  mail_failed: 503,
  disk_full: 507,
  over_quota: 507,
  disk_error: 500,
  disk_away: 500,
  disk_timeout: 504,
};

/** The HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return STATUSES[code];
}
