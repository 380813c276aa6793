import { expect, test } from "vitest";
import { isLong } from "../helpers/long.ts";
import { hasSamples, obstacleOf, sampleNames, samplesFolder } from "../helpers/sample-reach.ts";
import { sourceSamples } from "../helpers/source-samples.ts";

const suffix = hasSamples ? "" : ` (skipped: there are no samples at ${samplesFolder})`;

/** Folders about sources, stitching, trims and contents. */
const ofSources = /^feature_examples\/(?:stitch_and_trim|source_options|hybrik_json\/source|audio\/)/;

test.skipIf(!hasSamples)(
  `every sample of sources that is in reach is run, and the others say what they lack${suffix}`,
  () => {
    const all = sampleNames().map((name) => ({ name, obstacle: obstacleOf(name) }));
    const inReach = all.filter(({ obstacle }) => obstacle === undefined).map(({ name }) => name);
    const told = all.filter(({ name }) => isLong || ofSources.test(name));
    const table = told.map(({ name, obstacle = "in reach" }) => `${name}: ${obstacle}`);
    const head = `${inReach.length} of ${all.length} samples are in reach${isLong ? "" : " (MEDIAFARM_LONG=1 lists all)"}`;
    console.info([head, ...table].join("\n"));
    expect(inReach.filter((name) => ofSources.test(name))).toEqual([...sourceSamples].sort());
    const lacking = all.flatMap(({ name, obstacle }) => (ofSources.test(name) && obstacle ? [[name, obstacle]] : []));
    expect(
      Object.fromEntries(
        lacking.map(([name = "", why = ""]) => [name.split("/").at(-1), why.replace(/^.*payload\./, "")]),
      ),
    ).toEqual({
      "source_captions_embedding_2_captions.json": "targets[0].video.closed_captions is not implemented yet",
      "source_folder_enum.json": 'folder_enum: elements of kind "folder_enum" are not implemented in this version',
      "source_pipeline_selective_filter_and_trim.json": "source_pipeline.filters is not implemented yet",
      "source_provider.json": "targets[0].video.filters is not implemented yet",
      "source_ttml_to_scc.json": "targets[0].subtitle is not implemented yet",
      "sources_burn_in_subtitles.json": "targets[0].video.filters is not implemented yet",
    });
  },
);
