/** Kinds of options that occur several times: what they have in common. */
import type { Option } from "./option.ts";
import { findOptionalFile, readAuthorities } from "./places.ts";
import { orNone, readFilled, readSwitch } from "./values.ts";

/** Spread into a declaration. */
export const kinds = {
  /** A switch that an empty value leaves off. */
  optionalSwitch: { read: orNone(readSwitch), stored: true },
  /** A file of certificates, read. */
  authorities: {
    value: "FILE",
    read: readAuthorities,
    otherwise: "the default ones",
    stored: true,
    isPath: true,
  },
  /** A secret, or the file of {@linkcode secretFile} in its place. */
  secret: {
    value: "SECRET",
    read: readFilled,
    stored: true,
    secret: true,
    withFile: true,
  },
  /** The file with a secret. */
  secretFile: {
    value: "FILE",
    read: findOptionalFile,
    member: null,
    stored: true,
    isPath: true,
    isHidden: true,
  },
} as const satisfies Readonly<Record<string, Omit<Option, "help">>>;
