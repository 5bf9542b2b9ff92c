import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { thisKernel } from '../../src/host/kernel.ts';

let parent: ChildProcess | null = null;
afterEach(() => {
  parent?.kill('SIGKILL');
  parent = null;
});

/** The number of a process that has ended, and that its parent does not collect. */
async function aZombie(): Promise<number> {
  const shell = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  parent = shell;
  const [, stdout, , input] = shell.stdio;
  for await (const line of createInterface({ input: stdout as Readable })) {
    const pid = Number(line);
    // A shell would collect it. What the shell has become does not.
    await expect.poll(() => readFileSync(`/proc/${shell.pid}/comm`, 'utf8')).toBe('sleep\n');
    (input as Writable).end();
    await expect.poll(() => stateOf(pid)).toBe('Z');
    return pid;
  }
  throw new Error('the shell named no process');
}

function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

describe.runIf(existsSync('/proc/self/stat'))('what Linux says of processes', () => {
  it('a living process has a start, always the same', () => {
    const start = thisKernel()?.startOf(process.pid);
    expect(start).toMatch(/^\d+$/);
    expect(thisKernel()?.startOf(process.pid)).toBe(start);
  });

  it('a zombie has ended', async () => {
    expect(thisKernel()?.startOf(await aZombie())).toBeNull();
  });

  it('a number that no process has gives nothing', () => {
    expect(thisKernel()?.startOf(2 ** 30)).toBeNull();
  });
});
