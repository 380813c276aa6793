import { addressOf } from "./address.ts";
import type { CnpsNode } from "./node.ts";

type Fields = Record<string, unknown>;

/** What a filter asks of the source: a file of subtitles beside it. */
type Wanted = { readonly subtitles?: string };

/** How a filter changes a target. */
const videoFilters: Readonly<Record<string, (filter: CnpsNode, target: Fields) => Wanted | undefined>> = {
  // Timecode burned into the picture.
  "{d87afad8-d7aa-4332-b4ad-01a69c91694a}": (filter, target) => {
    const size = filter.one("ModuleData")?.integer("TextSize");
    return draw(target, "print_timecode", size !== undefined && size > 0 ? { font_size: size } : {});
  },
  // A still over the picture.
  "{8d2ad32e-8b96-45e4-99f5-f9cc7e25a044}": (filter, target) =>
    draw(target, "image_overlay", { image_file: { url: fileOf(filter) } }),
  // Subtitles burned into the picture.
  "{303ec062-9997-4975-9fed-228798d36687}": (filter, target) => {
    const subtitles = fileOf(filter);
    draw(target, "print_subtitle", {});
    return { subtitles };
  },
  // Reads the timecode of a tape's blanking lines, which no file has.
  "{a04b166c-3e8f-489c-b07a-33dc75ad1736}": (filter) => {
    filter.one("ModuleData");
    return undefined;
  },
  // The start timecode of the file.
  "{3df7826f-04dc-48fd-a338-3bc706c5b4d4}": (filter, target) => {
    const data = filter.one("ModuleData") ?? filter.fail(`<${filter.name}> has no <ModuleData>`);
    const start = data.text("StartTC") ?? data.text("TCStart") ?? filter.text("TCStart");
    if (!start || !/^\d\d:\d\d:\d\d[:;]\d\d$/.test(start)) {
      return data.fail("StartTC must be a timecode such as 01:00:00:00");
    }
    const separator = data.isOn("DropFrame") || filter.isOn("DropFrame") ? ";" : ":";
    const start_value = `${start.slice(0, 8)}${start[8] === ";" ? ";" : separator}${start.slice(9)}`;
    target.timecode = [{ source: "start_value", start_value }];
    return undefined;
  },
};

/**
 * Adds a module's filters to the target and says which files of subtitles they draw. An unknown one is refused, because
 * the picture would lack it.
 */
export const addFilters = (module: CnpsNode, target: Fields): readonly string[] => {
  const wanted = (module.one("Filter_0")?.all("Module") ?? []).map((filter) => {
    const guid = guidOf(filter);
    const add = videoFilters[guid.toLowerCase()] ?? filter.fail(`the video filter ${guid} is not known`);
    return add(filter, target);
  });
  const [sound] = module.one("Filter_1")?.all("Module") ?? [];
  if (sound) sound.fail(`the audio filter ${guidOf(sound)} is not known`);
  return wanted.flatMap((each) => each?.subtitles ?? []);
};

const draw = (target: Fields, kind: string, payload: Fields): undefined => {
  const video = Object(target.video) as Fields; // filters apply only to a picture
  const filters = Array.isArray(video.filters) ? video.filters : [];
  target.video = { ...video, filters: [...filters, { kind, payload }] };
};

/** Public documents name the file of a filter differently, always by an attribute that ends in these words. */
const fileOf = (filter: CnpsNode): string => {
  const file = filter.textEnding("FullUNCFilename") ?? filter.textEnding("Filename") ?? filter.textEnding("File");
  return file === undefined ? filter.fail(`<${filter.name}> has no Filename`) : addressOf(file);
};

const guidOf = (filter: CnpsNode): string => {
  const [named, preset] = [filter.text("ModuleGUID"), filter.text("PresetGUID")];
  return named ?? preset ?? filter.fail(`<${filter.name}> has no ModuleGUID`);
};
