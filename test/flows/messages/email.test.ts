import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSendMail, type SendMail } from "../../../agent/outbound/mail.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { parseMailServer } from "../../../shared/outbound/mail-server.ts";
import { aChain, aFileSource } from "../../helpers/farm/job-builders.ts";
import { writeWav } from "../../helpers/media/a-wav.ts";
import { startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { mailUser, startPostfix, whyNoPostfix } from "./postfix.ts";

const missing = whyNoPostfix();
if (missing) console.warn(`Mails through a real mail server are not tested here: ${missing}`);

const addressOf = (port: number, password = mailUser.password): string =>
  `smtp://${mailUser.name}:${encodeURIComponent(password)}@localhost:${port}`;

const sender = (url: string, ca?: string): SendMail => {
  const server = parseMailServer(url);
  if (!server) throw new Error(`${url} is no mail server`);
  return createSendMail({ server, from: "farm@studio.example", ...(ca && { ca }) });
};

const letter = {
  ...{ recipients: ["owner@studio.example"], subject: "Grüße", body: "One line\nand another", key: "mediafarm-1-tell" },
  signal: new AbortController().signal,
};

const problem = async (sending: Promise<unknown>): Promise<string> =>
  sending.then(
    () => "no problem",
    (error) => (error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error)),
  );

describe.skipIf(missing)("a mail server with STARTTLS and passwords", () => {
  let postfix: Awaited<ReturnType<typeof startPostfix>>;
  let ca: string;
  beforeAll(async () => {
    postfix = await startPostfix();
    ca = readFileSync(postfix.certificate, "utf8");
  });
  afterAll(() => postfix?.stop());

  test("takes a mail over an encrypted connection and puts it into the mailbox", async () => {
    const posted = await sender(addressOf(postfix.port), ca)(letter);
    expect(posted).toEqual({
      accepted: ["owner@studio.example"],
      status: 250,
      answer: expect.stringMatching(/^250 2\.0\.0 Ok: queued as /),
    });
    await until("the mail in its box", () => postfix.mails().length > 0);
    const [mail = ""] = postfix.mails();
    expect(mail).toContain("Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=");
    expect(mail).toContain("Message-ID: <mediafarm-1-tell@mediafarm>");
    expect(mail).toContain("One line\nand another");
    expect(mail).toContain("with ESMTPSA"); // encrypted, and after a password
    expect(postfix.log()).toContain(`sasl_username=${mailUser.name}`);
  });

  test("refuses a wrong password, which nobody gets to see", async () => {
    const said = await problem(sender(addressOf(postfix.port, "not this one"), ca)(letter));
    expect(said).toMatch(/^receiver: localhost:\d+ does not accept the user name and password: .*535 5\.7\.8/);
    expect(said).not.toContain("not this one");
  });

  test("gets no password where its certificate is not known", async () => {
    expect(await problem(sender(addressOf(postfix.port))(letter))).toMatch(/^receiver: localhost:\d+.*self-signed/);
  });

  test("refuses a recipient that it does not know", async () => {
    const recipients = ["nobody@studio.example"];
    expect(await problem(sender(addressOf(postfix.port), ca)({ ...letter, recipients }))).toMatch(
      /^receiver: localhost:\d+ refuses a sender or recipient: .*nobody@studio\.example.*User unknown/,
    );
  });

  test("tells the owner of a finished job", async () => {
    await using farm = await startFarm();
    await farm.startAgent("one", [], {
      MEDIAFARM_SMTP_URL: addressOf(postfix.port),
      MEDIAFARM_MAIL_FROM: "farm@studio.example",
      NODE_EXTRA_CA_CERTS: postfix.certificate,
    });
    const email = { recipients: "owner@studio.example", subject: "{source_name}: {status}", body: "Job {job_id}" };
    const tell = { uid: "tell", kind: "notify", payload: { notify_method: "email", email } };
    const before = postfix.mails().length;
    const id = await farm.submit(aChain([aFileSource(writeWav(join(farm.media, "one.wav"))), tell]));
    expect((await farm.untilEnded(id)).status).toBe("completed");
    await until("the mail in its box", () => postfix.mails().length > before);
    expect(postfix.mails().join("\n")).toMatch(/Subject: one\.wav: completed[\s\S]*Job \d+/);
  });
});

describe("a mail server that is not to be trusted", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** Speaks the lines it is told, whatever it hears. */
  const fake = async (lines: readonly string[]): Promise<{ port: number; server: Server }> => {
    const server = createServer((socket) => {
      const left = [...lines];
      const speak = () => void (left.length > 0 && socket.write(`${left.shift()}\r\n`));
      socket.on("data", speak).on("error", () => undefined);
      speak();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, port: (server.address() as AddressInfo).port }; // it listens on a port
  };

  test("gets no password where it offers no encryption", async () => {
    const { port } = await fake(["220 hello", "250-hello\r\n250 AUTH PLAIN", "454 no TLS today"]);
    expect(await problem(sender(`smtp://u:secret@127.0.0.1:${port}`)(letter))).toMatch(
      /^receiver: 127\.0\.0\.1:\d+ cannot be reached with encryption/,
    );
  });

  test("is not waited for once the attempt has ended", async () => {
    const { port } = await fake([]);
    const attempt = new AbortController();
    const sending = sender(`smtp://127.0.0.1:${port}`)({ ...letter, signal: attempt.signal });
    setTimeout(() => attempt.abort(new Error("stopped")), 50);
    expect(await problem(sending)).toBe("Error: stopped");
  });

  test("is named where nobody listens", async () => {
    const { port, server } = await fake([]);
    await new Promise((resolve) => server.close(resolve));
    expect(await problem(sender(`smtp://127.0.0.1:${port}`)(letter))).toMatch(
      new RegExp(`^receiver: 127\\.0\\.0\\.1:${port}: .*ECONNREFUSED`),
    );
  });
});
