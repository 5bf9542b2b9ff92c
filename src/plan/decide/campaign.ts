import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import type { DeclaredCampaign, ObservedCampaign } from '../../domain/resource.ts';
import type { CampaignTarget } from '../../domain/status.ts';
import { passedEnd } from '../../domain/time.ts';
import { digestDeclared, digestHidden } from '../compare/content.ts';
import {
  andBlock,
  blocked,
  blockOpen,
  blockUnread,
  change,
  CREATE,
  createNew,
  decideByTable,
  inState,
  isEqual,
  isUnreadable,
  keep,
  needResume,
  replaceRunning,
  startPaused,
  step,
  stopDeclared,
  stopOther,
  toStop,
  warning,
  warnRefusedRecall,
  type Case,
  type Decision,
  type Row,
} from './decision.ts';
import { findNewest, isStoppedByPerson, type State, type Version } from './group.ts';
import { formatByHand } from './open.ts';

type CampaignVersion = Version<ObservedCampaign>;
type CampaignCase = Case<DeclaredCampaign, ObservedCampaign>;
type Cell = (the: CampaignCase) => Decision;

const STOPS = { paused: stopAll('pause'), archived: stopAll('archive'), recalled: stopAll('recall') };

function stopOthersAndBlock(block: Cell): typeof STOPS {
  return {
    paused: andBlock(STOPS.paused, block),
    archived: andBlock(STOPS.archived, block),
    recalled: andBlock(STOPS.recalled, block),
  };
}

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
 * | a person stopped the newest                                | blocked¹ | keep             | archive what is paused | recall² what is paused        |
 * | paused by Herald, same                                     | activate | keep             | archive                | recall²                       |
 * | paused by Herald, other                                    | create   | keep             | archive                | recall²                       |
 * | archived by Herald, or nothing                             | create   | keep             | keep                   | archived: blocked; none: keep |
 * | anything else                                              | blocked  | pause            | archive                | recall²                       |
 *
 * ¹ needs `resume`, ² needs `recall`. An end that has passed starts nothing. `keep` stops whatever else of the name runs,
 * and archives what it replaced under `old_queue: clear`.
 */
export const CAMPAIGN_TABLE: readonly Row<CampaignCase, CampaignTarget>[] = [
  {
    live: 'a request about it is unconfirmed',
    fits: ({ group }) => group.open.length > 0,
    cells: { active: blockOpen, ...stopOthersAndBlock(blockOpen) },
  },
  {
    live: 'its status has no name here',
    fits: (the) => inState(the, 'unnamed').length > 0,
    cells: { active: blockUnnamed, ...stopOthersAndBlock(blockUnnamed) },
  },
  {
    live: 'runs, unreadable',
    fits: (the) => inState(the, 'runs').some(isUnreadable),
    cells: { active: blockUnread, ...STOPS },
  },
  {
    live: 'runs, same',
    fits: (the) => inState(the, 'runs').some(isEqual),
    cells: { active: keepLowest, ...STOPS },
  },
  {
    live: 'the declared text was recalled',
    fits: (the) => withText(the).some(wasRecalled),
    cells: { active: blockRecalled, ...STOPS },
  },
  {
    live: 'a person stopped the newest version with the declared text',
    fits: (the) => isStopOfPerson(the, findNewest(withText(the))),
    cells: { active: needsResume, ...STOPS },
  },
  {
    live: 'runs, other',
    fits: (the) => inState(the, 'runs').length > 0,
    cells: { active: unlessEnded(replace), ...STOPS },
  },
  {
    live: 'the newest was recalled',
    fits: ({ versions }) => wasRecalled(findNewest(versions)),
    cells: { active: blockRecalled, ...STOPS },
  },
  {
    live: 'paused, unreadable',
    fits: (the) => inState(the, 'paused').some(isUnreadable),
    cells: { active: blockUnread, ...STOPS },
  },
  {
    live: 'a person stopped the newest',
    fits: (the) => isStopOfPerson(the, findNewest(the.versions)),
    cells: { active: needsResume, ...STOPS },
  },
  {
    live: 'paused by Herald, same',
    fits: (the) => pausedByHerald(the).some(isEqual),
    cells: { active: unlessEnded(activate), ...STOPS },
  },
  {
    live: 'paused by Herald, other',
    fits: (the) => pausedByHerald(the).length > 0,
    cells: { active: unlessEnded(create), ...STOPS },
  },
  {
    live: 'archived by Herald, or nothing',
    fits: ({ versions }) => versions.every(({ state }) => state === 'archived'),
    cells: { active: unlessEnded(create), ...STOPS, recalled: blockArchivedRecall },
  },
  {
    live: 'anything else',
    fits: () => true,
    cells: { active: blockUnforeseen, ...STOPS },
  },
];

