import type { Outcome } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { formatAddress } from '../domain/resource.ts';
import { shown, visible, visibleProse, type Visible } from '../domain/visible.ts';
import type { RunEvent } from '../engine/run.ts';
import type { RunPorts } from '../library/open.ts';
import { describeResults } from '../render/results.ts';
import type { Context } from './context.ts';
import { toHeraldError } from './failure-of.ts';
import { stackOf } from './failure-of.ts';
import { lockTimeoutMs, showLeaseWait } from './lease-wait.ts';
import { warningLine } from './notice.ts';

/** The engine's ports for a command. Its events become lines on stderr. */
export function runPorts(context: Context): RunPorts {
  const { clock, state, interrupted } = context;
  return {
    clock,
    state,
    interrupted,
    lockTimeoutMs: lockTimeoutMs(context),
    report: (event) => report(context, event),
  };
}

function report(context: Context, event: RunEvent): void {
  const { output } = context;
  switch (event.kind) {
    case 'reading':
      return output.progress(shown`reading lists ${event.done}/${event.total}`);
    case 'applying': {
      const { action, address } = event.change;
      return output.progress(
        shown`applying ${event.done}/${event.total}  ${action} ${visible(formatAddress(address))}`,
      );
    }
    case 'waiting-for-lease':
      return showLeaseWait(output, event.holder, lockTimeoutMs(context));
    case 'settling':
      return reportWait(output, event);
    case 'stopped-early':
      for (const outcome of describeResults([event.result]).outcomes) output.say(describeStop(outcome));
      return;
    case 'idle':
      return output.progress('');
    case 'unverified':
      return output.say(
        warningLine(
          'not-verified',
          shown`The result could not be verified: ${messageOf(event.error)} Run ${formatCommand('plan')} later.`,
        ),
      );
    case 'bug':
      return output.fail(stackOf(event.error));
  }
}

/**
 * Without a terminal, no progress line is drawn, and a silent minute looks like a hang. So the first wait gets its own
 * line.
 */
function reportWait(
  output: Context['output'],
  { requests, leftMs, isFirst }: Extract<RunEvent, { readonly kind: 'settling' }>,
): void {
  const what = requests === 1 ? '1 request was' : `${requests} requests were`;
  const left = Math.ceil(leftMs / 1000);
  if (isFirst)
    output.say(
      shown`${what} not confirmed. Waiting up to ${left} s to see the result; nothing is sent again before that. To stop something meanwhile: ${formatCommand('campaigns', 'pause', 'ACCOUNT/campaign/NAME')}, or ${formatCommand('broadcasts', 'pause', 'ACCOUNT/broadcast/NAME')}`,
    );
  output.progress(
    shown`waiting for ${requests} unconfirmed request${requests === 1 ? '' : 's'}: ${left} s left`,
  );
}

function describeStop({ action, address, live_id: id, outcome }: Outcome): Visible {
  return shown`Sent while waiting: ${action} ${visible(formatAddress(address))} (${id ?? '-'}): ${outcome}`;
}

/** The message of an expected error, as a sentence. */
function messageOf(error: unknown): Visible {
  const message = toHeraldError(error)?.message ?? String(error);
  return visibleProse(message.endsWith('.') ? message : `${message}.`);
}
