import { expect, test } from "vitest";
import { isSameState, markOf } from "../../../shared/files/file-state.ts";
import { type FolderFile, isUnfinished, nextFolderPollMs, readFolder } from "../../../shared/work/folder-watch.ts";
import type { Watched } from "../../../shared/work/polling.ts";

const file = (name: string, size = 10, modified = 1): FolderFile => ({ uri: `file:///in/${name}`, size, modified });

/** Looks every five seconds; what was taken is known from then on. */
const watched = (looks: readonly (readonly FolderFile[])[], before: readonly FolderFile[] = []): string[][] => {
  const known = new Map(before.map((each) => [each.uri, markOf(each, 1)]));
  let pending: ReadonlyMap<string, Watched> = new Map();
  return looks.map((files, nr) => {
    const decision = readFolder({
      files,
      isKnown: (each) => isSameState(known.get(each.uri) ?? "", each, 1),
      pending,
      now: nr * 5000,
    });
    pending = decision.pending;
    for (const each of decision.take) known.set(each.uri, markOf(each, 1));
    return decision.take.map(({ uri, size }) => `${uri.split("/").at(-1)} ${size}`);
  });
};

test("a file is taken once it has not changed for five seconds, and never again", () => {
  expect(watched([[], [file("a")], [file("a")], [file("a")], []])).toEqual([[], [], ["a 10"], [], []]);
});

test("a file that grows is not taken, however old its writer makes it look", () => {
  expect(watched([[file("a", 1, 0)], [file("a", 2, 0)], [file("a", 3, 0)], [file("a", 3, 0)]])).toEqual([
    ...[[], [], [], ["a 3"]],
  ]);
});

test("an empty file is none, and a file without its end is waited for", () => {
  const cut = { ...file("b"), lacks: "its end is missing" };
  expect(
    watched([
      [file("a", 0), file("b")],
      [file("a", 0), cut],
      [file("a", 0), file("b")],
    ]),
  ).toEqual([...[[], [], ["b 10"]]]);
});

test("a file that changes after it was taken is a new one", () => {
  const [one, other] = [file("a"), file("a", 20, 2)];
  expect(watched([[one], [one], [other], [other]])).toEqual([[], ["a 10"], [], ["a 20"]]);
});

test("what lay there from the beginning is left alone until it changes", () => {
  expect(watched([[file("a")], [file("a")], [file("a", 11)], [file("a", 11)]], [file("a")])).toEqual([
    ...[[], [], [], ["a 11"]],
  ]);
});

test("of many new files two thousand are watched at a time, and all are taken", () => {
  const many = Array.from({ length: 4500 }, (_, nr) => file(`${nr}`));
  const taken = watched(Array(6).fill(many)).map((each) => each.length);
  expect(taken).toEqual([0, 2000, 0, 2000, 0, 500]);
});

test("two thousand files that never get complete keep nobody waiting", () => {
  const empty = Array.from({ length: 2500 }, (_, nr) => file(`empty-${nr}`, 0));
  const cut = Array.from({ length: 2500 }, (_, nr) => ({ ...file(`cut-${nr}`), lacks: "its end is missing" }));
  const looks = [...Array(15).fill([...empty, ...cut]), ...Array(25).fill([...empty, ...cut, file("a", 10, 2)])];
  expect(watched(looks).flat()).toEqual(["a 10"]);
});

test("a file that grows over many looks, shrinks, or is replaced is taken once it stands still, each state once", () => {
  const growing = Array.from({ length: 20 }, (_, nr) => [file("a", nr + 1, nr)]);
  expect(watched([...growing, [file("a", 20, 19)]]).flat()).toEqual(["a 20"]);
  const [long, short] = [file("a", 20, 1), file("a", 5, 2)];
  expect(watched([[long], [short], [short]]).flat()).toEqual(["a 5"]); // it was never still at 20
  const [before, after] = [file("a", 10, 1), file("a", 10, 2)];
  expect(watched([[before], [before], [after], [after], [after]]).flat()).toEqual(["a 10", "a 10"]);
});

