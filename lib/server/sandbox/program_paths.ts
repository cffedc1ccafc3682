/**
 * Where a system keeps programs and what they are made of. Commands may read and execute all of it;
 * nobody's files and no passwords are there.
 */
export const programFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store"],
];

/** Settings that programs and the C library read, and that hold no secret. */
export const programSettings = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"],
  ...["/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/localtime"],
  ...["/etc/ca-certificates", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/mime.types"],
  ...["/etc/fonts", "/etc/magic", "/etc/ImageMagick-6", "/etc/ImageMagick-7", "/etc/terminfo"],
];

/** Devices without which programs fail, and which give access to nothing. */
export const devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/** Folders of its own that a command may write to; they are empty and vanish with it. */
export const temporaryFolders = ["/tmp", "/dev/shm"];

/** Where the first word of a command line is looked for: never in a folder that users write to. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
