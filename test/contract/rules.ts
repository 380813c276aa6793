/** Where rules are tested: `file: words of the test's name`. The test of this table looks that they stand there. */
const http = "test/coordinator/http/";
const media = "test/ffmpeg/targets/transcode.test.ts: ";
const agent = "test/agent/attempt/attempts.test.ts: ";
const planned = "test/media/elements/transcode/transcode.test.ts: ";
const api = "test/contract/api.test.ts: ";
const commands = "test/contract/commands.test.ts: ";
const answers = "test/contract/answers.test.ts: ";
const expressions = "test/media/elements/transcode/expressions.test.ts: ";
const codecs = "test/media/elements/transcode/codecs.test.ts: ";
const strict = "test/media/elements/transcode/conflicts.test.ts: ";

export const testedRules: Readonly<Record<string, string>> = {
  "0/base-path": `${http}server.test.ts: is the same path`,
  "1/http-api": "test/flows/programs/docs-api.test.ts: its examples run in order and answer as shown",
  "1/methods": `${answers}answers 200 with what it is to answer`,
  "1/xml-payload":
    "test/media/thirdparty.test.ts: a small document becomes a source and a transcode, and passes as an ordinary job",
  "1/json-bodies": `${http}server.test.ts: is told of with the fields that are asked for`,
  "1/job-is-graph": `${answers}is answered with its type`,
  "1/capabilities": "test/ffmpeg/elements/package.test.ts: of both kinds is made over one set of media",
  "1/task-per-element":
    "test/coordinator/attempts/simulated-tasks.test.ts: a job walks through its states by its script, without a node",
  "1/task-split":
    "test/flows/jobs/sections.test.ts: is made by several nodes, one of which dies, and leaves one whole file",
  "2.3/split-task": "test/media/elements/transcode/division/division.test.ts: are divided as the job asks",
  "2.3/open-split": "test/media/elements/transcode/division/division.test.ts: are divided as the job asks",
  "1/tasks-distributed": `${api}the tasks of one job are spread over the machines that are free`,
  "1/priorities": "test/coordinator/schedule/ready.test.ts: is strict between priorities",
  "1/auto-retry": "test/coordinator/jobs/flow.test.ts: is retried as often as the job allows, after its delay",
  "1/taken-branch": "test/media/instances/graph.test.ts: a success starts the success set and skips the error set",
  "1/session": `${http}clients.test.ts: creates a job, with retries as flat keys, and reads an id that is text`,
  "2.1/name-not-unique": "test/contract/rules.test.ts: two jobs may have one name",
  "2.1/payload-by-schema":
    "test/shared/model/job.test.ts: a payload that is a text is refused where no document is expected",
  "2.1/payload-length": `${http}hostile.test.ts: a payload has 128,000 characters at most`,
  "2.1/expiration": "test/coordinator/jobs/endings.test.ts: happens by itself when a job expires, counted from its end",
  "2.1/task-retry-object": "test/shared/model/job.test.ts: without retry_method the job's apply",
  "2.1/task-retry-defaults": "test/shared/model/job.test.ts: a job is read with its defaults",
  "2.1/task-tags": "test/coordinator/schedule/choose.test.ts: by providing every tag and every capability",
  "2.1/definitions-global":
    "test/shared/model/definitions.test.ts: every occurrence is replaced, in arrays and objects too",
  "2.1/definition-shape": `${http}server.test.ts: is echoed as it was received, with the default priority`,
  "2.1/update-optional": `${http}server.test.ts: is changed, stopped and deleted, each answered with its id`,
  "2.2/uid-unique": "test/shared/model/job.test.ts: uids are unique",
  "2.2/payload-matches-kind": "test/shared/model/job.test.ts: an element's own fields are checked to the last",
  "2.2/same-kind-many": "test/contract/rules.test.ts: elements of one kind may stand side by side",
  "2.2/open-payloads": "test/shared/model/job.test.ts: an element's own fields are checked to the last",
  "2.2/from": "test/shared/model/job.test.ts: every end of a connection exists",
  "2.2/to-exclusive": "test/media/instances/graph.test.ts: a failure starts the error set and skips the success set",
  "2.2/series": "test/coordinator/jobs/flow.test.ts: goes from probe over grant to the end",
  "2.2/parallel": "test/media/instances/graph.test.ts: elements that nothing leads to start at once",
  "2.2/error-connection":
    "test/coordinator/jobs/flow.test.ts: whose error set succeeds completes the job with handled errors",
  "2.3/task-name":
    "test/shared/model/job.test.ts: an element's name is its task's, else its own, else made of the job's and its uid",
  "2.3/task-tags": "test/shared/model/job.test.ts: tags of an element stand once each, those of the job beside them",
  "2.3/retry-method": "test/shared/model/job.test.ts: retry means the element's own, which it must have",
  "2.3/task-priority": "test/coordinator/jobs/endings.test.ts: does not overrule a task",
  "2.3/comment": `${api}a task's comment is given back to programs, and to nobody else`,
  "2.4/substitution": "test/shared/model/definitions.test.ts: a name in a text is replaced by its value",
  "2.4/inherits": "test/shared/model/definitions.test.ts: brings the contents of the object",
  "2.4/inherits-siblings": "test/shared/model/definitions.test.ts: fields that stand beside it win and complement",
  "2.5/info-fields": `${answers}answers 200 with what it is to answer`,
  "2.5/info-id-string": `${answers}is answered with its type`,
  "2.5/progress": `${answers}is answered with its type`,
  "2.5/times": `${answers}is answered with its type`,
  "2.5/task-info-fields": `${answers}is answered with its type`,
  "2.5/result-shape": "test/coordinator/views/result/result.test.ts: a job that waits has a result of the same shape",
  "2.5/result-ids": `${answers}is answered with its type`,
  "2.6/omitted-is-source": `${planned}take the source's track of the same place`,
  "2.6/one-source": `${planned}decodes once in one command`,
  "2.6/independent-targets": `${media}two renditions and thumbnails come out of one command`,
  "2.6.1/uid": `${strict}two targets of one uid are refused, relaxed or not`,
  "2.6.1/file-pattern": "test/shared/files/file-pattern.test.ts: a source without extension has none",
  "2.6.1/manifest-uids":
    "test/media/elements/transcode/manifests.test.ts: manifests are described from the targets that name them",
  "2.6.1/processing-groups":
    "test/coordinator/planning/processing-groups.test.ts: a later element takes the targets that belong to one of its groups",
  "2.6.1/temp-location": `${planned}names the folder of its temporary files and what they begin with`,
  "2.6.1/open": `${planned}follow on one another: source, pipeline, target`,
  "2.6.1/existing_files.fail": `${agent}existing_files fail is refused before anything runs`,
  "2.6.1/existing_files.replace": `${agent}each policy for existing files does what it says`,
  "2.6.1/existing_files.delete_and_replace": `${agent}each policy for existing files does what it says`,
  "2.6.1/existing_files.replace_late": `${agent}each policy for existing files does what it says`,
  "2.6.1/existing_files.rename_new": `${agent}each policy for existing files does what it says`,
  "2.6.1/existing_files.rename_org": `${agent}each policy for existing files does what it says`,
  "2.6/location-inherit":
    "test/shared/files/location.test.ts: a folder comes from path, else from url, else from its parent",
  "2.6.1/location": "test/shared/files/location.test.ts: a folder comes from path, else from url, else from its parent",
  "2.6.2/references-location":
    "test/ffmpeg/targets/references.test.ts: lies at the target's place, has no media, and plays them from where they are, also once both have moved",
  "2.6.2/mux-warnings":
    "test/ffmpeg/targets/more-forms.test.ts: a muxer's warning fails the target that says so, and no other",
  "2.6.2/verify": `${planned}says what each output must turn out to be`,
  "2.6.2/faststart": `${commands}is made to be played while it is loaded, unless it shall not`,
  "2.6.2/metadata": `${commands}carries title, author, copyright and address`,
  "2.6.2/brand": `${commands}names its brand`,
  "2.6.1/compliance": `${planned}follow the delivery standard, which the job's fields override unless it is strict`,
  "2.6.1/compliance-enforcement": `${planned}follow the delivery standard, which the job's fields override unless it is strict`,
  "2.6.1/extenc-args": `${planned}takes ffmpeg's arguments as the fields that they stand for`,
  "2.6.1/service-encoder-args": `${planned}takes ffmpeg's arguments as the fields that they stand for`,
  "2.6.1/extenc-compliance": `${planned}takes ffmpeg's arguments as the fields that they stand for`,
  "2.6.7/extenc-args": `${planned}takes ffmpeg's arguments as the fields that they stand for`,
  "2.6.2/auto-speed-change":
    "test/media/elements/transcode/codecs.test.ts: a source plays faster or slower where its rate is near enough",
  "2.6.5/smart-conversions":
    "test/media/elements/transcode/codecs.test.ts: are converted between standard and high definition",
  "2.6.5/broadcast-safe": "test/media/elements/transcode/codecs.test.ts: are limited to broadcast-safe levels",
  "2.6.5/ar-crop": `${planned}after a crop keeps its size, with bars or distorted`,
  "2.6.5/modulus": `${planned}a width and a modulus`,
  "2.6.5/pad-crop": `${planned}another shape: cropped`,
  "2.6.5/force-source": `${commands}takes the shape that %j forces on its source`,
  "2.6.5/open": `${planned}constant bit rate fills its buffer`,
  "2.6.6/scaler": `${commands}is scaled by %j to a width of %i with %s`,
  "2.6.7/sample-size": `${commands}of %s bits is %s`,
  "2.6.7/sample-rate": `${commands}keeps its rate, unless it is told another`,
  "2.6.7/default-language": `${commands}falls back to its default language`,
  "2.6.7/track-name": `${commands}has its name`,
  "2.6.5/par-dar": `${planned}squares the pixels of an anamorphic source where that fits`,
  "2.6.7/language": `${media}ProRes comes with PCM, language and timecode`,
  "2.6.1/parameter_compliance": `${strict}a strict target is refused, a relaxed one warned about`,
  "2.6.1/include-if-source-has": `${planned}that the source does not have are refused, or left out when conditional`,
  "1/conditional": `${expressions}leave out a target when one of them is false or unknown`,
  "2.6.1/include-conditions": `${expressions}leave out a target when one of them is false or unknown`,
  "2.6.2/segment-duration": "test/ffmpeg/targets/segmented.test.ts: is cut at frames, at the duration asked for",
  "2.6.2/align-av": "test/ffmpeg/texts/subtitles.test.ts: are cut into segments with a playlist that plays them",
  "2.6.2/vframe-align": "test/ffmpeg/targets/segmented.test.ts: is cut at frames, at the duration asked for",
  "2.6.4/track-group":
    "test/ffmpeg/elements/package.test.ts: offers each picture with its groups of sound, in byte ranges",
  "2.6.4/layers": "test/ffmpeg/elements/package.test.ts: offers each picture with its groups of sound, in byte ranges",
  "2.6.3/conditions": `${expressions}leave out filters of pictures, sound and containers`,
  "2.6.1/passes": `${media}%s passes meet the bit rate`,
  "2.6.1/slow-first-pass": `${planned}two passes are two commands that share a log`,
  "2.6.2/muxrate": `${strict}fields of transport streams contradict other containers`,
  "2.6.2/ts-pids": `${strict}fields of transport streams contradict other containers`,
  "2.6.2/ts-intervals": `${strict}fields of transport streams contradict other containers`,
  "2.6.2/dvd": `${strict}what is for some containers or codecs only contradicts the others`,
  "2.6.2/sdt": `${codecs}that is a transport stream says what a job wants of it`,
  "2.6.2/ts-offset": `${codecs}that is a transport stream says what a job wants of it`,
  "2.6.2/compatible-brands":
    "test/ffmpeg/targets/mp4-boxes.test.ts: has the brands, vendor and aperture of the job, and plays all the same",
  "2.6.2/mov-atoms": `${codecs}of MP4's kind has no list of edits where it shall have none`,
  "2.6.5/vbi": `${codecs}of D-10 is of one size a picture, below the lines of the blanking interval`,
  "2.6.8/ex-mode": `${codecs}of the vendor tells decoders what they may know`,
  "2.6.8/downmix": `${codecs}of the vendor tells decoders what they may know`,
  "2.6.8/open": `${codecs}of the vendor tells decoders what they may know`,
  "2.6.2/data-tracks": `${media}ProRes comes with PCM, language and timecode`,
  "2.6.2/scte35-write":
    "test/ffmpeg/targets/splices.test.ts: is written from a job's list and from a file, and passes from stream to stream",
  "2.6.2/scte35-cue": "test/media/splices/splice-info.test.ts: a splice_insert is written bit by bit as SCTE 35 says",
  "2.6.2/scte35-avails":
    "test/media/splices/splice-info.test.ts: the number of an avail counts only where avails are expected",
  "2.6.2/scte35-oneof": "test/contract/rules.test.ts: scte35 and trims are known by their fields, wrapped or not",
  "2.6.3/kind-default": "test/contract/rules.test.ts: a filter without a kind is of the usual one",
  "2.6.3/payload-keyed": "test/contract/rules.test.ts: a filter's payload may stand under its kind",
  "2.6.5/preset": `${strict}what is for some containers or codecs only contradicts the others`,
  "2.6.5/pid": `${strict}fields of transport streams contradict other containers`,
  "2.6.5/size": "test/contract/fields.test.ts: refuses %s by its path",
  "2.6.6/kind-default": "test/contract/rules.test.ts: a filter without a kind is of the usual one",
  "2.6.6/print-timecode": "test/ffmpeg/filters/picture-filters.test.ts: prints %s into every picture",
  "2.6.6/extenc":
    "test/media/elements/transcode/filters.test.ts: a chain in ffmpeg's words is parsed, and what is not on the list refused",
  "2.6.6/image-overlay": "test/ffmpeg/filters/picture-filters.test.ts: blends each pixel by its opacity",
  "2.6.6/video-overlay": "test/ffmpeg/filters/picture-filters.test.ts: plays so many times, and is gone",
  "2.6.6/telecine":
    "test/ffmpeg/filters/picture-filters.test.ts: pattern %s shows each picture for its number of fields",
  "2.6.6/color-convert":
    "test/ffmpeg/filters/picture-filters.test.ts: %s brings grey to the number that arithmetic tells",
  "2.6.6/open": "test/ffmpeg/filters/picture-filters.test.ts: a table of the job's own maps every colour",
  "2.6.6/print-subtitle": "test/ffmpeg/texts/print-subtitle.test.ts: draws each text for its time",
  "2.6.6/crop": "test/ffmpeg/filters/filters.test.ts: by %s keeps every byte of what is left",
  "2.6.6/blur": "test/ffmpeg/filters/filters.test.ts: lays a bell curve of the radius over every pixel",
  "2.6.6/deinterlace":
    "test/media/elements/transcode/filters.test.ts: motion compensation takes the filter that some nodes have",
  "2.6.7/filter-order": "test/media/elements/transcode/filters.test.ts: filters of sound stand in their order",
  "2.6.6/payload-matches": "test/contract/rules.test.ts: a filter's payload is that of its kind",
  "2.6.7/pid": `${strict}fields of transport streams contradict other containers`,
  "2.6.7/codec-provider": "test/media/jobs/aliases.test.ts: values in their places",
  "2.6.7/vbr-bounds": `${strict}bit rates contradict each other`,
  "3/open-transitions": "test/shared/state/job.test.ts: that nobody began waits",
  "3/open-substatus": "test/shared/state/job.test.ts: whose only open task waits out a delay retries",
  "3/open-stop": "test/coordinator/jobs/endings.test.ts: ends a job on its node: failed and stopped",
  "3/job-status": `${answers}const statuses`,
  "9/entry-points": "test/coordinator/routes/test-entry.test.ts: the test entry point refuses jobs of schema %s",
  "3/task-status": `${answers}is answered with its type`,
  "3/render-status": "test/coordinator/views/result/result.test.ts: a job that runs shows who has it and since when",
  "3/filterable": `${http}clients.test.ts: lists with filters that are objects`,
  "3/delete-any-state": "test/coordinator/jobs/endings.test.ts: ends what runs and leaves nothing",
  "3/expire": "test/coordinator/jobs/endings.test.ts: happens by itself when a job expires, counted from its end",
  "4/compliance-header": `${http}auth.test.ts: every other call`,
  "4/basic-auth": `${http}auth.test.ts: every other call`,
  "4/token-header": `${http}auth.test.ts: every other call`,
  "4/content-type": `${http}auth.test.ts: takes a body whose content type is another`,
  "4/args-both": `${http}server.test.ts: come in the body of a GET, which wins`,
  "4/array-250": `${http}server.test.ts: of more than 250 elements are taken from the body`,
  "4/query-arrays": `${http}clients.test.ts: send lists as JSON text`,
  "4/query-filters": `${http}clients.test.ts: lists with filters that are objects`,
  "4/path-params": `${answers}answers 200 with what it is to answer`,
  "4/defaults-list": `${http}clients.test.ts: asks for anything at all to see whether the farm is there`,
  "4/count": `${answers}answers 200 with what it is to answer`,
  "4/only-requested": `${http}server.test.ts: is told of with the fields that are asked for`,
  "4/open-result-tasks":
    "test/coordinator/views/result/result.test.ts: a job that waits has a result of the same shape",
  "5.1": `${http}auth.test.ts: every other call`,
  "5.1/basic-alone": `${http}auth.test.ts: every other call`,
  "5.2": `${api}all API users of the account share its OAPI pair; those who reach all see the same jobs`,
  "5.2/owner-only":
    "test/coordinator/routes/account.test.ts: is shown to an owner who enters the password again, and its secret nowhere else",
  "5.3": `${http}auth.test.ts: takes its arguments from the body`,
  "5.3/no-web-user": `${http}ui.test.ts: a person's name and password are no API user's`,
  "5.3/created-in-web":
    "test/coordinator/routes/account.test.ts: are made with a secret that is shown once, of letters that a URL may hold",
  "5.3/shown-once":
    "test/coordinator/routes/account.test.ts: are made with a secret that is shown once, of letters that a URL may hold",
  "5.4": `${http}auth.test.ts: ends 30 minutes after its last use`,
  "5.4/extend": `${http}auth.test.ts: ends 30 minutes after its last use`,
  "5.4/relogin": `${http}auth.test.ts: ends 30 minutes after its last use`,
  "6/open-events": `${http}events.test.ts: a listener hears what happens, as it is documented`,
  "7/open-status": `${http}auth.test.ts: every other call`,
  "7/open-errors":
    "test/coordinator/views/result/result.test.ts: that a retry made good stay listed as recoverable, the last one is not",
  "7/payload-mismatch":
    "test/shared/model/job.test.ts: a payload that is a text is refused where no document is expected",
  "7/strict-conflict": `${strict}a strict target is refused, a relaxed one warned about`,
  "7/fail-not-retried": "test/shared/model/job.test.ts: fail means never",
  "8/open-rate": `${http}auth.test.ts: who guesses waits longer and longer, who is right never`,
  "8/query-array": `${http}server.test.ts: of more than 250 elements are taken from the body`,
  "8/payload-length": `${http}hostile.test.ts: a payload has 128,000 characters at most`,
  "8/auth-length": `${http}auth.test.ts: takes credentials up to 512 characters`,
  "8/token": `${http}auth.test.ts: ends 30 minutes after its last use`,
  "9/version-in-path": `${http}server.test.ts: is the same path`,
  "9/compliance": `${http}auth.test.ts: every other call`,
  "9/compliance-meaning": `${http}answers/versions.test.ts: changes are undone from the newest back to the client's day`,
};

