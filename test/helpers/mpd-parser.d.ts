/** The package brings no types of its own. */
declare module "mpd-parser" {
  type Playlist = { readonly attributes: { readonly RESOLUTION: { readonly width: number; readonly height: number } } };
  export const parse: (
    text: string,
    options: { readonly manifestUri: string },
  ) => {
    readonly playlists: readonly Playlist[];
    readonly mediaGroups: { readonly AUDIO: { readonly audio: object } };
  };
}
