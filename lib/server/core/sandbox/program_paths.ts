/**
 * Folders of the system's programs and libraries. Commands may read and execute all of them; they
 * contain no user files and no passwords.
 */
export const programFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store"],
];

/** Settings that programs and the C library read, without secrets. */
export const programSettings = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"],
  ...["/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/localtime"],
  ...["/etc/ca-certificates", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/mime.types"],
  ...["/etc/fonts", "/etc/magic", "/etc/ImageMagick-6", "/etc/ImageMagick-7", "/etc/terminfo"],
];

/** Devices that programs need, and that give access to nothing. */
export const devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/** Writable folders of each command; initially empty, removed with it. */
export const temporaryFolders = ["/tmp", "/dev/shm"];

/** The search path of commands: no folder that users can write to. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
