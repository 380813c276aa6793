import { expect, test } from "vitest";
import { joinCommand, tunnelCommand } from "../../../../renderer/pages/nodes/join-command.ts";
import { encodeJoinToken } from "../../../../shared/credentials/join-token.ts";

const tokenOf = (url: string) => encodeJoinToken({ url, farmId: "f", secret: "s" });

test("the command names the token, and the folder where there is one", () => {
  expect(joinCommand("mfj1_x", " ")).toBe("mediafarm agent --join mfj1_x");
  expect(joinCommand("mfj1_x", "/mnt/projects")).toBe("mediafarm agent --join mfj1_x --root /mnt/projects");
  expect(joinCommand("mfj1_x", "D:\\projects")).toBe("mediafarm agent --join mfj1_x --root D:\\projects");
});

test("a folder with a space in its name is one word to a shell", () => {
  expect(joinCommand("mfj1_x", "/mnt/my films ")).toBe("mediafarm agent --join mfj1_x --root '/mnt/my films'");
  expect(joinCommand("mfj1_x", "D:\\$(x)'y")).toBe("mediafarm agent --join mfj1_x --root 'D:\\$(x)''y'");
});

test("who hears only its own machine is reached through a tunnel to the same port", () => {
  expect(tunnelCommand(tokenOf("ws://127.0.0.1:8700/v1/agent"), "studio-1")).toBe(
    "ssh -N -L 8700:127.0.0.1:8700 studio-1",
  );
  expect(tunnelCommand(tokenOf("ws://[::1]:8701/v1/agent"), "studio-1")).toBe("ssh -N -L 8701:[::1]:8701 studio-1");
});

test("who is heard on a network needs no tunnel", () => {
  expect(tunnelCommand(tokenOf("ws://192.0.2.10:8700/v1/agent"), "studio-1")).toBeUndefined();
  expect(tunnelCommand(tokenOf("ws://studio-1:8700/v1/agent"), "studio-1")).toBeUndefined();
});
