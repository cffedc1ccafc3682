/** The notifications of a user: one record of at most 60 KiB. */
export function notificationsKey(userId: number): Deno.KvKey {
  return ["notifications", userId];
}

/** Their state, known without reading them, and their user's devices: at most 8 KiB. */
export function notificationStateKey(userId: number): Deno.KvKey {
  return ["notification_states", userId];
}

/** Prefix of the states of all users. */
export function notificationStatesPrefix(): Deno.KvKey {
  return ["notification_states"];
}

/** The mail with notifications that a user is to get: a few numbers. */
export function notificationMailKey(userId: number): Deno.KvKey {
  return ["notification_mails", userId];
}

/** Prefix of the mails that wait. */
export function notificationMailsPrefix(): Deno.KvKey {
  return ["notification_mails"];
}
