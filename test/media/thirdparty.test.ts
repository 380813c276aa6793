import { describe, expect, test } from "vitest";
import { parseJob } from "../../media/jobs/parse-job.ts";
import { fromThirdparty } from "../../media/thirdparty/index.ts";
import { AppError } from "../../shared/basics/errors.ts";

const format = "{DF227069-514D-4127-BB25-BF31D1E732AA}";

type Parts = {
  readonly root?: string;
  readonly sources?: string;
  readonly data?: string;
  readonly inDestination?: string;
  readonly guid?: string;
  readonly more?: string;
};

const aDocument = ({
  root = 'CarbonAPIVer="1.2" TaskType="JobQueue" JobName="From Carbon" Priority.DWD="0"',
  sources = '<Module_0 Filename="\\\\nas\\in\\a film.mov" Inpoint.QWD="-1" Outpoint.QWD="-1"/>',
  data = "",
  inDestination = "",
  guid = format,
  more = "",
}: Parts = {}) => `<?xml version="1.0" encoding="UTF-8"?>
<cnpsXML ${root}>
  <Sources>
    ${sources}
  </Sources>
  <Destinations>
    <Module_0 PresetGUID="${guid}">
      <ModuleData CML_P_BaseFileName="%s_web" CML_P_Path="\\\\nas\\out" ${data}/>
      ${inDestination}
    </Module_0>
  </Destinations>
  ${more}
</cnpsXML>`;

const read = (parts?: Parts, rest: object = { name: "a job" }) =>
  fromThirdparty({ ...rest, schema: "thirdparty", payload: aDocument(parts) });

type Element = { readonly uid: string; readonly kind: string; readonly payload: Record<string, unknown> };
const elementsOf = (parts?: Parts) => (read(parts).job.payload as { elements: Element[] }).elements;
const connectionsOf = (parts?: Parts) =>
  (
    read(parts).job.payload as {
      connections: { from: { element: string }[]; to: Record<string, { element: string }[]> }[];
    }
  ).connections.map(({ from, to }) =>
    [from, to.success, to.error].map((list) => list?.map(({ element }) => element).join()).join(" > "),
  );
const targetOf = (parts: Parts) =>
  (elementsOf(parts)[1]?.payload.targets as Record<string, unknown>[] | undefined)?.[0];

const problem = (parts: Parts | string): string => {
  try {
    const payload = typeof parts === "string" ? parts : aDocument(parts);
    const { job } = fromThirdparty({ name: "a job", schema: "thirdparty", payload });
    parseJob(job);
    return "no problem";
  } catch (error) {
    return error instanceof AppError ? error.message : String(error);
  }
};

test("a small document becomes a source and a transcode, and passes as an ordinary job", () => {
  const { job, warnings } = read();
  expect([job, warnings]).toEqual([
    {
      ...{ name: "a job", schema: "service", priority: 1 },
      payload: {
        elements: [
          {
            uid: "source",
            kind: "source",
            payload: { kind: "asset_url", payload: { url: "smb://nas/in/a%20film.mov" } },
          },
          {
            ...{ uid: "destination_0", kind: "transcode" },
            payload: {
              location: { path: "smb://nas/out" },
              targets: [
                {
                  file_pattern: "{source_basename}_web{default_extension}",
                  container: { kind: "mp4" },
                  video: { codec: "h264" },
                  audio: [{ codec: "aac" }],
                },
              ],
            },
          },
        ],
        connections: [{ from: [{ element: "source" }], to: { success: [{ element: "destination_0" }], error: [] } }],
      },
    },
    [],
  ]);
  expect(parseJob(job).warnings).toEqual([]);
});

test("its name and priority count where the submission has none", () => {
  expect(read({}, {}).job).toMatchObject({ name: "From Carbon", priority: 1 });
  expect(read({ root: 'Priority.DWD="255"' }, { name: "x", priority: 7 }).job).toMatchObject({
    name: "x",
    priority: 7,
  });
  expect(read({ root: 'taskType="jobqueue" priority.dwd="255"' }).job).toMatchObject({ priority: 254 });
});

