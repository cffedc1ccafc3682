/**
 * The options of webhooks. They are options of the start and no settings, so that an account that
 * was taken over cannot reach other servers by them.
 */
import type { GivenValue, Members, OptionTable } from "./option.ts";
import { readAuthorities } from "./places.ts";
import { orNone, readProxies, readSwitch, refused } from "./values.ts";

/** The maximum number of ports that can be listed. */
const maxPorts = 20;

export const webhookOptions = {
  webhooks: {
    help: "administrators may have events sent to other servers",
    read: orNone(readSwitch),
    member: "isOn",
    stored: true,
  },
  "webhook-ports": {
    value: "LIST",
    help: "the ports that they are sent to",
    read: readPorts,
    default: "443",
    stored: true,
  },
  "webhook-private": {
    value: "LIST",
    help: "private addresses and CIDR blocks that they may be sent to",
    read: readProxies,
    default: "",
    otherwise: "none",
    member: "privateNetworks",
    stored: true,
  },
  "webhook-http": {
    help: "they may be sent without encryption",
    read: orNone(readSwitch),
    stored: true,
  },
  "webhook-ca": {
    value: "FILE",
    help: "certificates (PEM) of the authority that receivers' are signed by",
    read: readAuthorities,
    otherwise: "the usual ones",
    stored: true,
    isPath: true,
  },
} as const satisfies OptionTable;

type WebhookValues = Members<typeof webhookOptions, "webhook-">;

/** Where webhooks may be sent. */
export type WebhookRights = Omit<WebhookValues, "isOn">;

/** Tells where webhooks may be sent; undefined while there are none. */
export function makeWebhookRights({ isOn, ...rights }: WebhookValues): WebhookRights | undefined {
  return isOn ? rights : undefined;
}

function readPorts(value: GivenValue): number[] | undefined {
  const words = value.text.split(/[\s,]+/).filter(Boolean);
  const ports = words.map((word) => /^\d{1,5}$/.test(word) ? Number(word) : NaN);
  if (ports.length > maxPorts || !ports.every((port) => port >= 1 && port <= 65_535)) {
    throw refused(value, `expected up to ${maxPorts} ports, separated by commas`);
  }
  return ports.length === 0 ? undefined : [...new Set(ports)];
}
