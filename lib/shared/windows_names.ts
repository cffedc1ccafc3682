/** What no name on Windows may have: these signs, these ends, and names of devices before a dot. */
export const windowsLimits = {
  signs: [...'\\:*?"<>|'],
  ends: [".", " "],
  devices: [
    ...["con", "prn", "aux", "nul", "conin$", "conout$"],
    ...["com", "lpt"].flatMap((port) => Array.from("0123456789¹²³", (digit) => port + digit)),
  ],
};

/** Whether Windows takes a name for that of a device, such as "aux.txt". */
export function isDeviceName(name: string): boolean {
  const [base = ""] = name.split(".", 1);
  return windowsLimits.devices.includes(base.trimEnd().toLowerCase());
}

/** The reason why no entry on Windows can have a name; null for one that it takes. */
export function windowsRefusal(name: string): string | null {
  if (/\p{Cc}/u.test(name)) return "Windows allows no control characters in names";
  const sign = windowsLimits.signs.find((each) => name.includes(each));
  if (sign !== undefined) return `Windows allows no ${sign} in names`;
  if (windowsLimits.ends.some((end) => name.endsWith(end))) {
    return "Windows allows no dot or space at the end of a name";
  }
  return isDeviceName(name) ? "Windows uses this name for a device" : null;
}
