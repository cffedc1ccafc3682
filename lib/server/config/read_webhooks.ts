import type { WebhookRights } from "./config.ts";
import type { GivenValue } from "./options.ts";
import { readAuthorities, readSwitchOrNone } from "./read_sign_in.ts";
import { readProxies, refused, type ValueOf } from "./values.ts";

/** Most ports that can be listed. */
const mostPorts = 20;

/**
 * Reads where webhooks may be sent; undefined while there are none.
 *
 * @throws StartRefusal for the first error
 */
export function readWebhooks(valueOf: ValueOf, cwd: string): WebhookRights | undefined {
  const isOn = valueOf("webhooks", readSwitchOrNone, false);
  const ports = valueOf("webhook-ports", readPorts, [443]);
  const privateNetworks = valueOf("webhook-private", readProxies, []);
  const http = valueOf("webhook-http", readSwitchOrNone, false);
  const ca = valueOf("webhook-ca", (value) => readAuthorities(value, cwd), undefined);
  return isOn ? { ports, privateNetworks, http, ca } : undefined;
}

function readPorts(value: GivenValue): number[] {
  const words = value.text.split(/[\s,]+/).filter(Boolean);
  const ports = words.map((word) => /^\d{1,5}$/.test(word) ? Number(word) : NaN);
  if (ports.length > mostPorts || !ports.every((port) => port >= 1 && port <= 65_535)) {
    throw refused(value, `expected up to ${mostPorts} ports, separated by commas`);
  }
  return ports.length === 0 ? [443] : [...new Set(ports)];
}
