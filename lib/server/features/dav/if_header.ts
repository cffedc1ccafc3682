import { DomainError } from "../../../shared/errors.ts";

/** One condition of `If`: a token of a lock, or the ETag of an entry. */
interface Condition {
  isNegated: boolean;
  kind: "token" | "etag";
  value: string;
}

/** Conditions that must all hold. */
interface ConditionList {
  /** The address of the entry; null for the one of the request. */
  address: string | null;
  conditions: Condition[];
}

/** The state of an entry that conditions are about. */
export interface EntryState {
  /** The tokens of its locks that count for the user. */
  tokens: ReadonlySet<string>;
  /** Null for what has none. */
  etag: string | null;
}

/** Most conditions in one header. */
const maxConditions = 200;

const part = /\s*(?:<([^<>\s]*)>|\[((?:W\/)?"[^"]*")\]|(\()|(\))|(Not)\b)/iy;

/** The header `If` (RFC 4918, 10.4): lists of conditions, one of which must hold. */
export class IfHeader {
  readonly #lists: ConditionList[] = [];

  /** @throws {DomainError} `invalid_option` when it is malformed */
  constructor(text: string) {
    let [address, open, isNegated]: [string | null, Condition[] | null, boolean] = [
      null,
      null,
      false,
    ];
    let count = 0;
    part.lastIndex = 0;
    while (text.slice(part.lastIndex).trim() !== "") {
      const at = part.lastIndex;
      const [match, uri, etag, begin, end] = part.exec(text) ?? [];
      if (match === undefined || ++count > maxConditions * 3) throw malformedError(text.slice(at));
      if (open === null) {
        if (uri !== undefined) address = uri;
        else if (begin) open = [];
        else throw malformedError(match);
      } else if (uri !== undefined || etag !== undefined) {
        const kind = uri === undefined ? "etag" : "token";
        open.push({ isNegated, kind, value: uri ?? etag ?? "" });
        isNegated = false;
      } else if (end && open.length > 0 && !isNegated) {
        this.#lists.push({ address, conditions: open });
        open = null;
      } else if (/^\s*not$/i.test(match) && !isNegated) isNegated = true;
      else throw malformedError(match);
    }
    if (open !== null || this.#lists.length === 0) throw malformedError(text);
  }

  /** The tokens that are submitted, whatever the conditions are. */
  get tokens(): Set<string> {
    const all = this.#lists.flatMap(({ conditions }) => conditions);
    return new Set(all.filter(({ kind }) => kind === "token").map(({ value }) => value));
  }

  /**
   * Whether one of the lists holds.
   *
   * @param stateOf tells of the entry at an address; null for the request's own, and for an address
   * that is none of this server
   */
  async holds(stateOf: (address: string | null) => Promise<EntryState | null>): Promise<boolean> {
    for (const { address, conditions } of this.#lists) {
      const state = await stateOf(address);
      const isMet = ({ isNegated, kind, value }: Condition) =>
        (kind === "token" ? !!state?.tokens.has(value) : state?.etag === value) !== isNegated;
      if (conditions.every(isMet)) return true;
    }
    return false;
  }
}

function malformedError(text: string): DomainError {
  return new DomainError("invalid_option", `Cannot read the header If: "${text.slice(0, 100)}"`);
}
