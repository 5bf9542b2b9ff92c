import { formatCommand } from '../../../domain/command-line.ts';
import type { Diagnostic } from '../../../domain/diagnostic.ts';
import type { DeclaredBroadcast, ObservedBroadcast } from '../../../domain/resource.ts';
import { broadcastStatusOf, isPaused, STATUS_TRAITS } from '../../../domain/status.ts';
import { digestDeclared } from '../compare/content.ts';
import type { Case } from './cells.ts';
import { contentsOf } from './contents.ts';
import { blocked, change, newStep, only, unlessBlocked, warning, type Decision } from './decision.ts';
import type { Version } from './group.ts';
import { pauseCommand } from './open.ts';
import { broadcastsIn } from './states.ts';

type BroadcastCase = Case<DeclaredBroadcast, ObservedBroadcast>;

// The cells of what has left, or was recalled.

/** It was sent, so it is done permanently. */
export function done(the: BroadcastCase): Decision {
  const [version = null] = [...broadcastsIn(the, 'left'), ...broadcastsIn(the, 'halted')];
  return { changes: [change(the.declared, 'done', { version })], diagnostics: goingOut(the) };
}

/** Stopping one half-way is a person's decision (BROADCAST-15). */
function goingOut({ declared, versions }: BroadcastCase): readonly Diagnostic[] {
  const going = versions.filter(isGoingOut);
  const [first] = going;
  if (declared.target === 'paused')
    return going.map(({ id, observed }) =>
      warning(
        declared,
        'going-out',
        `${id} is ${observed.live.status ?? ''}, and an apply does not pause it half-way. To stop it: ${pauseCommand('broadcast', id, observed.account)}`,
      ),
    );
  return going
    .slice(1)
    .map(({ id, observed }) =>
      warning(
        declared,
        'going-out-twice',
        `${first?.id ?? ''} and ${id} have the same name, and both go out now, so fans get both. Herald does not pause one half-way by itself. To stop ${id}: ${pauseCommand('broadcast', id, observed.account)}`,
      ),
    );
}

/** A recalled one that is sent again has been resumed by someone, or its recall is not over. */
export function doneRecalled(the: BroadcastCase): Decision {
  const { declared } = the;
  const version = recalledIn(the);
  const warnings = the.versions
    .filter((one) => one.known?.recalled === 1 && isGoingOut(one))
    .map(({ id, observed }) =>
      warning(
        declared,
        'goes-on',
        `${id} was recalled, but is ${observed.live.status ?? ''} again. If this lasts, someone has resumed it. To stop it: ${pauseCommand('broadcast', id, observed.account)}`,
      ),
    );
  return { changes: [change(declared, 'done', { version })], diagnostics: warnings };
}

/** What Herald recalled; null if nothing of the name was. */
export function recalledIn({ versions }: BroadcastCase): Version<ObservedBroadcast> | null {
  return versions.findLast(({ known }) => known?.recalled === 1) ?? null;
}

function isGoingOut({ observed }: Version<ObservedBroadcast>): boolean {
  return STATUS_TRAITS[broadcastStatusOf(observed.live)].goingOut;
}

// The cells of a broadcast that is sent at once (BROADCAST-3).

export function createNow({ declared, facts }: BroadcastCase): Decision {
  const wanted = change(declared, 'create', {
    reasons: ['It has no schedule: it goes out NOW, as soon as the service has queued it.'],
    fields: contentsOf(declared),
    steps: [newStep('create')],
  });
  return only(unlessBlocked(facts, wanted, ['now']));
}

/** A name is sent once. What Herald made from this content was sent by an earlier command. */
export function sentOnce(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const digest = digestDeclared(declared);
  const own = [...broadcastsIn(the, 'left'), ...broadcastsIn(the, 'halted')].find(
    ({ known }) => known?.declared_digest === digest,
  );
  if (own === undefined) {
    const [first = null] = versions;
    const status = first?.observed.live.status ?? 'finished or unnamed';
    const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${status}). Fans could get the message twice. Give it a new name.`;
    return only(blocked(declared, reason, first));
  }
  const { id, known, observed } = own;
  if (isPaused(observed.live) && known?.recalled !== 1) {
    const command = (verb: string) => formatCommand('broadcasts', verb, id, '--account', observed.account);
    const reason = `Herald has sent it as ${id}, which is paused now. To let it go on: ${command('resume')}. To recall it: ${command('recall')}`;
    return only(blocked(declared, reason, own));
  }
  const waits = broadcastsIn(the, 'waits').map((other) =>
    warning(
      declared,
      'going-out-twice',
      `${other.id} has the same name as ${id}, which was sent, and goes out at ${other.observed.live.scheduled_at ?? 'an unknown time'}, so fans get both. To stop it: ${pauseCommand('broadcast', other.id, observed.account)}`,
    ),
  );
  const reasons = [`Herald has sent it as ${id}.`];
  return {
    changes: [change(declared, 'done', { version: own, reasons })],
    diagnostics: [...goingOut(the), ...waits],
  };
}
