import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why Debian's mail server cannot be started here; undefined where it can. */
export const whyNoPostfix = (): string | undefined => {
  if (process.getuid?.() !== 0) return "only root can start postfix";
  const missing = ["/usr/sbin/postfix", "/usr/sbin/saslpasswd2", "/usr/bin/openssl"].find((path) => !existsSync(path));
  return missing && `${missing} is not installed`;
};

export const mailUser = { name: "farm", password: "a p@ss/word" };

/** A real mail server on loopback with a folder of its own: STARTTLS, a certificate of its own, one user, one mailbox. */
export const startPostfix = async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-postfix-"));
  const at = (name: string): string => join(folder, name);
  for (const name of ["etc", "spool", "lib", "mail", "etc/sasl"]) mkdirSync(at(name));
  execFileSync("chmod", ["755", folder]);
  execFileSync("chown", ["postfix", at("lib")]);
  execFileSync("chown", ["nobody:nogroup", at("mail")]);
  makeCertificate(at("cert.pem"), at("key.pem"));
  const { name, password } = mailUser;
  execFileSync("saslpasswd2", ["-p", "-c", "-f", at("users"), "-u", "localhost", name], { input: password });
  execFileSync("chown", ["postfix", at("users")]);
  writeFileSync(
    at("etc/sasl/smtpd.conf"), // where Debian's postfix looks for it
    `pwcheck_method: auxprop\nauxprop_plugin: sasldb\nmech_list: PLAIN LOGIN\nsasldb_path: ${at("users")}\n`,
  );
  const port = await freePort();
  writeFileSync(at("etc/main.cf"), mainCf(folder));
  writeFileSync(at("etc/master.cf"), masterCf(port));
  execFileSync("postfix", ["-c", at("etc"), "start"], { stdio: "pipe" });
  return {
    port,
    certificate: at("cert.pem"),
    log: () => readFileSync(at("log"), "utf8"),
    /** Mails that lie in the mailbox. */
    mails: () => {
      const box = at("mail/owner/new");
      return existsSync(box) ? readdirSync(box).map((file) => readFileSync(join(box, file), "utf8")) : [];
    },
    stop: () => {
      execFileSync("postfix", ["-c", at("etc"), "stop"], { stdio: "pipe" });
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

const makeCertificate = (certificate: string, key: string): void => {
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", [...words, ...names, "-keyout", key, "-out", certificate], { stdio: "pipe" });
};

const mainCf = (folder: string): string =>
  [
    "compatibility_level = 3.6",
    `queue_directory = ${folder}/spool`,
    `data_directory = ${folder}/lib`,
    `maillog_file = ${folder}/log`,
    `maillog_file_prefixes = ${folder}`,
    "myhostname = localhost",
    "mydestination =",
    "inet_interfaces = 127.0.0.1",
    "inet_protocols = ipv4",
    "virtual_mailbox_domains = studio.example",
    `virtual_mailbox_base = ${folder}/mail`,
    "virtual_mailbox_maps = inline:{owner@studio.example=owner/}",
    "virtual_uid_maps = static:65534",
    "virtual_gid_maps = static:65534",
    `smtpd_tls_cert_file = ${folder}/cert.pem`,
    `smtpd_tls_key_file = ${folder}/key.pem`,
    "smtpd_tls_security_level = may",
    "smtpd_tls_auth_only = yes",
    "smtpd_tls_loglevel = 1",
    "smtpd_sasl_auth_enable = yes",
    "smtpd_sasl_type = cyrus",
    "smtpd_sasl_local_domain = localhost",
    "smtpd_client_restrictions = permit_sasl_authenticated, reject",
    "smtpd_delay_reject = yes",
    "",
  ].join("\n");

const masterCf = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "tlsmgr unix - - n 1000? 1 tlsmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "proxymap unix - - n - - proxymap",
    "error unix - - n - - error",
    "virtual unix - n n - - virtual",
    "anvil unix - - n - 1 anvil",
    "postlog unix-dgram n - n - 1 postlogd",
    "",
  ].join("\n");

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }; // it listens on a port
      server.close(() => resolve(port));
    });
  });
