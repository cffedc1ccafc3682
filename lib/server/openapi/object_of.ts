import type { Schema } from "./types.ts";

/** The names of the fields that a value may lack. */
type OptionalKey<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T] & string;

/**
 * The schema of an object, held against its type: a field that is added to the type, taken away
 * or made optional does not compile until the schema follows.
 *
 * @param optional the fields that may be missing
 */
export function objectOf<T>(
  description: string,
  properties: { [K in keyof T & string]-?: Schema },
  optional: Record<OptionalKey<T>, true>,
): Schema {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(optional, name));
  return { type: "object", description, required, properties };
}

/** A reference to one of the document's schemas. */
export function schemaNamed(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
