import type { CnpsNode } from "./node.ts";

type Fields = Record<string, unknown>;

/** How a filter changes a target. */
const videoFilters: Readonly<Record<string, (filter: CnpsNode, target: Fields) => void>> = {
  // Timecode burned into the picture.
  "{d87afad8-d7aa-4332-b4ad-01a69c91694a}": (filter, target) => {
    const size = filter.one("ModuleData")?.integer("TextSize");
    const video = Object(target.video) as Fields; // filters apply only to a picture
    const filters = Array.isArray(video.filters) ? video.filters : [];
    const payload = size !== undefined && size > 0 ? { font_size: size } : {};
    target.video = { ...video, filters: [...filters, { kind: "print_timecode", payload }] };
  },
  // The start timecode of the file.
  "{3df7826f-04dc-48fd-a338-3bc706c5b4d4}": (filter, target) => {
    const data = filter.one("ModuleData") ?? filter.fail(`<${filter.name}> has no <ModuleData>`);
    const start = data.text("StartTC") ?? data.text("TCStart");
    if (!start || !/^\d\d:\d\d:\d\d[:;]\d\d$/.test(start)) {
      return data.fail("StartTC must be a timecode such as 01:00:00:00");
    }
    const separator = data.isOn("DropFrame") ? ";" : ":";
    const start_value = `${start.slice(0, 8)}${start[8] === ";" ? ";" : separator}${start.slice(9)}`;
    target.timecode = [{ source: "start_value", start_value }];
  },
};

/** Adds a destination's filters to the target. An unknown one is refused, because the picture would lack it. */
export const addFilters = (module: CnpsNode, target: Fields): void => {
  for (const filter of module.one("Filter_0")?.all("Module") ?? []) {
    const guid = guidOf(filter);
    const add = videoFilters[guid.toLowerCase()] ?? filter.fail(`the video filter ${guid} is not known`);
    add(filter, target);
  }
  const [sound] = module.one("Filter_1")?.all("Module") ?? [];
  if (sound) sound.fail(`the audio filter ${guidOf(sound)} is not known`);
};

const guidOf = (filter: CnpsNode): string => {
  const [named, preset] = [filter.text("ModuleGUID"), filter.text("PresetGUID")];
  return named ?? preset ?? filter.fail(`<${filter.name}> has no ModuleGUID`);
};
