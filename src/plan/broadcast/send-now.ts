import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { contentDigest } from '../../domain/media.ts';
import { isPaused } from '../../domain/status.ts';
import { listContents } from '../contents.ts';
import { blocked, change, newStep, only, unlessBlocked, warning, type Decision } from '../decision.ts';
import { classifyBroadcastAt, waiting, type BroadcastCase, type BroadcastMember } from './column.ts';
import { goingOutTwice } from './over.ts';

// The cells of a broadcast that is to be sent at once (BROADCAST-3).

export function createNow(the: BroadcastCase): Decision {
  const wanted = change(the.declared, 'create', {
    reasons: ['It has no schedule: it goes out NOW, as soon as the service has queued it.'],
    fields: listContents(the.declared),
    steps: [newStep('create')],
  });
  return only(unlessBlocked(the.terms, wanted, ['now']));
}

/**
 * A name is sent once. An object of the name that Herald made from this content was sent by an earlier command:
 *
 * | the name has                                    | what                                         |
 * |-------------------------------------------------|----------------------------------------------|
 * | such an object that goes out, is out, or was    | done; another one that goes out as well, or  |
 * | recalled                                        | that still waits, is named                   |
 * | such an object that is paused half-way          | blocked: a person resumes or recalls it      |
 * | anything else                                   | blocked: the name is used                    |
 */
export function sentOnce(the: BroadcastCase): Decision {
  const { declared, members } = the;
  const own = ownOf(the);
  if (own === null) {
    const [first] = members;
    const status = first?.observed.live.status ?? 'finished or unnamed';
    const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${status}). Fans could get the message twice. Give it a new name.`;
    return only(blocked(declared, reason, first ?? null));
  }
  const diagnostics = [...goingOutTwice(the), ...stillWaiting(the, own)];
  if (isPaused(own.observed.live) && own.known?.recalled !== true)
    return { changes: [blocked(declared, pausedWords(own), own)], diagnostics };
  const reasons = [`Herald has sent it as ${own.id}.`];
  return { changes: [change(declared, 'done', { member: own, reasons })], diagnostics };
}

/** Of several, one that is not paused: it is what fans get. */
function ownOf({ declared, group, terms }: BroadcastCase): BroadcastMember | null {
  const content = contentDigest(declared.content);
  const sent = group.filter(
    (member) =>
      member.known?.contentDigest === content &&
      ['out', 'paused_left'].includes(classifyBroadcastAt(member, terms.nowMs)),
  );
  return sent.find(({ observed }) => !isPaused(observed.live)) ?? sent[0] ?? null;
}

function pausedWords({ id, observed: { account } }: BroadcastMember): string {
  return `Herald has sent it as ${id}, which is paused now. To let it go on: ${formatCommand('broadcasts', 'resume', id, '--account', account)}. To recall it: ${formatCommand('broadcasts', 'recall', id, '--account', account)}`;
}

function stillWaiting({ declared, group }: BroadcastCase, own: BroadcastMember): readonly Diagnostic[] {
  return waiting(group).map(({ id, observed: { account, live } }) =>
    warning(
      declared,
      'going-out-twice',
      `${id} has the same name as ${own.id}, which was sent, and goes out at ${live.scheduled_at ?? 'an unknown time'}, so fans get both. To stop it: ${formatCommand('broadcasts', 'pause', id, '--account', account)}`,
    ),
  );
}
