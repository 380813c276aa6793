import type { MadeComputer } from "./made-node.ts";

const server = { cpu: "AMD EPYC 7443P", cores: 24, memory: 128e9, os: "Debian 12" };
const desk = { cpu: "Intel Core i9-13900", cores: 12, memory: 64e9, os: "Windows 11 Pro" };
const grading = { cpu: "AMD Threadripper 7960X", cores: 24, memory: 128e9, os: "Rocky Linux 9" };

const rack = (nr: number, more: Partial<MadeComputer> = {}): MadeComputer => ({
  ...{ name: `rack-0${nr}`, slots: 4, tags: ["linux", "uhd", "nvenc", "s3-upload"], ...server },
  ...more,
});
/** Somebody's workstation, with hours before now in which the owner had it. */
const edit = (nr: number, owner: string, inUse: MadeComputer["inUse"], more: Partial<MadeComputer> = {}) => ({
  ...{ name: `edit-0${nr}`, slots: 2, tags: ["windows"], owner, inUse, ...desk },
  ...more,
});

/** 24 computers of a studio, as different as they are. */
export const computers: readonly MadeComputer[] = [
  ...[rack(1), rack(2), rack(3, { tags: ["linux", "uhd", "j2k"] }), rack(4), rack(5), rack(6)],
  edit(1, "Lea", [
    [12, 2],
    [1.4, -99],
  ]),
  edit(2, "Jan", [[12, 2.9]]),
  edit(3, "Pavel", [
    [12, 2.1],
    [1.3, -99],
  ]),
  edit(4, "Noor", [[1.4, 1.1]]),
  edit(5, "Ines", [
    [12, 2],
    [1.4, -99],
  ]),
  edit(6, "Sam", [[11, 8]], { tags: ["windows", "proxy-only"] }),
  edit(7, "Noor", [[12, 1.7]]),
  edit(8, "Ines", []),
  {
    ...grading,
    name: "grade-01",
    slots: 3,
    tags: ["linux", "uhd", "j2k"],
    owner: "Tomás",
    inUse: [
      [12, 1.6],
      [0.9, -99],
    ],
  },
  { ...grading, name: "grade-02", slots: 3, tags: ["linux", "uhd", "j2k"], owner: "Emil", inUse: [[7, 5]] },
  { ...grading, name: "vfx-01", slots: 3, tags: ["linux", "uhd", "nvenc"] },
  { ...grading, name: "vfx-02", slots: 3, tags: ["linux", "uhd", "nvenc"], owner: "Emil", inUse: [[3.4, 2.9]] },
  { ...grading, name: "vfx-03", slots: 3, tags: ["linux", "nvenc"], silentFrom: 0.75 },
  { ...grading, name: "vfx-04", slots: 3, tags: ["linux", "j2k"] },
  { ...grading, name: "vfx-05", slots: 3, tags: ["linux"], diskFull: 0.96 },
  { ...desk, name: "audio-01", slots: 2, tags: ["windows", "audio"], owner: "Sven", inUse: [[4, 3]] },
  {
    ...desk,
    name: "mira-mbp",
    slots: 1,
    tags: ["macos"],
    os: "macOS 15.3",
    owner: "Mira",
    inUse: [[12, 1]],
    silentFrom: 0.06,
  },
  { ...desk, name: "kiosk-02", slots: 1, tags: ["linux"], os: "Debian 12" },
];

const named = (start: string) => computers.map(({ name }) => name).filter((name) => name.startsWith(start));

export const groups = [
  { name: "rack", members: named("rack") },
  { name: "edit", members: named("edit") },
  { name: "grade", members: named("grade") },
  { name: "vfx", members: named("vfx") },
];
