import type { Log } from "../../log/log.ts";
import { errorStatus } from "../response/error_status.ts";

/** The part of a Fresh context that the request log reads. */
export interface LoggedContext {
  req: Request;
  url: URL;
  state: {
    cubby: { log: Log };
    /** The client's address, when a middleware behind this one has found it. */
    address?: string;
    signedIn?: { user: { username: string } };
  };
  next(): Promise<Response>;
}

/** Requests that the server asks itself on the way to another answer; that one is logged. */
export const unlogged = new WeakSet<Request>();

/**
 * Middleware that leaves one line in the log for each request. It stands first, so that the time
 * and the status are what the client gets.
 */
export async function requestLog(ctx: LoggedContext): Promise<Response> {
  if (unlogged.has(ctx.req)) return await ctx.next();
  const start = performance.now();
  let status = 500;
  try {
    const response = await ctx.next();
    status = response.status;
    return response;
  } catch (error) {
    status = errorStatus(error);
    throw error;
  } finally {
    const { cubby, address = "-", signedIn } = ctx.state;
    cubby.log.request({
      status,
      ms: performance.now() - start,
      method: ctx.req.method,
      path: ctx.url.pathname,
      user: signedIn?.user.username,
      address,
    });
  }
}
