import { useEffect, useState } from "react";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { failure, type Result } from "../../../shared/result.ts";
import { lazy } from "../core/lazy.ts";
import { useApi } from "../core/use_site.ts";

/** The client of the browser's passkeys. */
export const passkeyCode = lazy(() => import("./passkeys.ts"));

/**
 * Whether the browser takes passkeys on this page: not over plain http, nor at an address such as
 * 192.168.0.1. False on the server and before hydration.
 */
export function usePasskeySupport(): boolean {
  const [isSupported, setSupported] = useState(false);
  useEffect(() => {
    const isAddress = /^[\d.]+$|:/.test(location.hostname);
    setSupported("PublicKeyCredential" in globalThis && isSecureContext && !isAddress);
  }, []);
  return isSupported;
}

/** Has the user prove by a passkey who it is. */
export function useAskPasskey(): () => Promise<Result<PasskeyAnswer>> {
  const api = useApi();
  return async () => {
    const code = await passkeyCode.load();
    if (code === null) return failure(0, "offline", "Cannot load what asks for passkeys");
    return await code.answerByPasskey(api.calls);
  };
}
