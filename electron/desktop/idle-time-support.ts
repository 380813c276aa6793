/**
 * Whether Electron's idle time can be trusted. Under Wayland it does not reflect people's input; there the agent uses
 * terminals and the load of other programs.
 */
export const isIdleTimeReliable = (platform: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  platform !== "linux" || (env.XDG_SESSION_TYPE !== "wayland" && env.WAYLAND_DISPLAY === undefined);
