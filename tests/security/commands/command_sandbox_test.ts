import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { runCommand } from "../../support/clients/command.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

const outside = await temporaryFolder();
await Deno.writeTextFile(join(outside.path, "outside.txt"), "of the machine");
const app = await startApp({
  config: { disableExec: false },
  tree: {
    anna: { "own.txt": "own", "run.sh": "" },
    bea: { "secret.txt": "of bea", "locked.txt": "locked" },
    "shared.txt": "of all",
  },
});
Deno.test.afterAll(app.close);
Deno.test.afterAll(async () => await outside[Symbol.asyncDispose]());
const holding = await startApp({
  inProcess: true,
  config: { disableExec: false, reserved: [join(app.root, "shared.txt")], root: app.root },
});
Deno.test.afterAll(holding.close);
holding.listen();
await Deno.symlink(outside.path, join(app.root, "anna", "out"));
await Deno.symlink("../bea", join(app.root, "anna", "neighbour"));
const rights = { scope: "/anna", perm: { execute: true }, commands: ["sh", "bash", "perl"] };
const { token } = await app.addUser("anna", rights);
const { url } = app.listen();
const bea = join(app.root, "bea");

/** Has a script run in a command: whoever may run anything may run a script. */
async function script(text: string, program = "sh"): Promise<{ lines: string[]; status: string }> {
  await Deno.writeTextFile(join(app.root, "anna", "run.sh"), text);
  const { lines, reason } = await runCommand(`${program} run.sh`, { url, token });
  return { lines, status: reason };
}

/** Each of the shell lines fails, and prints nothing of what must stay unknown. */
async function allFail(lines: string[]): Promise<void> {
  const { lines: outcomes } = await script(
    lines.map((line, index) => `(${line}) && echo "done ${index}"`).join("\n"),
  );
  const done = outcomes.filter((line) => /^done \d+$/.test(line))
    .map((line) => lines[Number(line.slice(5))]);
  assert.deepEqual(done, []);
  assert.doesNotMatch(outcomes.join("\n"), /of bea|of all|of the machine|root:[$*!]/);
}

Deno.test("a command works in its user's scope", async () => {
  const { lines } = await script(`
    cat own.txt; echo; echo new > new.txt; mkdir -p a/b; mv new.txt a/b; ln -s own.txt link
    chmod 700 a; cat link; echo; mktemp > /dev/null && echo temporary; rm -r a link
    echo "$HOME"; ls -A /dev/shm | wc -l; echo written > /dev/null; head -c 1 /dev/urandom | wc -c`);
  const home = join(app.root, "anna");
  assert.deepEqual(lines, ["own", "own", "temporary", home, "0", "1"]);
});

Deno.test("a command cannot read another user's scope, nor anything else of the root", async () => {
  const paths = [`${bea}/secret.txt`, "../bea/secret.txt", "neighbour/secret.txt", "../shared.txt"];
  await allFail(paths.flatMap((path) => [`cat ${path}`, `cp ${path} stolen`, `ln ${path} stolen`]));
  await allFail([`ls ${bea}`, "ls neighbour/", `cd ${bea}`]);
  const { lines } = await script(`ls -A .. ${app.root}`);
  assert.deepEqual(lines, ["..:", "anna", "", `${app.root}:`, "anna"]);
});

Deno.test("a command cannot even tell whether another user has a file", async () => {
  await allFail([
    `test -e ${bea}/secret.txt`,
    `test -e ${bea}`,
    "stat ../bea",
    "readlink -e neighbour",
  ]);
});

Deno.test("a command cannot write, remove, rename or re-date what is not its user's", async () => {
  const before = await Deno.stat(join(bea, "locked.txt"));
  const file = `${bea}/locked.txt`;
  await allFail([
    ...[`echo x > ${file}`, `rm ${file}`, `mv ${file} own2.txt`, "ln own.txt ../own.txt"],
    ...[`chmod 777 ${file}`, `chmod 000 ${bea}`, `touch -d 2001-01-01 ${file}`, `chgrp 0 ${file}`],
    ...["rm -r ../bea", "rmdir ../anna", "mv ../anna ../other"],
  ]);
  // What surrounds the scope is the command's own, empty, and gone with it.
  await script("echo x > ../new.txt; mkdir ../new; cp own.txt ../shared.txt; echo x > ../bea");
  const after = await Deno.stat(join(bea, "locked.txt"));
  assert.deepEqual([after.mode, after.mtime, after.ctime], [
    before.mode,
    before.mtime,
    before.ctime,
  ]);
  assert.equal(await Deno.readTextFile(join(bea, "locked.txt")), "locked");
  assert.deepEqual([...Deno.readDirSync(app.root)].map(({ name }) => name).sort(), [
    ...["anna", "bea", "shared.txt"],
  ]);
});

Deno.test("a command cannot follow a link out of the scope", async () => {
  const path = join(outside.path, "outside.txt");
  await allFail(["cat out/outside.txt", "ls out/", "echo x > out/new.txt", `cat ${path}`]);
  await allFail([`ln -s ${path} own-link && cat own-link`]);
});

Deno.test("a command cannot read the system's secrets, nor change the system", async () => {
  await allFail([
    ...["cat /etc/shadow", "cat /root/.profile", "ls /root", "ls /home", "ls /var", "ls /etc"],
    ...["ls /sys", "cat /etc/ssl/private/*", "ls /run", "ls /boot", "ls /mnt", "cat /etc/hostname"],
    ...["touch /usr/bin/evil", "rm /usr/bin/env", "chmod u+s /usr/bin/env", "touch /etc/evil"],
    ...[
      "touch /evil",
      "mkdir /evil",
      "echo x > /proc/sys/kernel/hostname",
      "echo 1 > /proc/sys/kernel/pid_max",
    ],
    ...["mknod device c 1 1", "mount -t tmpfs none .", "chroot . /bin/sh", "hostname evil"],
  ]);
});

