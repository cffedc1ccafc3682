/** H.264 as the server makes it of films: by libx264, or by a hardware encoder that FFmpeg has. */
import type { VideoEncoder } from "../../../../core/config/server_options.ts";

/** Threads of a conversion: more than four make little faster. */
export const threads = String(Math.min(4, Math.max(1, navigator.hardwareConcurrency)));

/**
 * The length of a converted segment, in seconds: a conversion makes a keyframe at each multiple.
 * After a seek, nothing is seen before the first segment is whole, so it is short.
 */
export const segmentSeconds = 1;

/** Who encodes the pictures of a film. */
export interface EncoderUse {
  encoder: VideoEncoder;
  /** The device (DRM) of `h264_vaapi` and `h264_qsv`. */
  device?: string;
  /**
   * Segments of several encoders may come together, so each has the parameters of its own pictures
   * in itself, besides those in the header.
   */
  isMixed?: boolean;
}

/** The pictures that a recipe makes: at most so many lines, and bits a second as FFmpeg has them. */
export interface Rendition {
  lines: number;
  rate: string;
  maxRate: string;
}

/** What FFmpeg is told before it opens the input, and for the output. */
export interface Encoding {
  before: string[];
  codec: string[];
}

/** A hardware encoder: its device, what frames it takes, and its own options. */
interface HardwareEncoder {
  before(device: string): string[];
  filters: string[];
  options: string[];
}

/** The device of most machines, which FFmpeg refuses where there is none. */
const usualDevice = "/dev/dri/renderD128";

const hardware: Record<Exclude<VideoEncoder, "libx264">, HardwareEncoder> = {
  h264_vaapi: {
    before: (device) => ["-init_hw_device", `vaapi=hw:${device}`, "-filter_hw_device", "hw"],
    filters: ["format=nv12", "hwupload"],
    options: [],
  },
  h264_qsv: {
    before: (device) => [
      ...["-init_hw_device", `qsv=hw,child_device=${device}`, "-filter_hw_device", "hw"],
    ],
    filters: ["format=nv12", "hwupload=extra_hw_frames=64"],
    options: ["-preset", "veryfast", "-forced_idr", "1"],
  },
  h264_nvenc: {
    before: () => [],
    filters: ["format=yuv420p"],
    options: ["-preset", "p3", "-rc", "vbr", "-forced-idr", "1", "-no-scenecut", "1"],
  },
  h264_v4l2m2m: {
    before: () => [],
    filters: ["format=yuv420p"],
    options: ["-num_capture_buffers", "16"],
  },
};

/** Pictures that all browsers decode, never larger than they were, at most 30 a second. */
export function encodingOf(
  { lines, rate, maxRate }: Rendition,
  { encoder, device = usualDevice, isMixed = false }: EncoderUse,
): Encoding {
  // The lines of pictures that are upright, such as those of a phone, are their columns.
  const ratio = `min(1,${lines}/min(iw*sar,ih))`;
  const filters = [
    "fps=fps='min(source_fps,30)':start_time=0",
    "yadif=deint=interlaced",
    `scale=w='max(2,2*trunc(iw*sar*${ratio}/2+0.01))':h='max(2,2*trunc(ih*${ratio}/2+0.01))'`,
    "setsar=1",
  ];
  const limits = ["-maxrate", maxRate, "-bufsize", maxRate, "-bf", "0", "-g", "9999"];
  const keyframes = ["-force_key_frames", `expr:gte(t,n_forced*${segmentSeconds})`];
  const repeated = isMixed ? ["-bsf:v", "dump_extra=freq=keyframe"] : [];
  if (encoder === "libx264") {
    return {
      before: [],
      codec: [
        ...["-vf", filters.join(), "-pix_fmt", "yuv420p", "-threads", threads, "-c:v", encoder],
        ...["-preset", "superfast", "-crf", "23", ...limits],
        ...["-x264-params", "scenecut=0:rc-lookahead=5", ...keyframes, ...repeated],
      ],
    };
  }
  const { before, filters: last, options } = hardware[encoder];
  return {
    before: before(device),
    codec: [
      ...["-vf", [...filters, ...last].join(), "-c:v", encoder, ...options, "-b:v", rate],
      ...[...limits, ...keyframes, ...repeated],
    ],
  };
}
