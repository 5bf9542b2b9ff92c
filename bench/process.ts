import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What a process took from its start to its end. */
export interface Usage {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Tells on a fourth descriptor what the process has used, as its last deed. */
const TELL_USAGE = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,JSON.stringify(process.resourceUsage())))`;

interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that count as success. Default: 0. */
  readonly codes?: readonly number[];
}

/** Runs node on a script and measures it. NODE_EXTRA_CA_CERTS alone costs 40 ms of every start, so it is left out. */
export async function measure(args: readonly string[], options: ProcessOptions = {}): Promise<Usage> {
  const { cwd, env = {}, codes = [0] } = options;
  const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', TELL_USAGE, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const usagePipe = child.stdio[3];
  if (child.stdout === null || child.stderr === null || !(usagePipe instanceof Readable))
    throw new Error('the process has no pipes');
  const [code, stdout, stderr, told] = await Promise.all([
    once(child, 'close').then(([given]) => Number(given)),
    text(child.stdout),
    text(child.stderr),
    text(usagePipe),
  ]);
  const wallMs = performance.now() - started;
  if (!codes.includes(code)) throw new Error(`node ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  const usage = JSON.parse(told) as NodeJS.ResourceUsage;
  return {
    wallMs,
    cpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1000,
    peakBytes: usage.maxRSS * 1024,
    stdout,
    stderr,
  };
}
