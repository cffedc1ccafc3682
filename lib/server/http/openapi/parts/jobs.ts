import { json } from "../answers.ts";
import { headerNamed } from "../headers.ts";
import { schemaNamed } from "../references.ts";
import type { Answer, Parameter } from "../types.ts";

export const jobParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "As the job has it, and `Location` of the answer 202.",
  schema: { type: "string" },
  example: "0b6f5f0e-6d2c-4c35-9d0a-3c1f2f6f7b11",
};

/** A job that outlasts the patience of its client. */
export const goesOn: Answer = json("The job continues.", schemaNamed("Job"), {
  "Location": headerNamed("JobPlace"),
  "Preference-Applied": headerNamed("PreferenceApplied"),
});
