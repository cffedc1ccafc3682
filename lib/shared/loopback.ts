/** Whether only this machine can reach the address or host name, also as it stands in a URL. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127\.[\d.]+)$/.test(host);
}

/** Whether a URL is of http and leads to this machine alone. */
export function isLocalHttp(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && isLoopback(hostname);
}
