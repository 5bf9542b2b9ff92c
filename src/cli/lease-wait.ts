import { shown, visibleProse } from '../domain/visible.ts';
import type { LeaseWait } from '../library/state-access.ts';
import { formatDuration } from '../render/values.ts';
import type { Context } from './context.ts';

/** On a terminal a person sees the wait and can end it. */
const TERMINAL_TIMEOUT_MS = 600_000;

/** How long this command waits for the lease: as `--lock-timeout` says; a job of CI must not hang by default. */
export function lockTimeoutMs({ flags, interactive, env }: Context): number {
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return flags.lockTimeoutMs ?? (interactive && !isCi ? TERMINAL_TIMEOUT_MS : 0);
}

/** How a command that is not planned waits for the lease. */
export function leaseWait(context: Context): LeaseWait {
  const waitMs = lockTimeoutMs(context);
  return { waitMs, onWait: (holder) => showLeaseWait(context.output, holder, waitMs) };
}

/** One line that stays, because a log has no progress line. */
export function showLeaseWait(output: Context['output'], holder: string, waitMs: number): void {
  const left = formatDuration(Math.ceil(waitMs / 1000));
  output.say(
    shown`Another herald run is active: ${visibleProse(holder)}. Waiting up to ${left} for it to finish.`,
  );
  output.progress(shown`waiting for another herald run`);
}
