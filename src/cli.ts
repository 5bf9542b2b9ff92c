import { run, type Host } from './main.ts';

// A reader that goes away (`| head`), or a full disk, must not end an apply between a call and its record.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') console.error(`error: the result could not be written: ${error.message}`);
});

let stderrIsWatched = false;

/** Opened with the first word, as standard input is: each takes milliseconds, and many runs need neither. */
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
  cwd: () => process.cwd(),
  kill: (pid, signal) => process.kill(pid, signal),
  on: (event, listener) => process.on(event, listener),
  off: (event, listener) => process.off(event, listener),
  exit: (code) => process.exit(code),
};

run(host).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error('This is a bug in Herald, not a mistake of yours. Please report it with these lines:');
    console.error(error);
    process.exitCode = 1;
  },
);