test("settings of a destination become fields of a target", () => {
  const data = `
    CML_V_SizeX.DWD="1280" CML_V_SizeY.DWD="720" FrameRate.DBL="25" interlace_mode.DWD="2" PixelAspect_X.DWD="1"
    PixelAspect_Y.DWD="1" Profile.DWD="2" Level.DWD="31" number_of_passes.DWD="2" CML_V_BitrateAvg.DWD="3000"
    CML_V_BitrateMax.DWD="4000" vbv_buffer_size.DWD="0" idr_interval.DWD="50" enable_scene_change_detection.DWD="1"
    entropy_coding.DWD="1" NumberOfLanguages.DWD="2" AudioChannelList="2 6" AudioBitrate.DWD="192000"
    AudioSampleRate.DWD="48000" AudioLanguages="engger" AudioCompression.DWD="4" moov_at_beginning.DWD="1" stream.DWD="2"`;
  expect(targetOf({ data })).toEqual({
    ...{ file_pattern: "{source_basename}_web{default_extension}", nr_of_passes: 2 },
    container: { kind: "mp4", faststart: true },
    video: {
      ...{ codec: "h264", width: 1280, height: 720, frame_rate: 25, interlace_mode: "progressive", par: "1:1" },
      ...{ profile: "high", level: "3.1", bitrate_kb: 3000, max_bitrate_kb: 4000, max_gop_frames: 50 },
      ...{ use_scene_detection: true, x264_options: "cabac=1" },
    },
    audio: [
      { codec: "aac", channels: 2, bitrate_kb: 192, sample_rate: 48_000, language: "eng" },
      { codec: "aac", channels: 6, bitrate_kb: 192, sample_rate: 48_000, language: "ger" },
    ],
  });
  expect(problem({ data })).toBe("no problem");
  expect(targetOf({ data: 'PMT_PID.DWD="256" UsedStreamAudio.DWD="0" muxrate.DWD="5000"' })).toMatchObject({
    container: { kind: "mpegts", pmt_pid: 256, muxrate_kb: 5000 },
  });
  expect(targetOf({ data: 'UsedStreamVideo.DWD="0"' })).not.toHaveProperty("video");
});

test("a preset of another system is one of ours by its key", () => {
  expect(elementsOf({ guid: "{AAAA}" })[1]).toMatchObject({
    preset: { key: "{AAAA}" },
    payload: { targets: [{ file_pattern: "{source_basename}_web{default_extension}" }] },
  });
});

describe("sources", () => {
  test("are cut at their in and out points, in ticks of 27 MHz", () => {
    const cut = 'Inpoint.QWD="27000000" Outpoint.QWD="81000000"';
    expect(elementsOf({ sources: `<Module_0 Filename="/in/a.mov" ${cut}/>` })[0]?.payload).toEqual({
      kind: "asset_url",
      payload: { url: "/in/a.mov", trim: { inpoint_sec: 1, outpoint_sec: 3 } },
    });
  });

  test("with a cut list, and several that are stitched, are a sequence", () => {
    const sources = `<Module_0 Filename="/in/a.mov"><InOutPoints Inpoint_0.QWD="0" Outpoint_0.QWD="27000000"
        Inpoint_1.QWD="54000000" Outpoint_1.QWD="-1"/></Module_0><Module_1 FullUNCFilename="\\\\nas\\in\\b%c.mov" Filename="C:\\b.mov"/>`;
    const more = '<ProjectSettings Stitching.DWD="1"/>';
    expect(elementsOf({ sources, more })[0]?.payload).toEqual({
      kind: "asset_complex",
      payload: {
        kind: "sequence",
        asset_versions: [
          [{ kind: "name", name: "a.mov", location: { path: "/in/" }, trim: { inpoint_sec: 0, outpoint_sec: 1 } }],
          [{ kind: "name", name: "a.mov", location: { path: "/in/" }, trim: { inpoint_sec: 2 } }],
          [{ kind: "name", name: "b%c.mov", location: { path: "smb://nas/in/" } }],
        ].map((asset_components, index) => ({ version_uid: `source_${index}`, asset_components })),
      },
    });
    expect(problem({ sources, more })).toBe("no problem");
  });

  test("of picture and sound apart are one asset", () => {
    const sources = `<Module_0 ComplexSource.DWD="1"><ModuleData>
      <Module_0 ElementaryStream="Video" Filename="/in/v.mov"/>
      <Module_1 ElementaryStream="Audio" SourceTrack.DWD="1" ComplexSourceTrack.DWD="0" Filename="/in/a.wav"/></ModuleData></Module_0>`;
    expect(elementsOf({ sources })[0]?.payload).toMatchObject({
      payload: {
        asset_versions: [
          {
            asset_components: [
              { name: "v.mov", contents: [{ kind: "video" }] },
              { name: "a.wav", contents: [{ kind: "audio", map: [{ input: { track: 1 }, output: { track: 0 } }] }] },
            ],
          },
        ],
      },
    });
    expect(problem({ sources })).toBe("no problem");
  });
});

