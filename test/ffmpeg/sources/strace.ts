import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Whether system calls can be watched here. */
export const canTrace = ((): boolean => {
  try {
    execFileSync("strace", ["-qq", "-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // not installed, or not allowed in this container
  }
})();

/** What every program of the system opens. */
const ofTheSystem =
  /^\/(?:lib|lib64|usr|etc\/(?:ld\.so|fonts|OpenCL|vdpau|libva|ssl|gnutls|localtime|nsswitch)|proc|sys|dev|nonexistent)/;

/** Programs that run under strace, and what they opened or connected to since they were asked last. */
export const openTracer = (folder: string) => {
  const logs = join(folder, "traces");
  mkdirSync(logs, { recursive: true });
  const wrap = (tool: string): string => {
    const path = join(folder, basename(tool));
    const calls = "open,openat,openat2,creat,connect";
    const words = `strace -f -qq -e trace=${calls} -e signal=none -o '${logs}'/$$ '${tool}' "$@"`;
    writeFileSync(path, `#!/bin/sh\nexec ${words}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return {
    wrap,
    /** Every place outside of these folders, each once, also those that were not there. */
    outside: (...folders: readonly string[]): { places: string[]; runs: number } => {
      const names = readdirSync(logs);
      const calls = names.flatMap((name) => readFileSync(join(logs, name), "utf8").split("\n"));
      for (const name of names) rmSync(join(logs, name));
      const places = new Set(calls.flatMap((call) => placeOf(call) ?? []));
      const isAllowed = (place: string) =>
        ofTheSystem.test(place) || folders.some((each) => `${place}/`.startsWith(`${each}/`));
      return { places: [...places].filter((place) => !isAllowed(place)), runs: names.length };
    },
  };
};

const placeOf = (call: string): string | undefined => {
  if (/ connect\(/.test(call)) return /sa_family=AF_(?:UNIX|NETLINK)/.test(call) ? undefined : call;
  return /(?:open|openat|openat2|creat)\((?:\w+, )?"((?:[^"\\]|\\.)*)"/.exec(call)?.[1];
};
