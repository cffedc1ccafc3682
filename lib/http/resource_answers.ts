import type { Context } from "fresh";
import type { SharedResource } from "../api_types.ts";
import type { State } from "../define.ts";
import { DomainError } from "../errors.ts";
import type { DescribeOptions, Description } from "../files/describe.ts";
import { jsonAnswer, jsonTextAnswer } from "./answers.ts";
import { judge } from "./preconditions.ts";
import { countOption, sortingOption } from "./query.ts";
import { signedInOf } from "./sign_in.ts";

/**
 * What a request wants to be told of an entry. HEAD is told less: nothing of its content.
 *
 * @throws DomainError `invalid_option`, `not_signed_in`
 */
export function describeOptions(ctx: Context<State>): DescribeOptions {
  const query = ctx.url.searchParams;
  const withContent = ctx.req.method !== "HEAD";
  return {
    offset: countOption(query, "offset"),
    limit: countOption(query, "limit"),
    around: query.get("around") || undefined,
    sorting: sortingOption(query, signedInOf(ctx).user.sorting),
    content: withContent,
    checksum: withContent ? query.get("checksum") ?? undefined : undefined,
    signal: ctx.req.signal,
  };
}

/** Answers with a described entry; a file that the client knows already is not sent again. */
export function descriptionAnswer(req: Request, description: Description): Response {
  const answer = (init?: ResponseInit) =>
    description.kind === "json"
      ? jsonTextAnswer(description.json, init)
      : jsonAnswer(description.resource, init);
  if (description.etag === undefined) return answer();

  const { etag, modified } = description;
  const verdict = judge(req.headers, { etag, modified });
  if (verdict === "not_modified") return new Response(null, { status: 304, headers: { etag } });
  if (verdict === "failed") {
    throw new DomainError("precondition_failed", "Cannot describe the file: it is another by now");
  }
  return answer({ headers: { etag } });
}

/** Answers the visitor of a share: the same, with what the share adds. */
export function sharedAnswer(
  description: Description,
  share: Pick<SharedResource, "hash" | "token">,
): Response {
  if (description.kind === "resource") return jsonAnswer({ ...share, ...description.resource });
  const [first, ...rest] = description.json;
  if (!first) throw new Error("Cannot describe an entry: its JSON has no pages");
  // A large folder stays in its bytes: nobody waits while they are read and written again.
  const head = new TextEncoder().encode(`${JSON.stringify(share).slice(0, -1)},`);
  return jsonTextAnswer([head, first.subarray(1), ...rest]);
}
