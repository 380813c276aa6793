import { globSync } from "node:fs";

/** Debian's package faketime: a library that answers instead of the system when a program asks what time it is. */
const library = (): string | undefined => globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];

/** Clocks of programs that can be set while they run, by a file. Clocks that only measure durations stay as they are. */
export const fakeTime = () => {
  const found = library();
  return {
    isThere: found !== undefined,
    environment: (file: string): Record<string, string> =>
      found === undefined
        ? {}
        : {
            LD_PRELOAD: found,
            FAKETIME_TIMESTAMP_FILE: file,
            FAKETIME_CACHE_DURATION: "1",
            FAKETIME_DONT_FAKE_MONOTONIC: "1",
          },
  };
};
