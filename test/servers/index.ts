import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nginxLacks, startNginx } from "./nginx.ts";
import { sshdLacks, startSshd } from "./sshd.ts";
import { startSwift, swiftLacks } from "./swift.ts";
import { startVsftpd, vsftpdLacks } from "./vsftpd.ts";

type Program = { stop(): Promise<void> };
type Start<P extends Program> = (folder: string) => Promise<P>;
/** Starts a program with a folder of its own, or gives the one that runs already. */
type Run = <P extends Program>(start: Start<P>) => Promise<P>;

/** One line for each kind: why it cannot be started here, and how it is. S3 and Swift are the two protocols of one program. */
const kinds = {
  http: { lacks: nginxLacks(), start: (run: Run) => run(startNginx) },
  ftp: { lacks: vsftpdLacks(), start: (run: Run) => run(startVsftpd) },
  sftp: { lacks: sshdLacks(), start: (run: Run) => run(startSshd) },
  s3: { lacks: swiftLacks(), start: async (run: Run) => (await run(startSwift)).s3 },
  swift: { lacks: swiftLacks(), start: async (run: Run) => (await run(startSwift)).swift },
};
export type ServerKind = keyof typeof kinds;
type Servers = { readonly [K in ServerKind]: Awaited<ReturnType<(typeof kinds)[K]["start"]>> };

/** The kinds that can be started here; says aloud which cannot. */
export const serverKinds = (what: string): ServerKind[] => {
  const all = Object.keys(kinds) as ServerKind[]; // Object.keys forgets the names
  for (const kind of all) {
    const { lacks } = kinds[kind];
    if (lacks !== undefined) console.warn(`SKIPPED: ${what} of ${kind} is not tested: ${lacks}`);
  }
  return all.filter((kind) => kinds[kind].lacks === undefined);
};

/** Starts one server of each of these kinds. Folders are made below `folder`. */
export const startServers = async (
  folder: string,
  wanted: readonly ServerKind[],
): Promise<{ readonly servers: Partial<Servers>; stop(): Promise<void> }> => {
  await chmod(folder, 0o755); // servers open it as somebody else
  const programs = new Map<unknown, Promise<Program>>();
  const run: Run = (start) => {
    const running = programs.get(start) ?? startBelow(folder, start);
    programs.set(start, running);
    return running as ReturnType<typeof start>; // it was started by this very function
  };
  const started = await Promise.allSettled(wanted.map(async (kind) => [kind, await kinds[kind].start(run)] as const));
  const stop = async () => {
    for (const each of await Promise.allSettled(programs.values()))
      if (each.status === "fulfilled") await each.value.stop();
  };
  const failed = started.find((each) => each.status === "rejected");
  if (!failed) {
    const servers = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    return { servers: Object.fromEntries(servers), stop };
  }
  await stop();
  throw failed.reason;
};

const startBelow = async <P extends Program>(folder: string, start: Start<P>): Promise<P> => {
  const own = join(folder, start.name);
  await mkdir(own, { recursive: true });
  return start(own);
};
