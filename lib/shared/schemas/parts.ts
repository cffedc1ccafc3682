import * as v from "valibot";

/*
 * The building blocks of schemas of records. The message of a part completes the sentence "Cannot
 * read PLACE: it must be …"; one that begins with "Cannot" is a sentence of its own.
 */

/** The longest text in a record, in characters. */
const maxTextLength = 2_000;

/** A schema with a description for the OpenAPI document. */
export function about<const S extends v.GenericSchema>(description: string, schema: S) {
  return v.pipe(schema, v.description<v.InferOutput<S>, string>(description));
}

/** A boolean. */
export const flag = v.boolean("true or false");

/** A text that a record may hold: up to 2,000 characters. */
export const text = v.pipe(
  v.string("a text"),
  v.maxLength(maxTextLength, `at most ${maxTextLength} characters long`),
);

/** The name of a record: a line of up to so many characters, without spaces around it. */
export function nameUpTo(most: number) {
  const what = `a text of up to ${most} characters`;
  return v.pipe(
    v.string(what),
    v.trim(),
    v.minLength(1, what),
    v.maxLength(most, what),
    v.check((name) => !/\p{Cc}/u.test(name), "a text without control characters"),
  );
}

/** A whole number from 0. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The id of a user. */
export const userId = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The id of a group. */
export const groupId = v.pipe(
  v.number("the number of a group"),
  v.integer("the number of a group"),
  v.minValue(1, "the number of a group"),
);

/** A time in an answer. */
export const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.description("RFC 3339 in UTC, to the millisecond."),
);

/** One of a list of words. */
export function choice<const T extends readonly string[]>(options: T) {
  return v.picklist(options, `one of ${options.map((each) => `"${each}"`).join(", ")}`);
}

/** A list of texts. */
export const texts = v.array(text, "a list");

/** A list that may be missing or, as Go writes an empty one, null. */
export function listOrNone<const S extends v.GenericSchema<unknown, unknown[]>>(list: S) {
  return v.nullish(list, (): never[] => []);
}

/** An object with these members; members with other names are ignored. */
export function shape<E extends v.ObjectEntries>(entries: E) {
  return noList(v.object(entries, "an object"));
}

/** A schema of an object that refuses an array, which has members for valibot, too. */
export function noList<S extends v.GenericSchema>(schema: S): S {
  return converted(schema, (value) => Array.isArray(value) ? null : value);
}

/** A schema that reads an empty text as another value. */
export function emptyAs<S extends v.GenericSchema>(schema: S, other: v.InferInput<S>): S {
  return converted(schema, (value) => value === "" ? other : value);
}

/** A schema whose input is converted first. Its JSON schema stays that of the converted value. */
export function converted<S extends v.GenericSchema>(
  schema: S,
  convert: (value: unknown) => unknown,
): S {
  const run = schema["~run"];
  return {
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      return run.call(this, { value: convert(dataset.value) }, config);
    },
  };
}

/** Metadata of a field. */
export interface FieldNotes {
  /** Users who are no administrators may change it in their own record. */
  own?: true;
  /** The name of its value in the help of the command line; absent for switches. */
  value?: string;
}

/** Adds notes to a field, for {@linkcode notesOf}. */
export function notes<T>(facts: FieldNotes) {
  return v.metadata<T, Record<string, unknown>>({ ...facts });
}

/** The notes of a field, on it or on the schema inside its default. */
export function notesOf(schema: v.GenericSchema): FieldNotes {
  return { ...v.getMetadata(withoutDefault(schema)), ...v.getMetadata(schema) };
}

/** The schema of a present value, inside the defaults for a missing one. */
export function withoutDefault(schema: v.GenericSchema): v.GenericSchema {
  return "wrapped" in schema ? withoutDefault(schema.wrapped as v.GenericSchema) : schema;
}