test("a file that is renamed into the folder is taken whatever its time says, also one from a clock ahead or behind", () => {
  for (const modified of [0, -5e12, 5e12]) {
    const moved = file("a", 10, modified);
    expect(watched([[], [moved], [moved], [moved]])).toEqual([[], [], ["a 10"], []]);
  }
});

test("a file that replaces a taken one with the same size and time is noticed where the storage tells the two apart", () => {
  const [one, other] = [
    { ...file("a"), tag: '"1"' },
    { ...file("a"), tag: '"2"' },
  ];
  expect(watched([[one], [one], [one], [other], [other]]).flat()).toEqual(["a 10", "a 10"]);
  const at = (id: string, changed: number) => ({ ...file("a"), inode: { id, changed } });
  expect(watched([[at("8:1", 5)], [at("8:1", 5)], [at("8:2", 9)], [at("8:2", 9)]]).flat()).toEqual(["a 10", "a 10"]);
  // Another owner or mode, a file system that numbers its inodes anew.
  const same = [at("8:1", 9), at("8:7", 5), at("8:7", 4), file("a"), one];
  expect(same.map((each) => isSameState(markOf(at("8:1", 5), 1), each, 1))).toEqual([true, true, true, true, true]);
  expect(isSameState(markOf(at("8:1", 5), 1), at("8:2", 9), 2)).toBe(true); // seen by another node
  expect(isSameState("10 1", at("8:1", 9), 1)).toBe(true); // from before such marks were kept
});

test("a file whose bytes change while its size and time stay is still written", () => {
  const at = (changed: number) => ({ ...file("a"), inode: { id: "8:1", changed } });
  expect(watched([[at(1)], [at(2)], [at(3)], [at(3)]])).toEqual([[], [], [], ["a 10"]]);
});

test("a folder that vanishes and comes back gives nothing twice, and forgets how long a file has stood still", () => {
  expect(watched([[file("a")], [file("a"), file("b")], [], [file("a"), file("b")], [file("a"), file("b")]])).toEqual([
    ...[[], ["a 10"], [], [], ["b 10"]],
  ]);
});

test("of ten thousand files that are there at the start each is taken once", () => {
  const many = Array.from({ length: 10_000 }, (_, nr) => file(`${nr}`));
  const taken = watched(Array(12).fill(many)).flat();
  expect([taken.length, new Set(taken).size]).toEqual([10_000, 10_000]);
});

test("names of files that are still written are left out, unless the pattern asks for them", () => {
  const wildcard = (text: string) => ({ pattern: { wildcard: text }, isRecursive: false });
  const names = ["a.mov.part", "a.mov.filepart", "b.crdownload", "c.TMP", "d.mov~", "e.partial"];
  const others = ["a.mov", "~e.mov", "part", "f.part.mov", "line\nbreak.mov", "🎬.mov"];
  const left = (pattern: string) =>
    [...names, ...others].filter((name) => isUnfinished(`file:///in/${name}`, wildcard(pattern)));
  expect([left("*"), left("*.part"), left("*.tmp")]).toEqual([names, [], []]);
  expect(names.filter((name) => isUnfinished(name, { pattern: { regex: "part$" }, isRecursive: false }))).toEqual([]);
});

test("the folder is looked at again at its interval, and sooner while files may soon be complete", () => {
  const seen = { size: 1, modified: 1, isOld: false };
  const [fresh, old] = [new Map([["a", { seen, since: 60_000 }]]), new Map([["a", { seen, since: 0 }]])];
  expect([new Map(), fresh, old].map((pending) => nextFolderPollMs(300, pending, 60_000))).toEqual([
    ...[300_000, 5000, 15_000],
  ]);
  expect(nextFolderPollMs(2, old, 60_000)).toBe(2000);
});
