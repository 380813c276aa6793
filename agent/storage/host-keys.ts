import { readTextIfThere } from "../disk/file-system.ts";
import { writeDurably } from "../disk/own-files.ts";

/** The key that each SSH host showed this node first. */
export type HostKeys = {
  /** Stores the first key of a host; reports a different one. */
  check(host: string, fingerprint: string): Promise<"known" | "new" | "changed">;
};

export const openHostKeys = (path: string): HostKeys => {
  let writing = Promise.resolve();
  const read = async (): Promise<Map<string, string>> => {
    const lines = ((await readTextIfThere(path)) ?? "").split("\n").filter(Boolean);
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]));
  };
  const check = async (host: string, fingerprint: string) => {
    const known = await read();
    const before = known.get(host);
    if (before !== undefined) return before === fingerprint ? "known" : "changed";
    known.set(host, fingerprint);
    await writeDurably(path, [...known].map(([name, key]) => `${name} ${key}\n`).join(""));
    return "new";
  };
  return {
    // One after the other: two parallel writers would each lose the other's host.
    check: (host, fingerprint) => {
      const result = writing.then(() => check(host, fingerprint));
      writing = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
  };
};
