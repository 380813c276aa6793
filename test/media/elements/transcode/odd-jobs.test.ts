import { expect, test } from "vitest";
import { ratio } from "../../../../shared/basics/rational.ts";
import {
  argsOf,
  audioWords,
  type Film,
  muxerWords,
  refusalOf,
  videoFilters,
  videoWords,
  warningsOf,
  workOf,
} from "../../../helpers/media/transcode-words.ts";

/** Targets as customers write them, unlike those of the samples, and what becomes of each. */
type Expected = Partial<Record<"graph" | "filters" | "video" | "audio" | "muxer" | "refused", string>>;
type Odd = readonly [name: string, target: object, film: Film, expected: Expected];

const file = (name: string, more: object) => ({ file_pattern: name, ...more });
const tape = { video: { width: 720, height: 576, fieldOrder: "tt", pixelFormat: "yuv420p", codec: "mpeg2video" } };
const film = { video: { width: 320, height: 180, pixelFormat: "yuv420p", codec: "h264" } };

const film24 = { video: { frameRate: ratio(24_000, 1001), averageFrameRate: ratio(24_000, 1001), frames: 24 } };
const film51 = { audio: { channels: 6, layout: "5.1" } };

const odd: readonly Odd[] = [
  [
    "numbers as texts, as definitions leave them",
    file("x.mp4", {
      video: { codec: "h264", height: "90", crf: "23", idr_interval: { seconds: "2" }, use_closed_gop: "true" },
    }),
    film,
    { video: "libx264 -crf 23 -g 50 -keyint_min 50 -sc_threshold 0 -x264-params open-gop=0" },
  ],
  [
    "the fastest preset with a profile that it would not reach by itself",
    file("x.mp4", { video: { codec: "h264", preset: "ultrafast", profile: "high" } }),
    film,
    { video: "libx264 -preset ultrafast -profile high -x264-params 8x8dct=1" },
  ],
  [
    "8 bits without subsampling in HEVC",
    file("x.mp4", { video: { codec: "h265", profile: "main444-8" } }),
    film,
    { filters: "setsar=sar=1,format=pix_fmts=yuv444p" },
  ],
  [
    "a disc of a source with more chroma than discs have",
    file("x.vob", {
      container: { kind: "vob" },
      video: { codec: "mpeg2", bitrate_kb: 5000 },
      audio: [{ codec: "pcm", sample_size: 16 }],
    }),
    { video: { ...tape.video, pixelFormat: "yuv422p" } },
    {
      filters: "scale=w=720:h=576:flags=bicubic:interl=1,setfield=mode=tff,setsar=sar=1,format=pix_fmts=yuv420p",
      audio: "pcm_dvd -sample_fmt s16",
    },
  ],
  [
    "raw pictures that Matroska has no name for",
    file("x.mkv", { video: { codec: "raw", chroma_format: "yuv420p10le" } }),
    film,
    {
      refused:
        "target.video: a .mkv file cannot hold raw yuv420p10le; nut can, or a chroma_format of yuv420p, yuv422p, yuv411p, " +
        "yuv410p, nv12, uyvy422, yuyv422, rgba, gray",
    },
  ],
  [
    "letterbox of a wide picture in a square",
    file("x.mp4", { video: { codec: "h264", width: 640, height: 640, par: 1 } }),
    film,
    { filters: "scale=w=640:h=360:flags=bicubic,pad=w=640:h=640:x=0:y=140,setsar=sar=1,format=pix_fmts=yuv420p" },
  ],
  [
    "a portrait crop of the middle",
    file("x.mp4", { video: { codec: "h264", width: 90, height: 160, par: 1, ar_pad_crop_ratio: 0 } }),
    film,
    { filters: "scale=w=284:h=160:flags=bicubic,crop=w=90:h=160,setsar=sar=1,format=pix_fmts=yuv420p" },
  ],
  [
    "fields at double rate as pictures",
    file("x.mp4", { video: { codec: "h264", interlace_mode: "progressive", frame_rate: 50 } }),
    tape,
    { filters: "bwdif=mode=send_field:parity=tff,setsar=sar=1,format=pix_fmts=yuv420p" },
  ],
  [
    "fields kept for a transport stream",
    file("x.ts", {
      container: { kind: "mpegts", pmt_pid: 256, transport_id: 7 },
      video: { codec: "mpeg2", bitrate_mode: "cbr", bitrate_kb: 4000, pid: 257 },
      audio: [{ codec: "mp2", channels: 2, bitrate_kb: 192, pid: 258, language: "english" }],
    }),
    tape,
    {
      video: "mpeg2video -b 4000000 -minrate 4000000 -maxrate 4000000 -bufsize 4000000 -flags +ildct+ilme",
      audio: "mp2 -b 192000 -metadata:s language=eng",
      muxer:
        '-mpegts_transport_stream_id 7 -mpegts_pmt_start_pid 256 -pcr_period 20 -mpegts_m2ts_mode 0 -streamid 0:257 -streamid 1:258 -f mpegts {"out":"t0"}',
    },
  ],
  [
    "anamorphic tape for a player with square pixels",
    file("x.mp4", {
      video: { codec: "h264", height: 360, par: "1/1", force_source_dar: "16:9", interlace_mode: "progressive" },
    }),
    tape,
    {
      filters: "bwdif=mode=send_frame:parity=tff,scale=w=640:h=360:flags=bicubic,setsar=sar=1,format=pix_fmts=yuv420p",
    },
  ],
  [
    "DV without a field order of its own",
    file("x.mov", { video: { codec: "dv25", width: 720, height: 576 } }),
    tape,
    { filters: "fieldorder=order=bff,setfield=mode=bff,setsar=sar=16/15,format=pix_fmts=yuv420p" },
  ],
  [
    "cinema to tape by pulldown",
    file("x.mov", {
      video: {
        codec: "prores",
        profile: "apcn",
        frame_rate: "29.97",
        interlace_mode: "tff",
        filters: [{ kind: "telecine", payload: { pattern: "23" } }],
      },
    }),
    film24,
    { filters: "telecine=first_field=top:pattern=23,setfield=mode=tff,setsar=sar=1,format=pix_fmts=yuv422p10le" },
  ],
  [
    "a film slowed to cinema's rate",
    file("x.mov", {
      container: { kind: "mov", auto_speed_change_delta_percent: 5 },
      video: { codec: "prores", frame_rate: 24 },
      audio: [{ codec: "pcm" }],
    }),
    film,
    {
      filters:
        "settb=expr=1/90000,setpts=expr=PTS*25/24,fps=fps=24:start_time=0,setsar=sar=1,format=pix_fmts=yuv422p10le",
    },
  ],
  [
    "a trailer's fades and blur in one list",
    file("x.mp4", {
      video: {
        codec: "h264",
        filters: [
          { kind: "fade", payload: { mode: "out", start_sec: "0.5", duration_sec: "0.5" } },
          { kind: "gaussian_blur", payload: { radius: "2" } },
        ],
      },
    }),
    film,
    { filters: "fade=type=out:start_time=0.5:duration=0.5,gblur=sigma=2:steps=6,setsar=sar=1,format=pix_fmts=yuv420p" },
  ],
  [
    "a crop of percentages before the size",
    file("x.mp4", {
      video: { codec: "h264", height: 90, filters: [{ kind: "crop", payload: { top: "10%", bottom: "10%" } }] },
    }),
    film,
    {
      filters: "crop=w=320:h=144:x=0:y=18:exact=1,scale=w=200:h=90:flags=bicubic,setsar=sar=1,format=pix_fmts=yuv420p",
    },
  ],
  [
    "HDR10 from values",
    file("x.mp4", {
      video: {
        codec: "h265",
        profile: "main10",
        color_primaries: "bt2020",
        color_trc: "st2084",
        color_matrix: "bt2020nc",
        hdr10: { source: "config", master_display: "G(1,2)B(3,4)R(5,6)WP(7,8)L(9,1)", max_cll: 10, max_fall: 4 },
      },
    }),
    film,
    {
      video:
        "libx265 -profile main10 -tag hvc1 -x265-params hdr10=1:repeat-headers=1:master-display=G(1,2)B(3,4)R(5,6)WP(7,8)L(9,1):max-cll=10,4",
    },
  ],
  [
    "an HDR10 picture of a Dolby Vision master, and one for standard screens",
    file("x.mp4", { video: { codec: "h265", dolby_vision: { profile: "hdr10" } } }),
    { video: { pixelFormat: "gbrp12le", codec: "jpeg2000", colorPrimaries: "smpte432", colorTransfer: "smpte2084" } },
    {
      filters:
        "setsar=sar=1,zscale=rin=pc:pin=smpte432:tin=smpte2084:min=gbr:r=tv:p=bt2020:t=smpte2084:m=bt2020nc:dither=error_diffusion,setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc,format=pix_fmts=yuv420p10le",
    },
  ],
  [
    "a poster of a film whose transfer no converter knows, which keeps it",
    file("x.jpg", { video: { codec: "jpeg", image_sequence: { total_number: 1 } } }),
    { video: { pixelFormat: "yuv420p", colorTransfer: "smpte428", colorSpace: "bt709" } },
    { filters: expect.stringMatching(/^[^z]*in_color_matrix=bt709:in_range=tv:out_range=pc.*format=pix_fmts=gbrp,/) },
  ],
  [
    "a poster of an HDR film, which no viewer of stills shows as such",
    file("x.jpg", { video: { codec: "jpeg", image_sequence: { total_number: 1 } } }),
    { video: { colorPrimaries: "bt2020", colorTransfer: "smpte2084", colorSpace: "bt2020nc" } },
    { filters: expect.stringMatching(/tonemap=.*,zscale=r=pc:p=bt709:t=bt709:m=bt470bg/) },
  ],
  [
    "a Dolby Vision encode",
    file("x.mp4", { video: { codec: "h265", dolby_vision: { profile: "8.1" } } }),
    film,
    {
      refused: 'target.video.dolby_vision.profile "8.1" needs Dolby\'s licensed encoder, which this farm does not have',
    },
  ],
  [
    "HDR for an HLG screen",
    file("x.mp4", {
      video: {
        codec: "h265",
        profile: "main10",
        color_primaries: "bt2020",
        color_trc: "hlg",
        color_matrix: "bt2020nc",
      },
    }),
    film,
    {
      filters:
        "setsar=sar=1,setparams=color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc,format=pix_fmts=yuv420p10le",
    },
  ],
  [
    "levels and colours of a broadcaster",
    file("x.mxf", {
      video: {
        codec: "mpeg2",
        width: 1920,
        height: 1080,
        chroma_format: "yuv422p",
        use_broadcast_safe: true,
        smart_chroma_conversions: true,
        interlace_mode: "progressive",
      },
    }),
    film,
    {
      filters:
        "scale=w=1920:h=1080:flags=bicubic,setsar=sar=1,zscale=rin=tv:pin=smpte170m:tin=smpte170m:min=smpte170m:r=tv:p=bt709:t=bt709:m=bt709:dither=error_diffusion,format=pix_fmts=yuv422p,limiter=min=16:max=235:planes=1,limiter=min=16:max=240:planes=6",
    },
  ],
  [
    "encoder arguments beside fields",
    file("x.mp4", {
      service_encoder_args: "-crf 30 -preset fast",
      extenc_args: "-g 50",
      video: { codec: "h264", crf: 20 },
    }),
    film,
    { video: "libx264 -preset fast -crf 20 -g 50" },
  ],
  [
    "XAVC of a small picture",
    file("x.mxf", { compliance: "xavc", video: { codec: "h264" } }),
    film,
    {
      filters: "scale=w=1920:h=1080:flags=bicubic,setsar=sar=1,format=pix_fmts=yuv422p10le",
    },
  ],
  [
    "a preset of another codec",
    file("x.mp4", { video: { codec: "h265", tune: "film" } }),
    film,
    { refused: 'target.video.tune "film" is no tune of h265' },
  ],
  [
    "a channel that the source lacks",
    file("x.wav", { audio: [{ codec: "pcm", source: [{ track: 0, channel: 5 }] }] }),
    film,
    { refused: "target.audio[0].source takes channel 5 of audio track 0, which has 2 channels" },
  ],
  [
    "six channels for a stereo codec",
    file("x.mp3", { audio: [{ codec: "mp3", channels: 6 }] }),
    film51,
    { refused: "target.audio[0]: mp3 has 2 channels at most, not 6" },
  ],
  [
    "a dialogue level that is measured, not whole",
    file("x.ac3", {
      audio: [{ codec: "ac3", bitrate_kb: "448", channels: 6, dialnorm: "-20 - source.audio[0].channels * 0.7" }],
    }),
    film51,
    { audio: "ac3 -b 448000 -dialnorm -24" },
  ],
  [
    "a playlist that is named after its target",
    file("x_{source_basename}", {
      container: { kind: "hls", manifest_file_pattern: "{target_basename}_list{default_extension}" },
      video: { codec: "h264" },
    }),
    film,
    {
      muxer:
        '-hls_time 6 -hls_playlist_type vod -hls_list_size 0 -hls_segment_type mpegts -hls_flags independent_segments -hls_segment_filename {"out":"t0","file":"x_film_list_%05d.ts"} -f hls {"out":"t0"}',
    },
  ],
  [
    "mono tracks of one stereo track",
    file("x.mov", {
      audio: [
        { codec: "pcm", channels: "1" },
        { codec: "pcm", channels: 1 },
      ],
    }),
    film,
    {
      graph:
        "[0:1]pan=args=mono|c0=c0,aresample=async=1:first_pts=0[a0_0];[0:1]pan=args=mono|c0=c1,aresample=async=1:first_pts=0[a0_1]",
    },
  ],
  [
    "a commentary by disposition",
    file("x.mp4", {
      audio: [{ codec: "aac", channels: 2, disposition: "comment", language: "fr", track_name: "Commentaire" }],
    }),
    film,
    {
      audio:
        "aac -disposition comment -metadata:s language=fra -metadata:s title=Commentaire -metadata:s handler_name=Commentaire",
    },
  ],
  [
    "a DASH manifest whose name XML would misread",
    file("a&b.mpd", { container: { kind: "dash-vod", segment_duration_sec: "2" }, video: { codec: "h264" } }),
    film,
    {
      muxer:
        '-seg_duration 2 -dash_segment_type mp4 -use_template 1 -use_timeline 1 -adaptation_sets id=0,streams=v -single_file 1 -global_sidx 1 -single_file_name a_b_$RepresentationID$.mp4 -f dash {"out":"t0"}',
    },
  ],
  [
    "H.264 of MP4 copied into a program stream, which wants start codes",
    file("x.mpg", { container: { kind: "mp2_program" }, video: { codec: "copy" } }),
    film,
    { video: "copy -bsf h264_mp4toannexb -map_metadata -1 -map_chapters -1 -f vob" },
  ],
  [
    "a DASH manifest of sound alone, whose only set is the first",
    file("x.mpd", { container: { kind: "dash-mp4" }, audio: [{ codec: "opus" }] }),
    film,
    {
      muxer: expect.stringContaining(
        "-dash_segment_type mp4 -use_template 1 -use_timeline 1 -adaptation_sets id=0,streams=0 ",
      ),
    },
  ],
  [
    "fragments with an index for DASH",
    file("x.mp4", { container: { kind: "fmp4", segment_duration_sec: 4 }, video: { codec: "h264" } }),
    film,
    {
      muxer:
        '-movflags +frag_keyframe+delay_moov+default_base_moof+global_sidx -write_tmcd 0 -min_frag_duration 3999000 -f mp4 {"out":"t0"}',
    },
  ],
  [
    "uncompressed 4:2:2 as QuickTime has it",
    file("x.mov", { video: { codec: "raw", chroma_format: "yuv422p" } }),
    film,
    { filters: "setsar=sar=1,format=pix_fmts=uyvy422" },
  ],
  [
    "AVC-Intra of class 50",
    file("x.mxf", {
      compliance: "avcintra",
      video: { width: 1440, height: 1080, frame_rate: 25, interlace_mode: "progressive" },
    }),
    {},
    { video: "libx264 -avcintra-class 50" },
  ],
  [
    "cable television, whose profile sets the intervals that the job leaves open",
    file("x.ts", {
      container: { kind: "mpegts", thirdparty_mux_profile: "CABLELABS", muxrate_kb: 3750, pcr_interval_ms: 30 },
      video: { codec: "mpeg2", bitrate_mode: "cbr", bitrate_kb: 3180, max_bitrate_kb: 3180 },
    }),
    film,
    { muxer: '-muxrate 3750000 -pcr_period 27 -pat_period 0.09 -mpegts_m2ts_mode 0 -f mpegts {"out":"t0"}' },
  ],
  [
    "ffmpeg's short names of options",
    file("x.mp4", {
      video: { codec: "h264", filters: [{ payload: { extenc_filter: "drawbox=w=10:h=20:t=fill:c=black" } }] },
    }),
    film,
    {
      filters: "drawbox=width=10:height=20:thickness=fill:color=black,setsar=sar=1,format=pix_fmts=yuv420p",
    },
  ],
];

