import { expect, test } from "vitest";
import { ExpressionError } from "../../../media/expressions/expression-error.ts";
import { needsFfmpeg, printForFfmpeg } from "../../../media/expressions/ffmpeg.ts";
import { parseExpression } from "../../../media/expressions/parser.ts";

const variables = { w: "w", h: "h", text_w: "text_w", overlay_w: "w", video_w: "W", t: "t" };
const scope = { source: { video: { width: 1920, height: 1080, codec: "h264" } }, left: -5 };
const printed = (text: string) => printForFfmpeg(parseExpression(text), scope, variables);

test.each([
  ["(w-text_w)/2", "((w-text_w)/2)"],
  ["(h/4)*3", "((h/4)*3)"],
  ["video_w - overlay_w - 20", "((W-w)-20)"],
  ["source.video.width / 2", "960"],
  ["source.video.width / 2 - w", "(960-w)"],
  ["w + left", "(w+(-5))"],
  ["w > 100 && h > 100 ? 1 : 0", "if(if(gt(w,100),not(not(gt(h,100))),0),1,0)"],
  ["w < 1 || h <= 1", "if(lt(w,1),1,not(not(lte(h,1))))"],
  ["w == 1 ? !h : h != 2", "if(eq(w,1),not(h),not(eq(h,2)))"],
  ["w ^ 2 % 3 >= -t", "gte(mod(pow(w,2),3),(-t))"],
  ["round(w / 3) + floor(h) + min(w, h, 1)", "((round((w/3))+floor(h))+min(w,min(h,1)))"],
  ["round(w, 1)", "(round(w*pow(10,1))/pow(10,1))"],
  ["true", "1"],
])("%s is printed for ffmpeg", (text, expected) => {
  expect(printed(text)).toBe(expected);
});

test.each([
  ["w + unknown", "unknown has no value here"],
  ["source.video.codec", 'needs a number and not "h264"'],
  ["w.size()", "accesses a part of a number"],
  ["h[0] + 1", "accesses a part of a number"],
  ["w + 1 / 0", "has no value here"],
])("%s", (text, message) => {
  expect(() => printed(text)).toThrow(new ExpressionError(message));
});

test("what ffmpeg could not read for its depth is refused", () => {
  const nested = (depth: number) => printed(`${"w && (".repeat(depth)}w${")".repeat(depth)}`);
  expect(nested(25)).toContain("not(not(");
  expect(() => nested(35)).toThrow(new ExpressionError("is nested too deeply for ffmpeg"));
});

test("what ffmpeg must evaluate is told apart from what is known before", () => {
  expect(needsFfmpeg(parseExpression("source.video.width / 2"), variables)).toBe(false);
  expect(needsFfmpeg(parseExpression("w / 2"), variables)).toBe(true);
});