/** Decides about one declared campaign and every live object of its name. */
export function decideCampaign(group: CampaignCase['group'], facts: CampaignCase['facts']): Decision {
  return decideByTable(CAMPAIGN_TABLE, group.declared.target, group, facts);
}

// What the rows look at.

function wasRecalled(version: CampaignVersion | null): boolean {
  return version !== null && (version.state === 'recalled' || version.known?.recalled === 1);
}

/** Versions that were sent with the declared text: by what they show, or by their create where they cannot be read. */
function withText({ declared, versions }: CampaignCase): readonly CampaignVersion[] {
  const [digest, hidden] = [digestDeclared(declared), digestHidden(declared)];
  return versions.filter((version) =>
    isUnreadable(version)
      ? version.known?.declared_digest === digest && version.known.hidden_digest === hidden
      : isEqual(version),
  );
}

function isStopOfPerson({ facts }: CampaignCase, version: CampaignVersion | null): boolean {
  return version !== null && !wasRecalled(version) && isStoppedByPerson(version, facts);
}

function pausedByHerald(the: CampaignCase): readonly CampaignVersion[] {
  return inState(the, 'paused').filter((version) => !isStopOfPerson(the, version));
}

/** Equal in ignored fields too: one that differs there is another version, and not a copy. */
function areCopies(left: CampaignVersion, right: CampaignVersion): boolean {
  return (
    isEqual(left) &&
    isEqual(right) &&
    canonical(left.comparison.ignored) === canonical(right.comparison.ignored)
  );
}

function isOver({ observed }: CampaignVersion, { facts: { time } }: CampaignCase): boolean {
  return passedEnd(observed.live.rules, time.latestMs) !== null;
}

// The cells of a campaign that is declared active.

/** What was paused for another version stays paused, or is archived under `old_queue: clear` if it was to be replaced. */
function create(the: CampaignCase): Decision {
  const paused = pausedByHerald(the);
  const old =
    the.declared.oldQueue === 'clear' ? paused.filter(({ known }) => known?.status_why === 'replace') : [];
  const effect = old.length === 0 ? '' : ' Then the old version is archived, and its queue is cleared.';
  const archives = old.map((version) => step('archive', version));
  return createNew(the, paused, `Goes live immediately.${effect}`, [...CREATE, ...archives]);
}

/** The lowest id stays. Duplicates are archived and other versions paused, so that none sends twice. */
function keepLowest(the: CampaignCase): Decision {
  const { declared, versions } = the;
  const running = inState(the, 'runs');
  const [keeper] = running.filter(isEqual);
  if (keeper === undefined) return [];
  const { id } = keeper;
  const owed = versions.filter(
    ({ state, known }) =>
      declared.oldQueue === 'clear' && (state === 'runs' || state === 'paused') && known?.replaced_by === id,
  );
  const others = running.filter((one) => one !== keeper && !owed.includes(one));
  const copy = `Duplicate of ${id}. Every fan would get the message twice.`;
  const cleared = `${id} has replaced it, and old_queue: clear clears its queue.`;
  return [
    change(declared, 'keep', { version: keeper }),
    // One that differs in ignored fields is not a copy. Its queue may have other fans, so it is not cleared.
    ...others.map((one) =>
      areCopies(one, keeper)
        ? stopOther(the, one, 'retire', copy)
        : stopOther(the, one, 'pause', `Another version; ${id} is the declared one.`),
    ),
    ...owed.map((one) => stopOther(the, one, 'archive', cleared)),
  ];
}

/**
 * | replace      | old_queue: keep                 | old_queue: clear                         |
 * |--------------|---------------------------------|------------------------------------------|
 * | pause_first  | pause, create, read back        | pause, create, read back, archive        |
 * | create_first | create, read back, pause        | create, read back, archive               |
 */
function replace(the: CampaignCase): Decision {
  const { declared, versions } = the;
  const running = inState(the, 'runs');
  const version = findNewest(running.filter((one) => !isOver(one, the)));
  if (version === null) return blockEnded(the, running[0] ?? null);
  const isPauseFirst = declared.replace === 'pause_first';
  // A run that was cut short has paused them, and their queues are still to be cleared.
  const owed = inState(the, 'paused').filter(({ known }) => known?.status_why === 'replace');
  const cleared = declared.oldQueue === 'clear' ? [...owed, ...running] : [];
  const archives = cleared.map((one) => step('archive', one));
  const pauses = running.map((one) => step('pause', one));
  const newest = findNewest(versions);
  const effects = [
    isPauseFirst
      ? 'Fans who trigger it between the pause and the create get nothing (usually under one second).'
      : 'Fans who trigger it between the create and the pause get both versions.',
    ...(newest !== null && wasRecalled(newest)
      ? [`Check this first: ${newest.id}, the newest with this name, was recalled.`]
      : []),
  ];
  const steps = isPauseFirst
    ? [...pauses, ...CREATE, ...archives]
    : [...CREATE, ...(archives.length > 0 ? archives : pauses)];
  return replaceRunning(the, version, effects, steps);
}

