import type { Tree } from "../../support/disks/files.ts";
import { insideMark } from "./trees.ts";
import { type Answer, type Place, type Stage, swapped } from "./stage.ts";

/**
 * How one attempt went: it reached the swapped folder; it was refused, or found nothing; it showed
 * or did what it must not; or the server failed.
 */
export type Outcome = "reached" | "refused" | { hit: string } | { failure: string };

/** One thing that the product does below a folder that is swapped meanwhile. */
export interface Operation {
  /** The name of its own folder in the swapped one, too. */
  name: string;
  /** What lies in that folder; `plainTree` when left out. */
  inside?: Tree;
  /** Where it works; `below` the swapped folder when left out. */
  place?: Place;
  /** Made ready once, before anything is swapped. */
  prepare?(stage: Stage): Promise<void>;
  /** Done again and again. */
  attempt(stage: Stage, round: number): Promise<Outcome>;
}

/** The folder of an operation, as a path of the URL. */
export function placeOf(name: string): string {
  return `${swapped}/${encodeURIComponent(name)}`;
}

/** How an answer is judged: it must show what is inside, if it is a success. */
export function judge(answer: Answer, expected: string | RegExp = insideMark): Outcome {
  if (answer.leak !== null) return { hit: `answer: ${answer.leak}` };
  const failure = failureOf(answer);
  if (failure) return failure;
  if (!answer.ok) return "refused";
  const isShown = typeof expected === "string"
    ? answer.text.includes(expected)
    : expected.test(answer.text);
  return isShown ? "reached" : "refused";
}

/** Refusals have a code of 4xx, or 503 and 504 when there is much to do: all else is a mistake. */
export function failureOf({ status, text }: Answer): { failure: string } | null {
  if (status < 500 || status === 503 || status === 504) return null;
  return { failure: `${status} ${text.slice(0, 200)}` };
}

/** An operation that reads: paths in turn, all of which show what is inside. */
export function reading(
  name: string,
  paths: (place: string, stage: Stage) => string[],
  more: Partial<Operation> & { expected?: string | RegExp } = {},
): Operation {
  return {
    name,
    async attempt(stage, round) {
      const all = paths(placeOf(name), stage);
      return judge(await stage.call("GET", all[round % all.length] ?? ""), more.expected);
    },
    ...more,
  };
}
