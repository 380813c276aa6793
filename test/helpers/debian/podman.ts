import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./system.ts";

/** crun refuses some hosts that runc takes, such as those with both versions of cgroups. */
const runtimes = ["", "--runtime runc"];
/** Without these, podman asks for more than some hosts may give. */
const limits = "--pids-limit 2048 --ulimit nofile=4096:4096 --ulimit nproc=4096:4096";

/** Why there is no podman; empty if there is one. Whether it can start a container shows only when it is asked to. */
export const podmanLacks = (): string => (spawnSync("podman", ["--version"]).status === 0 ? "" : "no podman");

/** Makes an image of the Debian in a folder. */
export const importDebian = (system: string, image: string): void => {
  run("bash", "-c", `set -o pipefail; tar -C "${system}" -c . | podman import --quiet - "${image}"`);
};

/** The runtime with which podman starts containers here; undefined where it starts none. */
export const findRuntime = (image: string): string | undefined =>
  runtimes.find(
    (words) =>
      spawnSync("bash", ["-c", `podman ${words} run --rm --network none ${limits} "${image}" true`]).status === 0,
  );

/**
 * Places a `podman` in a folder, for `PATH`, which does what it is told as this host lets it: with its runtime and limits, builds
 * from the image `base` since no registry is asked, and any free port of loopback instead of 8700. FARM_ADDRESS is what the
 * name `coordinator` leads to where podman has no DNS for containers.
 */
export const placePodman = (folder: string, base: string, runtime: string): void => {
  const [real = ""] = run("which", "podman").split("\n");
  const file = join(folder, "podman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `#!/bin/bash
verb=$1; shift
words=()
for word; do [ "$word" = 8700:8700 ] && word=127.0.0.1::8700; words+=("$word"); done
case $verb in
build) exec ${real} ${runtime} build --isolation chroot --network host --build-arg BASE=${base} "\${words[@]}" ;;
run) exec ${real} ${runtime} run ${limits} \${FARM_ADDRESS:+--add-host coordinator:$FARM_ADDRESS} "\${words[@]}" ;;
*) exec ${real} ${runtime} "$verb" "\${words[@]}" ;;
esac
`,
  );
  chmodSync(file, 0o755);
};
