import { createAsk } from "../agent/outbound/ask.ts";
import { createDeliver } from "../agent/outbound/deliver.ts";
import { keepCredentials, readCredentials } from "../cli/farms/credentials.ts";
import { coordinatorConfig } from "../coordinator/config.ts";
import { type Coordinator, startCoordinator } from "../coordinator/coordinator.ts";
import { openLog } from "../coordinator/log.ts";
import { logLevelFrom } from "../shared/basics/log-level.ts";
import { systemClock } from "../shared/basics/system-clock.ts";
import { runService } from "./services/parent-channel.ts";
import { type Access, coordinatorStart } from "./services/service-messages.ts";

/** The farm's coordinator as a process of the desktop app. */
runService(async (message, say) => {
  const { dataDir, credentialsKey, port } = coordinatorStart.parse(message);
  const log = openLog(logLevelFrom(process.env, "info"));
  const timing = JSON.parse(process.env.MEDIAFARM_TIMING ?? "{}");
  const config = coordinatorConfig.parse({ ...timing, dataDir, port });
  const coordinator = await startCoordinator(config, {
    clock: systemClock,
    random: Math.random,
    log,
    deliver: createDeliver(systemClock),
    ask: createAsk(systemClock),
    fenced: () => process.exit(1),
  });
  const { baseUrl, firstSignInUrl, joinToken } = coordinator;
  // While nobody can sign in, the window opens the page that creates the owner.
  const dashboardUrl = firstSignInUrl ?? coordinator.dashboardUrl;
  say({ type: "ready", baseUrl, dashboardUrl, joinToken, access: accessTo(coordinator, credentialsKey) });
  return { close: coordinator.close };
});

/** A farm shows its secrets only once: they are stored where the command line stores them, and read from there later. */
const accessTo = ({ baseUrl, firstCredentials: first }: Coordinator, credentialsKey: string): Access | null => {
  const secrets = first && {
    oapi_key: first.oapiKey,
    oapi_secret: first.oapiSecret,
    auth_key: first.authKey,
    auth_secret: first.authSecret,
  };
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const folders = { XDG_CONFIG_HOME, APPDATA }; // MEDIAFARM_* may name another farm than this one
  keepCredentials(folders, credentialsKey, baseUrl, secrets);
  try {
    const {
      oapiKey,
      oapiSecret,
      authKey,
      authSecret,
      baseUrl: known,
    } = readCredentials(folders, { data: credentialsKey });
    return known === baseUrl ? { baseUrl, oapiKey, oapiSecret, authKey, authSecret } : null;
  } catch {
    return null; // lost: the app says what cannot be done without them
  }
};
