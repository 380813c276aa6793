import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { scratchFolder } from "../farms/scratch.ts";

/** Notes every process that an agent starts, exactly as it starts it. */
export type Recorder = Disposable & {
  /** For the agent: puts the recorder in front of the program through which it starts all others. */
  readonly env: Readonly<Record<string, string>>;
  /** The argvs noted since the last call. */
  readonly take: () => string[][];
};

/** The agent finds this `setpriv` first; it writes its words down and becomes the real one. */
export const createRecorder = (): Recorder => {
  const scratch = scratchFolder();
  const [programs, notes] = [join(scratch.path, "programs"), join(scratch.path, "notes")];
  for (const each of [programs, notes]) mkdirSync(each);
  const script = join(programs, "setpriv");
  writeFileSync(script, scriptFor(notes));
  chmodSync(script, 0o755);
  return {
    env: { PATH: [programs, process.env.PATH].join(delimiter) },
    take: () =>
      readdirSync(notes).map((name) => {
        const words = readFileSync(join(notes, name), "utf8").split("\0").slice(0, -1);
        rmSync(join(notes, name));
        return ["setpriv", ...words];
      }),
    [Symbol.dispose]: scratch[Symbol.dispose],
  };
};

/** Files that an agent holds open are named as they lie in their folders, so that the process can be started again. */
const scriptFor = (notes: string): string => `#!/bin/sh
for word in "$@"; do
  case "$word" in
    file:*/held/*) printf 'file:%s\\0' "$(readlink -f -- "\${word#file:}")" ;;
    /*/held/*) printf '%s\\0' "$(readlink -f -- "$word")" ;;
    *) printf '%s\\0' "$word" ;;
  esac
done > '${notes}'/$$
PATH=\${PATH#*:} exec setpriv "$@"
`;
