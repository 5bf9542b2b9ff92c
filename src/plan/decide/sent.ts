import { formatCommand } from '../../domain/command-line.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { DeclaredBroadcast, ObservedBroadcast } from '../../domain/resource.ts';
import { broadcastStatusOf, isArchived, isPaused, STATUS_TRAITS } from '../../domain/status.ts';
import { digestDeclared } from '../compare/content.ts';
import { isRecallRefused, stopDeclared, warnRefused, type Case } from './cells.ts';
import { listContents } from './contents.ts';
import { blocked, change, CREATE, only, unlessBlocked, warning, type Decision } from './decision.ts';
import type { Version } from './group.ts';
import { findBeingStopped, pauseCommand } from './open.ts';
import { broadcastsIn, broadcastState } from './states.ts';

type BroadcastCase = Case<DeclaredBroadcast, ObservedBroadcast>;
type BroadcastVersion = Version<ObservedBroadcast>;

// The cells of what has left, or was recalled.

/** It was sent, so it is done permanently. Stopping one half-way is a person's decision (BROADCAST-15). */
export function done(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const [version = null] = [...broadcastsIn(the, 'left'), ...broadcastsIn(the, 'halted')];
  const going = versions.filter(isGoingOut);
  const diagnostics =
    declared.target === 'paused'
      ? warnGoing(the, going, 'going-out', 'is going out, and an apply does not pause it half-way')
      : warnGoing(the, going.slice(1), 'going-out-twice', 'goes out as well, so fans get both');
  return { changes: [change(declared, 'done', { version })], diagnostics };
}

/** A recalled one that is sent again has been resumed by someone, or its recall is not over. */
export function doneRecalled(the: BroadcastCase): Decision {
  const again = the.versions.filter((one) => one.known?.recalled === 1 && isGoingOut(one));
  return {
    changes: [change(the.declared, 'done', { version: findRecalled(the) })],
    diagnostics: warnGoing(the, again, 'goes-on', 'was recalled, but goes out again'),
  };
}

function warnGoing(
  { declared }: BroadcastCase,
  versions: readonly BroadcastVersion[],
  code: DiagnosticCode,
  what: string,
): readonly Diagnostic[] {
  return versions.map(({ id, observed: { account, live } }) => {
    const stop = pauseCommand('broadcast', id, account);
    return warning(declared, code, `${id} (${live.status ?? 'no status'}) ${what}. To stop it: ${stop}`);
  });
}

/** What Herald recalled; null if nothing of the name was. */
export function findRecalled({ versions }: BroadcastCase): BroadcastVersion | null {
  return versions.findLast(({ known }) => known?.recalled === 1) ?? null;
}

function isGoingOut({ observed }: BroadcastVersion): boolean {
  return STATUS_TRAITS[broadcastStatusOf(observed.live)].goingOut;
}

/**
 * | the version     | what                                                                     |
 * |-----------------|--------------------------------------------------------------------------|
 * | waits           | paused, then recalled²; without the allowance it is paused all the same  |
 * | recall refused  | done, with a warning                                                     |
 * | archived        | done: the 24 hours of a recall are over                                  |
 * | any other       | recalled²                                                                |
 */
export function recallAll(the: BroadcastCase): Decision {
  const { declared, versions, facts, group } = the;
  const underWay = findBeingStopped(group.open);
  const concerned = versions.filter((one) => !isArchived(one.observed.live) && !underWay.has(one.id));
  const waits = ({ observed }: BroadcastVersion) => broadcastState(observed) === 'waits';
  const refused = concerned.filter((version) => isRecallRefused(the, version) && !waits(version));
  const changes = concerned
    .filter((version) => !refused.includes(version))
    .flatMap((version) => {
      if (!waits(version)) return [stopDeclared(the, version, 'recall', ['recall'])];
      const recall = stopDeclared(the, version, 'recall', ['pause', 'recall']);
      return facts.allow.has('recall')
        ? [recall]
        : [stopDeclared(the, version, 'pause', ['pause', 'read_back']), recall];
    });
  const over = changes.length > 0 ? [] : [change(declared, 'done', { version: versions[0] ?? null })];
  return {
    changes: [...changes, ...over],
    diagnostics: refused.map((version) => warnRefused(the, version)),
  };
}

// The cells of a broadcast that is sent at once (BROADCAST-3).

export function createNow({ declared, facts }: BroadcastCase): Decision {
  const wanted = change(declared, 'create', {
    reasons: ['It has no schedule: it goes out NOW, as soon as the service has queued it.'],
    fields: listContents(declared),
    // What is gone cannot be read back.
    steps: CREATE.slice(0, 1),
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
    const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${first?.observed.live.status ?? 'no status'}). Fans could get the message twice. Give it a new name.`;
    return only(blocked(declared, reason, first));
  }
  const { id, known, observed } = own;
  if (isPaused(observed.live) && known?.recalled !== 1) {
    const command = (verb: string) => formatCommand('broadcasts', verb, id, '--account', observed.account);
    const reason = `Herald has sent it as ${id}, which is paused now. To let it go on: ${command('resume')}. To recall it: ${command('recall')}`;
    return only(blocked(declared, reason, own));
  }
  const others = [...broadcastsIn(the, 'waits'), ...versions.filter(isGoingOut)].filter((one) => one !== own);
  return {
    changes: [change(declared, 'done', { version: own, reasons: [`Herald has sent it as ${id}.`] })],
    diagnostics: warnGoing(the, others, 'going-out-twice', `has the same name as ${id}, so fans get both`),
  };
}
