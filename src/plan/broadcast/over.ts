import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { DeclaredBroadcast } from '../../domain/resource.ts';
import { broadcastStatusOf, isArchived, isDeclaredToSend, STATUS_TRAITS } from '../../domain/status.ts';
import {
  classifyBroadcast,
  waiting,
  type BroadcastCase,
  type BroadcastCell,
  type BroadcastMember,
} from './column.ts';
import { retireWaiting, sendOnlyOne } from './send.ts';
import {
  adoptionOf,
  change,
  fieldsOf,
  only,
  step,
  unlessBlocked,
  warning,
  type Decision,
} from '../decision.ts';

// The cells of a broadcast with a time that has passed, or that is declared paused or recalled.

/** It was sent, so it is done permanently. Another one of the name that still waits would be a second send. */
export function done(the: BroadcastCase): Decision {
  const { declared, group } = the;
  const member = the.members[0] ?? null;
  const over = change(declared, 'done', { member });
  if (!isDeclaredToSend(declared)) return { changes: [over], diagnostics: goingOut(the) };
  const twice = goingOutTwice(the);
  const retired = retireWaiting(the);
  if (retired.length > 0) return { changes: [over, ...retired], diagnostics: twice };
  const { stay, changes } = sendOnlyOne(the, waiting(group));
  return { changes: [over, ...changes], diagnostics: [...twice, ...tooLate(declared, stay)] };
}

/** Too late to stop a duplicate before it goes out. Half of it can still be stopped, which is a person's decision. */
export function goingOutTwice({ declared, group }: BroadcastCase): readonly Diagnostic[] {
  const [first, ...others] = group.filter(isGoingOut);
  return others.map(({ id, observed }) =>
    warning(
      declared,
      'going-out-twice',
      `${first?.id ?? ''} and ${id} have the same name, and both go out now, so fans get both. Herald does not pause one half-way by itself. To stop ${id}: ${pauseByHand(observed.account, id)}`,
    ),
  );
}

function isGoingOut({ observed }: BroadcastMember): boolean {
  return STATUS_TRAITS[broadcastStatusOf(observed.live)].goingOut;
}

/** Declared paused although it goes out right now: stopping it half-way is a person's decision (BROADCAST-15). */
function goingOut({ declared, members }: BroadcastCase): readonly Diagnostic[] {
  if (declared.target !== 'paused') return [];
  return members
    .filter(isGoingOut)
    .map(({ id, observed }) =>
      warning(
        declared,
        'going-out',
        `${id} is ${observed.live.status ?? ''}, and an apply does not pause it half-way. To stop it: ${pauseByHand(observed.account, id)}`,
      ),
    );
}

/** Too late to replace: what waits goes out as it is, which the files no longer say. One of them, and not two. */
export function doneTooLate(the: BroadcastCase): Decision {
  const { stay, changes } = sendOnlyOne(the, waiting(the.group));
  const member = stay[0] ?? null;
  return {
    changes: [change(the.declared, 'done', { member, fields: fieldsOf(member) }), ...changes],
    diagnostics: tooLate(the.declared, stay),
  };
}

function tooLate(declared: DeclaredBroadcast, members: readonly BroadcastMember[]): readonly Diagnostic[] {
  return members.map(({ id, observed, comparison }) => {
    const how =
      comparison.verdict === 'unknowable'
        ? 'with content that Herald cannot read'
        : 'with its live content, not that of the file';
    return warning(
      declared,
      'too-late',
      `Its time ${declared.scheduledAtUtc} has passed, or is too near to replace it. ${id} goes out at ${observed.live.scheduled_at ?? 'an unknown time'} ${how}. To stop it: ${pauseByHand(observed.account, id)}`,
    );
  });
}

export function doneNeverLeft(the: BroadcastCase): Decision {
  const member = the.members[0] ?? null;
  const message = `It was never sent: it is paused, and its time ${the.declared.scheduledAtUtc} has passed or is too near. To send it, give it a new name and time.`;
  return {
    changes: [change(the.declared, 'done', { member })],
    diagnostics: [warning(the.declared, 'never-left', message)],
  };
}

/** Already stopped. What differs in content is shown: it matters once it is to be sent after all. */
export function keep(the: BroadcastCase): Decision {
  const member = the.members[0] ?? null;
  return only(change(the.declared, 'keep', { member, fields: fieldsOf(member) }));
}

