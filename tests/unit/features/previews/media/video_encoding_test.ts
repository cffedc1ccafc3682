import assert from "node:assert/strict";
import { join } from "node:path";
import {
  encoderPaths,
  type SystemFolders,
} from "../../../../../lib/server/core/sandbox/encoder_devices.ts";
import { right } from "../../../../../lib/server/core/sandbox/landlock.ts";
import {
  findPrograms,
  refusalOfEncoder,
} from "../../../../../lib/server/features/previews/media/programs/find_programs.ts";
import {
  argsOf,
  recipeOf,
  recipes,
} from "../../../../../lib/server/features/previews/media/programs/recipes.ts";
import type { VideoEncoder } from "../../../../../lib/server/core/config/server_options.ts";
import { ensureMediaPrograms } from "../../../../support/disks/media_programs.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";

await ensureMediaPrograms();

/** The arguments of the 480-line rendition, as text. */
function argsFor(encoder: VideoEncoder, device?: string): string {
  const recipe = recipeOf("stream480", { encoder, device, isMixed: encoder !== "libx264" });
  return argsOf(recipe ?? assert.fail(), { start: 5, offset: 15 }).join(" ");
}

Deno.test("libx264 encodes without a device, and its filters end in plain frames", () => {
  const args = argsFor("libx264");
  assert.match(args, / -c:v libx264 -preset superfast .* -g 9999 /);
  assert.doesNotMatch(args, /hw|\/dev|dump_extra/);
  assert.deepEqual(recipeOf("stream480"), recipes.stream480);
});

for (
  const [encoder, before, filters, codec] of [
    [
      "h264_vaapi",
      "-init_hw_device vaapi=hw:/dev/dri/renderD129 -filter_hw_device hw",
      "setsar=1,format=nv12,hwupload",
      "-c:v h264_vaapi -b:v 700k",
    ],
    [
      "h264_qsv",
      "-init_hw_device qsv=hw,child_device=/dev/dri/renderD129 -filter_hw_device hw",
      "setsar=1,format=nv12,hwupload=extra_hw_frames=64",
      "-c:v h264_qsv -preset veryfast -forced_idr 1 -b:v 700k",
    ],
    [
      "h264_nvenc",
      "",
      "setsar=1,format=yuv420p",
      "-c:v h264_nvenc -preset p3 -rc vbr -forced-idr 1",
    ],
    ["h264_v4l2m2m", "", "setsar=1,format=yuv420p", "-c:v h264_v4l2m2m -num_capture_buffers 16"],
  ] as const
) {
  Deno.test(`the arguments of ${encoder}: device, frames and options`, () => {
    const args = argsFor(encoder, "/dev/dri/renderD129");
    assert.ok(args.startsWith(`-v error -nostdin ${before}${before && " "}-ss 5.000 `), args);
    assert.ok(args.includes(`,${filters} ${codec}`), args);
    assert.ok(args.includes("-force_key_frames expr:gte(t,n_forced*1)"), args);
    assert.ok(args.includes("-bsf:v dump_extra=freq=keyframe"), args);
    assert.doesNotMatch(args, /libx264|superfast|-crf/);
  });
}

Deno.test("recipes that encode no pictures are the same for all encoders", () => {
  for (const name of ["streamCopy", "streamSound", "seekPicture"] as const) {
    assert.equal(recipeOf(name, { encoder: "h264_vaapi" }), recipes[name]);
  }
  assert.equal(recipeOf("toString"), undefined);
});

Deno.test("an encoder that FFmpeg lacks is refused at the start, in a sentence", async () => {
  await using folder = await temporaryFolder();
  const ffmpeg = join(folder.path, "ffmpeg");
  const lists = " V....D libx264  libx264\\n V....D h264_vaapi  H.264/AVC (VAAPI)\\n";
  await Deno.writeTextFile(ffmpeg, `#!/bin/sh\nprintf '${lists}'\n`, { mode: 0o700 });
  assert.equal(refusalOfEncoder("h264_vaapi", { ffmpeg }), null);
  assert.equal(refusalOfEncoder("libx264", { ffmpeg }), null);
  assert.equal(refusalOfEncoder("h264_nvenc", {}), null, "without FFmpeg nothing is converted");
  assert.equal(
    refusalOfEncoder("h264_nvenc", { ffmpeg }),
    `Cannot use --video-encoder "h264_nvenc": ${ffmpeg} does not have it; ` +
      "`ffmpeg -encoders` lists what it has",
  );
});

Deno.test("the list of the installed FFmpeg is read by the names of encoders", () => {
  const programs = findPrograms();
  const lacks = (name: string) => refusalOfEncoder(name as VideoEncoder, programs) !== null;
  assert.ok(!lacks("libx264rgb"));
  assert.ok(lacks("h264") && lacks("V....D") && lacks("x264"));
});

/** A machine with two GPUs, one of NVIDIA, and a camera. */
const machine: SystemFolders = {
  namesIn: (folder) =>
    ({
      "/dev/dri": ["by-path", "card0", "renderD129", "renderD128"],
      "/dev": ["nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-modeset", "video0", "sda", "mem"],
    })[folder] ?? [],
  realPath: (path) => path.includes("renderD128") ? "/sys/devices/pci0/gpu" : null,
};
const none: SystemFolders = { namesIn: () => [], realPath: () => null };

for (
  const [encoder, devices, others] of [
    ["libx264", [], []],
    [
      "h264_vaapi",
      ["/dev/dri/renderD128", "/dev/dri/renderD129"],
      ["/dev/dri", "/sys/devices/pci0/gpu"],
    ],
    [
      "h264_qsv",
      ["/dev/dri/renderD128", "/dev/dri/renderD129"],
      ["/dev/dri", "/sys/devices/pci0/gpu"],
    ],
    [
      "h264_nvenc",
      ["/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidiactl"],
      ["/proc/driver/nvidia", "/proc/devices"],
    ],
    ["h264_v4l2m2m", ["/dev/video0"], ["/dev"]],
  ] as const
) {
  Deno.test(`the sandbox gives ${encoder} its devices, and writes to nothing else`, () => {
    const paths = encoderPaths(encoder, machine);
    const writable = paths.filter(({ rights }) => rights & right.writeFile);
    assert.deepEqual(writable.map(({ path }) => path), devices);
    assert.ok(writable.every(({ rights }) => rights & right.deviceControl));
    const rest = paths.filter((path) => !writable.includes(path));
    assert.deepEqual(rest.map(({ path }) => path), others);
    assert.ok(rest.every(({ path, rights }) => path !== "/dev" || rights === right.readFolder));
    assert.ok(encoderPaths(encoder, none).every(({ rights }) => !(rights & right.writeFile)));
  });
}
