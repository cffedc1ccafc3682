import type { VideoEncoder } from "../config/server_options.ts";
import { type Domain, right } from "./landlock.ts";

const device = right.readFile | right.writeFile | right.deviceControl;
const read = right.readFile | right.readFolder;

/** The devices of GPUs as the kernel's DRM names those that only compute. */
const rendering = /^renderD\d+$/;

/** Reads a system's folders: the names in one, and the real path of one; null where it is missing. */
export interface SystemFolders {
  namesIn(folder: string): string[];
  realPath(path: string): string | null;
}

/** The devices that GPUs of DRM encode by, in order; empty without one. */
export function renderDevices({ namesIn }: SystemFolders = systemFolders): string[] {
  return namesIn("/dev/dri").filter((name) => rendering.test(name)).sort()
    .map((name) => `/dev/dri/${name}`);
}

/**
 * What a program reaches to encode by hardware: the devices of that encoder alone, and what its
 * driver reads about them. Nothing for libx264.
 */
export function encoderPaths(
  encoder: VideoEncoder,
  folders: SystemFolders = systemFolders,
): Domain["paths"] {
  const named = (paths: readonly (string | null)[], rights: bigint) =>
    paths.filter((path) => path !== null).map((path) => ({ path, rights }));
  const devicesIn = (folder: string, pattern: RegExp) =>
    folders.namesIn(folder).filter((name) => pattern.test(name)).sort()
      .map((name) => `${folder}/${name}`);
  switch (encoder) {
    case "h264_vaapi":
    case "h264_qsv": {
      const devices = renderDevices(folders);
      const described = devices.map((path) =>
        folders.realPath(`/sys/class/drm/${path.slice("/dev/dri/".length)}/device`)
      );
      return [
        ...named(devices, device),
        ...devices.length > 0 ? named(["/dev/dri"], right.readFolder) : [],
        ...named(described, read),
      ];
    }
    case "h264_nvenc":
      return [
        ...named(devicesIn("/dev", /^nvidia(\d+|ctl|-uvm|-uvm-tools)$/), device),
        ...named(["/proc/driver/nvidia", "/proc/devices"], read),
      ];
    case "h264_v4l2m2m":
      return [
        ...named(devicesIn("/dev", /^video\d+$/), device),
        ...named(["/dev"], right.readFolder),
      ];
    case "libx264":
      return [];
  }
}

const systemFolders: SystemFolders = {
  namesIn(folder) {
    try {
      return [...Deno.readDirSync(folder)].map(({ name }) => name);
    } catch {
      return [];
    }
  },
  realPath(path) {
    try {
      return Deno.realPathSync(path);
    } catch {
      return null;
    }
  },
};
