import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WrittenCredential } from "../../../shared/credentials/credentials.ts";
import { bytesAt, openFolder } from "../../helpers/agent/open-storage.ts";
import type { TestServer } from "../../servers/server.ts";
import type { SshServer } from "../../servers/sshd.ts";
import type { FtpServer } from "../../servers/vsftpd.ts";

const readsBy = (server: TestServer, uri: string, credential: WrittenCredential): Promise<string> =>
  server
    .put("opened.txt", Buffer.from("opened"))
    .then(() => bytesAt(openFolder(uri, { credential }), `${uri}/opened.txt`))
    .then(String);

/** Facts about the fields of FTP credentials, on a real server. */
export const ftpOptions = (server: () => FtpServer): void => {
  const credential = () => server().credential as Extract<WrittenCredential, { kind: "ftp" }>; // it is of its own kind

  test.each(["none", "explicit", "implicit"] as const)("tls %s and the port come from the credentials", async (tls) => {
    const wish = { ...credential(), tls, port: server().ports[tls], ca: server().certificate };
    expect(await readsBy(server(), "ftp://127.0.0.1/out", wish)).toBe("opened");
  });

  test("the address says explicit TLS by its scheme; a server that has none is not talked to without", async () => {
    const open = { ...credential(), ca: server().certificate };
    expect(await readsBy(server(), server().tlsFolder, open)).toBe("opened");
    const plain = server().folder.replace("ftp:", "ftps:");
    await expect(readsBy(server(), plain, open)).rejects.toThrow(/TLS/);
  });
};

/** Facts about the fields of SFTP credentials, on a real server. */
export const sftpOptions = (server: () => SshServer, scratch: () => string): void => {
  const named = () =>
    ({
      kind: "sftp",
      username: (server().credential as Extract<WrittenCredential, { kind: "sftp" }>).username,
    }) as const;

  /** The server's key for this user, behind a passphrase. */
  const lockedKey = (): string => {
    const path = join(scratch(), "locked_key");
    writeFileSync(path, server().privateKey, { mode: 0o600 });
    expect(spawnSync("ssh-keygen", ["-p", "-q", "-P", "", "-N", "a passphrase", "-f", path]).status).toBe(0);
    return spawnSync("cat", [path], { encoding: "utf8" }).stdout;
  };

  test("a private key opens it, also one behind its passphrase", async () => {
    const { folder, privateKey } = server();
    expect(await readsBy(server(), folder, { ...named(), private_key: privateKey })).toBe("opened");
    const locked = { ...named(), private_key: lockedKey() };
    expect(await readsBy(server(), folder, { ...locked, passphrase: "a passphrase" })).toBe("opened");
    const problem = await readsBy(server(), folder, { ...locked, passphrase: "another one" }).catch(String);
    expect(problem).toMatch(/passphrase/i);
    expect(problem).not.toContain("another one");
  });

  test("the port and the fingerprint of its key come from the credentials", async () => {
    const url = new URL(server().folder.replace("sftp:", "http:"));
    const uri = `sftp://127.0.0.1${url.pathname}`;
    const wish = { ...server().credential, port: Number(url.port) } as Extract<WrittenCredential, { kind: "sftp" }>; // it is of its own kind
    expect(await readsBy(server(), uri, { ...wish, host_key: server().hostKey })).toBe("opened");
    const other = `SHA256:${"A".repeat(43)}`;
    await expect(readsBy(server(), uri, { ...wish, host_key: other })).rejects.toThrow(
      /shows the key SHA256:.*, but the credentials name another one/,
    );
  });
};
