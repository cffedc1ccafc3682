import type { FsRouteFile } from "./routing/fs_routes.ts";
import type { IslandRegistry } from "./island.ts";

/** A static file, opened for one answer. */
export interface OpenFile {
  /** Bytes that will be sent. */
  size: number;
  /** The content. */
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A static file that can be served. */
export interface StaticFile {
  /** SHA-256 of the content in hex. */
  hash: string;
  /** The Content-Type to send. */
  contentType: string;
  /** Opens the file; the caller consumes or cancels the body. */
  open(): Promise<OpenFile>;
}

/** The output of a build, as the running application uses it. */
export interface BuildCache {
  /** The folder of the application. */
  root: string;
  /** The id that asset URLs carry. */
  buildId: string;
  /** The path of the script that starts islands, without the base path. */
  clientEntry: string;
  /** Whether each page loads the script, for live reload. */
  liveReload: boolean;
  /** The components that are sent to the browser. */
  islands: IslandRegistry;
  /** The route files, in the order in which they apply. */
  fsRoutes: FsRouteFile[];
  /** Looks a static file up by its decoded path. */
  staticFile(pathname: string): Promise<StaticFile | null>;
}