type OfFields = { readonly kind: string; readonly fields: readonly string[] };

const job = (...fields: string[]): OfFields => ({ kind: "job", fields });
const source = (...fields: string[]): OfFields => ({ kind: "source", fields });
const target = (...fields: string[]): OfFields => {
  return { kind: "transcode", fields: fields.map((name) => `targets[].${name}`) };
};

/**
 * Rules that say no more than which values fields take: the generated tests of those fields are theirs. They are kept where
 * a job is performed in which the fields are read, which `every-field` tells.
 */
export const rulesOfFields: Readonly<Record<string, OfFields>> = {
  "2.1/schema-default": job("schema"),
  "2.1/priority": job("priority"),
  "2.1/user-tag": job("user_tag"),
  "2.2/payload-arrays": job("payload.elements[].uid", "payload.connections[].from[].element"),
  "2.2/source-shape": source("(asset_url).payload.url"),
  "2.3/retry-limits": job("payload.elements[].task.retry.count", "payload.elements[].task.retry.delay_sec"),
  "2.3/extended": job("payload.elements[].task.extended.start_payload_filter.processing_group_ids"),
  "2.4/values": job("definitions"),
  "2.6.1/trim": target(
    "trim.inpoint_sec",
    "trim.inpoint_tc",
    "trim.inpoint_asset_tc",
    "trim.inpoint_frame",
    "trim.section_nr",
    "trim.inpoint",
  ),
  "2.6.1/size-estimate": target("size_estimate"),
  "2.6.1/audio-zero-based": target("audio[].source[].track"),
  "2.6.2/vendor": target("container.vendor"),
  "2.6.2/transport-id": target("container.transport_id"),
  "2.6.2/attributes": target("container.attributes[].name", "container.attributes[].value"),
  "2.6.2/scte35-source": target("container.scte35.use_source_media"),
  "2.6.2/scte35-sidecar": target("container.scte35.splicepoint_file.url"),
  "2.6.2/scte35-json": target("container.scte35.scte35_sections[].insertTime"),
  "2.6.2/scte35-nesting": target(
    "container.scte35.scte35_sections[].spliceInfoSection.spliceInsert.program.spliceTime.ptsTime",
  ),
  "2.6.3/speed-change": target(
    "container.filters[speed_change].payload.factor",
    "container.filters[speed_change].payload.pitch_correction",
  ),
  "2.6.3/fade": target(
    "container.filters[fade].payload.mode",
    "container.filters[fade].payload.start_sec",
    "container.filters[fade].payload.duration_sec",
  ),
  "2.6.4/shared": target(
    "video.include_if_source_has",
    "video.include_conditions",
    "video.verify",
    "video.track_group_id",
    "video.layer_id",
    "video.layer_affinities",
  ),
  "2.6.5/enabled": target("video.enabled"),
  "2.6.5/codec": target("video.codec"),
  "2.6.5/ar-distortion": target("video.ar_max_distortion"),
  "2.6.5/video-format": target("video.video_format"),
  "2.6.5/chroma": target("video.chroma_format"),
  "2.6.5/profile": target("video.profile"),
  "2.6.5/level": target("video.level"),
  "2.6.5/jp2-levels": target("video.mainlevel", "video.sublevel"),
  "2.6.5/tune-open": target("video.tune"),
  "2.6.5/rate-names": target(
    "video.bitrate_mode",
    "video.bitrate_kb",
    "video.max_bitrate_kb",
    "video.max_bframes",
    "video.frames",
  ),
  "2.6.5/frame-rate": target("video.frame_rate"),
  "2.6.6/position": target("video.filters[crop].options.position"),
  "2.6.6/fade": target("video.filters[fade].payload.mode"),
  "2.6.7/codec": target("audio[].codec"),
  "2.6.7/channels": target("audio[].channels"),
  "2.6.7/bitrate-mode": target("audio[].bitrate_mode"),
  "2.6.7/bitrate": target("audio[].bitrate_kb"),
  "2.6.7/designators": target("audio[].channel_designators"),
  "2.6.7/dialnorm": target("audio[].dialnorm"),
  "2.6.7/stream-mux-options": target("audio[].thirdparty_stream_mux_options"),
  "2.6.8/coding-mode": target("audio[].vendor_digital_plus.audio_coding_mode"),
  "2.6.8/bitstream-mode": target("audio[].vendor_digital_plus.bitstream_mode"),
  "2.6.8/dialnorm": target("audio[].vendor_digital_plus.dialnorm"),
  "2.6.8/phase-shift": target("audio[].vendor_digital_plus.phase_shift_90_degree"),
  "8/user-tag": job("user_tag"),
  "8/expiration": job("expiration"),
  "8/priority": job("priority"),
  "8/retry-count": job("payload.elements[].task.retry.count"),
  "8/retry-delay": job("payload.elements[].task.retry.delay_sec"),
  "8/task-retry-default-count": job("task_retry.count"),
  "8/task-retry-default-delay": job("task_retry.delay_sec"),
  "8/video-size": target("video.width", "video.height"),
  "8/modulus": target("video.width_modulus", "video.height_modulus"),
  "8/passes": target("nr_of_passes"),
  "8/pids": target("container.transport_id", "container.pcr_pid", "container.pmt_pid", "video.pid", "audio[].pid"),
  "8/intervals": target("container.pcr_interval_ms", "container.pmt_interval_ms", "container.pat_interval_ms"),
  "8/channels": target("audio[].channels"),
  "8/audio-bitrates": target("audio[].bitrate_kb", "audio[].min_bitrate_kb", "audio[].max_bitrate_kb"),
};

