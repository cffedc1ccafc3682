import { read } from "../../../../shared/schemas/read.ts";
import {
  type Recipient,
  shareAudienceSchema,
  shareChangeSchema,
  shareRequestSchema,
  shareTermsSchema,
} from "../../../../shared/schemas/share.ts";
import { secondsIn } from "../link_terms.ts";
import type { ShareTerms } from "./share.ts";
import type { ShareChange, TermsChange } from "./share_change.ts";

/** The protection and the lifetime requested for a share. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for no end. */
  seconds: number;
  /** In place of `seconds`: the end, in seconds since 1970. */
  expire?: number;
  /** Absent when none is set. */
  terms?: Partial<Omit<ShareTerms, "edition">>;
}

/** Whom a share is to be for, by their names; null for anybody, absent for no word. */
export type AudienceDraft = (string | Recipient)[] | null | undefined;

/**
 * Reads the protection and lifetime of a share: each of `password`, `expires` (a number or its
 * digits) and `unit` from the body, else from the query; the terms from the body alone.
 *
 * @throws DomainError `invalid_body`
 */
export function readShareDraft(
  body: Record<string, unknown>,
  query: URLSearchParams,
): ShareDraft {
  const names = Object.keys(shareRequestSchema.entries);
  const said = Object.fromEntries(
    names.map((name) => [name, body[name] ?? query.get(name) ?? ""]),
  );
  const { password, expires, unit } = read(shareRequestSchema, {
    ...said,
    unit: said.unit || undefined,
  });
  const terms = readTerms(body);
  const draft = { password, seconds: expires * secondsIn[unit] };
  return Object.keys(terms).length === 0 ? draft : { ...draft, terms };
}

/**
 * Reads a change of a share, and the path that it is to lead to, which the caller resolves.
 *
 * @throws DomainError `invalid_body`
 */
export function readShareChange(
  body: Record<string, unknown>,
): Omit<ShareChange, "terms"> & { path?: string; terms: TermsChange } {
  const { path, password, expires, unit = "hours" } = read(shareChangeSchema, body);
  return {
    ...path !== undefined && { path },
    ...password !== undefined && { password },
    ...expires !== undefined && { seconds: expires * secondsIn[unit] },
    terms: readTerms(body),
  };
}

/**
 * Reads whom a share is to be for.
 *
 * @throws DomainError `invalid_body`
 */
export function readAudience({ audience }: Record<string, unknown>): AudienceDraft {
  return audience === undefined ? undefined : read(shareAudienceSchema, { audience }).audience;
}

function readTerms(body: Record<string, unknown>): Partial<Omit<ShareTerms, "edition">> {
  const names = Object.keys(shareTermsSchema.entries).filter((name) => body[name] !== undefined);
  return read(shareTermsSchema, Object.fromEntries(names.map((name) => [name, body[name]])));
}
