import type { Incoming } from "./uploads.ts";

/** What was dropped, folders with all that is in them. Call it inside the drop event: later the browser forgets. */
export declare function readDrop(dropped: DataTransfer): Promise<Incoming[]>;

/** What was chosen in a file input, with its folders where the input takes folders. */
export declare function readInput(files: FileList): Incoming[];
