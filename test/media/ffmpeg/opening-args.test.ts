import { expect, test } from "vitest";
import { joinedInput } from "../../../media/ffmpeg/opening-args.ts";

test("a few files are joined in the command itself", () => {
  const pieces = [{ path: "/a.ts" }, { path: "/b.ts", from: 10, length: 5 }];
  expect(joinedInput(pieces, "/scratch/list")).toEqual({ path: "concat:/a.ts|subfile,,start,10,end,15,,:/b.ts" });
});

test("too many for one word, or a name with a bar, go into a list", () => {
  const many = joinedInput(
    Array.from({ length: 2000 }, (_, at) => ({ path: `/folder/segment_${at}.ts` })),
    "/scratch/list",
  );
  expect([many.path, many.list?.path, many.list?.text.split("\n").length]).toEqual([
    "concatf:/scratch/list",
    "/scratch/list",
    2001,
  ]);
  expect(joinedInput([{ path: "/it's|one.ts" }], "/scratch/list").list?.text).toBe(
    `${String.raw`'/it'\''s|one.ts'`}\n`,
  );
});

test("a name that no line can hold is refused", () => {
  expect(() => joinedInput([{ path: "/a|\nb.ts" }], "/scratch/list")).toThrow("has a line break in its name");
});
