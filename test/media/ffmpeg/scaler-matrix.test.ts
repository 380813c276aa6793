import { describe, expect, test } from "vitest";
import { type Colors, conversion, likelyColors, stated } from "../../../media/ffmpeg/color.ts";
import { obstacleOf } from "../../../media/ffmpeg/exact-matrix.ts";
import { type Filter, printGraph } from "../../../media/ffmpeg/filtergraph.ts";
import { forViewers, jpegColors } from "../../../media/ffmpeg/rescale.ts";
import { isForeign, scalerMatrix } from "../../../media/ffmpeg/scaler-matrix.ts";
import { aPicture, refusalOf, videoFilters } from "../../helpers/media/transcode-words.ts";

const printed = (filters: readonly Filter[]) => String(printGraph([{ from: [], filters, to: [] }]));
const hd = { range: "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709" };

test("the scaler is told matrices by names that every build knows", () => {
  expect(["bt709", "smpte170m", "bt470bg", "bt2020nc"].map(scalerMatrix)).toEqual([
    ...["bt709", "smpte170m", "bt470", "bt2020"],
  ]);
  expect(likelyColors(aPicture({ width: 720, height: 576 })).matrix).toBe("bt470");
});

test("constant luminance, YCgCo, ICtCp and others are no matrices of the scaler", () => {
  const all = ["gbr", "bt709", "fcc", "bt470bg", "smpte170m", "smpte240m", "bt2020nc", undefined];
  expect(all.filter(isForeign)).toEqual([]);
  const foreign = ["bt2020c", "ycgco", "ictcp", "smpte2085", "chroma-derived-nc", "chroma-derived-c", "ipt-c2"];
  expect(foreign.filter((matrix) => !isForeign(matrix))).toEqual([]);
});

test.each([
  ["ycgco", {}, undefined],
  ["chroma-derived-nc", { transfer: "smpte2084" }, undefined],
  ["bt2020c", { primaries: "bt2020", transfer: "bt2020-10" }, undefined],
  ["bt2020c", { transfer: "smpte2084" }, "bt2020c beside color_trc smpte2084 is not implemented"],
  [
    "chroma-derived-c",
    { transfer: "arib-std-b67" },
    "chroma-derived-c beside color_trc arib-std-b67 is not implemented",
  ],
  ["ictcp", { primaries: "bt2020", transfer: "smpte2084" }, undefined],
  [
    "ictcp",
    { primaries: "bt2020", transfer: "arib-std-b67" },
    "ictcp beside color_trc arib-std-b67 is not implemented",
  ],
  ["ictcp", { transfer: "smpte2084" }, "ictcp beside color_primaries bt709 is not implemented"],
  ["smpte2085", {}, "converting from or to smpte2085 is not implemented"],
  ["bt709", {}, undefined],
])("whether numbers of %s beside %j can become others", (matrix, more, why) => {
  expect(obstacleOf({ ...hd, ...more, matrix })).toBe(why);
});

test("untagged primaries and curves beside constant luminance and ICtCp are those that alone go with them", () => {
  const picture = aPicture();
  expect(stated({ matrix: "ictcp" }, picture)).toMatchObject({ primaries: "bt2020", transfer: "smpte2084" });
  expect(stated({ matrix: "bt2020c" }, picture)).toMatchObject({ primaries: "bt2020", transfer: "bt2020-10" });
  expect(stated({ matrix: "ycgco" }, picture)).toMatchObject({ primaries: "bt709", transfer: "bt709" });
});

test("numbers that are said to be red, green and blue have to be", () => {
  const filters = [
    { kind: "color_convert", payload: { from: { color_matrix: "rgb" }, to: { color_matrix: "bt709" } } },
  ];
  expect(refusalOf({ file_pattern: "a.mov", video: { codec: "h264", filters } })).toMatch(
    /from\.color_matrix rgb: the picture is yuv422p10le, without red, green and blue$/,
  );
  expect(stated({ matrix: "gbr" }, aPicture()).matrix).toBe("bt709");
});

