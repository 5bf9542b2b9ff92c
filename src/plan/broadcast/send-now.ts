import { contentDigest } from '../../domain/media.ts';
import { contentsOf } from '../contents.ts';
import { blocked, change, newStep, only, unlessBlocked, type Decision } from '../decision.ts';
import { classifyBroadcastAt, type BroadcastCase } from './column.ts';

// The cells of a broadcast that is to be sent at once (BROADCAST-3).

export function createNow(the: BroadcastCase): Decision {
  const wanted = change(the.declared, 'create', {
    reasons: ['It has no schedule: it goes out NOW, as soon as the service has queued it.'],
    fields: contentsOf(the.declared),
    steps: [newStep('create')],
  });
  return only(unlessBlocked(the.terms, wanted, ['now']));
}

/** A name is sent once. What has this content and this name was sent by an earlier command, or is on its way. */
export function sentOnce({ declared, members, terms }: BroadcastCase): Decision {
  const content = contentDigest(declared.content);
  const sent = members.find(
    (member) => classifyBroadcastAt(member, terms.nowMs) === 'out' && member.known?.contentDigest === content,
  );
  if (sent !== undefined)
    return only(change(declared, 'done', { member: sent, reasons: [`Herald has sent it as ${sent.id}.`] }));
  const [first] = members;
  const status = first?.observed.live.status ?? 'finished or unnamed';
  const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${status}). Fans could get the message twice. Give it a new name.`;
  return only(blocked(declared, reason, first ?? null));
}
