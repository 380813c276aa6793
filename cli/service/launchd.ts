import { join } from "node:path";
import { xmlText } from "../../shared/basics/xml-text.ts";
import { madeBy, type Service, type ServiceFile } from "./service.ts";

/** A property list of launchd: an agent of the user, or a daemon of the machine. */
export const launchdFile = (
  service: Service,
  { home, uid }: { readonly home: string; readonly uid: number },
): ServiceFile => {
  const label = labelOf(service);
  const isUser = service.scope === "user";
  const path = join(isUser ? join(home, "Library/LaunchAgents") : "/Library/LaunchDaemons", `${label}.plist`);
  const domain = isUser ? `gui/${uid}` : "system";
  return {
    path,
    text: launchdPlist(service),
    install: [["launchctl", "bootstrap", domain, path]],
    remove: [["launchctl", "bootout", `${domain}/${label}`]],
    status: ["launchctl", "print", `${domain}/${label}`],
  };
};

const labelOf = ({ name }: Service): string => `app.mediafarm.${name}`;

export const launchdPlist = (service: Service): string => {
  const { argv, folder, scope, user, dataDir } = service;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${madeBy} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${text(labelOf(service))}
  <key>ProgramArguments</key>
  <array>
${argv.map((each) => `    ${text(each)}`).join("\n")}
  </array>
  <key>WorkingDirectory</key>
  ${text(folder)}
${scope === "system" ? `  <key>UserName</key>\n  ${text(user)}\n` : ""}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>60</integer>
  <key>Umask</key>
  <integer>18</integer>
  <key>StandardOutPath</key>
  <string>/dev/null</string>
  <key>StandardErrorPath</key>
  ${text(join(dataDir, "service.log"))}
</dict>
</plist>
`;
};

const text = (value: string): string => `<string>${xmlText(value)}</string>`;