describe("a conversion", () => {
  const converted = (from: Partial<Colors>, to: Colors) => printed(conversion({ ...hd, ...from }, to, "at"));

  test("to a matrix that the scaler lacks is exact, and the tag is hidden behind it", () => {
    expect(converted({}, { matrix: "ycgco" })).toBe(
      "zscale=rin=tv:pin=bt709:tin=bt709:min=bt709:r=tv:p=bt709:t=bt709:m=ycgco:dither=error_diffusion," +
        "setparams=colorspace=unknown",
    );
    expect(converted({ matrix: "ycgco" }, { matrix: "bt709" })).not.toContain("setparams");
  });

  test("of constant luminance comes from red, green and blue by the curve of cameras", () => {
    const made = converted({}, { matrix: "bt2020c" });
    expect(made).toMatch(/^zscale=.*:m=gbr:dither=error_diffusion,format=pix_fmts=gbrp16le,lutrgb=r=/);
    expect(made).toMatch(/zscale=rin=pc:pin=bt709:tin=bt709:min=gbr:r=tv:p=bt709:t=bt709:m=bt2020c:\S+,setparams=\S+$/);
    const read = converted({ matrix: "bt2020c" }, { matrix: "gbr", range: "pc" });
    expect(read).toMatch(/^zscale=rin=tv\S+:min=bt2020c:r=pc\S+:m=gbr,format=pix_fmts=gbrp16le,lutrgb=r=[^,]+[^z]+$/);
  });

  test("of the range alone needs no matrix", () => {
    expect(converted({ matrix: "smpte2085" }, { range: "pc" })).toBe(
      "scale=in_range=tv:out_range=pc:flags=accurate_rnd",
    );
  });

  test("of what nothing knows is refused by field and value", () => {
    expect(() => converted({ matrix: "smpte2085" }, { matrix: "bt709" })).toThrow(
      "at.color_matrix: smpte2085 cannot become bt709: converting from or to smpte2085 is not implemented",
    );
  });

  test("names SMPTE 240M by its number, which every build has", () => {
    expect(converted({ matrix: "smpte240m" }, { matrix: "ycgco" })).toContain("min=7");
  });
});

describe("a picture of such a matrix", () => {
  const film = { video: { colorSpace: "bt2020c", colorPrimaries: "bt2020", colorTransfer: "bt2020-10" } };
  const target = (video: object) => ({
    file_pattern: "a.mov",
    video: { codec: "h264", width: 640, height: 360, ...video },
  });

  test("is scaled without its tag, and has it again", () => {
    expect(videoFilters(target({}), film)).toBe(
      "setparams=colorspace=unknown,scale=w=640:h=360:flags=bicubic,setsar=sar=1,format=pix_fmts=yuv420p," +
        "setparams=colorspace=bt2020c",
    );
  });

  test("has another tag once it was converted, and none of its own in between", () => {
    const made = videoFilters(target({ color_matrix: "bt2020nc" }), film);
    expect(made).toMatch(/^setparams=colorspace=unknown,scale=.*m=bt2020nc.*,format=pix_fmts=yuv420p$/);
  });

  test("is copied as it is", () => {
    expect(videoFilters({ file_pattern: "a.mov", video: { codec: "copy" } }, film)).toBe("");
  });

  test("that nothing converts is kept, and refused where its numbers would change", () => {
    const odd = { video: { colorSpace: "smpte2085" } };
    expect(videoFilters(target({ color_matrix: "smpte2085" }), odd)).toMatch(/setparams=colorspace=smpte2085$/);
    expect(refusalOf(target({ color_matrix: "smpte2085" }), { video: { colorSpace: "bt709" } })).toBe(
      "target.video.color_matrix: bt709 cannot become smpte2085: converting from or to smpte2085 is not implemented",
    );
  });
});

test("a picture for people is exact where a node can, and the nearest where it or nobody can", () => {
  const size = { w: 320, h: -2, flags: "bicubic" };
  const shown = (matrix: string, isExact: boolean) =>
    printed(forViewers(aPicture({ colorSpace: matrix }), jpegColors, size, isExact));
  expect(shown("ycgco", true)).toMatch(/^scale=w=320:h=-2:flags=bicubic,zscale=.*min=ycgco:r=pc.*m=bt470bg/);
  const nearest =
    /^scale=w=320:h=-2:flags=bicubic:in_color_matrix=bt2020:in_range=tv:out_range=pc,format=pix_fmts=gbrp16le,scale=/;
  expect(shown("ycgco", false)).toMatch(nearest);
  expect(shown("smpte2085", true)).toMatch(nearest);
});