const graphOf = (target: object, source: Film): string => {
  const [args = []] = argsOf(target, source);
  return args[args.indexOf("-filter_complex") + 1] ?? "";
};
const readers = {
  graph: graphOf,
  filters: videoFilters,
  video: videoWords,
  audio: audioWords,
  muxer: muxerWords,
  refused: refusalOf,
};

test.each(odd)("%s", (_name, target, source, expected) => {
  const names = Object.keys(expected) as (keyof Expected)[]; // Object.keys forgets the names
  expect(Object.fromEntries(names.map((name) => [name, readers[name](target, source)]))).toEqual(expected);
});

test("sound that is not as long as its picture is told where the container holds both together", () => {
  const source = { audio: { duration: ratio(1, 2) } };
  const target = (name: string, audio: object) => file(name, { video: { codec: "mpeg2" }, audio: [audio] });
  const told = (name: string, audio: object) => warningsOf(target(name, audio), source).join();
  expect(told("x.mxf", { codec: "pcm" })).toMatch(/0.5 s shorter than the picture, and is followed by silence/);
  expect(told("x.mxf", { codec: "copy" })).toMatch(/0.5 s shorter than the picture, and is copied/);
  expect(told("x.mov", { codec: "pcm" })).not.toMatch(/sound/);
});

