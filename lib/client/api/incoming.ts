/** One file or folder of this computer that is to be put on the server. */
export interface Incoming {
  /** The names from the destination down: ["photos", "sea.jpg"]. */
  segments: string[];
  /** Null for a folder. */
  file: File | null;
  /** Set when the browser could not read it. */
  unreadable?: boolean;
}
