import { z } from "zod";

/**
 * A job's result as clients read it that were written with fixed types: whole numbers are whole, times are times or null,
 * never empty texts. It describes answers and parses none: what is not named here may stand there as well.
 */
const whole = z.number().int();
const text = z.string();
const time = z.iso.datetime({ precision: 3 }).nullable();
const any = z.unknown();

const error = z.looseObject({
  ...{ task_instance_id: whole, retry_nr: whole, machine_fetcher_id: any, result_define: text, message: text },
  ...{ details: any, diagnostic: any, recoverable_error: whole, assigned: any, result_committed: time },
});

const job = z.looseObject({
  ...{ id: whole, job_class: whole, is_api_job: whole, priority: whole, creation_time: time, expiration_time: time },
  ...{ hint_active_time_sec: whole, hint_machine_time_sec: whole, last_times_updated: time, subscription_key: text },
  ...{ flags: whole, status: text, render_status: text, task_count: whole, progress: whole, name: text },
  ...{ first_started: time, last_completed: time },
});

const stream = {
  ...{ id: whole.optional(), index: whole.optional(), sub_index: whole.optional(), stream_size: whole.optional() },
  ...{ bit_per_sec: whole.optional(), duration: z.number().optional(), duration_otb: whole.optional() },
  ...{
    first_pts: z.number().optional(),
    first_pts_otb: whole.optional(),
    bitrate_mode: z.enum(["CBR", "VBR"]).optional(),
    frame_rate: z.number().optional(),
  },
  ...{ frame_duration_otb: whole.optional(), codec: text.optional(), codec_profile: text.optional() },
};
const mediaInfo = z.discriminatedUnion("stream_type", [
  z.looseObject({
    stream_type: z.literal("ASSET"),
    ...stream,
    ASSET: z.looseObject({ url: text, format: text, total_size: whole, modified: whole.optional() }),
  }),
  z.looseObject({
    stream_type: z.literal("VIDEO"),
    ...stream,
    VIDEO: z.looseObject({
      ...{ width: whole, height: whole, pixel_ar: whole, display_ar: z.number(), bit_resolution: whole.optional() },
      ...{ clean_aperture_width: whole, clean_aperture_height: whole, interlace_mode: text, framerate_mode: text },
    }),
  }),
  z.looseObject({
    stream_type: z.literal("AUDIO"),
    ...stream,
    AUDIO: z.looseObject({ nr_channels: whole, channel_order: text.optional(), designators: z.array(text).optional() }),
  }),
]);

const location = z.looseObject({ storage_provider: text, path: text });
const component = z.looseObject({
  ...{ kind: z.literal("name"), name: text, component_uid: text, location },
  descriptor: z.looseObject({
    size: whole.optional(),
    mtime: text.optional(),
    checked: whole.optional(),
    provider: text,
  }),
  media_analyze: z.looseObject({ media_info: z.array(mediaInfo) }).optional(),
});
const version = z.looseObject({
  ...{ version_uid: text, creator_uid: text, location, asset_components: z.array(component) },
});

const history = z.looseObject({
  ...{ task: text, action: text, started: time, completed: time, duration_sec: whole.optional() },
  details: z.looseObject({ task_id: whole, sub_task_id: text, machine_id: whole }),
  report: z.array(text),
  events: z.array(any),
});

const document = z.looseObject({
  connector: z.literal("Output"),
  result_payload: z.looseObject({
    kind: z.literal("asset_complex"),
    payload: z.looseObject({ kind: z.literal("multi"), creator_uid: text, asset_versions: z.array(version) }),
    meta: z.looseObject({ history: z.array(any) }),
  }),
  result_extended_payload: z.looseObject({
    sources: z.array(z.looseObject({ asset_versions: z.array(any) })),
    logs: z.looseObject({
      history: z.array(history),
      encode_args: z.looseObject({
        asset_versions: z.record(text, z.looseObject({ ffmpeg_pass_args: z.array(text) })),
      }),
    }),
  }),
});

const task = z.looseObject({
  ...{ id: whole, priority: whole, retry_nr: whole, retry_nr_aog: whole, creation_time: time },
  ...{ max_retry_count_aog: whole, related_asset_id: any, kind: text, name: text, retry_count: whole, uid: text },
  ...{ element_name: text, status: z.enum(["queued", "running", "completed", "failed"]), assigned: time },
  ...{ completed: time, fetcher_id: whole.nullable(), hint_name: text, documents: z.array(document) },
  config: z.looseObject({ uid: text, kind: text, name: text, payload: z.looseObject({}) }),
});

export const jobResult = z.looseObject({ errors: z.array(error), job, tasks: z.array(task) });

/** For the table of routes: the coordinator builds results part by part, and callers parse what they read. */
export const jobResultDocument = jobResult as z.ZodType<Record<string, unknown>>;
