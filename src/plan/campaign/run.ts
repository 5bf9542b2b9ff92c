import type { Change } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import { isOwedToReplace } from '../../domain/knowledge.ts';
import {
  newestRecalled,
  passedEndOf,
  classifyCampaign,
  type CampaignCase,
  type CampaignMember,
} from './column.ts';
import { undoneStops, type UndoneStops } from './undone-stops.ts';
import { listContents } from '../contents.ts';
import { droppedFrom, notInFile } from '../compare/dropped.ts';
import {
  adoptionOf,
  blocked,
  change,
  fieldsOf,
  ignoredOf,
  only,
  replacedFieldsOf,
  newStep,
  step,
  unlessBlocked,
  unverifiable,
  type Decision,
} from '../decision.ts';

// The cells of a campaign that is declared active.

export function create(the: CampaignCase): Decision {
  const fields = listContents(the.declared);
  const stops = undoneStops(the, 'create');
  const wanted = change(the.declared, 'create', {
    reasons: ['Goes live immediately.', ...stops.words],
    fields,
    steps: [newStep('create')],
  });
  return only(unlessBlocked(the.terms, wanted, stops.needs));
}

/** The lowest id stays. Duplicates are archived and other versions paused, so that none sends twice. */
export function keepLowest(the: CampaignCase): Decision {
  const [keeper, ...rest] = the.members;
  if (keeper === undefined) return only();
  // One that differs in ignored fields is not a copy. Its queue may have other fans, so it is not cleared.
  const copies = rest.filter((member) => sameIgnored(member, keeper));
  const equal = new Set([keeper, ...copies]);
  const others = the.group.filter((member) => classifyCampaign(member) === 'active' && !equal.has(member));
  const owed = owedArchives(the, keeper);
  const changes = [
    change(the.declared, 'keep', { member: keeper, dropped: notInFile(the.declared, keeper) }),
    ...copies.map((copy) =>
      extra(the, 'retire', copy, `Duplicate of ${keeper.id}. Every fan would get the message twice.`),
    ),
    ...others
      .filter((other) => !owed.includes(other))
      .map((other) => extra(the, 'pause', other, whyStopped(other, keeper))),
    ...owed.map((old) =>
      extra(the, 'archive', old, `${keeper.id} has replaced it, and old_queue: clear clears its queue.`),
    ),
  ];
  return { changes, diagnostics: unverifiable(the.declared, keeper) };
}

/**
 * `old_queue: clear` comes last in a replace; cut short, the old version still has what it queued, and with
 * `create_first` it even runs.
 */
function owedArchives({ declared, group }: CampaignCase, keeper: CampaignMember): readonly CampaignMember[] {
  if (declared.oldQueue !== 'clear') return [];
  return group.filter(
    (member) =>
      ['active', 'paused'].includes(classifyCampaign(member)) && member.known?.supersededBy === keeper.id,
  );
}

function sameIgnored(left: CampaignMember, right: CampaignMember): boolean {
  const leftAlone = (member: CampaignMember) => canonical([...ignoredOf(member), ...member.again]);
  return leftAlone(left) === leftAlone(right);
}

function whyStopped(other: CampaignMember, keeper: CampaignMember): string {
  const what = {
    unknowable: 'Its content cannot be compared, and it runs under the same name',
    different: 'Another version',
    equal: `Another version: it differs in ignored fields (${ignoredBetween(other, keeper)})`,
  } as const;
  return `${what[other.comparison.verdict]}; ${keeper.id} is the declared one.`;
}

function ignoredBetween(...members: readonly CampaignMember[]): string {
  return [...new Set(members.flatMap((member) => ignoredOf(member).map(({ path }) => path)))].join(', ');
}

function extra(
  the: CampaignCase,
  action: 'retire' | 'pause' | 'archive',
  member: CampaignMember,
  reason: string,
): Change {
  const steps = [step(action === 'pause' ? 'pause' : 'archive', member)];
  const wanted = change(the.declared, action, {
    member,
    reasons: [reason],
    fields: fieldsOf(member),
    steps,
  });
  return unlessBlocked(the.terms, wanted, adoptionOf(member));
}

/**
 * | replace      | old_queue: keep                 | old_queue: clear                         |
 * |--------------|---------------------------------|------------------------------------------|
 * | pause_first  | pause, create, read back        | pause, create, read back, archive        |
 * | create_first | create, read back, pause        | create, read back, archive               |
 */
export function replace(the: CampaignCase): Decision {
  const { declared, group, members, terms } = the;
  const running = members.find((member) => passedEndOf(member, terms.nowMs) === null);
  if (running === undefined) return blockEnded(the);
  const clears = declared.oldQueue === 'clear';
  // A run that was cut short has paused them, and their queues are still to be cleared.
  const pausedForIt = group.filter(
    (member) => classifyCampaign(member) === 'paused' && isOwedToReplace(member.known),
  );
  const pauses = members.map((member) => step('pause', member));
  const archives = (clears ? [...pausedForIt, ...members] : []).map((member) => step('archive', member));
  const made = [newStep('create'), newStep('read_back')];
  const steps =
    declared.replace === 'pause_first'
      ? [...pauses, ...made, ...archives]
      : [...made, ...(clears ? archives : pauses)];
  const gap =
    declared.replace === 'pause_first'
      ? 'Fans who trigger it between the pause and the create get nothing (usually under one second).'
      : 'Fans who trigger it between the create and the pause get both versions.';
  const recalled = newestRecalled(the.group);
  const stops = undoneStops(the, 'replace');
  const reasons = [
    'The content changed. The service cannot update a campaign, so it is paused and created again.',
    gap,
    'Statistics start again on the new one.',
    ...(recalled === null
      ? []
      : [`Check this first: ${recalled.id}, the newest with this name, was recalled by someone else.`]),
    ...(stops.words.length === 0 ? [] : [...stops.words, waysOn(running)]),
  ];
  const wanted = change(declared, 'replace', {
    member: running,
    reasons,
    fields: replacedFieldsOf(running),
    dropped: droppedFrom(declared, [running, ...members]),
    steps,
  });
  const changes = [unlessBlocked(terms, wanted, [...adoptionOf(...members), ...stops.needs])];
  return { changes, diagnostics: unverifiable(declared, running) };
}

