import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { endSessions, freePorts, makeCertificate, type Program, programPath, startProgram } from "./process.ts";
import { password, type TestServer } from "./server.ts";

export type FtpServer = TestServer & {
  readonly tlsFolder: string;
  readonly certificate: string;
  /** Its own ports: without TLS, with TLS once a client asks for it, and with TLS from the first byte. */
  readonly ports: Readonly<Record<"none" | "explicit" | "implicit", number>>;
};

export const vsftpdLacks = (): string | undefined => {
  if (!programPath("vsftpd")) return "vsftpd is not installed";
  return process.getuid?.() === 0 ? undefined : "vsftpd lets people in only where root starts it";
};

let users = 0;

/** vsftpd with a user of its own, who sees nothing but the folder. */
export const startVsftpd = async (folder: string): Promise<FtpServer> => {
  const [port = 0, tlsPort = 0, implicitPort = 0] = await freePorts(3);
  const files = join(folder, "files");
  await mkdir(join(files, "out"), { recursive: true });
  for (const each of [folder, files, join(files, "out")]) await chmod(each, 0o755);
  const user = `mediafarm-ftp-${process.pid}-${++users}`;
  run("useradd", ["--home-dir", files, "--no-create-home", "--shell", "/bin/sh", user]);
  run("chpasswd", [], `${user}:${password}`);
  run("chown", ["-R", `${user}:`, files]);
  await mkdir(join(folder, "empty"));
  const { certificate, key } = makeCertificate(folder);
  const start = async (): Promise<Program[]> => {
    const programs: Program[] = [];
    for (const at of [port, tlsPort, implicitPort]) {
      const config = join(folder, `vsftpd-${at}.conf`);
      const tls = at === port ? undefined : { certificate, key, isImplicit: at === implicitPort };
      await writeFile(config, configOf({ folder, port: at, tls }));
      programs.push(await startProgram(programPath("vsftpd") ?? "vsftpd", [config], at));
    }
    return programs;
  };
  let programs = await start();
  const kill = async (): Promise<void> => {
    for (const each of programs) await each.stop("SIGKILL");
    endSessions(user, `vsftpd.*${folder}`);
  };
  const at = (name: string): string => join(files, "out", name);
  return {
    folder: `ftp://127.0.0.1:${port}/out`,
    tlsFolder: `ftps://127.0.0.1:${tlsPort}/out`,
    ports: { none: port, explicit: tlsPort, implicit: implicitPort },
    certificate: await readFile(certificate, "utf8"),
    credential: { kind: "ftp", username: user, password },
    wrong: { kind: "ftp", username: user, password: "wrong" },
    put: async (name, bytes) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), bytes);
      run("chown", ["-R", `${user}:`, join(files, "out")]);
    },
    get: (name) => readFile(at(name)).catch(() => undefined),
    kill,
    restart: async () => {
      programs = await start();
    },
    stop: async () => {
      await kill();
      spawnSync("userdel", [user]);
    },
  };
};

const run = (command: string, args: readonly string[], input?: string): void => {
  const { status, stderr } = spawnSync(command, args, { input });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
};

type Wish = {
  readonly folder: string;
  readonly port: number;
  readonly tls: { readonly certificate: string; readonly key: string; readonly isImplicit: boolean } | undefined;
};

const configOf = ({ folder, port, tls }: Wish): string =>
  `
listen=YES
listen_address=127.0.0.1
listen_port=${port}
background=NO
anonymous_enable=NO
local_enable=YES
write_enable=YES
local_umask=022
chroot_local_user=YES
allow_writeable_chroot=YES
secure_chroot_dir=${folder}/empty
pam_service_name=vsftpd
xferlog_enable=NO
seccomp_sandbox=NO
isolate=NO
isolate_network=NO
pasv_address=127.0.0.1
ssl_enable=${tls ? "YES" : "NO"}
${tls ? `rsa_cert_file=${tls.certificate}\nrsa_private_key_file=${tls.key}\nrequire_ssl_reuse=NO\nforce_local_logins_ssl=YES\nforce_local_data_ssl=YES\nssl_ciphers=HIGH\nimplicit_ssl=${tls.isImplicit ? "YES" : "NO"}` : ""}
`.trimStart();
