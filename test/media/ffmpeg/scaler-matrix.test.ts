import { expect, test } from "vitest";
import { likelyColors } from "../../../media/ffmpeg/color.ts";
import { scalerMatrix } from "../../../media/ffmpeg/scaler-matrix.ts";
import { aPicture } from "../../helpers/media/transcode-words.ts";

test("the scaler is told matrices by names that every build knows", () => {
  expect(["bt709", "smpte170m", "bt470bg", "bt2020nc", "bt2020c"].map(scalerMatrix)).toEqual([
    ...["bt709", "smpte170m", "bt470", "bt2020", "bt2020"],
  ]);
  expect(likelyColors(aPicture({ width: 720, height: 576 })).matrix).toBe("bt470");
});
