import type { ErrorCode } from "../../shared/errors.ts";

/** The meaning of every error code, for clients. */
export const errorMeanings: Record<ErrorCode, string> = {
  invalid_json: "the body is no JSON object, or a field is missing or of the wrong kind",
  invalid_path:
    "the path has a bad escape, an encoded slash, a NUL, or a `.` or `..` segment; the host is none",
  invalid_name: "the disk cannot have an entry of this name",
  invalid_option: "a value of the query or the body is none of those that are known",
  invalid_password: "the new password is too short, too long or well known",
  invalid_rule: "a rule cannot be read",
  invalid_body: "the body was cut off, came too slowly, or has not the announced length",
  invalid_address: "it is not one address for mail, or the mail server refuses it",
  not_signed_in: "there is no token, or it is forged, has run out or is out of use",
  wrong_credentials: "the name or the password is wrong",
  password_required: "the share has a password, and it is missing or wrong",
  second_factor_required:
    "name and password are right, and a code of the second factor is missing; send all with `code`",
  forbidden:
    "a permission is missing, a rule denies, the entry is hidden, a link leaves the scope, " +
    "or another site asks",
  factor_setup_required:
    "on any call: the server wants the user to have a second factor, which has to be set up first",
  read_only: "the disk, or the folder on it, cannot be written to",
  last_admin: "there must always be an administrator",
  hook_failed: "a command that stands before the operation failed, so nothing was done",
  not_a_file: "it is a pipe, socket or device, which is never opened",
  not_found: "nothing is there",
  method_not_allowed: "the address is not asked by this method; `Allow` names those it is",
  exists: "the name is taken",
  is_folder: "a folder is where a file is wanted",
  precondition_failed: "the file is another by now than the one that the request names",
  body_too_large: "the body is over its limit",
  range_not_satisfiable: "the range lies past the end; `Content-Range` tells the size",
  wrong_offset: "the part does not begin where the last one ended; HEAD tells where",
  checksum_mismatch: "the part came damaged, and none of it counts",
  wrong_content_type: "the part is not `application/offset+octet-stream`",
  locked: "another request is writing this upload, or a program has locked the entry by WebDAV",
  throttled: "too many attempts; `Retry-After` tells for how long",
  internal: "the server failed, and has logged why",
  no_trash: "the disk of the entry has no trash; `trash=false` deletes for good",
  unsafe_archive:
    "a path in the archive leads out of its folder, a name is in it twice, or it holds a device",
  broken_archive: "the archive is damaged or cut off",
  encrypted_archive: "the archive is encrypted",
  archive_too_large:
    "the archive has too many entries, folders in one another, or far more content than its size",
  not_supported: "this kind of entry cannot be answered in this way",
  busy:
    "as much as may be is being sent, or, on any call, a store on the network does not answer; " +
    "`Retry-After` tells when to ask again",
  mail_failed: "the mail server does not take the mail: nothing was done",
  disk_full: "the disk is full, or a quota is used up",
  over_quota: "the quota of the user has no room for it: nothing was written",
  disk_error: "the disk reports an error; or the file of the records is damaged",
  disk_away: "the disk is not connected, or not mounted",
  disk_timeout: "the disk does not answer in time",
};
