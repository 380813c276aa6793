import { expect, test } from "vitest";
import { createRandom } from "../engine/random.ts";
import { createFiles } from "./files.ts";
import { createView } from "./view.ts";
import { createVolume } from "./volume.ts";

/** Two machines that share a folder, each with a disk of its own. */
const twoMachines = () => {
  let now = 0;
  const kind = { isOrdered: true, isServer: true };
  const share = createVolume("share", kind, () => now);
  share.change([{ folder: share.root, name: "in", node: share.newFolder(0o755) }]);
  const machineOf = (name: string) => {
    const view = createView(name);
    share.views.add(view);
    const disk = createVolume(name, kind, () => now);
    const mounts = [
      { at: "/", volume: disk },
      { at: "/share", volume: share, view },
    ];
    return { view, disk, files: createFiles(name, mounts, createRandom(1)) };
  };
  const write = ({ files }: ReturnType<typeof machineOf>, path: string, text: string): void => {
    now += 1000;
    const fd = files.open(path, "w");
    files.write(fd, Buffer.from(text), null);
    files.close(fd);
  };
  return { share, one: machineOf("one"), other: machineOf("other"), write };
};

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code; // thrown by `failure`
  }
};

test("a full disk takes no byte more, and what is removed makes room", () => {
  const { share, one, write } = twoMachines();
  write(one, "/share/in/a", "12345");
  expect(share.used()).toBe(5);
  share.trouble.capacity = share.used();
  expect(codeOf(() => write(one, "/share/in/b", "6"))).toBe("ENOSPC");
  one.files.link("/share/in/a", "/share/in/again");
  one.files.unlink("/share/in/a");
  expect(codeOf(() => write(one, "/share/in/b", "6"))).toBe("ENOSPC");
  one.files.unlink("/share/in/again");
  expect(share.used()).toBe(0);
  write(one, "/share/in/b", "6789");
  expect(share.used()).toBe(4);
});

test("a machine whose view is late sees what was there before, until it looks again", () => {
  const { one, other, write } = twoMachines();
  write(one, "/share/in/old", "123");
  other.view.keep();
  write(one, "/share/in/old", "12345");
  write(one, "/share/in/new", "1");
  one.files.rename("/share/in/old", "/share/in/moved");
  const namesSeenBy = ({ files }: typeof one) => files.list("/share/in").map(([name]) => name);
  expect(namesSeenBy(one)).toEqual(["moved", "new"]);
  expect(namesSeenBy(other)).toEqual(["old"]);
  expect(other.files.stat("/share/in/old").size).toBe(3);
  expect(codeOf(() => other.files.stat("/share/in/new"))).toBe("ENOENT");
  // The server decides about names that are made.
  expect(codeOf(() => other.files.open("/share/in/new", "wx"))).toBe("EEXIST");
  expect(other.files.stat("/share/in/new").size).toBe(1);
  other.view.refresh();
  expect(namesSeenBy(other)).toEqual(["moved", "new"]);
});

test("in a folder that is gone nothing is listed or made, also where somebody has it open", () => {
  const { one } = twoMachines();
  one.files.makeFolder("/share/in/passing");
  const fd = one.files.open("/share/in/passing");
  one.files.rmdir("/share/in/passing");
  expect(codeOf(() => one.files.list(`/proc/self/fd/${fd}`))).toBe("ENOENT");
  expect(codeOf(() => one.files.open(`/proc/self/fd/${fd}/file`, "w"))).toBe("ENOENT");
});
