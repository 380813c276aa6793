import type { Asset, AssetFile, MediaFacts } from "../../shared/asset.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { nameOf } from "../../shared/location.ts";
import { toNumber } from "../../shared/rational.ts";
import { taskStatus } from "../../shared/state/task.ts";
import type { JobRow } from "../db/jobs.ts";
import type { TaskRow } from "../db/tasks.ts";
import type { Farm } from "./farm.ts";
import { isoOrNull, isoTime, jobInfoOf } from "./info.ts";
import { assetsOf } from "./plan.ts";

/** The job's result, made when it is read, at any time. Ids are numbers here, as clients expect. */
export const jobResult = (farm: Farm, job: JobRow) => {
  const tasks = farm.stores.tasks.readOfJob(job.id);
  const info = jobInfoOf(job, farm.progress);
  return {
    errors: tasks.flatMap((task) => errorsOf(task)),
    job: {
      id: job.id,
      is_api_job: 1,
      priority: job.priority,
      creation_time: info.creation_time,
      expiration_time: info.expiration_time,
      user_tag: job.user_tag,
      status: job.status,
      substatus: job.substatus,
      render_status: job.status,
      task_count: tasks.length,
      progress: info.progress,
      name: job.name,
      first_started: info.start_time,
      last_completed: info.end_time,
      warnings: JSON.parse(farm.stores.jobs.definition(job.id)?.warnings ?? "[]"),
    },
    tasks: tasks.map((task) => taskResult(farm, task)),
  };
};

/** A failure that a retry made good stays listed, as recoverable. */
const errorsOf = ({ id, retry_nr, node_id, failure, state, start_time, end_time }: TaskRow) =>
  failure && failure.cause !== "cancelled"
    ? [
        {
          task_instance_id: id,
          retry_nr,
          machine_fetcher_id: node_id,
          result_define: failure.cause.toUpperCase(),
          message: failure.message,
          details: failure.stderr ?? "",
          diagnostic: failure.argv?.join(" ") ?? "",
          recoverable_error: state === "failed" ? 0 : 1,
          assigned: isoOrNull(start_time),
          result_committed: isoOrNull(end_time),
        },
      ]
    : [];

const taskResult = (farm: Farm, task: TaskRow) => ({
  id: task.id,
  priority: task.priority,
  retry_nr: task.retry_nr,
  retry_nr_aog: task.losses,
  creation_time: isoTime(task.creation_time),
  kind: elementOf(task.kind)?.title ?? task.kind,
  name: task.name,
  retry_count: task.retry_count,
  uid: task.uid,
  element_name: task.element_uid,
  status: taskStatus[task.state],
  fetcher_id: task.node_id,
  assigned: isoOrNull(task.start_time),
  completed: isoOrNull(task.end_time),
  documents: task.state === "completed" ? [outputDocument(farm, task)] : [],
});

const outputDocument = (farm: Farm, task: TaskRow) => {
  const found = Object.values(task.published?.found ?? {}).map(({ file }) => ({ version: task.uid, files: [file] }));
  const versions = task.purpose === "facts" ? found : assetsOf(farm, [task]);
  return {
    connector: "Output",
    result_payload: {
      kind: "asset_complex",
      payload: { kind: "multi", creator_uid: task.element_uid, asset_versions: versions.map(versionOf) },
    },
  };
};

const versionOf = ({ version, files }: Asset) => ({
  version_uid: version,
  creator_uid: version,
  location: { storage_provider: schemeOf(files[0]?.uri), path: folderOf(files[0]?.uri ?? "") },
  asset_components: files.map((file, index) => ({
    kind: "name",
    name: nameOf(file.uri),
    component_uid: `asset_${index}`,
    url: file.uri,
    descriptor: { size: file.size, provider: schemeOf(file.uri), location: file.uri },
    ...(file.facts ? { media_analyze: { media_info: mediaInfo(file, file.facts) } } : {}),
  })),
});

const schemeOf = (uri = ""): string => /^([a-z0-9+.-]+):/i.exec(uri)?.[1] ?? "file";

/** Clients join it with a component's name: a local folder is a plain path. */
const folderOf = (uri: string): string => {
  const folder = uri.slice(0, uri.lastIndexOf("/"));
  return folder.startsWith("file://") ? decodeURIComponent(folder.slice("file://".length)) : folder;
};

const mediaInfo = ({ uri, size }: AssetFile, facts: MediaFacts) => [
  {
    stream_type: "ASSET",
    ASSET: { url: uri, format: facts.format, total_size: size },
    duration: facts.duration && toNumber(facts.duration),
  },
  ...facts.video.map((video) => ({
    stream_type: "VIDEO",
    id: video.index,
    codec: video.codec,
    codec_profile: video.profile,
    duration: video.duration && toNumber(video.duration),
    frame_rate: video.frameRate && toNumber(video.frameRate),
    frames: video.frames,
    VIDEO: { width: video.width, height: video.height, format: video.pixelFormat },
  })),
  ...facts.audio.map((audio) => ({
    stream_type: "AUDIO",
    id: audio.index,
    codec: audio.codec,
    duration: audio.duration && toNumber(audio.duration),
    AUDIO: { nr_channels: audio.channels, sample_rate: audio.sampleRate, language: audio.language },
  })),
];
