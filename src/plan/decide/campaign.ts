import { canonical } from '../../domain/digest.ts';
import { type DeclaredCampaign, formatApply } from '../../domain/resource.ts';
import type { CampaignTarget } from '../../domain/status.ts';
import { passedEnd } from '../../domain/time.ts';
import { digestDeclared, digestHidden } from '../compare/content.ts';
import {
  blocked,
  blockOpen,
  blockUnforeseen,
  blockUnread,
  change,
  CREATE,
  createNew,
  decideByTable,
  explainInstead,
  findFirst,
  findUnconfirmed,
  inState,
  isEqual,
  isUnreadable,
  keep,
  keepLowest,
  needResume,
  replaceRunning,
  row,
  startPaused,
  step,
  stopAll,
  stopOther,
  warning,
  wasRecalled,
  type Cell,
  type Decision,
  type Row,
} from './decision.ts';
import { commandFor, findNewest, isStoppedByPerson, type Group, type Version } from './group.ts';

type CampaignCase = Group<DeclaredCampaign>;

/**
 * What to do, by what is live (the first row that fits) and what is declared:
 *
 * | live                                                       | active   | paused           | archived               | recalled                      |
 * |------------------------------------------------------------|----------|------------------|------------------------|-------------------------------|
 * | a request about it is unconfirmed                          | blocked  | pause the others | archive the others     | recall² the others            |
 * | its status has no name here                                | blocked  | pause the others | archive the others     | recall² the others            |
 * | runs, unreadable                                           | blocked  | pause            | archive                | recall²                       |
 * | runs, same                                                 | keep     | pause            | archive                | recall²                       |
 * | the declared text was recalled                             | blocked  | pause the rest   | archive the rest       | recall² the rest              |
 * | a person stopped the newest version with the declared text | blocked¹ | pause            | archive                | recall²                       |
 * | runs, other                                                | replace  | pause            | archive                | recall²                       |
 * | the newest was recalled                                    | blocked  | keep             | archive the rest       | recall² the rest              |
 * | paused, unreadable                                         | blocked  | keep             | archive                | recall²                       |
 * | a person stopped the newest                                | blocked¹ | keep             | archive what is paused | archived: blocked; recall²    |
 * | paused by Herald, same                                     | activate | keep             | archive                | recall²                       |
 * | paused by Herald, other                                    | create   | keep             | archive                | recall²                       |
 * | archived by Herald, or nothing                             | create   | keep             | keep                   | archived: blocked; none: keep |
 * | anything else                                              | blocked  | pause            | archive                | recall²                       |
 *
 * ¹ needs `resume`, ² needs `recall`. An end that has passed starts nothing. `keep` stops whatever else of the name runs,
 * and archives what it replaced under `old_queue: clear`.
 */
export const CAMPAIGN_TABLE: readonly Row<CampaignCase, CampaignTarget>[] = [
  when('a request about it is unconfirmed', findUnconfirmed, blockOpen, { block: blockOpen }),
  when('its status has no name here', findFirst('unnamed'), blockUnnamed, { block: blockUnnamed }),
  when('runs, unreadable', findFirst('runs', isUnreadable), blockUnread),
  when('runs, same', findFirst('runs', isEqual), keepDeclared),
  when('the declared text was recalled', (the) => withText(the).findLast(wasRecalled), blockRecalled),
  when(
    'a person stopped the newest version with the declared text',
    (the) => ifStoppedByPerson(the, findNewest(withText(the))),
    needResume,
  ),
  when('runs, other', findFirst('runs'), unlessEnded(replace)),
  when('the newest was recalled', ({ versions }) => [findNewest(versions)].find(wasRecalled), blockRecalled),
  when('paused, unreadable', findFirst('paused', isUnreadable), blockUnread),
  when('a person stopped the newest', (the) => ifStoppedByPerson(the, findNewest(the.versions)), needResume),
  when('paused by Herald, same', (the) => pausedByHerald(the).find(isEqual), unlessEnded(activate)),
  when('paused by Herald, other', (the) => pausedByHerald(the)[0], unlessEnded(create)),
  when('archived by Herald, or nothing', (the) => (isAllArchived(the) ? the : null), unlessEnded(create)),
  when('anything else', (the) => the, blockUnforeseen),
];

/** A row with its cell `active`. The other columns stop what is left; `block` says what holds the name back then. */
function when<Found extends object>(
  live: string,
  find: (the: CampaignCase) => Found | null | undefined,
  active: Cell<CampaignCase, Found>,
  { block }: { readonly block?: Cell<Group, Found> } = {},
): Row<CampaignCase, CampaignTarget> {
  const recallAll = stopAll('recall', block);
  return row(live, find, {
    active,
    paused: stopAll('pause', block),
    archived: stopAll('archive', block),
    recalled: (the, found) =>
      block === undefined && isAllArchived(the) ? blockArchivedRecall(the) : recallAll(the, found),
  });
}

export function decideCampaign(the: CampaignCase): Decision {
  return decideByTable(CAMPAIGN_TABLE, the.declared.target, the);
}

// What the rows look at.

function isAllArchived({ versions }: CampaignCase): boolean {
  return versions.every(({ state }) => state === 'archived');
}

/** Versions that were sent with the declared text: by what they show, or by their create where they cannot be read. */
function withText({ declared, versions }: CampaignCase): readonly Version[] {
  const [digest, hidden] = [digestDeclared(declared), digestHidden(declared)];
  return versions.filter((version) =>
    isUnreadable(version)
      ? version.known?.declared_digest === digest && version.known.hidden_digest === hidden
      : isEqual(version),
  );
}

/** The version if a person stopped it; null otherwise. */
function ifStoppedByPerson(the: CampaignCase, version: Version | null): Version | null {
  return version === null || wasRecalled(version) || !isStoppedByPerson(the, version) ? null : version;
}

