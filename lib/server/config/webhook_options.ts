/**
 * The options of webhooks. They are options of the start and no settings, so that an account that
 * was taken over cannot reach other servers by them. They are spread into the table of
 * `options.ts`.
 */
export const webhookOptions = [
  {
    name: "webhooks",
    about: "administrators may have events sent to other servers",
    stored: true,
  },
  {
    name: "webhook-ports",
    value: "LIST",
    about: "the ports that they are sent to (443)",
    stored: true,
  },
  {
    name: "webhook-private",
    value: "LIST",
    about: "private addresses and CIDR blocks that they may be sent to (none)",
    stored: true,
  },
  {
    name: "webhook-http",
    about: "they may be sent without encryption",
    stored: true,
  },
  {
    name: "webhook-ca",
    value: "FILE",
    about: "certificates (PEM) of the authority that receivers' are signed by (the usual ones)",
    stored: true,
    isPath: true,
  },
] as const;
