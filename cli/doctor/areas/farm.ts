import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { Area, Patient, RunningFarm } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

const dayMs = 86_400_000;
const loopback = /^(?:localhost|127\.|\[?::1)/;

/** Whether the farm answers at its address, can work, and until when its certificate is valid. */
export const farm: Area = {
  name: "farm",
  limitMs: 15_000,
  look: async (patient, signal) => {
    if (!patient.farm) return [await stoppedFinding(patient, signal)];
    const { url } = patient.farm;
    return [
      await answers(patient.farm, "healthz", signal),
      await answers(patient.farm, "readyz", signal),
      ...(await tlsFindings(new URL(url), patient, signal)),
    ];
  },
};

/** Nothing should listen at the address of a farm that does not run. */
const stoppedFinding = async ({ dataDir, lastUrl }: Patient, signal: AbortSignal): Promise<Finding> => {
  const stopped = `No farm runs from ${dataDir}`;
  const start = `Start it with: mediafarm up --data ${dataDir}`;
  if (lastUrl === undefined || !(await isTaken(new URL(lastUrl), signal))) return warn("running", stopped, start);
  const words = `${stopped}, but something listens at its address ${new URL(lastUrl).host}`;
  return warn("running", words, "Find out which program it is, or start the farm with another --port.");
};

const isTaken = async (url: URL, signal: AbortSignal): Promise<boolean> => {
  try {
    (await opened(connect(portOf(url), hostOf(url)), "connect", signal)).destroy();
    return true;
  } catch {
    return false; // refused, or no such host any more
  }
};

const opened = <S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> => {
  const result = Promise.withResolvers<S>();
  socket.once(event, () => result.resolve(socket));
  socket.once("error", result.reject);
  signal.addEventListener("abort", () => socket.destroy(new Error("It does not answer in time")), { once: true });
  return result.promise;
};

const questions = {
  healthz: ["answers", "It answers"],
  readyz: ["ready", "It can work: it leads, and its disk can be written to"],
} as const;

const answers = async ({ url }: RunningFarm, path: keyof typeof questions, signal: AbortSignal): Promise<Finding> => {
  const [what, fine] = questions[path];
  try {
    const { status } = await fetch(new URL(path, url), { signal });
    if (status === 200) return ok(what, `${fine} (${url})`);
    return bad(what, `${url}${path} says ${status}`, "Look into the farm's log; a full disk is the usual reason.");
  } catch (problem) {
    const cause = problem instanceof Error && problem.cause !== undefined ? problem.cause : problem;
    return bad(what, `${url} does not answer: ${messageOf(cause)}`, "Look into the farm's log, and start it again.");
  }
};

const tlsFindings = async (url: URL, { farm, clock }: Patient, signal: AbortSignal): Promise<Finding[]> => {
  if (url.protocol === "http:") return [plainFinding(url)];
  const options = { host: hostOf(url), port: portOf(url), ca: farm?.authority, rejectUnauthorized: false };
  const socket = await opened(connectTls(options), "secureConnect", signal);
  try {
    const { valid_to: end } = socket.getPeerCertificate();
    return [certificateFinding(Date.parse(end), clock.now())];
  } finally {
    socket.destroy();
  }
};

const plainFinding = (url: URL): Finding =>
  loopback.test(url.host)
    ? ok("TLS", "The farm speaks plain HTTP, and only this machine reaches it")
    : warn(
        "TLS",
        `The farm speaks plain HTTP at ${url.host}: passwords cross the network as they are`,
        "Start it without --no-tls, unless a proxy encrypts.",
      );

export const certificateFinding = (end: number, now: number): Finding => {
  const days = Math.floor((end - now) / dayMs);
  const words = `The certificate ${days < 0 ? "ended" : "is valid until"} ${new Date(end).toISOString()}`;
  if (days < 0)
    return bad("TLS", words, "Replace the files of --tls-cert and --tls-key; the farm's own is renewed at a start.");
  if (days < 30) return warn("TLS", `${words}: ${days} days`, "Replace the files of --tls-cert and --tls-key soon.");
  return ok("TLS", words);
};

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");
const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "https:" ? 443 : 80));
