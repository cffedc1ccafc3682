import * as v from "valibot";
import { archiveFormats, checksumNames } from "./choices/choices.ts";
import { about, choice, count, flag, shape, time } from "./parts.ts";

/** The actions that a client can ask for. */
const askedActions = [
  ...["copy", "move", "trash", "delete", "archive", "extract", "checksum"] as const,
] as const;

/** See {@linkcode askedActions}. */
export type AskedAction = (typeof askedActions)[number];

/** The ids of jobs, which clients make up for those that they do themselves. */
export const jobId = /^[\w-]{8,64}$/;

/** The actions of jobs; `upload` is done by the client, to be undone as one. */
export const jobActions = [...askedActions, "upload"] as const;

/** See {@linkcode jobActions}. */
export type JobAction = (typeof jobActions)[number];

/** Where a job stands. */
const jobStates = [
  ...["queued", "running", "paused", "done", "cancelled", "undoing", "undone"] as const,
] as const;

/** See {@linkcode jobStates}. */
export type JobState = (typeof jobStates)[number];

const leftOutSchema = about(
  "Present when all else of a folder was copied, moved or archived: its pipes, sockets and " +
    "devices. Or when all else of an archive was extracted: its pipes, devices and absolute paths.",
  v.object({
    folder: about("The path of the folder, or of the archive.", v.string()),
    count: about("How many they are.", count),
    first: about("The first of their paths, in the folder or the archive.", v.array(v.string())),
  }),
);

/** What a copy, a move or an archive has left out of a folder, or an extraction of an archive. */
export type LeftOutInfo = v.InferOutput<typeof leftOutSchema>;

/** The schema of {@linkcode JobInfo}. */
export const jobSchema = about(
  "Something that a user does with entries, which outlives the request and can be undone.",
  v.object({
    id: v.pipe(v.string(), v.regex(jobId)),
    action: v.picklist(jobActions),
    state: v.picklist(jobStates),
    began: time,
    ended: v.nullable(time),
    total: about("How many entries it is about; those in a folder are not counted.", count),
    done: about("How many of these are dealt with, failed ones included.", count),
    failed: about(
      "How many of these could not be dealt with, or not with all that is in them.",
      count,
    ),
    partial: v.optional(
      about("How many of the failed are done but for `leftOut`; 0 when absent.", count),
    ),
    name: about("The name of the first; of the archive that is made.", v.string()),
    from: about("The folder of the first.", v.string()),
    to: about(
      "The folder that the first goes to; null for a deletion and a checksum.",
      v.nullable(v.string()),
    ),
    progress: about(
      "Of the entry that is being dealt with, with all that is in it.",
      v.object({
        total: about("How many entries there are; 0 until they are counted.", count),
        entries: about("How many of these are dealt with.", count),
        bytes: about("How many bytes are read or written.", count),
        size: about("How many bytes that will be in all; 0 where it is not known.", count),
      }),
    ),
    arrived: about("The names of the first hundred that have arrived.", v.array(v.string())),
    failures: about(
      "The first thousand that failed; in lists of jobs, none.",
      v.array(v.object({
        path: v.string(),
        code: v.string(),
        message: v.string(),
        leftOut: v.optional(leftOutSchema),
      })),
    ),
    checksums: about(
      "The first thousand digests of a checksum; in lists of jobs, none.",
      v.array(v.object({
        path: v.string(),
        algorithm: v.picklist(checksumNames),
        digest: about("In hexadecimal digits.", v.string()),
      })),
    ),
    undo: about(
      "Whether it can be undone: all of it, a part of it, or nothing.",
      v.picklist(["all", "part", "nothing"]),
    ),
  }),
);

/** A job as its owner sees it. */
export type JobInfo = v.InferOutput<typeof jobSchema>;

/** The schema of a new job. */
export const jobRequestSchema = shape({
  action: choice(askedActions),
  entries: v.array(
    shape({
      path: about(
        "Of the entry; of the folder that an archive is made of, or of the archive to extract.",
        v.string("a path"),
      ),
      destination: v.optional(about(
        "Its new path; of the new archive, or of the new folder that one is extracted to. " +
          "Not for a deletion and a checksum.",
        v.string("a path"),
      )),
      override: v.optional(
        about("Replaces a file, merges into a folder; not when extracting.", flag),
        false,
      ),
      rename: v.optional(about("Picks another name on a conflict.", flag), false),
      names: v.optional(about(
        "The entries of the folder to archive, or paths in an archive to extract; all by " +
          "default.",
        v.array(v.string("a name"), "a list"),
      )),
      format: v.optional(about("The kind of archive to make.", choice(archiveFormats)), "zip"),
      algorithm: v.optional(about("Of a checksum.", choice(checksumNames)), "sha256"),
    }),
    "a list",
  ),
});

/** One of the entries of a new job. */
export type AskedEntry = v.InferOutput<typeof jobRequestSchema>["entries"][number];

/** The schema of a change of a job's state. */
export const jobChangeSchema = shape({ state: choice(["paused", "running", "cancelled"]) });
