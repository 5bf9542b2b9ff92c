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
 * Paused for so long that the service resumes it no more, and it never left: it is created anew. The ledger may not
 * know of somebody who resumed and paused it again meanwhile, and clocks differ, so the service is asked once more:
 * only its refusal proves that the old one stays where it is, and where it agrees there is nothing to create.
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
    `When the service refuses to resume it, it is created anew and goes out at ${declared.scheduledAtUtc}; ${ids} stays paused.`,
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
        `by the ledger, ${ids} was paused more than 5 days ago, after which the service resumes nothing.`,
      ),
    ],
  };
}

function sinceWhen(member: BroadcastMember): string {
  const since = new Date(member.known?.pausedAtMs ?? 0).toISOString().replace(/\.\d+Z$/, 'Z');
  const who = isStoppedByHand(member) ? 'It was paused by hand with Herald' : 'Herald paused it';
  return `${who} at ${since}, and the service resumes nothing after 5 days.`;
}
