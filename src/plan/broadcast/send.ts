import type { Allowance } from '../../domain/allowance.ts';
import type { Change, Step } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { isArchived } from '../../domain/status.ts';
import {
  classifyBroadcastAt,
  waiting,
  type BroadcastCase,
  type BroadcastCell,
  type BroadcastMember,
} from './column.ts';
import { sortWaiting } from './copies.ts';
import { recreate } from './replace-expired.ts';
import { undoneStops } from './undone-stops.ts';
import { listContents } from '../contents.ts';
import { isPastResumeWindow } from './expired.ts';
import { droppedFrom, notInFile } from '../compare/dropped.ts';
import {
  adoptionOf,
  blocked,
  change,
  fieldsOf,
  only,
  replacedFieldsOf,
  newStep,
  step,
  unlessBlocked,
  unverifiable,
  warning,
  type Decision,
} from '../decision.ts';

// The cells of a broadcast that is declared scheduled, while there is time to send it.

export function create(the: BroadcastCase): Decision {
  const stops = undoneStops(the);
  const reasons = [`Goes out at ${the.declared.scheduledAtUtc}.`, ...stops.words];
  const fields = listContents(the.declared);
  const wanted = change(the.declared, 'create', { reasons, fields, steps: [newStep('create')] });
  return only(unlessBlocked(the.terms, wanted, stops.needs));
}

/** Lowest id stays; whatever else waits under the name is paused before anything else in the run. */
export function keepLowest(action: 'keep' | 'done'): BroadcastCell {
  return (the) => {
    const [keeper] = the.members;
    if (keeper === undefined) return only();
    return {
      changes: [
        change(the.declared, action, {
          member: keeper,
          dropped: action === 'keep' ? notInFile(the.declared, keeper) : [],
        }),
        ...stopOthers(the, keeper),
      ],
      diagnostics: unverifiable(the.declared, keeper),
    };
  };
}

function stopOthers(the: BroadcastCase, keeper: BroadcastMember): readonly Change[] {
  return waiting(the.group)
    .filter((member) => member !== keeper)
    .map((member) => retire(the, member, whyStopped(member, keeper)));
}

function whyStopped(member: BroadcastMember, keeper: BroadcastMember): string {
  const what = {
    equal: `Duplicate of ${keeper.id}`,
    different: `Another version of ${keeper.id}, which is the declared one`,
    unknowable: `Its content cannot be read, and ${keeper.id} is the declared one`,
  } as const;
  return `${what[member.comparison.verdict]}: every fan would get both.`;
}

/** Pauses what still waits after one of the name has gone out: it would be a second send (BROADCAST-14). */
export function retireWaiting(the: BroadcastCase): readonly Change[] {
  const [gone] = the.members;
  // Over with its schedule: it never left, so what waits is the first send.
  if (gone === undefined || classifyBroadcastAt(gone, the.terms.nowMs) === 'archived') return [];
  return waiting(the.group).map((member) =>
    retire(the, member, `${gone.id} with the same name was already sent: fans would get it twice.`),
  );
}

/** Of several that wait, none of them as declared: those that are one too many are paused, the rest needs a person. */
export function sendOnlyOne(
  the: BroadcastCase,
  members: readonly BroadcastMember[],
): { readonly stay: readonly BroadcastMember[]; readonly changes: readonly Change[] } {
  const { stay, surplus } = sortWaiting(members, the.group);
  const [first, ...others] = stay;
  return {
    stay,
    changes: [
      ...surplus.map(({ member, why }) => retire(the, member, why)),
      ...others.map((other) => blocked(the.declared, bothGoOut(first, other), other)),
    ],
  };
}

function bothGoOut(first: BroadcastMember | undefined, other: BroadcastMember): string {
  const { account, live } = other.observed;
  const pause = (id = 'ID') => formatCommand('broadcasts', 'pause', id, '--account', account);
  return `It goes out at ${live.scheduled_at ?? 'an unknown time'} with other content and the same name as ${first?.id ?? ''}, so every fan would get both. Pause one of them: ${pause(other.id)} or ${pause(first?.id)}`;
}

