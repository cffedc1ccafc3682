/** The parts of npm's oidc-provider that the tests use; the package has no types of its own. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface ProviderContext {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
  };
}

export default class Provider {
  constructor(issuer: string, configuration: Record<string, unknown>);
  /** Its methods decide which addresses a client may be sent back to. */
  Client: {
    prototype: {
      redirectUriAllowed(uri: string): boolean;
      postLogoutRedirectUriAllowed(uri: string): boolean;
    };
  };
  Grant: new (about: { clientId: string; accountId: string }) => Grant;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: Record<string, unknown>,
  ): Promise<void>;
}

export type { ProviderContext };
