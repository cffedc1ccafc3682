/** The notifications of a user: one record of at most 60 KiB. */
export function notificationsKey(userId: number): Deno.KvKey {
  return ["notifications", userId];
}

/** How many notifications a user has not read, and the user's kinds of devices: at most 8 KiB. */
export function notificationStateKey(userId: number): Deno.KvKey {
  return ["notification_states", userId];
}

/** Prefix of the states of all users. */
export function notificationStatesPrefix(): Deno.KvKey {
  return ["notification_states"];
}

/** When a user gets a mail with notifications: a few numbers. */
export function notificationMailKey(userId: number): Deno.KvKey {
  return ["notification_mails", userId];
}

/** Prefix of the mails that wait. */
export function notificationMailsPrefix(): Deno.KvKey {
  return ["notification_mails"];
}