const multiSource = (table: string, files: readonly string[], more = "") =>
  `<Module_0 MultiSource.DWD="1" ${more}><ModuleData><StreamTypeTable ${table}/><SourceModules>${files
    .map((file, index) => `<MultiSrcModule_${index} Filename="${file}"/>`)
    .join("")}</SourceModules></ModuleData></Module_0>`;

describe("a MultiSource", () => {
  const apart = 'StreamType_0.DWD="0" StreamPtr_0.DWD="0" StreamType_1.DWD="2" StreamPtr_1.DWD="1"';

  test("takes picture and sound from the files that its table names, cut alike", () => {
    const sources = multiSource(apart, ["/in/v.mov", "/in/a.wav"], 'Inpoint.QWD="27000000" Outpoint.QWD="81000000"');
    const trim = { inpoint_sec: 1, outpoint_sec: 3 };
    expect(elementsOf({ sources })[0]?.payload).toMatchObject({
      kind: "asset_complex",
      payload: {
        asset_versions: [
          {
            asset_components: [
              { name: "v.mov", contents: [{ kind: "video" }], trim },
              { name: "a.wav", contents: [{ kind: "audio" }], trim },
            ],
          },
        ],
      },
    });
    expect(problem({ sources })).toBe("no problem");
  });

  test("of one file is that file", () => {
    const table = 'StreamSelector_0.DWD="0" StreamPtr_0.DWD="0" StreamSelector_1.DWD="2" StreamPtr_1.DWD="0"';
    const sources = multiSource(table, ["/in/film.mov"]);
    expect(elementsOf({ sources })[0]?.payload).toEqual({ kind: "asset_url", payload: { url: "/in/film.mov" } });
  });

  test.each([
    ["", ["/in/v.mov"], "<StreamTypeTable> has no StreamPtr_0"],
    ['StreamPtr_0.DWD="4"', ["/in/v.mov"], "StreamPtr 4 names a file that <SourceModules> does not have"],
    [
      'StreamPtr_0.DWD="0" StreamSelector_0.DWD="7"',
      ["/in/v.mov"],
      "StreamSelector_0 must be 0 (picture) or 2 (sound)",
    ],
    ['StreamPtr_0.DWD="0"', [], "MultiSource needs <SourceModules> with a <MultiSrcModule_0>"],
  ])("with the table %j and the files %j is refused", (table, files, message) => {
    expect(problem({ sources: multiSource(table, files) })).toBe(`payload: line 4: ${message}`);
  });
});

