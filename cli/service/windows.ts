import { join } from "node:path";
import { xmlText } from "../../shared/basics/xml-text.ts";
import { madeBy, type Service, type ServiceFile } from "./service.ts";

/** A task of Windows' Task Scheduler: at the user's sign-in, or at the machine's start. */
export const windowsFile = (service: Service): ServiceFile => {
  const { name, dataDir } = service;
  const path = join(dataDir, `${name}.task.xml`);
  const task = `\\Mediafarm\\${name}`;
  return {
    path,
    text: windowsTask(service),
    install: [
      ["schtasks.exe", "/Create", "/TN", task, "/XML", path, "/F"],
      ["schtasks.exe", "/Run", "/TN", task],
    ],
    remove: [
      ["schtasks.exe", "/End", "/TN", task],
      ["schtasks.exe", "/Delete", "/TN", task, "/F"],
    ],
    status: ["schtasks.exe", "/Query", "/TN", task],
  };
};

/** Version 1.2 of the schema: elements stand in this order. */
export const windowsTask = ({ title, argv: [program, ...args], folder, scope, user }: Service): string => {
  const trigger = scope === "user" ? "LogonTrigger" : "BootTrigger";
  const logon = scope === "user" ? "InteractiveToken" : "S4U";
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${madeBy} -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${xmlText(title)}</Description>
  </RegistrationInfo>
  <Triggers>
    <${trigger}>
      <Enabled>true</Enabled>
    </${trigger}>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xmlText(user)}</UserId>
      <LogonType>${logon}</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(program)}</Command>
      <Arguments>${xmlText(args.map(windowsWord).join(" "))}</Arguments>
      <WorkingDirectory>${xmlText(folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
};

/** As programs of Windows take their line apart: quotes are escaped, and so are backslashes before a quote. */
export const windowsWord = (text: string): string =>
  /^[^\s"]+$/.test(text) ? text : `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
