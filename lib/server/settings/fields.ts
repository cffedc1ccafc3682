import { DomainError } from "../../shared/errors.ts";

/** The longest text in a record, in characters. */
const longestText = 2_000;

/**
 * Reads the members of a JSON object that somebody sent. A member that is missing or null reads as
 * undefined; one of another kind than expected is refused by name. Members nobody asks for are
 * ignored, as clients send some that only other versions know.
 */
export class Fields {
  readonly #object: Record<string, unknown>;
  readonly #place: string;

  /**
   * @param place what the value is called in messages: "" for the body itself
   * @throws DomainError `invalid_body` when the value is no object
   */
  constructor(value: unknown, place = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw invalid(place || "the body", "an object");
    }
    this.#object = value as Record<string, unknown>;
    this.#place = place;
  }

  /** @throws DomainError `invalid_body` */
  flag(name: string): boolean | undefined {
    const value = this.#member(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw invalid(this.#path(name), "true or false");
  }

  /** @throws DomainError `invalid_body` when it is no text, or longer than 2,000 characters */
  text(name: string): string | undefined {
    const value = this.#member(name);
    return value === undefined ? undefined : textOf(value, this.#path(name));
  }

  /** @throws DomainError `invalid_body` */
  oneOf<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#member(name);
    const choice = choices.find((each) => each === value);
    if (value === undefined || choice !== undefined) return choice;
    throw invalid(this.#path(name), `one of ${choices.map((each) => `"${each}"`).join(", ")}`);
  }

  /** The texts of a list; null is an empty one, as Go writes it. @throws DomainError `invalid_body` */
  texts(name: string): string[] | undefined {
    return this.list(name, (value, place) => textOf(value, place));
  }

  /** The entries of a list, each read by `read`; null is an empty one. */
  list<T>(name: string, read: (value: unknown, place: string) => T): T[] | undefined {
    if (!Object.hasOwn(this.#object, name)) return undefined;
    const value = this.#object[name] ?? [];
    if (!Array.isArray(value)) throw invalid(this.#path(name), "a list");
    return value.map((each, index) => read(each, `${this.#path(name)}[${index}]`));
  }

  /** @throws DomainError `invalid_body` */
  object(name: string): Fields | undefined {
    const value = this.#member(name);
    return value === undefined ? undefined : new Fields(value, this.#path(name));
  }

  /** The names of all members. */
  names(): string[] {
    return Object.keys(this.#object);
  }

  #member(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] ?? undefined : undefined;
  }

  #path(name: string): string {
    return this.#place ? `${this.#place}.${name}` : name;
  }
}

/** A record with a change laid over it; what the change leaves out or undefined stays. */
export function laidOver<T extends object>(record: T, change: Partial<T>): T {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(given) };
}

function textOf(value: unknown, place: string): string {
  if (typeof value !== "string") throw invalid(place, "a text");
  if (value.length > longestText) throw invalid(place, `at most ${longestText} characters long`);
  return value;
}

function invalid(place: string, expected: string): DomainError {
  return new DomainError("invalid_body", `Cannot read ${place}: it must be ${expected}`);
}
