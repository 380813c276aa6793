import { spawn } from "node:child_process";
import { once } from "node:events";
import { rename } from "node:fs/promises";
import { lstatIfThere } from "../../agent/disk/file-system.ts";

/** The number of renameat2(2), which Perl, a part of every Debian, calls without a library. */
const renameat2 = process.arch === "x64" ? 316 : 276;

const program = `
  my ($call, $one, $other, $seed) = @ARGV;
  srand($seed);
  $| = 1;
  syscall($call + 0, -100, $one, -100, $other, 2) == 0 or die "renameat2: $!";
  print "going\\n";
  while (getppid() != 1) { select(undef, undef, undef, 0.001 + rand 0.007); syscall($call + 0, -100, $one, -100, $other, 2); }
`;

/**
 * Exchanges two names in one step, again and again, every 1 to 8 ms: `real` is a file or folder, `link` a link to the
 * outside. Stopping it gives both their own names back.
 */
export const startExchanging = async (real: string, link: string, seed: number) => {
  const child = spawn("perl", ["-e", program, String(renameat2), real, link, String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
    if (!(await lstatIfThere(real))?.isSymbolicLink()) return;
    await rename(real, `${real}.aside`);
    if (await lstatIfThere(link)) await rename(link, real);
    await rename(`${real}.aside`, link);
  };
};