Deno.test("a command cannot see the server's program, nor the process that runs it", async () => {
  const top = new URL("../../..", import.meta.url).pathname;
  // Deno may make its empty cache folder anew below `top`, where that lies in a temporary folder.
  await allFail([`ls ${join(top, "lib")}`, `cat ${join(top, "main.ts")}`]);
  // Commands see what is installed for all below /usr.
  const deno = Deno.realPathSync(Deno.execPath());
  if (!deno.startsWith("/usr/")) await allFail([`${deno} --version`]);
  await allFail([`kill -0 ${Deno.pid}`, `cat /proc/${Deno.pid}/cmdline`, `kill -9 ${Deno.ppid}`]);
  const { lines } = await script("cat /proc/[0-9]*/cmdline | tr '\\0' ' '; kill -9 -1; echo alive");
  assert.doesNotMatch(lines.join("\n"), /deno|CUBBY/);
});

Deno.test("a command has no network, not even this machine's own", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept().then((socket) => socket.close(), () => "nobody came");
  const { port } = listener.addr;
  const { lines } = await script(
    `for to in 127.0.0.1/${port} 192.0.2.1/80 localhost/${port}; do
       (exec 3<>/dev/tcp/$to) 2>/dev/null && echo connected; done
     getent ahosts localhost.example. && echo resolved; cat /proc/net/route /proc/net/tcp; echo end`,
    "bash",
  );
  assert.doesNotMatch(lines.join("\n"), /connected|resolved|0100007F/);
  assert.equal(lines.at(-1), "end");
  listener.close();
  assert.equal(await accepted, "nobody came");
});

Deno.test("a command cannot reach other programs' sockets, as that of a container engine", async () => {
  const path = join(outside.path, "engine.sock");
  using listener = Deno.listen({ transport: "unix", path });
  const accepted = listener.accept().then((socket) => socket.close(), () => "nobody came");
  const { lines } = await script(
    `use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or print "no socket\\n";
     for my $path ("${path}", "out/engine.sock", glob("/tmp/cubby-*/*.sock")) {
       print "connected\\n" if connect($s, sockaddr_un($path)); }
     print "end\\n";`,
    "perl",
  );
  assert.deepEqual(lines, ["end"]);
  listener.close();
  assert.equal(await accepted, "nobody came");
});

Deno.test("a command has sockets of four families alone: no AF_VSOCK, which reaches the host", async () => {
  const { lines } = await script(
    `use Errno; use Socket;
     for my $family (0 .. 60, 2 ** 31) {
       for my $type (SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET) {
         my $made = socket(my $s, $family, $type, 0);
         print "socket $family $type\n" if $made || $! != Errno::EAFNOSUPPORT;
         $made = socketpair(my $a, my $b, $family, $type, 0);
         print "pair $family $type\n" if $made || $! != Errno::EAFNOSUPPORT; } }
     print "end\n";`,
    "perl",
  );
  const families = lines.map((line) => /^socket (\d+) /.exec(line)?.[1]);
  assert.deepEqual([...new Set(families)].filter(Boolean), ["1", "2", "10", "16"]);
  assert.deepEqual(lines.filter((line) => /^pair (?!(1|2|10|16) )/.test(line)), []);
  assert.equal(lines.at(-1), "end");
});

Deno.test("a command gains no rights by set-user-ID programs, capabilities or namespaces", async () => {
  const { lines } = await script(`
    grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status
    cp /bin/sh own-shell && chmod u+s own-shell && ./own-shell -c 'id -u'; rm own-shell
    unshare --user --map-root-user id || echo refused; ls /proc/self/fd | tr '\\n' ' '`);
  assert.deepEqual(lines.slice(0, 6).map((line) => line.split(":\t")[1]), [
    ...Array(5).fill("0000000000000000"),
    "1",
  ]);
  assert.doesNotMatch(lines[6] ?? "", /^0$/);
  assert.deepEqual(lines.slice(-2), ["refused", "0 1 2 3 "]);
});

Deno.test("a command cannot make a program that runs as its owner, for others of the machine", async () => {
  const { lines } = await script(
    `use Fcntl; my @modes = (04755, 02755, 06777);
     for my $mode (@modes) {
       print "made\n" if sysopen(my $f, "made", O_CREAT | O_WRONLY | O_EXCL, $mode);
       print "changed\n" if chmod $mode, "own.txt";
       open(my $own, "<", "own.txt"); print "changed open\n" if chmod $mode, $own; }
     print "plain\n" if sysopen(my $f, "plain", O_CREAT | O_WRONLY, 0755) && chmod 0700, "plain";
     unlink "plain", "made"; print "end\n";`,
    "perl",
  );
  assert.deepEqual(lines, ["plain", "end"]);
  const { lines: others } = await script(
    "cp own.txt s; chmod u+s s; install -m 4755 own.txt t; stat -c %a s t; rm -f s t",
  );
  assert.deepEqual(others.filter((line) => /^[2467]\d{3}$/.test(line)), []);
});

Deno.test("a scope that holds the server's own files runs no command", async () => {
  const admin = await holding.addUser("root", { ...rights, scope: "/" });
  const inside = await holding.addUser("anna", rights);
  const to = { url: holding.listen().url };
  const { lines, code } = await runCommand("sh -c id", { ...to, token: admin.token });
  assert.match(lines.join(), /holds files of the server itself/);
  assert.equal(code, 1008);
  assert.equal((await runCommand("sh -c :", { ...to, token: inside.token })).reason, "0");
});
