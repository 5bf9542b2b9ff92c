import { readFileSync, readlinkSync } from 'node:fs';

/** What tells one process from another that has its number: the same number is given again and again. */
export interface Kernel {
  /** Of this start of the machine. */
  readonly boot: string;
  /** Process numbers mean something only inside it; each container has its own. */
  readonly namespace: string;
  /** When a process of this namespace began, in the kernel's own unit; null if it has ended. */
  startOf(pid: number): string | null;
}

/** Fields of `/proc/PID/stat` after the name of the program, which may contain anything. */
const STATE_FIELD = 0;
const START_FIELD = 19;
/** A zombie has ended, but its parent has not collected it. In a container the parent often never does. */
const ENDED_STATES: readonly (string | undefined)[] = ['Z', 'X'];

/** Null where the system does not tell, as outside of Linux. */
export function thisKernel(): Kernel | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    return { boot, namespace, startOf };
  } catch {
    return null;
  }
}

function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return ENDED_STATES.includes(fields[STATE_FIELD]) ? null : (fields[START_FIELD] ?? null);
  } catch {
    return null;
  }
}