test("channels that nobody named stay as many, in their order", () => {
  const filters = [{ kind: "resample", payload: { sample_rate: 32_000 } }];
  for (const audio of [{ codec: "vorbis" }, { codec: "vorbis", filters }]) {
    const target = file("x.ogg", { audio: [audio] });
    expect(graphOf(target, { audio: { channels: 4, layout: undefined } })).toMatch(
      /channelmap=map=0\|1\|2\|3:channel_layout=quad/,
    );
    expect(graphOf(target, { audio: { channels: 4, layout: "4.0" } })).toContain("pan=args=6.1");
  }
});

test("captions in the picture become a track that QuickTime shows", () => {
  const video = { codec: "h264", closed_captions: { enable_quicktime_c608: true } };
  const { steps } = workOf(file("x.mov", { video }), { video: { ...film.video, hasCaptions: true } });
  expect(steps.map((step) => step.do)).toEqual(["ffmpeg", "subtitles", "ffmpeg"]);
  expect(steps[1]).toMatchObject({ form: "scc", isTrack: true, stretch: { from: 0, to: 1000 } });
});

test("captions in the picture become subtitles with their rows, from a file that one demuxer opens", () => {
  const target = file("x.scc", { container: { kind: "scc" }, subtitle: [{ format: "scc", language: "eng" }] });
  const [args = [], next] = argsOf(target, { video: { codec: "h264", hasCaptions: true } });
  const movie = '{"parts":["movie=",{"of":{"asset":"source"},"context":"filter"},":f=mov[out+subcc]"]}';
  const taken = ["-f", "lavfi", "-i", movie, "-map", "0:s", "-c:s", "ass", "-f", "ass", '{"scratch":"t0_text_track"}'];
  expect([args.slice(-taken.length), next]).toEqual([taken, ["subtitles"]]);
  expect(refusalOf(target, film)).toContain("the source has no subtitles in eng");
});

test("a text stands where ffmpeg's own names put it", () => {
  const payload = { timecode_kind: "frame_nr", x: "(w-tw)/2", y: "H-2*lh" };
  const target = file("x.mp4", { video: { codec: "h264", filters: [{ kind: "print_timecode", payload }] } });
  expect(argsOf(target, film).flat().join(" ")).toContain("x=((w-text_w)/2):y=(h-(2*line_h))");
});
