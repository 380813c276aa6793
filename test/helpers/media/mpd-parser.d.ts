/** The package brings no types of its own. */
declare module "mpd-parser" {
  /** Bytes. */
  type Range = { readonly offset: number; readonly length: number };
  type Segment = { readonly byterange: Range; readonly map: { readonly byterange: Range } };
  type Playlist = {
    readonly attributes: { readonly RESOLUTION: { readonly width: number; readonly height: number } };
    readonly segments: readonly Segment[];
  };
  export const parse: (
    text: string,
    options: { readonly manifestUri: string },
  ) => {
    readonly playlists: readonly Playlist[];
    readonly mediaGroups: { readonly AUDIO: { readonly audio: object } };
  };
}