/** Switches on the lowest id of those that are equal. */
function activate(the: CampaignCase): Decision {
  const equal = pausedByHerald(the).filter(isEqual);
  const version = equal.find((one) => !isOver(one, the));
  if (version === undefined) return blockEnded(the, equal[0] ?? null);
  return startPaused(the, version);
}

function needsResume(the: CampaignCase): Decision {
  const newest = [findNewest(withText(the)), findNewest(the.versions)];
  const stopped = newest.find((one) => isStopOfPerson(the, one)) ?? null;
  return stopped === null ? [] : needResume(the, stopped, keepRunning(the));
}

/** Another version runs in place of the one that a person stopped or recalled. */
function keepRunning(the: CampaignCase): readonly string[] {
  return inState(the, 'runs')
    .slice(0, 1)
    .map(
      ({ id }) =>
        `${id} runs instead. To keep it: ${formatCommand('import', '--update')}, or restore the file.`,
    );
}

/** What has ended is over: an end of the file that has passed starts nothing (CAMPAIGN-5). */
function unlessEnded(cell: Cell): Cell {
  return (the) => {
    const { declared, versions, facts } = the;
    const endAt = declared.content.rules?.end_at ?? null;
    if (endAt === null || !(Date.parse(endAt) <= facts.time.latestMs)) return cell(the);
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

/** The end of what is live has passed. */
function blockEnded({ declared, facts }: CampaignCase, version: CampaignVersion | null): Decision {
  const endAt = passedEnd(version?.observed.live.rules, facts.time.latestMs);
  const reason = `The live one ended at ${endAt ?? 'an unknown time'}. To run it again, give it a new name.`;
  return [blocked(declared, reason, version), warning(declared, 'missed', reason)];
}

function blockUnnamed(the: CampaignCase): Decision {
  const [version = null] = inState(the, 'unnamed');
  const status = version?.observed.live.status ?? 'null';
  const reason = `Its status "${status}" is unknown to this version of Herald, so Herald does not change it. Check it on the service.`;
  return [blocked(the.declared, reason, version)];
}

function blockRecalled(the: CampaignCase): Decision {
  const version = withText(the).findLast(wasRecalled) ?? findNewest(the.versions);
  const reason = [
    `${version?.id ?? ''} was recalled.`,
    ...keepRunning(the),
    'To send this message again, give it a new name. To keep it recalled, set status: recalled.',
  ];
  return [blocked(the.declared, reason.join(' '), version)];
}

function blockUnforeseen({ declared, versions }: CampaignCase): Decision {
  const shown = versions.map(({ id, observed }) => `${id} (${observed.live.status ?? 'no status'})`);
  const reason = `Herald does not start anything, because it cannot tell which version a person wants: ${shown.join(', ')}. Start one of them by hand: ${formatByHand('activate', 'campaign', versions.at(-1)?.id ?? 'ID', declared.address.account)}. Or give this one a new name.`;
  return [blocked(declared, reason, findNewest(versions))];
}

// The cells of a campaign that is declared paused, archived or recalled.

/** One change for each version that is left to stop. Where nothing is left, what is there is kept. */
function stopAll(action: 'pause' | 'archive' | 'recall'): Cell {
  const states: readonly State[] = action === 'pause' ? ['runs'] : ['runs', 'paused'];
  return (the) => {
    const stops = toStop(the, ...states).filter(({ state }) => state !== 'recalled');
    if (stops.length === 0) return keep(the);
    return stops.flatMap((version) => {
      const refused = action === 'recall' ? warnRefusedRecall(the, version) : null;
      if (refused === null) return [stopDeclared(the, version, action)];
      return [change(the.declared, 'done', { version }), refused];
    });
  };
}

/** Only active and paused ones can be recalled (CAMPAIGN-12). */
function blockArchivedRecall(the: CampaignCase): Decision {
  const { declared, versions } = the;
  const version = findNewest(versions) ?? versions[0] ?? null;
  if (version === null || wasRecalled(version)) return keep(the);
  const pause = formatByHand('pause', 'campaign', version.id, declared.address.account);
  const reason = `An archived campaign cannot be recalled. Pause it first with: ${pause}. Then run ${formatCommand('apply')} again. Only messages of the last 24 hours are recalled.`;
  return [blocked(declared, reason, version)];
}
