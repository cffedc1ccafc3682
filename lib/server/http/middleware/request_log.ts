import type { Log } from "../../core/log/log.ts";
import { errorStatus } from "../response/error_response.ts";
import { announcedLength, countRequest } from "./request_metrics.ts";

/** The part of a Fresh context that the request log reads. */
export interface LoggedContext {
  req: Request;
  url: URL;
  /** The pattern of the route. */
  route: string | null;
  state: {
    cubby: { log: Log };
    /** The client's address, once a later middleware has set it. */
    address?: string;
    signedIn?: { user: { username: string } };
  };
  next(): Promise<Response>;
}

/** Internal requests made on behalf of another one, which is logged. */
export const unlogged = new WeakSet<Request>();

/**
 * Middleware that logs and counts each request. It comes first, so that time and status are those
 * of the final response.
 */
export async function requestLog(ctx: LoggedContext): Promise<Response> {
  if (unlogged.has(ctx.req)) return await ctx.next();
  const start = performance.now();
  const length = announcedLength(ctx.req);
  let status = 500;
  let answer: Response | undefined;
  try {
    answer = await ctx.next();
    status = answer.status;
    return answer;
  } catch (error) {
    status = errorStatus(error);
    throw error;
  } finally {
    const { cubby, address = "-", signedIn } = ctx.state;
    const ms = performance.now() - start;
    countRequest({ req: ctx.req, route: ctx.route, status, ms, length, answer });
    cubby.log.request({
      status,
      ms,
      method: ctx.req.method,
      path: ctx.url.pathname,
      user: signedIn?.user.username,
      address,
    });
  }
}