/** A person went back to the version that runs: both ways on, as commands. */
function waysOn({ id }: CampaignMember): string {
  return `${id} runs instead. To go forward again: ${formatCommand('apply', '--allow', 'resume')}. To keep ${id}: ${formatCommand('import', '--update')}, or restore the file.`;
}

/** Switches the paused one on. */
export function activate(the: CampaignCase): Decision {
  const stops = undoneStops(the, 'activate');
  return switchOn(the, 'activate', stops, stops.words.length === 0 ? ['Herald paused it.'] : []);
}

export function reactivate(the: CampaignCase): Decision {
  const reason =
    'An archived campaign with this content exists. It is activated again, or created if the service refuses.';
  return switchOn(the, 'reactivate', undoneStops(the, 'reactivate'), [reason]);
}

function switchOn(
  the: CampaignCase,
  kind: 'activate' | 'reactivate',
  stops: UndoneStops,
  reasons: readonly string[],
): Decision {
  const running = the.members.filter((member) => passedEndOf(member, the.terms.nowMs) === null);
  const member = running.find((candidate) => candidate.ours) ?? running[0];
  if (member === undefined) return blockEnded(the);
  const steps = [step(kind, member), step('read_back', member)];
  const wanted = change(the.declared, 'activate', {
    member,
    reasons: [...reasons, ...stops.words],
    dropped: kind === 'reactivate' ? droppedFrom(the.declared, [member]) : [],
    steps,
  });
  return only(unlessBlocked(the.terms, wanted, [...adoptionOf(member), ...stops.needs]));
}

/**
 * The paused versions differ. Ours from a replace: the create is still owed, and with `old_queue: clear` the archive.
 * Otherwise a person stopped it.
 */
export function finish(the: CampaignCase): Decision {
  const { declared, members, terms } = the;
  const pausedForIt = members.filter(({ known }) => isOwedToReplace(known));
  const replaced = pausedForIt.length > 0 ? pausedForIt : members.slice(0, 1);
  const [first = null] = replaced;
  const clears = declared.oldQueue === 'clear';
  const stops = undoneStops(the, 'finish');
  const reasons = stops.words.length === 0 ? [owed(the)] : stops.words;
  const wanted = change(declared, 'replace', {
    member: first,
    reasons: [...reasons, `The declared version goes live immediately. ${afterFinish(replaced, clears)}`],
    fields: replacedFieldsOf(first),
    dropped: droppedFrom(declared, replaced),
    steps: [
      newStep('create'),
      newStep('read_back'),
      ...(clears ? replaced.map((old) => step('archive', old)) : []),
    ],
  });
  const needs = [...(clears ? adoptionOf(...replaced) : []), ...stops.needs];
  return { changes: [unlessBlocked(terms, wanted, needs)], diagnostics: unverifiable(declared, first) };
}

function afterFinish(replaced: readonly CampaignMember[], clears: boolean): string {
  if (!clears) return replaced.length > 1 ? 'The old ones stay paused.' : 'The old one stays paused.';
  return replaced.length > 1
    ? 'Then the old ones are archived, and their queues are cleared.'
    : 'Then the old one is archived, and its queue is cleared.';
}

function owed(the: CampaignCase): string {
  return the.members.some((member) => member.known?.pausedFor === 'replace')
    ? 'Finishes a replace: the old version is paused, but the new one was never created.'
    : 'Herald paused an older version of it.';
}

export function blockUnreadable(the: CampaignCase): Decision {
  const [member] = the.members;
  const why =
    member?.comparison.verdict === 'unknowable' ? member.comparison.why : 'its content cannot be compared';
  const reason = `Herald does not change it: ${why}. Check it on the service, or declare another name.`;
  return only(blocked(the.declared, reason, member ?? null));
}

export function blockRecalled(the: CampaignCase): Decision {
  const reason =
    'Someone recalled this message. To send it again, give it a new name. To keep it recalled, set status: recalled.';
  return only(blocked(the.declared, reason, the.members[0] ?? null));
}

export function blockForeign(the: CampaignCase): Decision {
  const [member] = the.members;
  const status = member?.observed.live.status ?? 'null';
  const reason = `Its status "${status}" is unknown to this version of Herald, so Herald does not change it. Check it on the service.`;
  return only(blocked(the.declared, reason, member ?? null));
}

/** What has ended is over: neither replaced nor switched on again (CAMPAIGN-5). */
function blockEnded(the: CampaignCase): Decision {
  const [member] = the.members;
  const endAt = member === undefined ? null : passedEndOf(member, the.terms.nowMs);
  const reason = `The live one ended at ${endAt ?? 'an unknown time'}. To run it again, give it a new name.`;
  return only(blocked(the.declared, reason, member ?? null));
}
