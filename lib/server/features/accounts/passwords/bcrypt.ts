/** An implementation of bcrypt. Passwords have at most 72 bytes; hashes start with `$2`. */
export interface Bcrypt {
  /** Its name in the start-up log. */
  readonly name: string;
  hash(password: string, cost: number): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  close(): void;
}

/** Whether a text is a bcrypt hash in any of its spellings, of a cost from 4 to 15. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[aby]\$(?:0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/.test(text);
}

/** The cost of a bcrypt hash. */
export function costOf(hash: string): number {
  return Number(hash.slice(4, 6));
}