function retire(the: BroadcastCase, member: BroadcastMember, reason: string): Change {
  const wanted = change(the.declared, 'retire', {
    member,
    reasons: [reason],
    fields: fieldsOf(member),
    steps: [step('pause', member), step('read_back', member)],
  });
  return unlessBlocked(the.terms, wanted, adoptionOf(member));
}

/** Pause, look that it has not left, create. Never the other way round: a crash would send both. */
export function replace(the: BroadcastCase): Decision {
  const { members } = the;
  const steps = [
    ...members.flatMap((member) => [step('pause', member), step('check_not_left', member)]),
    newStep('create'),
    newStep('read_back'),
  ];
  const stops = undoneStops(the);
  const reasons = [
    'The content changed. The service cannot update a broadcast, so it is paused and created again.',
    'The old version stays paused permanently.',
    ...(stops.words.length === 0 ? [] : [...stops.words, waysOn(members)]),
  ];
  return replacement(the, { reasons, steps, needs: [...adoptionOf(...members), ...stops.needs] });
}

interface Replacement {
  readonly reasons: string[];
  readonly steps: Step[];
  readonly needs: readonly Allowance[];
}

/** One change that replaces all members by the declared version. */
function replacement(
  { declared, members, terms }: BroadcastCase,
  { reasons, steps, needs }: Replacement,
): Decision {
  const member = members[0] ?? null;
  const fields = replacedFieldsOf(member);
  const dropped = droppedFrom(declared, members);
  const wanted = change(declared, 'replace', { member, reasons, fields, dropped, steps });
  return { changes: [unlessBlocked(terms, wanted, needs)], diagnostics: unverifiable(declared, member) };
}

/** A person went back to the version that waits: both ways on, as commands. */
function waysOn(members: readonly BroadcastMember[]): string {
  const ids = members.map(({ id }) => id).join(', ');
  return `${ids} is scheduled instead. To go forward again: ${formatCommand('apply', '--allow', 'resume')}. To keep ${ids}: ${formatCommand('import', '--update')}, or restore the file.`;
}

/**
 * Paused before it left; without `--allow resume` only when every pause was our own (a replace that was cut short, or
 * a declared pause).
 *
 * | content    | its own hour | paused, by the service's clock  | what                                      |
 * |------------|--------------|---------------------------------|-------------------------------------------|
 * | unreadable |              |                                 | blocked                                   |
 * | equal      | ahead        | up to 5 days ago, or not known  | resume                                    |
 * | equal      | ahead        | more than 5 days ago: expired   | created again if the service agrees       |
 * | equal      | past         |                                 | blocked: it would go out at once          |
 * | different  |              |                                 | a new one is created; the old one stays   |
 *
 * An hour that is equal is ahead; only one that is ignored can be past.
 */
export function resumeOrFinish(the: BroadcastCase): Decision {
  const unreadable = the.members.find((member) => member.comparison.verdict === 'unknowable');
  if (unreadable !== undefined) {
    const reason =
      'It is paused and its content cannot be read, so Herald does not change it. Check it on the service.';
    return only(blocked(the.declared, reason, unreadable));
  }
  const equal = the.members.filter((member) => member.comparison.verdict === 'equal');
  const [first] = equal;
  if (first === undefined) return finish(the);
  const ahead = equal.filter((member) => hourOf(member) > the.terms.nowMs);
  if (ahead.length === 0) return blockPastHour(the, first);
  const alive = ahead.find((member) => !isPastResumeWindow(member, the.terms.nowMs));
  return alive === undefined ? recreate(the, ahead) : resume(the, alive);
}

function hourOf({ observed }: BroadcastMember): number {
  return Date.parse(observed.live.scheduled_at ?? '');
}

/** Unless the files ignore the hour. */
function isAtDeclaredHour({ declared }: BroadcastCase, member: BroadcastMember): boolean {
  return hourOf(member) === Date.parse(declared.scheduledAtUtc);
}

