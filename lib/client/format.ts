/** A size for people: "1.2 MB". Units of 1000, as disks are sold. */
export declare function formatBytes(bytes: number, language: string): string;

/** A number with the separators of the language. */
export declare function formatNumber(value: number, language: string): string;

/** A time as a distance, "3 hours ago". @param time RFC 3339 */
export declare function formatRelative(time: string, language: string, now?: number): string;

/** A time as date and clock, "5 Oct 2026, 14:03". @param time RFC 3339 */
export declare function formatExact(time: string, language: string, timeZone?: string): string;
