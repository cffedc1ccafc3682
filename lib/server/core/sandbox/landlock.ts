import { cString, lastError, type Libc } from "./libc.ts";

/** Landlock's rights on files and folders (linux/landlock.h). */
export const right = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readFolder: 1n << 3n,
  removeFolder: 1n << 4n,
  removeFile: 1n << 5n,
  makeDevice: (1n << 6n) | (1n << 11n),
  makeFolder: 1n << 7n,
  makeFile: 1n << 8n,
  makeSocket: 1n << 9n,
  makePipe: 1n << 10n,
  makeLink: 1n << 12n,
  moveBetweenFolders: 1n << 13n,
  truncate: 1n << 14n,
  deviceControl: 1n << 15n,
} as const;

/** Rights that a rule on a file can have. */
const fileRights = right.execute | right.writeFile | right.readFile | right.truncate |
  right.deviceControl;

/** The rights of a process; the kernel refuses all others of the handled kinds. */
export interface Domain {
  paths: { path: string; rights: bigint }[];
  /** TCP ports it may listen on. */
  listenPorts: number[];
  /** TCP ports it may connect to. */
  connectPorts: number[];
}

/** Features of the kernel's Landlock. */
export interface LandlockFeatures {
  abi: number;
  ports: boolean;
  signals: boolean;
}

const callNumber = { createRuleset: 444n, addRule: 445n, restrictSelf: 446n };
const askVersion = 1;
const ruleType = { path: 1, port: 2 };
const network = { bind: 1n, connect: 2n };
/** Abstract UNIX sockets and signals stay inside the domain. */
const scopes = 3n;
const setNoNewPrivileges = 38;
const openPathOnly = 0o10000000 | 0o2000000; // O_PATH | O_CLOEXEC

/** Detects the features of this kernel's Landlock; null when it is missing or disabled. */
export function landlockFeatures(libc: Libc): LandlockFeatures | null {
  const abi = Number(libc.landlockCreateRuleset(callNumber.createRuleset, null, 0n, askVersion));
  return abi > 0 ? { abi, ports: abi >= 4, signals: abi >= 6 } : null;
}

/**
 * Restricts the calling thread to a domain, permanently, with the programs that it executes. Skips
 * paths that do not exist.
 *
 * @throws Error when the kernel refuses a step
 */
export function enterDomain(libc: Libc, features: LandlockFeatures, domain: Domain): void {
  const handled = handledRights(features.abi);
  const ruleset = createRuleset(libc, features, handled);
  for (const { path, rights } of domain.paths) {
    addPath(libc, ruleset, path, rights & handled);
  }
  if (features.ports) {
    for (const port of domain.listenPorts) addPort(libc, ruleset, port, network.bind);
    for (const port of domain.connectPorts) addPort(libc, ruleset, port, network.connect);
  }
  check(libc, libc.prctl(setNoNewPrivileges, 1n, 0n, 0n, 0n), "give up new privileges");
  check(libc, libc.landlockRestrictSelf(callNumber.restrictSelf, ruleset, 0), "enter the domain");
  libc.close(ruleset);
}

/** The rights that an ABI supports: others are an error, missing ones would be allowed. */
function handledRights(abi: number): bigint {
  const count = abi >= 5 ? 16n : abi >= 3 ? 15n : abi >= 2 ? 14n : 13n;
  return (1n << count) - 1n;
}

function createRuleset(libc: Libc, features: LandlockFeatures, handled: bigint): number {
  const attributes = new BigUint64Array([
    handled,
    features.ports ? network.bind | network.connect : 0n,
    features.signals ? scopes : 0n,
  ]);
  // Older kernels refuse a longer structure unless the rest is zero, which it is.
  const result = libc.landlockCreateRuleset(
    callNumber.createRuleset,
    new Uint8Array(attributes.buffer),
    BigInt(attributes.byteLength),
    0,
  );
  return check(libc, Number(result), "make a ruleset");
}

function addPath(libc: Libc, ruleset: number, path: string, rights: bigint): void {
  const descriptor = libc.open(cString(path), openPathOnly);
  if (descriptor < 0) return;
  const allowed = Deno.statSync(path).isDirectory ? rights : rights & fileRights;
  if (allowed === 0n) return void libc.close(descriptor);
  const rule = new DataView(new ArrayBuffer(12));
  rule.setBigUint64(0, allowed, true);
  rule.setInt32(8, descriptor, true);
  addRule(libc, ruleset, ruleType.path, rule, `allow "${path}"`);
  libc.close(descriptor);
}

function addPort(libc: Libc, ruleset: number, port: number, rights: bigint): void {
  const rule = new DataView(new ArrayBuffer(16));
  rule.setBigUint64(0, rights, true);
  rule.setBigUint64(8, BigInt(port), true);
  addRule(libc, ruleset, ruleType.port, rule, `allow port ${port}`);
}

function addRule(libc: Libc, ruleset: number, type: number, rule: DataView, step: string): void {
  const bytes = new Uint8Array(rule.buffer as ArrayBuffer);
  check(libc, libc.landlockAddRule(callNumber.addRule, ruleset, type, bytes, 0), step);
}

function check(libc: Libc, result: number | bigint, step: string): number {
  if (result >= 0) return Number(result);
  throw new Error(`Landlock cannot ${step}: error ${lastError(libc)}`);
}
