import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import type { Verifier } from "../../files/upload/chunked_uploads.ts";
import { earliestTime, latestTime } from "../../../shared/time.ts";

/** Digests that clients send, with their names in Node; others are not checked. */
const algorithms: Record<string, string> = { MD5: "md5", SHA1: "sha1", SHA256: "sha256" };

/** Reads `OC-Checksum`: `SHA1:da39…`. Null without one, and for an algorithm that is not known. */
export function readChecksum(header: string | null | undefined): Verifier | null {
  const [, name = "", expected = ""] = /^\s*([\w-]+)\s*:\s*(\S*)\s*$/.exec(header ?? "") ?? [];
  const algorithm = Object.hasOwn(algorithms, name.toUpperCase())
    ? algorithms[name.toUpperCase()]
    : undefined;
  if (algorithm === undefined) return null;
  const hash = createHash(algorithm);
  return {
    update: (piece) => void hash.update(piece),
    verify(action) {
      if (hash.digest("hex") === expected.toLowerCase()) return;
      throw new DomainError("checksum_mismatch", `${action}: checksum mismatch`);
    },
  };
}

/** A time that a client gives a file: in seconds since 1970; undefined for what is none. */
export function clientsTime(text: string | null | undefined): number | undefined {
  const seconds = /^(-?\d{1,12})(?:\.\d*)?$/.exec(text?.trim() ?? "")?.[1];
  const time = Number(seconds) * 1000;
  return time >= earliestTime && time <= latestTime ? time : undefined;
}
