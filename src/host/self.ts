import { hostname, uptime } from 'node:os';
import { kill, pid } from 'node:process';
import { thisKernel } from './kernel.ts';
import type { Self } from './lock-holder.ts';

/** This process, as the lock names it. */
export function thisProcess(nowMs: number): Self {
  return { pid, host: hostname(), isAlive, kernel: thisKernel(), bootedMs: nowMs - uptime() * 1000 };
}

function isAlive(other: number): boolean {
  try {
    return kill(other, 0);
  } catch (error) {
    // Only this proves that there is none: a process of another user may not be asked, and exists.
    return (error as { code?: string }).code !== 'ESRCH';
  }
}
