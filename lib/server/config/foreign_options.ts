/**
 * The options that only File Browser has, with what to do instead. They are spread into the table
 * of `options.ts`, so that its config files and scripts are understood.
 */
export const foreignOptions = [
  {
    name: "redis-cache-url",
    value: "URL",
    about: "",
    instead: "previews are kept on the disk; --cache-dir says where",
  },
  {
    name: "image-processors",
    value: "COUNT",
    about: "",
    instead: "previews are made by as many threads as there are processors",
    usual: "4",
  },
  {
    name: "disable-type-detection-by-header",
    about: "",
    instead:
      "types are told by names, and by the first bytes of a single file whose name tells none",
  },
  {
    name: "disable-image-resolution-calc",
    about: "",
    instead: "no call computes resolutions",
  },
  {
    name: "follow-external-symlinks",
    about: "",
    instead: "no link leads out of the root; mount the folder below it",
    isRefused: true,
  },
] as const;
