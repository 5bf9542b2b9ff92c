import { formatCommand } from '../../domain/command-line.ts';
import { passedEnd } from '../../domain/time.ts';
import type { DeclaredCampaign, ObservedCampaign } from '../../domain/resource.ts';
import type { CampaignTarget } from '../../domain/status.ts';
import { digestDeclared, digestHidden } from '../compare/content.ts';
import {
  andBlock,
  blocked,
  blockOpen,
  blockUnread,
  change,
  CREATE,
  decideByTable,
  differsAgain,
  explainReplace,
  explainResumed,
  areCopies,
  isEqual,
  isRecallRefused,
  isUnreadable,
  keep,
  listContents,
  listReplacedFields,
  needResume,
  only,
  requireAdoption,
  step,
  stopDeclared,
  stopOther,
  toStop,
  unlessBlocked,
  warning,
  warnRefused,
  type Case,
  type Decision,
  type Row,
} from './decision.ts';
import {
  campaignsIn,
  campaignState,
  findNewest,
  isStartedAgain,
  isStoppedByPerson,
  type CampaignState,
  type GroupFacts,
  type Version,
} from './group.ts';
import { formatByHand } from './open.ts';

type CampaignVersion = Version<ObservedCampaign>;

type CampaignCase = Case<DeclaredCampaign, ObservedCampaign>;
type Cell = (the: CampaignCase) => Decision;

const STOPS = { paused: pauseAll, archived: archiveAll, recalled: recallAll };
const STOPS_WHAT_IS_PAUSED = { ...STOPS, paused: keep };