export function keepAbsent(the: BroadcastCase): Decision {
  const reasons =
    the.declared.target === 'paused'
      ? ['Not created while paused, because a new broadcast is live immediately.']
      : ['Nothing of this name is live.'];
  return only(change(the.declared, 'keep', { reasons }));
}

export function pauseAll(otherwise: BroadcastCell): BroadcastCell {
  return (the) => {
    const members = waiting(the.group);
    if (members.length === 0) return otherwise(the);
    const changes = members.map((member) => {
      const steps = [step('pause', member), step('read_back', member)];
      const wanted = change(the.declared, 'pause', { member, reasons: ['Declared paused.'], steps });
      return unlessBlocked(the.terms, wanted, adoptionOf(member));
    });
    return { changes, diagnostics: goingOut(the) };
  };
}

/**
 * | the member                                | what                                                     |
 * |-------------------------------------------|----------------------------------------------------------|
 * | waits for its hour, whatever came before  | paused, then recalled: a refusal must not let it go out  |
 * | recalled by Herald, yet it is going out   | warned: the service may show this during the recall      |
 * | recalled by Herald, or archived           | nothing: the 24 hours count from the last status change  |
 * | recall refused, and it is still going out | paused, then recalled                                    |
 * | recall refused                            | warned, and not asked for again                          |
 * | any other                                 | recalled                                                 |
 */
export function recallAll(otherwise: BroadcastCell): BroadcastCell {
  return (the) => {
    const open = the.group.filter((member) => !isTakenBack(member));
    const refused = open.filter((member) => isRefused(member) && !isGoing(member));
    const asked = open.filter((member) => !refused.includes(member));
    const diagnostics = [
      ...refused.map((member) => recallRefused(the.declared, member)),
      ...the.group
        .filter((member) => isTakenBack(member) && isGoing(member))
        .map((member) => goesOn(the.declared, member)),
    ];
    if (asked.length === 0) {
      const rest = otherwise(the);
      return { ...rest, diagnostics: [...rest.diagnostics, ...diagnostics] };
    }
    const changes = asked.map((member) => {
      const stopsFirst = classifyBroadcast(member) === 'scheduled' || isRefused(member);
      const steps = [...(stopsFirst ? [step('pause', member)] : []), step('recall', member)];
      const reasons = ['Declared recalled.', 'Possible within 24 hours of its last status change.'];
      const wanted = change(the.declared, 'recall', { member, reasons, steps });
      return unlessBlocked(the.terms, wanted, [...adoptionOf(member), 'recall']);
    });
    return { changes, diagnostics };
  };
}

/** A recalled one that waits for its hour was resumed since, because Herald pauses before a recall. */
function isTakenBack(member: BroadcastMember): boolean {
  const { known, observed } = member;
  if (isArchived(observed.live)) return true;
  return known?.recalled === true && classifyBroadcast(member) !== 'scheduled';
}

function isRefused({ known }: BroadcastMember): boolean {
  return known?.recallRefused === true;
}

/** The service takes a pause of it; anything else has gone out, or has no status that the service names. */
function isGoing({ observed }: BroadcastMember): boolean {
  return STATUS_TRAITS[broadcastStatusOf(observed.live)].runs;
}

function goesOn(declared: DeclaredBroadcast, { id, observed }: BroadcastMember): Diagnostic {
  return warning(
    declared,
    'goes-on',
    `${id} was recalled, but is ${observed.live.status ?? ''} again. If this lasts, someone has resumed it. To stop it: ${pauseByHand(observed.account, id)}`,
  );
}

function recallRefused(declared: DeclaredBroadcast, member: BroadcastMember): Diagnostic {
  const { id, observed } = member;
  const rest =
    classifyBroadcast(member) === 'paused_pending'
      ? 'It is paused and never went out.'
      : `Fans keep the messages that they got. To try again, if its status has changed since: ${formatCommand('broadcasts', 'recall', id, '--account', observed.account)}`;
  return warning(
    declared,
    'recall-refused',
    `The service refused to recall ${id}. It refuses 24 hours after the last status change. ${rest}`,
  );
}

function pauseByHand(account: string, id: string): string {
  return formatCommand('broadcasts', 'pause', id, '--account', account);
}