/** Rules whose test shows a refusal: they are kept where their fields are read elsewhere. */
export const rulesOfRefusals: Readonly<Record<string, OfFields>> = {
  "2.6.2/muxrate": target("container.muxrate_kb"),
  "2.6.2/ts-pids": target("container.pcr_pid", "container.pmt_pid"),
  "2.6.2/ts-intervals": target("container.pcr_interval_ms", "container.pmt_interval_ms", "container.pat_interval_ms"),
  "2.6.2/dvd": target("container.dvd_compatible"),
  "2.6.5/preset": target("video.preset"),
  "2.6.5/pid": target("video.pid"),
  "2.6.7/pid": target("audio[].pid"),
  "2.6.7/vbr-bounds": target("audio[].min_bitrate_kb", "audio[].max_bitrate_kb"),
  "2.6.5/size": target("video.width", "video.height"),
};

/** Limits of routes, which the generated tests of their arguments try. */
export const rulesOfRoutes: readonly string[] = ["8/take"];

/** What nobody outside can see, and why. */
export const unseenRules: Readonly<Record<string, string>> = {
  "2.6.1/force-local":
    "every file is made whole on local storage before anybody sees it; there is no in-stream processing",
  "2.6/open": "fields that the specification does not show; those of its other pages are checked like its own",
  "5.5": "asks something of people",
  "9/compliance-use": "asks something of clients",
};
