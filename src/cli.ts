import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Host } from './host/host.ts';
import { run } from './main.ts';

let isLost = false;
let mayHaveChanged = false;

// A reader that goes away (`| head`), or a full disk, must not end an apply between a call and its record.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'EPIPE' || isLost) return;
  isLost = true;
  const done = mayHaveChanged ? ' What was done stays done.' : '';
  console.error(`error: the result could not be written: ${error.message}.${done}`);
  // The stream may say so only after the run has ended.
  process.exitCode = exitOf(Number(process.exitCode ?? 0));
});

/** A run whose result reached nobody is not done; what it changed stays changed. */
function exitOf(exitCode: number): number {
  if (!isLost || exitCode !== 0) return exitCode;
  return mayHaveChanged ? PARTLY : FAILED;
}

/** As in `cli/exit-codes.ts`, which is not loaded for this. */
const FAILED = 1;
const PARTLY = 4;

let stderrIsWatched = false;

/** Opened with the first word, as standard input is: each takes milliseconds, and many runs need neither. */
function openStderr(): NodeJS.WriteStream {
  if (!stderrIsWatched) process.stderr.on('error', () => undefined);
  stderrIsWatched = true;
  return process.stderr;
}

/** In a folder of the user's own: into that for temporary files, others could lay code of theirs. */
function keepCompiledCode(): void {
  // From Node 22.8 on.
  if (!('enableCompileCache' in nodeModule) || typeof nodeModule.enableCompileCache !== 'function') return;
  const caches = process.env['XDG_CACHE_HOME'] ?? '';
  nodeModule.enableCompileCache(join(caches === '' ? join(homedir(), '.cache') : caches, 'herald'));
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
  kill: (pid, signal) => process.kill(pid, signal),
  on: (event, listener) => process.on(event, listener),
  off: (event, listener) => process.off(event, listener),
  exit: (code) => process.exit(code),
  keepCompiledCode,
  onChange: () => (mayHaveChanged = true),
};

run(host).then(
  (exitCode) => {
    process.exitCode = exitOf(exitCode);
  },
  (error: unknown) => {
    console.error('This is a bug in Herald, not a mistake of yours. Please report it with these lines:');
    console.error(error);
    process.exitCode = 1;
  },
);