function pausedByHerald(the: CampaignCase): readonly Version[] {
  return inState(the, 'paused').filter((version) => ifStoppedByPerson(the, version) === null);
}

function isOver({ observed }: Version, { facts: { time } }: CampaignCase): boolean {
  return passedEnd(observed.live.rules, time.latestMs) !== null;
}

// The cells of a campaign that is declared active.

/** What was paused for it stays paused. Once this version runs, what it has replaced is archived under `old_queue: clear`. */
function create(the: CampaignCase): Decision {
  return createNew(the, pausedByHerald(the), 'Goes live immediately.', CREATE);
}

/**
 * Duplicates are archived. One that differs in ignored fields is none: its queue may have other fans, so it is paused. What
 * was replaced under `old_queue: clear` is archived.
 */
function keepDeclared(the: CampaignCase, keeper: Version): Decision {
  const isCleared = ({ known }: Version) =>
    the.declared.oldQueue === 'clear' && known?.replaced_by === keeper.id;
  const cleared = inState(the, 'runs', 'paused').filter(isCleared);
  const rest = { ...the, versions: the.versions.filter((version) => !cleared.includes(version)) };
  const reason = `${keeper.id} has replaced it, and old_queue: clear clears its queue.`;
  const ignored = canonical(keeper.comparison.ignored);
  return [
    ...keepLowest(rest, keeper, 'keep', (one) =>
      isEqual(one) && canonical(one.comparison.ignored) === ignored ? 'retire' : 'pause',
    ),
    ...cleared.map((one) => stopOther(the, one, 'archive', reason)),
  ];
}

/**
 * | replace      | old_queue: keep                 | old_queue: clear                         |
 * |--------------|---------------------------------|------------------------------------------|
 * | pause_first  | pause, create, read back        | pause, create, read back, archive        |
 * | create_first | create, read back, pause        | create, read back, archive               |
 */
function replace(the: CampaignCase, first: Version): Decision {
  const { declared } = the;
  const running = inState(the, 'runs');
  const version = findNewest(running.filter((one) => !isOver(one, the)));
  if (version === null) return blockEnded(the, first);
  const isPauseFirst = declared.replace === 'pause_first';
  const cleared = declared.oldQueue === 'clear' ? running : [];
  const archives = cleared.map((one) => step('archive', one));
  const pauses = running.map((one) => step('pause', one));
  const effect = isPauseFirst
    ? 'Fans who trigger it between the pause and the create get nothing (usually under one second).'
    : 'Fans who trigger it between the create and the pause get both versions.';
  const steps = isPauseFirst
    ? [...pauses, ...CREATE, ...archives]
    : [...CREATE, ...(archives.length > 0 ? archives : pauses)];
  return replaceRunning(the, version, effect, steps);
}

/** Switches on the lowest id of those that are equal. */
function activate(the: CampaignCase, first: Version): Decision {
  const version = pausedByHerald(the).find((one) => isEqual(one) && !isOver(one, the));
  return version === undefined ? blockEnded(the, first) : startPaused(the, version);
}

/** What has ended is over: an end of the file that has passed starts nothing (CAMPAIGN-5). */
function unlessEnded<Found>(cell: Cell<CampaignCase, Found>): Cell<CampaignCase, Found> {
  return (the, found) => {
    const { declared, versions, facts } = the;
    const endAt = passedEnd(declared.content.rules, facts.time.latestMs);
    if (endAt === null) return cell(the, found);
    const running = inState(the, 'runs').find((version) => !isOver(version, the));
    if (running !== undefined) {
      const reason = `The declared end ${endAt} has passed, but ${running.id} is live with other content and continues. To stop it, set status: paused or archived. To continue, set a later rules.end_at.`;
      return [blocked(declared, reason, running)];
    }
    const [version = null] = versions;
    const passed = `Its end ${endAt} ${version === null ? 'passed before it was created' : 'has passed'}.`;
    const message = `${passed} Herald does not start it. Change rules.end_at, or remove it.`;
    return [
      change(declared, version === null ? 'missed' : 'done', { version, reasons: [passed] }),
      warning(declared, 'missed', message),
    ];
  };
}

function blockEnded({ declared, facts }: CampaignCase, version: Version): Decision {
  const endAt = passedEnd(version.observed.live.rules, facts.time.latestMs);
  const reason = `The live one ended at ${endAt ?? 'an unknown time'}. To run it again, give it a new name.`;
  return [blocked(declared, reason, version), warning(declared, 'missed', reason)];
}

function blockUnnamed({ declared }: Group, version: Version): Decision {
  const status = version.observed.live.status ?? 'null';
  const reason = `Its status "${status}" is unknown to this version of Herald, so Herald does not change it. Check it on the service.`;
  return [blocked(declared, reason, version)];
}

function blockRecalled(the: CampaignCase, version: Version): Decision {
  const was = [`${version.id} was recalled.`, ...explainInstead(the)].join(' ');
  const reason = `${was} To send this message again, give it a new name. To keep it recalled, set status: recalled.`;
  return [blocked(the.declared, reason, version)];
}

// The cells of a campaign that is declared paused, archived or recalled.

/** Only active and paused ones can be recalled (CAMPAIGN-12). */
function blockArchivedRecall(the: CampaignCase): Decision {
  const { declared, versions } = the;
  const version = findNewest(versions) ?? versions[0] ?? null;
  if (version === null || wasRecalled(version)) return keep(the);
  const pause = commandFor('pause', version.observed);
  const reason = `An archived campaign cannot be recalled. Pause it first with: ${pause}. Then: ${formatApply(declared.address)}. Only messages of the last 24 hours are recalled.`;
  return [blocked(declared, reason, version)];
}
