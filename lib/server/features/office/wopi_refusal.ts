import { DomainError, type ErrorCode } from "../../../shared/errors.ts";

/** Refusals of the WOPI protocol, which the API does not know. */
export type WopiReason =
  /** The document has another lock, or none. */
  | "lock_mismatch"
  /** The file on the disk is no longer the one that the office server has opened. */
  | "changed"
  /** A name that no file can have. */
  | "illegal_name"
  /** The file is larger than the client takes. */
  | "too_large"
  /** The request is not signed by the office server. */
  | "bad_proof"
  /** An operation that this host does not have. */
  | "no_operation";

const codes: Record<WopiReason, ErrorCode> = {
  lock_mismatch: "locked",
  changed: "precondition_failed",
  illegal_name: "invalid_name",
  too_large: "body_too_large",
  bad_proof: "forbidden",
  no_operation: "not_supported",
};

/** A refusal with the reason that WOPI tells. */
export class WopiRefusal extends DomainError {
  /** @param lock the document's lock, as far as a client of WOPI may know it; "" for none */
  constructor(readonly reason: WopiReason, message: string, readonly lock: string = "") {
    super(codes[reason], message);
  }
}
