import type { Change, Outcome } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { formatAddress } from '../domain/resource.ts';
import { quoted, shown, visible, visibleProse, type Visible } from '../domain/visible.ts';
import type { ReconcileEvent, StoppedName } from '../reconcile/events.ts';
import type { ReconcilePorts } from '../reconcile/ports.ts';
import type { Context } from './context.ts';
import { failureOf } from './failure-of.ts';
import { stackOf } from './failure.ts';
import { lockTimeoutMs, showLeaseWait } from './lease-wait.ts';
import { warningLine } from './notice.ts';
import { incompleteLine, leaseLostLine } from './record-lines.ts';

/** The engine's ports for a command. Its events become lines on stderr. */
export function reconcilePorts(context: Context): ReconcilePorts {
  const { clock, files, state, identity, interrupted, output } = context;
  return {
    clock,
    files,
    state,
    identity,
    interrupted,
    lockTimeoutMs: lockTimeoutMs(context),
    report: (event) => tell(output, event),
  };
}

function tell(output: Context['output'], event: ReconcileEvent): void {
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
      return showLeaseWait(output, event);
    case 'resolving':
      return tellWait(output, event);
    case 'stopped-meanwhile':
      return output.say(stoppedWords(event.outcome));
    case 'stops-wait':
      for (const stop of event.stops) output.say(waitingStop(stop));
      return;
    case 'idle':
      return output.progress('');
    case 'resolve-failed':
      return output.say(
        warningLine(
          'not-resolved',
          shown`The unconfirmed requests could not be resolved: ${messageOf(event.error)} Run the command again.`,
        ),
      );
    case 'verify-failed':
      return output.say(
        warningLine(
          'not-verified',
          shown`The result could not be verified: ${messageOf(event.error)} Run ${formatCommand('plan')} later.`,
        ),
      );
    case 'ledger-incomplete':
      return output.fail(incompleteLine(event));
    case 'lease-lost':
      return output.fail(leaseLostLine(event.reason));
    case 'create-without-end':
      return output.fail(describeCreate(event));
    case 'stop-may-be-undone':
      return output.say(
        shown`Another request for ${event.stop.kind} ${event.liveId} may still arrive and undo this. Waiting up to ${seconds(event.leftMs)} s, then checking again.`,
      );
    case 'repeated':
      return output.say(
        shown`An earlier change of ${visible(formatAddress(event.address))} (${event.liveId}) was not confirmed. It was sent once more, and the service confirmed it.`,
      );
    case 'left-out':
      return output.say(shown`Left out: ${visibleProse(event.sentence)}`);
    case 'bug':
      return output.fail(stackOf(event.error));
  }
}

/** A create of the stopped name by another run, or one that may still arrive. */
function describeCreate({ stop }: Extract<ReconcileEvent, { readonly kind: 'create-without-end' }>): Visible {
  const again = formatCommand(KIND_ROWS[stop.kind].plural, stop.action, formatAddress(stop));
  return warningLine(
    'create-without-end',
    shown`A create of ${nameOf(stop)} was sent and has no result in the ledger, so it may be live already or may still arrive. To stop what it makes, run: ${visible(again)}`,
  );
}

/**
 * Without a terminal, no progress line is drawn, and a silent minute looks like a hang. So the first wait gets its own
 * line.
 */
function tellWait(
  output: Context['output'],
  { requests, leftMs, isFirst }: Extract<ReconcileEvent, { readonly kind: 'resolving' }>,
): void {
  const what = requests === 1 ? '1 request was' : `${requests} requests were`;
  if (isFirst)
    output.say(
      shown`${what} not confirmed. Waiting up to ${seconds(leftMs)} s to see the result; nothing is sent again before that.`,
    );
  output.progress(
    shown`waiting for ${requests} unconfirmed request${requests === 1 ? '' : 's'}: ${seconds(leftMs)} s left`,
  );
}

function stoppedWords({ action, address, live_id: id, outcome }: Outcome): Visible {
  return shown`Sent while waiting: ${action} ${visible(formatAddress(address))} (${id ?? '-'}): ${outcome}`;
}

/** A stop that waits for the question. It may be too late then, and a stop by hand does not wait. */
function waitingStop({ action, address, live_id: id }: Change): Visible {
  const { plural, retire } = KIND_ROWS[address.kind];
  const verb = action === 'retire' ? retire : action;
  return warningLine(
    'stop-waits',
    shown`${id ?? '-'} of ${visible(formatAddress(address))} is not stopped before you have answered. To stop it now: ${formatCommand(plural, verb, id ?? 'ID', '--account', address.account)}`,
  );
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

function nameOf({ kind, name }: StoppedName): Visible {
  return shown`${kind} ${quoted(name)}`;
}

/** The message of an expected error, as a sentence. */
function messageOf(error: unknown): Visible {
  const message = failureOf(error)?.message ?? String(error);
  return visibleProse(message.endsWith('.') ? message : `${message}.`);
}
