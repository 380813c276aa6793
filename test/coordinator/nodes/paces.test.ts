import { describe, expect, test } from "vitest";
import { comparePaces, fewestSamples, type Measured, machineKind } from "../../../coordinator/nodes/paces.ts";

const times = (nodeId: number, cost: number, count = fewestSamples, work = "h264"): Measured[] =>
  Array.from({ length: count }, () => ({ nodeId, work, cost }));
const alike = (...ids: readonly number[]) => new Map(ids.map((id) => [id, "Xeon, 32, 0"]));

describe("a node", () => {
  test("that takes longer than those of its kind is slower by as much", () => {
    const paces = comparePaces([...times(1, 10), ...times(2, 10), ...times(3, 16)], alike(1, 2, 3));
    expect(paces.get(3)?.kind).toEqual({ speed: 10 / 16, nodes: 2 });
    expect(paces.get(1)?.kind?.speed).toBe(13 / 10);
  });

  test("is compared with its own kind alone, and with the farm as a whole", () => {
    const kinds = new Map([...alike(1, 2), [3, "EPYC, 96, 2"] as const]);
    const paces = comparePaces([...times(1, 10), ...times(2, 10), ...times(3, 5)], kinds);
    expect(paces.get(3)).toEqual({ speed: 2, kind: undefined, samples: fewestSamples });
    expect(paces.get(1)).toEqual({ speed: 1, kind: { speed: 1, nodes: 1 }, samples: fewestSamples });
  });

  test("is compared work by work: who encodes the slow codec is not slow", () => {
    const slow = [...times(1, 100, 8, "av1"), ...times(2, 100, 5, "av1")];
    const paces = comparePaces([...slow, ...times(2, 10), ...times(3, 10)], alike(1, 2, 3));
    expect([1, 2, 3].map((id) => paces.get(id)?.kind?.speed)).toEqual([1, 1, 1]);
  });

  test("is not judged by one outlier, and does not outweigh others by doing more", () => {
    const paces = comparePaces(
      [...times(1, 10, 9), ...times(1, 1000, 1), ...times(2, 10), ...times(3, 10), ...times(4, 20, 500)],
      alike(1, 2, 3, 4),
    );
    expect(paces.get(1)?.kind?.speed).toBe(1);
    expect(paces.get(4)?.kind?.speed).toBe(0.5);
  });

  test.each([
    ["itself", [...times(1, 10, fewestSamples - 1), ...times(2, 10)]],
    ["the others", [...times(1, 10), ...times(2, 10, fewestSamples - 1)]],
    ["work that only it does", [...times(1, 10, 9, "av1"), ...times(2, 10)]],
  ])("is not compared with its kind where too little is known of %s", (_of, measured) => {
    expect(comparePaces(measured, alike(1, 2)).get(1)?.kind).toBeUndefined();
  });
});

test("machines are of one kind if processor, cores and GPUs are the same", () => {
  const one = { cpu: "Intel(R)  Xeon(R) E5 ", cores: 32 };
  expect(machineKind(one)).toBe(machineKind({ cpu: "Intel(R) Xeon(R) E5", cores: 32, gpus: 0 }));
  expect(machineKind(one)).not.toBe(machineKind({ ...one, gpus: 1 }));
});