function othersThenBlock(block: Cell): typeof STOPS {
  return {
    paused: andBlock(pauseAll, block),
    archived: andBlock(archiveAll, block),
    recalled: andBlock(recallAll, block),
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
    cells: { active: blockOpen, ...othersThenBlock(blockOpen) },
  },
  {
    live: 'its status has no name here',
    fits: (the) => campaignsIn(the, 'unnamed').length > 0,
    cells: { active: blockUnnamed, ...othersThenBlock(blockUnnamed) },
  },
  {
    live: 'runs, unreadable',
    fits: (the) => campaignsIn(the, 'active').some(isUnreadable),
    cells: { active: blockUnread, ...STOPS },
  },
  {
    live: 'runs, same',
    fits: (the) => campaignsIn(the, 'active').some(isEqual),
    cells: { active: keepLowest, ...STOPS },
  },
  {
    live: 'the declared text was recalled',
    fits: (the) => recalledText(the) !== null,
    cells: { active: blockRecalledText, ...STOPS },
  },
  {
    live: 'a person stopped the newest version with the declared text',
    fits: (the) => isStopOfPerson(the, newestWithText(the)),
    cells: { active: needsResume, ...STOPS },
  },
  {
    live: 'runs, other',
    fits: (the) => campaignsIn(the, 'active').length > 0,
    cells: { active: unlessEnded(replace), ...STOPS },
  },
  {
    live: 'the newest was recalled',
    fits: ({ versions }) => wasRecalled(findNewest(versions)),
    cells: { active: blockRecalled, ...STOPS_WHAT_IS_PAUSED },
  },
  {
    live: 'paused, unreadable',
    fits: (the) => campaignsIn(the, 'paused').some(isUnreadable),
    cells: { active: blockUnread, ...STOPS_WHAT_IS_PAUSED },
  },
  {
    live: 'a person stopped the newest',
    fits: (the) => isStopOfPerson(the, findNewest(the.versions)),
    cells: { active: needsResume, ...STOPS_WHAT_IS_PAUSED },
  },
  {
    live: 'paused by Herald, same',
    fits: (the) => pausedByHerald(the).some(isEqual),
    cells: { active: unlessEnded(activate), ...STOPS_WHAT_IS_PAUSED },
  },
  {
    live: 'paused by Herald, other',
    fits: (the) => pausedByHerald(the).length > 0,
    cells: { active: unlessEnded(finish), ...STOPS_WHAT_IS_PAUSED },
  },
  {
    live: 'archived by Herald, or nothing',
    fits: ({ versions }) => versions.every((version) => campaignState(version.observed) === 'archived'),
    cells: { active: unlessEnded(create), paused: keep, archived: keep, recalled: blockArchivedRecall },
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
  return (
    version !== null && (campaignState(version.observed) === 'recalled' || version.known?.recalled === 1)
  );
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

function recalledText(the: CampaignCase): CampaignVersion | null {
  return withText(the).findLast(wasRecalled) ?? null;
}

function newestWithText(the: CampaignCase): CampaignVersion | null {
  return findNewest(withText(the));
}

function isStopOfPerson({ facts }: CampaignCase, version: CampaignVersion | null): boolean {
  return version !== null && !wasRecalled(version) && isStoppedByPerson(version, facts);
}

function pausedByHerald(the: CampaignCase): readonly CampaignVersion[] {
  return campaignsIn(the, 'paused').filter((version) => !isStopOfPerson(the, version));
}

function liveEnd({ observed }: CampaignVersion, { time }: GroupFacts): string | null {
  return passedEnd(observed.live.rules, time.latestMs);
}

// The cells of a campaign that is declared active.

function create(the: CampaignCase): Decision {
  const { declared, facts } = the;
  const undone = explainResumed([findNewest(the.versions), newestWithText(the)], facts);
  const reasons = ['Goes live immediately.', ...undone];
  return only(change(declared, 'create', { reasons, fields: listContents(declared), steps: CREATE }));
}

/** The paused versions differ: they stay paused, or are archived under `old_queue: clear` if they were to be replaced. */
function finish(the: CampaignCase): Decision {
  const { declared, facts } = the;
  const paused = pausedByHerald(the);
  const owed = paused.filter(({ known }) => known?.status_why === 'replace');
  const first = owed[0] ?? findNewest(paused);
  const old = declared.oldQueue === 'clear' ? owed : [];
  const why =
    owed.length > 0
      ? 'Finishes a replace: the old version is paused, but the new one was never created.'
      : 'Herald paused an older version of it.';
  const wanted = change(declared, 'create', {
    version: first,
    reasons: [
      ...explainResumed(paused, facts, why),
      `The declared version goes live immediately. ${old.length === 0 ? 'What is paused stays paused.' : 'Then the old version is archived, and its queue is cleared.'}`,
    ],
    fields: listReplacedFields(first),
    steps: [...CREATE, ...old.map((version) => step('archive', version))],
  });
  return only(unlessBlocked(facts, wanted, requireAdoption(...old)));
}

/** The lowest id stays. Duplicates are archived and other versions paused, so that none sends twice. */
function keepLowest(the: CampaignCase): Decision {
  const { declared, versions } = the;
  const active = campaignsIn(the, 'active');
  const [keeper] = active.filter(isEqual);
  if (keeper === undefined) return only();
  // One that differs in ignored fields is not a copy. Its queue may have other fans, so it is not cleared.
  const copies = active.filter((one) => one !== keeper && areCopies(one, keeper));
  const owed = versions.filter(
    (one) =>
      declared.oldQueue === 'clear' &&
      ['active', 'paused'].includes(campaignState(one.observed)) &&
      one.known?.replaced_by === keeper.id,
  );
  const others = active.filter((one) => ![keeper, ...copies, ...owed].includes(one));
  const reasons = {
    copy: `Duplicate of ${keeper.id}. Every fan would get the message twice.`,
    other: `Another version; ${keeper.id} is the declared one.`,
    owed: `${keeper.id} has replaced it, and old_queue: clear clears its queue.`,
  };
  const changes = [
    change(declared, 'keep', { version: keeper }),
    ...copies.map((one) => stopOther(the, one, 'retire', { reason: reasons.copy, steps: ['archive'] })),
    ...others.map((one) => stopOther(the, one, 'pause', { reason: reasons.other, steps: ['pause'] })),
    ...owed.map((one) => stopOther(the, one, 'archive', { reason: reasons.owed, steps: ['archive'] })),
  ];
  return only(...changes);
}

/**
 * | replace      | old_queue: keep                 | old_queue: clear                         |
 * |--------------|---------------------------------|------------------------------------------|
 * | pause_first  | pause, create, read back        | pause, create, read back, archive        |
 * | create_first | create, read back, pause        | create, read back, archive               |
 */
function replace(the: CampaignCase): Decision {
  const { declared, group, facts } = the;
  const active = campaignsIn(the, 'active');
  const running = findNewest(active.filter((version) => liveEnd(version, facts) === null));
  if (running === null) return blockEnded(the, active[0] ?? null);
  const fields = listReplacedFields(running);
  const again = differsAgain(group, running, fields, facts);
  if (again !== null) return only(again);
  const isPauseFirst = declared.replace === 'pause_first';
  // A run that was cut short has paused them, and their queues are still to be cleared.
  const owed = campaignsIn(the, 'paused').filter(({ known }) => known?.status_why === 'replace');
  const archives =
    declared.oldQueue === 'clear' ? [...owed, ...active].map((one) => step('archive', one)) : [];
  const pauses = active.map((version) => step('pause', version));
  const reasons = [
    explainReplace('campaign', fields),
    isPauseFirst
      ? 'Fans who trigger it between the pause and the create get nothing (usually under one second).'
      : 'Fans who trigger it between the create and the pause get both versions.',
    ...(wasRecalled(findNewest(the.versions))
      ? [`Check this first: ${findNewest(the.versions)?.id ?? ''}, the newest with this name, was recalled.`]
      : []),
    ...active
      .filter((version) => isStartedAgain(version, facts))
      .map(({ id }) => `Someone started ${id} again after Herald had stopped it. It is stopped, too.`),
    ...explainResumed([newestWithText(the)], facts),
  ];
  const wanted = change(declared, 'replace', {
    version: running,
    reasons,
    fields,
    steps: isPauseFirst
      ? [...pauses, ...CREATE, ...archives]
      : [...CREATE, ...(archives.length > 0 ? archives : pauses)],
  });
  return only(unlessBlocked(facts, wanted, requireAdoption(...active)));
}

/** Switches on the lowest id of those that are equal. */
function activate(the: CampaignCase): Decision {
  const { declared, facts } = the;
  const equal = pausedByHerald(the).filter(isEqual);
  const version = equal.find((one) => liveEnd(one, facts) === null);
  if (version === undefined) return blockEnded(the, equal[0] ?? null);
  const stops = [version, findNewest(the.versions), newestWithText(the)];
  const wanted = change(declared, 'activate', {
    version,
    reasons: explainResumed(stops, facts, 'Herald paused it.'),
    steps: [step('activate', version), step('read_back', version)],
  });
  return only(unlessBlocked(facts, wanted, requireAdoption(version)));
}

function needsResume(the: CampaignCase): Decision {
  const newest =
    [newestWithText(the), findNewest(the.versions)].find((one) => isStopOfPerson(the, one)) ?? null;
  return needResume(newest, keepRunning(the), the.facts, (facts) => decideCampaign(the.group, facts));
}

/** Another version runs in place of the one that a person stopped or recalled. */
function keepRunning(the: CampaignCase): readonly string[] {
  const [running] = campaignsIn(the, 'active');
  if (running === undefined) return [];
  return [
    `${running.id} runs instead. To keep it: ${formatCommand('import', '--update')}, or restore the file.`,
  ];
}

/** What has ended is over: an end of the file or of the live one that has passed starts nothing (CAMPAIGN-5). */
function unlessEnded(cell: Cell): Cell {
  return (the) => {
    const { declared, versions, facts } = the;
    const endAt = declared.content.rules?.end_at ?? null;
    if (endAt === null || !(Date.parse(endAt) <= facts.time.latestMs)) return cell(the);
    const running = campaignsIn(the, 'active').find((version) => liveEnd(version, facts) === null);
    if (running !== undefined) {
      const reason = `The declared end ${endAt} has passed, but ${running.id} is live with other content and continues. To stop it, set status: paused or archived. To continue, set a later rules.end_at.`;
      return only(blocked(declared, reason, running));
    }
    const [version = null] = versions;
    const passed =
      version === null ? `Its end ${endAt} passed before it was created.` : `Its end ${endAt} has passed.`;
    const message = `${passed} Herald does not start it. Change rules.end_at, or remove it.`;
    return {
      changes: [change(declared, version === null ? 'missed' : 'done', { version, reasons: [passed] })],
      diagnostics: [warning(declared, 'missed', message)],
    };
  };
}

function blockEnded({ declared, facts }: CampaignCase, version: CampaignVersion | null): Decision {
  const endAt = version === null ? null : liveEnd(version, facts);
  const reason = `The live one ended at ${endAt ?? 'an unknown time'}. To run it again, give it a new name.`;
  return {
    changes: [blocked(declared, reason, version)],
    diagnostics: [warning(declared, 'missed', reason)],
  };
}

function blockUnnamed(the: CampaignCase): Decision {
  const [version = null] = campaignsIn(the, 'unnamed');
  const status = version?.observed.live.status ?? 'null';
  const reason = `Its status "${status}" is unknown to this version of Herald, so Herald does not change it. Check it on the service.`;
  return only(blocked(the.declared, reason, version));
}

function blockRecalledText(the: CampaignCase): Decision {
  const version = recalledText(the);
  const reason = [
    `${version?.id ?? ''} has the declared content, and was recalled.`,
    ...keepRunning(the),
    'To send it again, give it a new name.',
  ].join(' ');
  return only(blocked(the.declared, reason, version));
}

function blockRecalled({ declared, versions }: CampaignCase): Decision {
  const reason =
    'Someone recalled this message. To send it again, give it a new name. To keep it recalled, set status: recalled.';
  return only(blocked(declared, reason, findNewest(versions)));
}

function blockUnforeseen({ declared, versions }: CampaignCase): Decision {
  const shown = versions
    .map(({ id, observed }) => `${id} (${observed.live.status ?? 'no status'})`)
    .join(', ');
  const reason = `Herald does not start anything, because it cannot tell which version a person wants: ${shown}. Start one of them by hand: ${formatByHand('activate', 'campaign', versions.at(-1)?.id ?? 'ID', declared.address.account)}. Or give this one a new name.`;
  return only(blocked(declared, reason, findNewest(versions)));
}

// The cells of a campaign that is declared paused, archived or recalled.

function pauseAll(the: CampaignCase): Decision {
  return stopAll(the, ['active'], 'pause');
}

function archiveAll(the: CampaignCase): Decision {
  return stopAll(the, ['active', 'paused'], 'archive');
}

/** One change for each version in one of the states. A recall that the service refused for good is done, with a warning. */
function stopAll(
  the: CampaignCase,
  states: readonly CampaignState[],
  action: 'pause' | 'archive' | 'recall',
): Decision {
  const concerned = toStop(the, ({ observed }) => states.includes(campaignState(observed))).filter(
    ({ observed }) => campaignState(observed) !== 'recalled',
  );
  const refused = action === 'recall' ? concerned.filter((one) => isRecallRefused(the, one)) : [];
  const changes = concerned.map((version) =>
    refused.includes(version)
      ? change(the.declared, 'done', { version })
      : stopDeclared(the, version, action),
  );
  if (changes.length === 0) return keep(the);
  return { changes, diagnostics: refused.map((version) => warnRefused(the, version)) };
}

function recallAll(the: CampaignCase): Decision {
  return stopAll(the, ['active', 'paused'], 'recall');
}

/** Only active and paused ones can be recalled (CAMPAIGN-12). */
function blockArchivedRecall(the: CampaignCase): Decision {
  const { declared, versions } = the;
  const version = findNewest(versions) ?? versions[0] ?? null;
  if (version === null || wasRecalled(version)) return keep(the);
  const pause = formatByHand('pause', 'campaign', version.id, declared.address.account);
  const reason = `An archived campaign cannot be recalled. Pause it first with: ${pause}. Then run ${formatCommand('apply')} again. Only messages of the last 24 hours are recalled.`;
  return only(blocked(declared, reason, version));
}
