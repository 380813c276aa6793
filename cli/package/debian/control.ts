/** What `dpkg` reads about the package. */
export const control = (version: string, installedKilobytes: number): string =>
  `${[
    "Package: mediafarm",
    `Version: ${version}`,
    "Architecture: amd64",
    "Maintainer: The Mediafarm developers <maintainers@mediafarm.invalid>",
    `Installed-Size: ${installedKilobytes}`,
    "Depends: ffmpeg, adduser, libc6, libstdc++6",
    "Section: video",
    "Priority: optional",
    "Description: media-processing farm on the workstations of a studio",
    " The coordinator with its API and pages, the agent that lends a machine, and the command line.",
    " Neither service is started by the installation: see /usr/share/doc/mediafarm/README.md.",
  ].join("\n")}\n`;
