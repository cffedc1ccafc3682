import { json, list } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { badJson, jsonLimits } from "../json_body.ts";
import { listParameters, parameterNamed } from "../parameters.ts";
import { jobChange, jobRequest, schemaNamed } from "../schemas.ts";
import type { Answer, Parameter, PathItem } from "../types.ts";

const tag = "Resources";

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "As the job has it, and `Location` of the answer 202.",
  schema: { type: "string" },
  example: "0b6f5f0e-6d2c-4c35-9d0a-3c1f2f6f7b11",
};

/** A job that outlasts the patience of its client. */
export const goesOn: Answer = json("The job goes on.", schemaNamed("Job"), {
  "Location": headerNamed("JobPlace"),
  "Preference-Applied": headerNamed("PreferenceApplied"),
});

/** The calls about jobs, and their undo. */
export const jobCalls: Record<string, PathItem> = {
  "/api/jobs": {
    get: call({
      id: "listJobs",
      tag,
      summary: "List one's own jobs",
      description: "The latest first, without what failed. Ended ones are kept for 30 days, the " +
        "last hundred of a user.",
      auth: "cookie",
      parameters: listParameters("the name and the folders"),
      answers: { 200: list("The jobs.", schemaNamed("Job")) },
      refusals: ["invalid_option"],
    }),
    post: call({
      id: "beginJob",
      tag,
      summary: "Begin a job: copy, move, delete, archive, extract or digest",
      description:
        "The entries are dealt with one after another, each with the permissions of the call " +
        "for one entry. What fails is noted, the others go on. The job goes on when the client is " +
        "gone, and after a restart of the server. It is over when `ended` is no longer null.\n\n" +
        "`trash` moves entries to the trash, `delete` deletes them for good; `archive` makes an " +
        "archive of a folder or of names in it, `extract` a folder of an archive, and `checksum` " +
        "tells digests in `checksums`.",
      auth: "token",
      parameters: [parameterNamed("Prefer")],
      body: {
        description: "Up to 16 MiB, to arrive within 60 seconds; up to 100,000 entries.",
        required: true,
        content: { "application/json": { schema: jobRequest } },
      },
      answers: { 200: json("The job is over.", schemaNamed("Job")), 202: goesOn },
      refusals: [...badJson, "invalid_path", "throttled", "busy"],
    }),
  },

  "/api/jobs/{id}": {
    get: call({
      id: "job",
      tag,
      summary: "Tell how far one of one's own jobs is",
      auth: "cookie",
      parameters: [id, parameterNamed("Prefer")],
      answers: { 200: json("The job.", schemaNamed("Job")) },
      refusals: ["not_found"],
    }),
    patch: call({
      id: "changeJob",
      tag,
      summary: "Pause, resume or cancel a job",
      description: "What is done stays done; of an unfinished copy nothing stays when the job is " +
        "cancelled. 412 when the job is over, or is being undone.",
      auth: "token",
      parameters: [id],
      body: {
        description: jsonLimits,
        required: true,
        content: { "application/json": { schema: jobChange } },
      },
      answers: { 200: json("The job.", schemaNamed("Job")) },
      refusals: [...badJson, "not_found", "precondition_failed"],
    }),
  },

  "/api/jobs/{id}/undo": {
    post: call({
      id: "undoJob",
      tag,
      summary: "Undo what a job has done",
      description:
        "Of a job that is over or paused. What was moved goes back, what has arrived goes to " +
        "the trash, what was deleted or replaced comes back from there; each with the permissions " +
        "that the user has now. What somebody has changed since stays as it is, and is told in " +
        "`failures`. 412 when there is nothing to undo.",
      auth: "token",
      parameters: [id, parameterNamed("Prefer")],
      answers: { 200: json("It is undone.", schemaNamed("Job")), 202: goesOn },
      refusals: ["not_found", "precondition_failed"],
    }),
  },
};