function blockPastHour({ declared }: BroadcastCase, member: BroadcastMember): Decision {
  const command = formatCommand('broadcasts', 'resume', member.id, '--account', declared.address.account);
  const reason = `Its live time ${member.observed.live.scheduled_at ?? ''} passed while it was paused, and the file ignores scheduled_at. If it is resumed, it goes out immediately. To do that: ${command}. Or remove scheduled_at from \`ignore\`.`;
  return only(blocked(declared, reason, member));
}

function resume(the: BroadcastCase, member: BroadcastMember): Decision {
  const stops = undoneStops(the, the.members);
  const reasons = [
    ...(stops.words.length === 0 ? ['Herald paused it.'] : stops.words),
    `Goes out at ${isAtDeclaredHour(the, member) ? the.declared.scheduledAtUtc : (member.observed.live.scheduled_at ?? '')}.`,
  ];
  const steps = [step('resume', member), step('read_back', member)];
  const wanted = change(the.declared, 'resume', { member, reasons, steps });
  return only(unlessBlocked(the.terms, wanted, [...adoptionOf(member), ...stops.needs]));
}

function finish(the: BroadcastCase): Decision {
  const { declared, members } = the;
  const stops = undoneStops(the, members);
  const reasons = [
    ...(stops.words.length === 0 ? [owed(the)] : stops.words),
    `The declared version goes out at ${declared.scheduledAtUtc}; the old one stays paused.`,
  ];
  const steps = [
    ...members.map((member) => step('check_not_left', member)),
    newStep('create'),
    newStep('read_back'),
  ];
  return replacement(the, { reasons, steps, needs: stops.needs });
}

function owed(the: BroadcastCase): string {
  return the.members.some((member) => member.known?.pausedFor === 'replace')
    ? 'Finishes a replace: the old version is paused, but the new one was never created.'
    : 'Herald paused an older version of it.';
}

/** Matched by name only: what it says cannot be read, so nothing is decided about it (BROADCAST-23). */
export function leaveUnreadable(the: BroadcastCase): Decision {
  const { declared, group, members } = the;
  const member = members[0] ?? null;
  const different = waiting(group).find((candidate) => candidate.comparison.verdict === 'different');
  if (different !== undefined) {
    const reason = `It differs, but ${member?.id ?? ''} with the same name waits and cannot be read, so fans could get both. Check ${member?.id ?? ''} on the service, and pause it if you do not need it.`;
    return only(blocked(declared, reason, different));
  }
  const message = 'Its content cannot be read, so Herald does not compare or change it.';
  const { stay, changes } = sendOnlyOne(the, waiting(group));
  const reasons = ['Its content cannot be read.'];
  return {
    changes: [change(declared, 'keep', { member: stay[0] ?? member, reasons }), ...changes],
    diagnostics: [warning(declared, 'unreadable', message)],
  };
}

export function blockHalted(the: BroadcastCase): Decision {
  const current = the.members.find(({ comparison }) => comparison.verdict === 'equal');
  const member = current ?? the.members[0] ?? null;
  const command = (verb: string) =>
    formatCommand('broadcasts', verb, member?.id ?? 'ID', '--account', the.declared.address.account);
  const reason = `It was paused after it had begun to go out. To send the rest: ${command('resume')}. To recall it: ${command('recall')}. To send it again, give it a new name.`;
  return only(blocked(the.declared, reason, member), ...retireWaiting(the));
}

export function blockLeft(the: BroadcastCase): Decision {
  const member = the.members[0] ?? null;
  return only(
    blocked(the.declared, `${goneWords(the, member)} To send it again, give it a new name.`, member),
    ...retireWaiting(the),
  );
}

function goneWords({ terms }: BroadcastCase, member: BroadcastMember | null): string {
  if (member?.known?.recalled === true) return `Herald recalled ${member.id}, a broadcast with this name.`;
  if (member !== null && isArchived(member.observed.live))
    return 'A broadcast with this name is archived and can no longer go out.';
  return member !== null && classifyBroadcastAt(member, terms.nowMs) === 'archived'
    ? 'A broadcast with this name ended before it went out, so it can no longer go out.'
    : 'A broadcast with this name was already sent.';
}
