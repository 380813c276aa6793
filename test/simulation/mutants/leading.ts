import type { Mutant } from "./mutants.ts";

const wrongLines: readonly Omit<Mutant, "coordinators">[] = [
  {
    name: "the store gives the lease to whoever asks",
    file: "test/simulation/world/store-server.ts",
    find: "const isFree = row.holder === undefined || row.until < now();",
    replace: "const isFree = true;",
  },
  {
    name: "the store takes batches of an old epoch",
    file: "coordinator/store/sqlite/write.ts",
    find: "if (lead.run(nr, epoch, nr - 1).changes === 0)",
    replace: "if (lead.run(nr, epoch, nr - 1).changes < 0)",
  },
  {
    name: "a takeover does not raise the epoch",
    file: "coordinator/store/sqlite/lead.ts",
    find: "max(epoch + 1, ?)",
    replace: "max(epoch, min(0, ?))",
  },
  {
    name: "a leader that cannot prolong its lease goes on",
    file: "coordinator/standby/lease-keeper.ts",
    find: "if (clock.monotonic() >= goodUntil)",
    replace: "if (goodUntil === undefined)",
  },
  {
    name: "a leader counts its lease a minute too long",
    file: "coordinator/standby/lease-keeper.ts",
    find: "const asked = clock.monotonic();",
    replace: "const asked = clock.monotonic() + 60_000;",
  },
  {
    name: "who stands by hardly ever tries to lead",
    file: "coordinator/standby/stand-by.ts",
    find: "const tryMs = 250;",
    replace: "const tryMs = 20_000;",
  },
  {
    name: "who stands by tries to lead once",
    file: "coordinator/standby/stand-by.ts",
    find: "await sleep(clock, tryMs, needs.ending);\n    }",
    replace: "await new Promise(() => undefined);\n    }",
  },
  {
    name: "a new leader does not know the attempts of the one before",
    file: "coordinator/open-farm.ts",
    find: "    if (task) farm.registry.addRunning(",
    replace: "    if (!task) farm.registry.addRunning(",
  },
];

/** What keeps coordinators apart that share a store. */
export const leadingMutants: readonly Mutant[] = wrongLines.map((each) => ({ ...each, coordinators: 3 }));
