import type { User } from "../users/user.ts";

/**
 * Decides whether a name and a password are right, and whose they are; null when they are not. It
 * is called under the throttle, and must take as long for unknown names as for known ones.
 */
export type PasswordCheck = (username: string, password: string) => Promise<User | null>;
