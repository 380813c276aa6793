import { join } from "node:path";
import { madeBy, type Service, type ServiceFile } from "./service.ts";

/** A unit of systemd, of the user or of the machine. */
export const systemdFile = (service: Service, { configHome }: { readonly configHome: string }): ServiceFile => {
  const { name, scope } = service;
  const unit = `${name}.service`;
  const ask = scope === "user" ? ["systemctl", "--user"] : ["systemctl"];
  return {
    path: scope === "user" ? join(configHome, "systemd/user", unit) : join("/etc/systemd/system", unit),
    text: systemdUnit(service),
    install: [
      [...ask, "daemon-reload"],
      [...ask, "enable", "--now", unit],
    ],
    remove: [[...ask, "disable", "--now", unit]],
    status: [...ask, "is-active", unit],
  };
};

export const systemdUnit = (service: Service): string => {
  const { title, argv, folder, scope, user } = service;
  return `# ${madeBy}
[Unit]
Description=${title}
${scope === "system" ? "Wants=network-online.target\nAfter=network-online.target\n" : ""}
[Service]
Type=exec
${scope === "system" ? `User=${user}\n` : ""}WorkingDirectory=${escaped(folder)}
ExecStart=${argv.map(word).join(" ")}
# The first start prints secrets on stdout, which belong into no journal. The log is on stderr.
StandardOutput=null
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60
LimitNOFILE=65536

${hardening(service).join("\n")}

[Install]
WantedBy=${scope === "system" ? "multi-user.target" : "default.target"}
`;
};

/** Node compiles code in memory, so MemoryDenyWriteExecute stays away. Graphics cards that encode need their devices. */
const hardening = ({ scope, dataDir, writes }: Service): string[] => [
  "# What it may not do.",
  "NoNewPrivileges=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "RestrictRealtime=yes",
  "SystemCallArchitectures=native",
  ...(scope === "system" ? machineHardening([dataDir, ...writes]) : []),
];

/** A user's service manager has no right to these. */
const machineHardening = (writes: readonly string[]): string[] => [
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "ProtectSystem=strict",
  `ReadWritePaths=${writes.map((path) => word(path)).join(" ")}`,
  "PrivateTmp=yes",
  "DevicePolicy=closed",
  "DeviceAllow=char-drm rw",
  "DeviceAllow=char-nvidia-frontend rw",
  "DeviceAllow=char-nvidia-uvm rw",
  "ProtectKernelTunables=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelLogs=yes",
  "ProtectControlGroups=yes",
  "ProtectClock=yes",
  "ProtectHostname=yes",
  "ProtectProc=invisible",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
  "RestrictNamespaces=yes",
  "RemoveIPC=yes",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged",
  "SystemCallErrorNumber=EPERM",
];

/** A word of a command line: quoted, and nothing in it is a variable or a specifier. */
const word = (text: string): string => `"${escaped(text).replaceAll(/["\\]/g, "\\$&").replaceAll("$", "$$$$")}"`;

/** `%` begins a specifier. A line feed would begin another setting. */
const escaped = (text: string): string => text.replaceAll("%", "%%").replaceAll(/[\r\n]/g, " ");
