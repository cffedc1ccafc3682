import type { Log } from "../../log/log.ts";
import { errorStatus } from "../response/error_response.ts";

/** The part of a Fresh context that the request log reads. */
export interface LoggedContext {
  req: Request;
  url: URL;
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
 * Middleware that logs one line for each request. It comes first, so that time and status are those
 * of the final response.
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
