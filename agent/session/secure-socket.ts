import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import { AppError } from "../../shared/basics/errors.ts";
import { certificateProblem } from "../../shared/basics/tls-problem.ts";
import { pinProblem } from "./pinned.ts";

/** A handshake that takes longer, in milliseconds, is given up. */
const handshakeMs = 10_000;

type Opened = (problem: Error | null, socket: Duplex) => void;

/**
 * Opens TLS connections to the pinned farm. Nothing is sent before the farm has proved itself: the socket is handed out
 * only then. Without pins, the certificate is checked as by a browser.
 */
export const connectPinned =
  (pins: readonly string[], now: () => number) =>
  ({ host, port }: { readonly host: string; readonly port: number }, opened: Opened): void => {
    const name = host.replace(/^\[|\]$/g, "");
    const socket = connect({
      host: name,
      port,
      ...(isIP(name) === 0 && { servername: name }),
      ALPNProtocols: ["http/1.1"],
      minVersion: "TLSv1.2",
      rejectUnauthorized: pins.length === 0,
    });
    const end = (why: string, cause?: unknown): void => {
      socket.destroy();
      opened(
        new AppError("NOT_ALLOWED", `The coordinator at ${host}:${port} is not trusted: ${why}`, { cause }),
        socket,
      );
    };
    const fail = (problem: Error): void => {
      const why = certificateProblem(problem);
      if (why === undefined) opened(problem, socket);
      else end(why, problem);
    };
    socket.setTimeout(handshakeMs, () =>
      socket.destroy(
        new Error(`The coordinator did not finish the TLS handshake within ${handshakeMs / 1000} seconds`),
      ),
    );
    socket.once("error", fail);
    socket.once("secureConnect", () => {
      socket.off("error", fail);
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      const why = pins.length === 0 ? undefined : pinProblem(chainOf(socket), { pins, host: name }, now());
      if (why === undefined) return opened(null, socket);
      socket.on("error", () => undefined); // the refusal below explains it better
      end(why);
    });
  };

/** A server that shows more is cut off here: no farm has so long a chain. */
const mostCertificates = 10;

/** The certificates that the server showed, its own first. */
const chainOf = (socket: TLSSocket): X509Certificate[] => {
  const chain: X509Certificate[] = [];
  for (
    let next = socket.getPeerX509Certificate();
    next && chain.length < mostCertificates;
    next = next.issuerCertificate
  ) {
    if (chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) break; // a root issued itself
    chain.push(next);
  }
  return chain;
};
