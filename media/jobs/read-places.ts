/** Ends of the paths of locations that are only read: files of filters, and the files of sources. */
const ends: readonly RegExp[] = [
  /\.(image_file|video_file|lut_file|index_location|splicepoint_file|metadata_location)$/,
  /\.(font_files|support_files)\[\d+\]$/,
  /\.payload\.payload$/,
  /\.(compare_asset|asset)\.payload$/,
  /\.payload\.payload\.location$/,
  /\.(compare_asset|asset)(\.payload)?\.location$/,
  /\.asset_urls\[\d+\]$/,
  /\.asset_(versions|components)\[\d+\]\.location$/,
];

/** Whether what stands at this path of a job is a location that nothing is written to. */
export const isPlaceToRead = (path: string): boolean => ends.some((end) => end.test(path));
