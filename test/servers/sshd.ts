import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { endSessions, freePort, type Program, programPath, startProgram } from "./process.ts";
import { password, type TestServer } from "./server.ts";

export type SshServer = TestServer & {
  /** The fingerprint of the host's key. */
  readonly hostKey: string;
  /** A private key that opens it without a password. */
  readonly privateKey: string;
  /** Shows another key from its next start on. */
  changeHostKey(): Promise<void>;
};

export const sshdLacks = (): string | undefined => {
  if (!programPath("sshd")) return "openssh-server is not installed";
  return process.getuid?.() === 0 ? undefined : "sshd takes passwords only where root starts it";
};

let users = 0;

/** OpenSSH with a user of its own, who may do nothing but move files. */
export const startSshd = async (folder: string): Promise<SshServer> => {
  const port = await freePort();
  const files = join(folder, "files", "out");
  await mkdir(files, { recursive: true });
  await mkdir("/run/sshd", { recursive: true });
  for (const each of [folder, join(folder, "files")]) await chmod(each, 0o755);
  const user = `mediafarm-ssh-${process.pid}-${++users}`;
  run("useradd", ["--home-dir", join(folder, "files"), "--no-create-home", "--shell", "/bin/sh", user]);
  run("chpasswd", [], `${user}:${password}`);
  run("chown", [`${user}:`, files]);
  const hostKeyFile = join(folder, "host_key");
  const makeHostKey = (): void => {
    spawnSync("rm", ["-f", hostKeyFile, `${hostKeyFile}.pub`]);
    run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", hostKeyFile]);
  };
  makeHostKey();
  run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "user_key")]);
  await writeFile(join(folder, "authorized"), await readFile(join(folder, "user_key.pub")));
  await chmod(join(folder, "authorized"), 0o644);
  await writeFile(
    join(folder, "sshd.conf"),
    `ListenAddress 127.0.0.1:${port}\nHostKey ${hostKeyFile}\nPidFile none\nUsePAM no\nPasswordAuthentication yes\n` +
      `AuthorizedKeysFile ${folder}/authorized\nStrictModes no\nSubsystem sftp internal-sftp\nForceCommand internal-sftp\n` +
      `ChrootDirectory none\nMaxStartups 100\n`,
  );
  const start = (): Promise<Program> =>
    startProgram(programPath("sshd") ?? "sshd", ["-D", "-e", "-f", join(folder, "sshd.conf")], port);
  let program = await start();
  const kill = async (): Promise<void> => {
    endSessions(user, `sshd: ${user}`);
    await program.stop("SIGKILL");
  };
  const at = (name: string): string => join(files, name);
  return {
    folder: `sftp://127.0.0.1:${port}${files}`,
    credential: { kind: "sftp", username: user, password },
    wrong: { kind: "sftp", username: user, password: "wrong" },
    hostKey: fingerprintOf(hostKeyFile),
    privateKey: await readFile(join(folder, "user_key"), "utf8"),
    changeHostKey: async () => makeHostKey(),
    put: async (name, bytes) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), bytes);
      run("chown", ["-R", `${user}:`, files]);
    },
    get: (name) => readFile(at(name)).catch(() => undefined),
    kill,
    restart: async () => {
      program = await start();
    },
    stop: async () => {
      await kill();
      spawnSync("userdel", [user]);
    },
  };
};

const fingerprintOf = (file: string): string =>
  /SHA256:\S+/.exec(spawnSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" }).stdout)?.[0] ?? "";

const run = (command: string, args: readonly string[], input?: string): void => {
  const { status, stderr } = spawnSync(command, args, { input });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
};
