import { maxPasswordLength, minPasswordLength } from "./choices.ts";

const mebibyte = 2 ** 20;

/**
 * The bounds of the numbers in the settings, for the browser as well. A `unit` is the one that the
 * form shows them in.
 */
export const settingBounds = {
  minimumPasswordLength: { min: minPasswordLength, max: maxPasswordLength },
  tus: {
    chunkSize: { min: 64 * 1024, max: 2 ** 31, unit: mebibyte },
    retryCount: { min: 0, max: 100 },
  },
  trash: {
    days: { min: 1, max: 3650 },
    /** Percent of the disk. */
    leastFree: { min: 0, max: 90 },
  },
  audit: {
    days: { min: 1, max: 3650 },
  },
  contents: {
    largestText: { min: 64 * 1024, max: 64 * mebibyte, unit: mebibyte },
    largestIndex: { min: 16 * mebibyte, max: 2 ** 40, unit: mebibyte },
  },
} as const;
