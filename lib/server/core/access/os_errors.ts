import { constants } from "node:os";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";

/** The one map from error codes of the operating system to those of the product. */
const byCode: Record<string, [ErrorCode, string]> = {
  ENOENT: ["not_found", "it is not there"],
  ENOTDIR: ["not_found", "it is not there"],
  // No path that reaches the disk has a link in it: one was swapped in.
  ELOOP: ["forbidden", "access is denied"],
  ESTALE: ["not_found", "it is not there"],
  EACCES: ["forbidden", "it is not allowed"],
  EPERM: ["forbidden", "it is not allowed"],
  EBUSY: ["forbidden", "the system uses it"],
  EEXIST: ["exists", "the name is taken"],
  ENOTEMPTY: ["exists", "the folder is not empty"],
  EISDIR: ["is_folder", "it is a folder"],
  ENXIO: ["not_a_file", "it is not a regular file"],
  ENODEV: ["not_a_file", "it is not a regular file"],
  ETIMEDOUT: ["disk_timeout", "its disk does not answer"],
  EHOSTDOWN: ["disk_away", "its disk is not connected"],
  EHOSTUNREACH: ["disk_away", "its disk is not connected"],
  ECONNABORTED: ["disk_away", "its disk is not connected"],
  ENOTCONN: ["disk_away", "its disk is not connected"],
  EIO: ["disk_error", "its disk reports an error"],
  ENOSPC: ["disk_full", "the disk is full"],
  EDQUOT: ["disk_full", "the quota of the disk is used up"],
  EFBIG: ["disk_full", "it is larger than the disk allows"],
  EROFS: ["read_only", "the disk is read-only"],
  ENAMETOOLONG: ["invalid_name", "the name is too long for the disk"],
  EILSEQ: ["invalid_name", "the disk does not allow this name"],
};

/**
 * Turns an error of the operating system into a domain error. Others, domain errors among them, are
 * returned unchanged, so that the caller can throw the result either way.
 *
 * @param action the failed action, in the words of the message: `Cannot upload "a.txt"`
 */
export function asRefusal(error: unknown, action: string): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const known = byCode[codeOf(error) ?? ""];
  return known === undefined ? error : new DomainError(known[0], `${action}: ${known[1]}`);
}

/** The system's code of an error: ENOENT and the like. Refused Deno permissions count as EACCES. */
function codeOf(error: Error): string | undefined {
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof Deno.errors.NotCapable) return "EACCES";
  if (error instanceof Deno.errors.PermissionDenied) return "EACCES";
  if (error instanceof Deno.errors.NotFound) return "ENOENT";
  if (error instanceof Deno.errors.AlreadyExists) return "EEXIST";
  // Deno has no code for the rarer ones (a quota, a file too large), but names their number.
  const number = /\(os error (\d+)\)/.exec(error.message)?.[1];
  return number === undefined ? undefined : namesByNumber.get(Number(number));
}

const namesByNumber = new Map(
  Object.entries(constants.errno).map(([name, number]) => [number, name]),
);
