/**
 * Whether Electron's idle time means what it says. Under Wayland it counts from nothing that people do; there the agent
 * goes by terminals and by the load of other programs.
 */
export const canTrustIdle = (platform: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  platform !== "linux" || (env.XDG_SESSION_TYPE !== "wayland" && env.WAYLAND_DISPLAY === undefined);
