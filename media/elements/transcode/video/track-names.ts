/** A track's own name: QuickTime shows the handler's, other containers the title. */
export const trackNames = ({
  track_name: name,
}: {
  readonly track_name?: string | undefined;
}): Record<string, string> => (name ? { title: name, handler_name: name } : {});
