import type { BroadcastCase, BroadcastMember } from './column.ts';
import {
  adoptionOf,
  change,
  replacedFieldsOf,
  newStep,
  step,
  unlessBlocked,
  warning,
  type Decision,
} from '../decision.ts';
import { undoneStops } from './undone-stops.ts';
import { droppedFrom } from '../compare/dropped.ts';
import { isStoppedByHand } from '../person-stops.ts';

/**
 * Replaces a broadcast that was never sent and was paused for too long to be resumed. The ledger may not know that a
 * person resumed and paused it again, and clocks differ. So Herald tries to resume it: only the service's refusal proves
 * that the old one cannot go out. If the service resumes it, nothing is created.
 */
export function recreate(the: BroadcastCase, dead: readonly BroadcastMember[]): Decision {
  const { declared, members, terms } = the;
  const first = dead[0] ?? null;
  const steps = [
    ...dead.map((member) => step('prove_dead', member)),
    ...members.map((member) => step('check_not_left', member)),
    newStep('create'),
    newStep('read_back'),
  ];
  const ids = dead.map(({ id }) => id).join(', ');
  const stops = undoneStops(the, members);
  const reasons = [
    ...stops.words,
    ...dead.map(sinceWhen),
    `If the service refuses to resume ${ids}, a new broadcast is created for ${declared.scheduledAtUtc}. ${ids} stays paused.`,
  ];
  const wanted = change(declared, 'replace', {
    member: first,
    reasons,
    fields: replacedFieldsOf(first),
    dropped: droppedFrom(declared, dead),
    steps,
  });
  return {
    changes: [unlessBlocked(terms, wanted, [...adoptionOf(...dead), ...stops.needs])],
    diagnostics: [
      warning(
        declared,
        'dead',
        `By the ledger, ${ids} was paused more than 5 days ago. The service does not resume it after that.`,
      ),
    ],
  };
}

function sinceWhen(member: BroadcastMember): string {
  const since = new Date(member.known?.pausedAtMs ?? 0).toISOString().replace(/\.\d+Z$/, 'Z');
  const who = isStoppedByHand(member) ? 'It was paused by hand with Herald' : 'Herald paused it';
  return `${who} at ${since}. The service does not resume it after 5 days.`;
}
