import * as v from "valibot";
import { about, count, notes, userId } from "./parts.ts";
import { lifetimeEntries } from "./share.ts";

/** The largest size that a limit can say, in bytes: 8 PiB. */
const maxSize = 2 ** 53 - 1;

const size = `a whole number of bytes up to ${maxSize}, or 0 for no limit`;
const files = "a whole number up to 1,000,000, or 0 for no limit";
const kind = 'extensions without a dot, such as "jpg"';

const limitEntries = {
  title: about(
    "What visitors read above the form, in place of the owner's name; at most 200 characters.",
    v.pipe(v.string("a text"), v.maxLength(200, "at most 200 characters")),
  ),
  note: about(
    "What visitors read besides; at most 2,000 characters.",
    v.pipe(v.string("a text"), v.maxLength(2_000, "at most 2,000 characters")),
  ),
  maxFiles: about(
    "Most files; 0 for no limit.",
    v.pipe(v.number(files), v.integer(files), v.minValue(0, files), v.maxValue(1_000_000, files)),
  ),
  maxFileSize: about("The largest file, in bytes; 0 for no limit.", sizeLimit()),
  maxTotalSize: about("All files together, in bytes; 0 for no limit.", sizeLimit()),
  kinds: about(
    "The extensions that are taken, without a dot; empty for any.",
    v.pipe(
      v.array(
        v.pipe(
          v.string(kind),
          v.transform((text) => text.toLowerCase()),
          v.check((text) => /^[\p{L}\p{N}_-]{1,16}$/u.test(text), kind),
        ),
        kind,
      ),
      v.maxLength(50, "at most 50 extensions"),
    ),
  ),
};

function sizeLimit() {
  return v.pipe(
    v.number(size),
    v.integer(size),
    v.minValue(0, size),
    v.maxValue(maxSize, size),
    notes({ value: "SIZE" }),
  );
}

/** The schema of a new request for files, and of a change of one: what is absent stays. */
export const requestChangeSchema = v.partial(v.object({ ...limitEntries, ...lifetimeEntries }));

/** The schema of the limits of a request alone. */
const requestLimitsSchema = v.object(limitEntries);

/** The terms of a request, as its owner has set them. */
export type RequestLimits = v.InferOutput<typeof requestLimitsSchema>;

const hash = v.pipe(v.string(), v.regex(/^[\w-]{22}$/));

/** The schema of {@linkcode RequestInfo}. */
export const requestSchema = about(
  "A link by which others put files into a folder, without seeing it.",
  v.object({
    hash,
    path: about(
      "The folder in your scope; for requests of others, below the server's root.",
      v.pipe(v.string(), v.startsWith("/")),
    ),
    userID: userId,
    expire: about("Seconds since 1970; 0 for no end.", count),
    hasPassword: v.boolean(),
    ...limitEntries,
    files: about("How many have arrived.", count),
    bytes: about("How much has arrived.", count),
    lastReceived: about("When the last file arrived, in seconds since 1970; 0 for never.", count),
  }),
);

/** A request as its owner and administrators see it. */
export type RequestInfo = v.InferOutput<typeof requestSchema>;

/** The schema of {@linkcode OpenRequest}. */
export const openRequestSchema = about(
  "A request as a visitor sees it, without any content of the folder.",
  v.object({
    hash,
    owner: about("The owner; empty if the settings hide it.", v.string()),
    expire: about("Seconds since 1970; 0 for no end.", count),
    ...limitEntries,
    isFull: about("The request has all its files.", v.boolean()),
    token: about("Goes into `X-Request-Token` of the uploads, for 24 hours.", v.string()),
  }),
);

/** A request as a visitor sees it. */
export type OpenRequest = v.InferOutput<typeof openRequestSchema>;