describe("filters", () => {
  const burnIn = "{D87AFAD8-D7AA-4332-B4AD-01A69C91694A}";
  const logo = "{8D2AD32E-8B96-45E4-99F5-F9CC7E25A044}";
  const subtitle = "{303EC062-9997-4975-9FED-228798D36687}";
  const filter = (guid: string, data = "") => `<Module_0 ModuleGUID="${guid}"><ModuleData ${data}/></Module_0>`;

  test("of the source come before those of the destination", () => {
    const sources = `<Module_0 Filename="/in/a.mov"><Filter_0>${filter(burnIn)}</Filter_0><Filter_1/></Module_0>`;
    const inDestination = `<Filter_0>${filter(logo, 'FullUNCFilename="\\\\nas\\art\\logo.png" Filename="Z:\\logo.png"')}</Filter_0>`;
    expect(targetOf({ sources, inDestination })).toMatchObject({
      video: {
        filters: [
          { kind: "print_timecode", payload: {} },
          { kind: "image_overlay", payload: { image_file: { url: "smb://nas/art/logo.png" } } },
        ],
      },
    });
    expect(problem({ sources, inDestination })).toBe("no problem");
  });

  test("of one among several sources are refused", () => {
    const sources = `<Module_0 Filename="/in/a.mov"/><Module_1 Filename="/in/b.mov"><Filter_0>${filter(burnIn)}</Filter_0></Module_1>`;
    expect(problem({ sources, more: '<ProjectSettings Stitching.DWD="1"/>' })).toBe(
      "payload: line 4: one of several sources cannot have filters of its own: put them into the destinations",
    );
  });

  test("that draw subtitles put their file beside the source", () => {
    const inDestination = `<Filter_0>${filter(subtitle, 'SubtitleFilename="/in/german.srt"')}</Filter_0>`;
    expect(targetOf({ inDestination })).toMatchObject({ video: { filters: [{ kind: "print_subtitle" }] } });
    expect(elementsOf({ inDestination })[0]?.payload).toMatchObject({
      payload: {
        asset_versions: [
          {
            asset_components: [
              { name: "a film.mov" },
              { name: "german.srt", location: { path: "/in/" }, contents: [{ kind: "subtitle" }] },
            ],
          },
        ],
      },
    });
    expect(problem({ inDestination })).toBe("no problem");
  });

  test("that read a tape's timecode change nothing, which is told", () => {
    const vitc = filter("{A04B166C-3E8F-489C-B07A-33DC75AD1736}", 'VBILine.DWD="19"');
    const sources = `<Module_0 Filename="/in/a.mov"><Filter_0>${vitc}</Filter_0></Module_0>`;
    expect(read({ sources }).warnings).toEqual(["line 4: VBILine.DWD of <ModuleData> has no effect"]);
  });
});

test("what follows a destination, and who is told, become elements", () => {
  const parts = {
    inDestination: `<PostconversionTasks><FileCopy_0 TargetFolder="/copy" TargetFile="%s.mp4"/>
      <FTPUpload_0 Host="ftp.example" Port.DWD="2121" TargetFolder="/up" UserName="u" Password="p"/>
      <FileDelete_0 Filename="/in/a.mov"/></PostconversionTasks>`,
    more: `<Notify><PreTaskNotify/><PostTaskNotify><EmailNotify_0 Subject="s" Body="b" Recipient="a@x.example"/></PostTaskNotify>
      <TaskErrorNotify><EmailNotify_0 Recipient="b@x.example"/></TaskErrorNotify></Notify>`,
  };
  expect(elementsOf(parts).slice(2)).toEqual([
    {
      ...{ uid: "destination_0_copy_0", kind: "copy" },
      payload: { target: { location: { path: "/copy" }, file_pattern: "{source_basename}.mp4" } },
    },
    {
      ...{ uid: "destination_0_upload_0", kind: "copy" },
      payload: {
        target: {
          location: {
            ...{ storage_provider: "ftp", path: "ftp://ftp.example:2121/up" },
            access: { username: "u", password: "p" },
          },
          file_pattern: "{source_name}",
        },
      },
    },
    {
      ...{ uid: "destination_0_delete_0", kind: "delete_asset" },
      payload: { asset_selector: "config", asset: { kind: "asset_url", payload: { url: "/in/a.mov" } } },
    },
    {
      ...{ uid: "done_0", kind: "notify" },
      payload: { notify_method: "email", email: { recipients: "a@x.example", subject: "s", body: "b" } },
    },
    { uid: "failed_0", kind: "notify", payload: { notify_method: "email", email: { recipients: "b@x.example" } } },
  ]);
  const all = "source,destination_0,destination_0_copy_0,destination_0_upload_0,destination_0_delete_0";
  expect(connectionsOf(parts)).toEqual([
    "source > destination_0 > ",
    "destination_0 > destination_0_copy_0 > ",
    "destination_0_copy_0 > destination_0_upload_0 > ",
    "destination_0_upload_0 > destination_0_delete_0 > ",
    "destination_0_delete_0 > done_0 > ",
    `${all} >  > failed_0`,
  ]);
  expect(problem(parts)).toBe("no problem");
});

