import type { JSX } from "preact";
import type { BuildCache } from "./build_cache.ts";
import type { Island } from "./island.ts";

/** The property of a rendered Response that holds the nonce of its scripts and styles. */
export const NONCE: symbol = Symbol.for("__freshNonce");

/** Markup handed to an island from outside it. */
export interface SlotRecord {
  /** The prop it was handed in. */
  name: string;
  /** The markup. */
  content: unknown;
  /** Whether the island rendered it; if not, it travels in a template. */
  rendered: boolean;
}

/** The state of rendering one document. Rendering is synchronous, so only one is current. */
export class RenderState {
  /** The value of the `nonce` attribute of every script and style of the document. */
  readonly nonce: string = crypto.randomUUID().replaceAll("-", "");
  /** The islands on the page, in order of appearance. */
  readonly islands: Set<Island> = new Set();
  /** The props of each island, by its index in the page. */
  readonly islandProps: { island: Island; props: Record<string, unknown> }[] = [];
  /** The slots of the islands, by id. */
  readonly slots: SlotRecord[] = [];
  /** The elements gathered by `<Head>`, by key. */
  readonly head: Map<string, JSX.Element> = new Map();
  /** The parts of the document shell that the page renders itself. */
  readonly rendered: { html: boolean; head: boolean; body: boolean } = {
    html: false,
    head: false,
    body: false,
  };

  constructor(
    /** The path of the page, which active links are compared with. */
    readonly pathname: string,
    /** The path the application lives under. */
    readonly basePath: string,
    /** The build that the page is rendered from. */
    readonly cache: BuildCache | null,
    /** The style sheets of the route. */
    readonly css: string[],
  ) {}
}

let current: RenderState | null = null;

/** The document that is being rendered, or null outside of rendering. */
export function currentRender(): RenderState | null {
  return current;
}

/** Runs `render` with `state` as the current document. */
export function withRender<T>(state: RenderState, render: () => T): T {
  const outer = current;
  current = state;
  try {
    return render();
  } finally {
    current = outer;
  }
}
