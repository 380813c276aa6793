#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { openWorld } from "./terminal/world.ts";

const world = openWorld();
const { XDG_CACHE_HOME, LOCALAPPDATA } = world.env;
// Code that an earlier command compiled starts in a third of the time, and without the memory of the compiler.
enableCompileCache(join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "mediafarm", "compiled"));
const { runCli } = await import("./run.ts");

process.exitCode = await runCli(process.argv.slice(2), world);
