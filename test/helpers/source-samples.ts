const [audio, json, stitching] = ["audio", "hybrik_json", "stitch_and_trim"].map((each) => `feature_examples/${each}`);
const contents = "feature_examples/source_options/contents_array";

/** Sample jobs about sources, stitching, trims and contents that can be run: each has its story in test/flows. */
export const sourceSamples = [
  `${audio}/alternate_audio_tracks.json`,
  `${audio}/audio_source_mapping.json`,
  `${audio}/audio_track_name_channel_designator.json`,
  `${audio}/source_audio_interleaved_to_discrete_mapping_example.json`,
  `${audio}/target_audio_mapping_6ch_and_2ch.json`,
  `${json}/source_asset_complex_sequence.json`,
  `${json}/source_imf_cpl.json`,
  `${contents}/hybrik_contents_array_audio_mapping_example_url.json`,
  `${contents}/hybrik_contents_array_stitched_sequence_example.json`,
  `${stitching}/generated_black_silence_head_tail.json`,
  `${stitching}/trim_by_source_asset_timecode.json`,
  `${stitching}/trim_by_timecode.json`,
] as const;
