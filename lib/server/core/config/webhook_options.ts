/**
 * The options of webhooks. They are options of the start and no settings, so that an account that
 * was taken over cannot reach other servers by them.
 */
import { type GivenValue, kinds, type Members, type OptionTable } from "./option.ts";
import { readProxies, refusedError } from "./values.ts";

/** The maximum number of ports that can be listed. */
const maxPorts = 20;

/** See {@linkcode WebhookRights}. */
export const webhookOptions = {
  webhooks: {
    ...kinds.optionalSwitch,
    help: "let administrators send events to other servers",
    member: "isOn",
  },
  "webhook-ports": {
    value: "LIST",
    help: "ports that webhooks may use",
    read: readPorts,
    default: "443",
    stored: true,
  },
  "webhook-private": {
    value: "LIST",
    help: "private addresses and CIDR blocks that webhooks may reach",
    read: readProxies,
    default: "",
    otherwise: "none",
    member: "privateNetworks",
    stored: true,
  },
  "webhook-http": { ...kinds.optionalSwitch, help: "let webhooks use http" },
  "webhook-ca": {
    ...kinds.authorities,
    help: "CA certificates (PEM) for webhooks",
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
    throw refusedError(value, `expected up to ${maxPorts} ports, separated by commas`);
  }
  return ports.length === 0 ? undefined : [...new Set(ports)];
}
