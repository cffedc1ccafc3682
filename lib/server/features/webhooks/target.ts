import { isIP } from "node:net";
import { DomainError } from "../../../shared/errors.ts";
import type { WebhookRights } from "../../core/config/webhook_options.ts";
import { mayReach } from "./address.ts";

/** Where an event is sent. */
export interface Target {
  isEncrypted: boolean;
  /** The name, or the address without brackets. */
  host: string;
  port: number;
  /** The value of `Host`. */
  authority: string;
  /** The path with the query, as it is sent. */
  path: string;
}

/**
 * Reads the URL of a webhook.
 *
 * @throws DomainError `invalid_option` for one that events may not be sent to, as far as can be told
 * without asking for its address
 */
export function readTarget(text: string, rights: WebhookRights): Target {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw refusedError("it is not an https URL");
  if (url.username !== "" || url.password !== "") {
    throw refusedError("it has a user or a password in it");
  }
  if (url.hash !== "") throw refusedError("it has a fragment");
  const isEncrypted = url.protocol === "https:";
  if (!isEncrypted && !rights.http) throw refusedError("the server allows https only");
  const port = Number(url.port || (isEncrypted ? 443 : 80));
  if (!rights.ports.includes(port)) {
    throw refusedError(`the server does not allow the port ${port}`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw refusedError("it names no host");
  if (isIP(host) !== 0 && !mayReach(host, rights.privateNetworks)) {
    throw refusedError("the server does not allow its address");
  }
  return { isEncrypted, host, port, authority: url.host, path: url.pathname + url.search };
}

function refusedError(reason: string): DomainError {
  return new DomainError("invalid_option", `Cannot send events to this URL: ${reason}`);
}
