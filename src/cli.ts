#!/usr/bin/env node
import { fileProblem } from './domain/file-problem.ts';
import type { Host } from './host/host.ts';
import { run } from './main.ts';

let isLost = false;
let mayHaveChanged = false;

// A reader that closes the pipe (`| head`), or a full disk, must not end an apply between a request and its record.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'EPIPE' || isLost) return;
  isLost = true;
  const done = mayHaveChanged ? ' The changes were made.' : '';
  console.error(`error: cannot write the result: ${fileProblem(error)}.${done}`);
  // The stream may report this after the end of the run.
  process.exitCode = chooseExitCode(Number(process.exitCode ?? 0));
});

/** A run fails if its result could not be written, even if it changed something. */
function chooseExitCode(exitCode: number): number {
  if (!isLost || exitCode !== 0) return exitCode;
  return mayHaveChanged ? PARTLY : FAILED;
}

/** Exit code 1 of `domain/exit-codes.ts`, which is not loaded here. */
const FAILED = 1;
const PARTLY = 4;

let stderrIsWatched = false;

/** Opened on first use, like standard input, because it takes milliseconds and many runs do not need it. */
function openStderr(): NodeJS.WriteStream {
  if (!stderrIsWatched) process.stderr.on('error', () => undefined);
  stderrIsWatched = true;
  return process.stderr;
}

const host: Host = {
  argv: process.argv,
  env: process.env,
  pid: process.pid,
  version: process.version,
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: {
    write: (text) => openStderr().write(text),
    get isTTY() {
      return openStderr().isTTY;
    },
    get columns() {
      return openStderr().columns;
    },
  },
  terminal: () => ({ input: process.stdin, output: openStderr() }),
  cwd: () => process.cwd(),
  on: (event, listener) => process.on(event, listener),
  off: (event, listener) => process.off(event, listener),
  exit: (code) => process.exit(code),
  onChange: () => (mayHaveChanged = true),
};

run(host).then(
  (exitCode) => {
    process.exitCode = chooseExitCode(exitCode);
  },
  (error: unknown) => {
    console.error('This is a bug in Herald. Please report it with these lines:');
    console.error(error);
    process.exitCode = 1;
  },
);
