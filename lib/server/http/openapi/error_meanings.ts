import type { ErrorCode } from "../../../shared/errors.ts";

/** The meaning of every error code, for clients. */
export const errorMeanings: Record<ErrorCode, string> = {
  invalid_json: "the body is not a JSON object, or a field is missing or of the wrong type",
  invalid_path:
    "the path has a bad escape, an encoded slash, a NUL, or a `.` or `..` segment; or the host is " +
    "invalid",
  invalid_name: "the disk cannot have an entry of this name",
  invalid_option: "a value of the query or the body is unknown or out of range",
  invalid_password: "the new password is too short, too long or well known",
  invalid_rule: "a rule cannot be parsed",
  invalid_body:
    "the body was cut off, came too slowly, has not the announced length, or has an unknown member",
  invalid_address: "not a single mail address, or the mail server refuses it",
  not_signed_in: "the token is missing, forged, expired or no longer valid",
  wrong_credentials: "the name or the password is wrong",
  password_required: "the share has a password, and it is missing or wrong",
  second_factor_required:
    "name and password are right, and the code of the second factor is missing; repeat the call " +
    "with `code`",
  forbidden:
    "a permission is missing, a rule denies, the entry is hidden, a link leaves the scope, " +
    "or another site makes the request",
  factor_setup_required: "on any call: the user must set up a second factor first",
  read_only: "the disk, or the folder on it, is read-only",
  last_admin: "the last administrator must stay",
  hook_failed: "a command that runs before the operation failed, so nothing was done",
  not_a_file: "a pipe, socket or device, which is never opened",
  not_found: "nothing is there",
  method_not_allowed: "the address does not support this method; `Allow` has those it supports",
  exists: "the name is taken",
  is_folder: "a folder is where a file is expected",
  precondition_failed: "the file has changed (`If-Match` failed), or the state does not allow it",
  body_too_large: "the body exceeds its limit",
  range_not_satisfiable: "the range starts past the end; `Content-Range` has the size",
  wrong_offset: "the part does not start at the end of the last one; HEAD returns the offset",
  checksum_mismatch: "the checksum of the part does not match; none of it counts",
  wrong_content_type: "the part is not `application/offset+octet-stream`",
  locked: "another request is writing this upload, or a program has locked the entry by WebDAV",
  throttled: "too many attempts; `Retry-After` has the time to wait",
  internal: "the server failed, and has logged why",
  no_trash: "the disk of the entry has no trash; `trash=false` deletes permanently",
  unsafe_archive:
    "a path in the archive leads out of its folder, a name is in it twice, or it has a device",
  broken_archive: "the archive is damaged or incomplete",
  encrypted_archive: "the archive is encrypted",
  archive_too_large:
    "the archive has too many entries, too many nested folders, or far more content than its size",
  not_supported: "the server or the kind of entry does not support the operation",
  busy: "too many requests at a time, or, on any call, a store on the network does not answer; " +
    "`Retry-After` has the time to wait",
  mail_failed: "the mail server does not accept the mail; nothing was done",
  disk_full: "the disk is full, or a quota of the disk is used up",
  over_quota: "the quota of the user has no space for it; nothing was written",
  disk_error: "the disk reports an error, or the file of the records is damaged",
  disk_away: "the disk is not connected, or not mounted",
  disk_timeout: "the disk does not answer in time",
};
