/** One subtitle, with its times. */
export interface Cue {
  /** Milliseconds from the beginning of the film. */
  start: number;
  end: number;
  /** WebVTT cue settings: "line:0 align:start"; usually empty. */
  settings: string;
  /** Lines of WebVTT cue text, none of them empty. */
  text: string;
}

/** Parsed subtitles. */
export interface Subtitles {
  /** Style and region blocks, which only WebVTT has, unchanged. */
  blocks: string[];
  cues: Cue[];
}