test("timecode in the picture and at the beginning become a filter and a field", () => {
  const inDestination = `<Filter_0><Module_0 ModuleGUID="{d87afad8-d7aa-4332-b4ad-01a69c91694a}"><ModuleData TextSize.DWD="24"/></Module_0>
    <Module_1 ModuleGUID="{3DF7826F-04DC-48FD-A338-3BC706C5B4D4}"><ModuleData StartTC="01:00:00:00" DropFrame.DWD="0"/></Module_1></Filter_0>`;
  expect(targetOf({ inDestination })).toMatchObject({
    video: { filters: [{ kind: "print_timecode", payload: { font_size: 24 } }] },
    timecode: [{ source: "start_value", start_value: "01:00:00:00" }],
  });
});

test("what has no effect is told by its line", () => {
  const data = 'Active_20_Format_20_Descriptor.DWD="8" AudioAC3LineMode.DWD="1"';
  const more = '<ProjectSettings><KernelFlags KP_LetterBoxParam.DWD="1" KP_UseDropFrame.DWD="0"/></ProjectSettings>';
  expect(read({ data, more }).warnings).toEqual([
    "line 12: KernelFlags have no effect",
    "line 8: Active_20_Format_20_Descriptor.DWD of <ModuleData> has no effect",
    "line 8: AudioAC3LineMode.DWD of <ModuleData> has no effect",
  ]);
});

test.each<readonly [Parts | string, string]>([
  ["<other/>", "line 1: the root must be <cnpsXML>, not <other>"],
  [{ root: 'TaskType="JobList"' }, 'line 2: TaskType "JobList" is no job; JobQueue is'],
  ["<cnpsXML>\n</cnpsXML>", "line 1: there is no <Sources>"],
  [{ sources: "" }, "line 3: <Sources> has no <Module_0>"],
  [{ sources: "<Module_0/>" }, "line 4: <Module_0> has no Filename"],
  [
    { sources: '<Module_0 Filename="/a"/>\n<Module_1 Filename="/b"/>' },
    'line 5: several sources are read only as one film: ProjectSettings must have Stitching.DWD="1"',
  ],
  [{ sources: '<Module_0 MultiSource.DWD="1"/>' }, "line 4: MultiSource needs a <ModuleData>"],
  [{ sources: '<Module_0 Filename="/a" Inpoint.QWD="x"/>' }, 'line 4: Inpoint must be a number, not "x"'],
  [
    { sources: '<Module_0 Filename="/a" Inpoint.QWD="2" Outpoint.QWD="1"/>' },
    "line 4: Outpoint must be later than Inpoint",
  ],
  [
    { inDestination: '<Filter_0><Module_0 ModuleGUID="{00000000-8B96-45E4-99F5-F9CC7E25A044}"/></Filter_0>' },
    "line 9: the video filter {00000000-8B96-45E4-99F5-F9CC7E25A044} is not known",
  ],
  [
    { inDestination: '<Filter_0><Module_0 ModuleGUID="{8D2AD32E-8B96-45E4-99F5-F9CC7E25A044}"/></Filter_0>' },
    "line 9: <Module_0> has no Filename",
  ],
  [{ data: 'AudioCompression.DWD="2"' }, "line 8: AudioCompression 2 is not known; 4 is AAC"],
  [{ more: "<Surprise/>" }, "line 12: <Surprise> within <cnpsXML> is not known"],
  [{ more: "<Sources/>" }, "line 2: <cnpsXML> has more than one <Sources>"],
  [
    '<!DOCTYPE cnpsXML [<!ENTITY x SYSTEM "file:///etc/passwd">]><cnpsXML>&x;</cnpsXML>',
    "is not well-formed XML: a document type is not allowed (at character 0)",
  ],
  ["no markup", "is not well-formed XML: an element was expected (at character 0)"],
  ["<cnpsXML>", "is not well-formed XML: the document ends within an element (at character 9)"],
])("%j is refused: %s", (parts, message) => {
  expect(problem(parts)).toBe(`payload: ${message}`);
});

test("a payload that is no text is refused", () => {
  expect(() => fromThirdparty({ schema: "thirdparty", payload: { elements: [] } })).toThrow(
    "payload: must be an XML document, serialized to one text",
  );
});
