import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/*
 * Loaded into a receiver with `--import`, to tell its own time from that of the sender and of the disk. At SIGUSR2 it writes
 * one line to the fourth descriptor, about what happened since the last one.
 */

/** What a receiver says of one window. */
export interface Probed {
  /** From the last byte of a body to its answer, in milliseconds, each. */
  readonly answerMs: readonly number[];
  /** Until a batch is durable: a write and its sync, or the answer of a server. Of SQLite nothing is known. */
  readonly commitMs: readonly number[];
  /** In which the event loop did anything. */
  readonly busyMs: number;
}

const TELLS = 3;

let answerMs: number[] = [];
let commitMs: number[] = [];
let before = performance.eventLoopUtilization();

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
  };
  let endedMs = performance.now();
  request.once('end', () => (endedMs = performance.now()));
  response.once('finish', () => answerMs.push(performance.now() - endedMs));
});

await watchFiles();
watchDatabase();

process.on('SIGUSR2', () => {
  const busyMs = performance.eventLoopUtilization(before).active;
  before = performance.eventLoopUtilization();
  const probed: Probed = { answerMs, commitMs, busyMs };
  answerMs = [];
  commitMs = [];
  writeSync(TELLS, `${JSON.stringify(probed)}\n`);
});

/** A sync belongs to the write before it. */
async function watchFiles(): Promise<void> {
  const any = await open('/dev/null');
  const methods = Object.getPrototypeOf(any) as Record<'appendFile' | 'datasync' | 'write', FileMethod>;
  await any.close();
  const { appendFile, datasync, write } = methods;
  const timed = (method: FileMethod, since: () => number): FileMethod =>
    async function (this: FileHandle, ...given: unknown[]) {
      const began = performance.now();
      const result = await method.apply(this, given);
      commitMs.push(since() + performance.now() - began);
      return result;
    };
  methods.appendFile = timed(appendFile, () => 0);
  methods.write = timed(write, () => 0);
  methods.datasync = timed(datasync, () => commitMs.pop() ?? 0);
}

type FileMethod = (this: FileHandle, ...given: unknown[]) => Promise<unknown>;

/**
 * A request to the database is one write to a socket of the file system, and its answer is the next thing that comes. The
 * senders have sockets that were accepted, and none that were connected.
 */
function watchDatabase(): void {
  const { connect, write } = Socket.prototype as unknown as Record<'connect' | 'write', Method>;
  const watched = new WeakSet<Socket>();
  const watching = {
    connect(this: Socket, ...given: unknown[]) {
      if (typeof given[0] === 'string') watched.add(this);
      return connect.apply(this, given);
    },
    write(this: Socket, ...given: unknown[]) {
      if (watched.has(this) && this.listenerCount('data', answered) === 0) {
        startedMs.set(this, performance.now());
        this.on('data', answered);
      }
      return write.apply(this, given);
    },
  };
  Object.assign(Socket.prototype, watching);
}

type Method = (this: Socket, ...given: unknown[]) => unknown;

const startedMs = new WeakMap<Socket, number>();

function answered(this: Socket): void {
  this.off('data', answered);
  commitMs.push(performance.now() - (startedMs.get(this) ?? Number.NaN));
}
