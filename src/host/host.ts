import type { Readable, Writable } from 'node:stream';
import type { Env } from '../domain/ports.ts';
import type { TextStream } from './output.ts';

/** Where a question is asked. */
export interface Terminal {
  readonly input: Readable & { setRawMode?(mode: boolean): unknown };
  readonly output: Writable;
}

/** What asks a process to end: Ctrl-C, another process, a terminal that is closed. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What the process offers; `process` itself in the command line, values of the test's in tests. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly pid: number;
  /** Of Node, `v20.20.2`. */
  readonly version: string;
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Where questions are asked; without it none can be. */
  terminal?(): Terminal;
  cwd(): string;
  on(event: EndSignal, listener: () => void): unknown;
  off(event: EndSignal, listener: () => void): unknown;
  exit(code: number): never;
  /** Something is about to be changed, which a result that is lost later does not undo. */
  onChange?(): void;
}
