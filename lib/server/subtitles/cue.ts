/** One subtitle: what is shown from when to when. */
export interface Cue {
  /** Milliseconds from the beginning of the film. */
  start: number;
  end: number;
  /** Where it is shown, as WebVTT says it: "line:0 align:start"; usually nothing. */
  settings: string;
  /** Lines of WebVTT cue text, without an empty one. */
  text: string;
}

/** Subtitles as they were understood. */
export interface Subtitles {
  /** Blocks of style sheets and regions that WebVTT alone has, as they were. */
  blocks: string[];
  cues: Cue[];
}
