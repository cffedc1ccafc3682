import * as v from "valibot";
import { DomainError } from "../errors.ts";
import { withoutDefault } from "./parts.ts";

/** A change of a record: members may be missing, in objects below as well; lists are whole. */
export type Patch<T> = T extends readonly unknown[] ? T
  : T extends object ? { [K in keyof T]?: Patch<T[K]> }
  : T;

/**
 * Validates received data by its schema.
 *
 * @throws DomainError `invalid_body`, which names the first member that does not fit; errors of the
 * schema's transforms
 */
export function read<T>(schema: v.GenericSchema<unknown, T>, data: unknown): T {
  const { success, output, issues } = v.safeParse(schema, data, { abortEarly: true });
  if (success) return output;
  const [{ message, path = [] }] = issues;
  if (message.startsWith("Cannot ")) throw new DomainError("invalid_body", message);
  const place = path.map(({ key }) => typeof key === "number" ? `[${key}]` : `.${key}`).join("");
  throw new DomainError(
    "invalid_body",
    `Cannot read ${place.slice(1) || "the body"}: it must be ${message}`,
  );
}

/**
 * The schema of a partial change. A member that is missing or null reads as undefined, whatever
 * default it has; a list that is null is empty, as Go writes it.
 */
export function patchOf<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Patch<T>>;
export function patchOf(schema: v.GenericSchema): v.GenericSchema {
  const object = "pipe" in schema ? (schema.pipe as [v.GenericSchema])[0] : schema;
  if (!("entries" in object)) return schema;
  const entries = Object.entries(object.entries as v.ObjectEntries)
    .map(([name, entry]) => [name, patchOfMember(withoutDefault(entry))]);
  return { ...object, entries: Object.fromEntries(entries) } as v.GenericSchema;
}

function patchOfMember(schema: v.GenericSchema): v.GenericSchema {
  if (schema.type === "array") return v.optional(v.nullish(schema, () => []));
  return v.nullish(patchOf(schema), () => undefined);
}

/** Merges a change into a record; members that are missing or undefined stay. */
export function mergePatch<T extends object>(record: T, change: NoInfer<Patch<T>>): T;
export function mergePatch(
  record: Record<string, unknown>,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = given.map(([name, value]) => {
    const former = record[name];
    return [name, isRecord(former) && isRecord(value) ? mergePatch(former, value) : value];
  });
  return { ...record, ...Object.fromEntries(merged) };
}

/** Whether a value is an object of JSON. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
