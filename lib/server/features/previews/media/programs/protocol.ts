import type { VideoEncoder } from "../../../../core/config/server_options.ts";
import type { ProgramName, RecipeName, RecipeNumbers } from "./recipes.ts";
import type { PlaceRequest, SegmentRequest } from "../streams/segments.ts";
import type { ReaderLimits } from "./limits.ts";

/** The server's request to the host of programs. */
export interface ReadRequest {
  recipe: RecipeName;
  /** The descriptor of the open file in the server process. */
  descriptor: number;
  /** The extension of the file, with its dot, for programs that go by it. */
  extension?: string;
  /** The numbers of a recipe that takes some. */
  numbers?: RecipeNumbers;
  /** What `stateOf` tells of the file: another one is refused. */
  state?: readonly (number | null)[];
  /** A segment of a stream, in place of the whole output. */
  segment?: SegmentRequest;
}

/** Any request of the server to the host. */
export type HostRequest = ReadRequest | { place: PlaceRequest };

/** The paths of the programs that are installed. */
export type FoundPrograms = Partial<Record<ProgramName, string>>;

/** The configuration of a host. */
export interface ReaderHostSpec {
  /** The path of the listening socket, in a folder that only this account can enter. */
  socket: string;
  programs: FoundPrograms;
  limits: ReaderLimits;
  /** The encoder of converted films; libx264 by default. */
  videoEncoder?: VideoEncoder;
  /** Other limits of conversions of Office documents, for tests. */
  officeLimits?: Partial<ReaderLimits>;
  /** Other limits of conversions of films, for tests. */
  streamLimits?: Partial<ReaderLimits>;
  /** The process id of the launcher, which becomes the server: the host ends with it. */
  server: number;
}

/** The instructions of one run, for `confine_reader.ts`. */
export interface ReaderConfinement {
  program: string;
  args: readonly string[];
  limits: ReaderLimits;
  /** A hardware encoder, whose devices it reaches. */
  encoder?: VideoEncoder;
  /** What `stateOf` tells of the file, where another one is to be refused. */
  state?: readonly (number | null)[];
  /** A folder that it may write to, and the name that the input gets in it. */
  scratch?: { folder: string; input: string };
}
