import type { Change, StepKind } from '../../../domain/change.ts';
import { formatCommand } from '../../../domain/command-line.ts';
import { globOf } from '../../../domain/glob.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { KIND_ROWS } from '../../../domain/kind.ts';
import type { Declared, Observed } from '../../../domain/resource.ts';
import { isPaused } from '../../../domain/status.ts';
import { findSameIn, sameContentReason } from '../same-content.ts';
import { fits, patternOf } from '../targets.ts';
import {
  ANSWERS,
  broadcastOf,
  cannotHint,
  cannotReason,
  commandFor,
  goReasons,
  isAtOnce,
  isStart,
  mindOf,
  runs,
  stateOf,
  strangerWords,
  undoWords,
  versionWords,
  type ByHandDecision,
  type ByHandFacts,
  type ByHandRequest,
  type Case,
} from './by-hand-words.ts';
import { change } from './decision.ts';
import { indexFacts, isStoppedByHerald, type Index, type List, type Version } from './group.ts';
import { openReason } from './open.ts';

export type { ByHandDecision, ByHandFacts, ByHandRequest };

/** One decision for each object that is meant, in the order of the addresses. Empty if there is none. */
export function decideByHand(request: ByHandRequest, facts: ByHandFacts): readonly ByHandDecision[] {
  const index = indexFacts({ ...facts, declared: facts.declared ?? [], allow: new Set() });
  return index.lists
    .filter(({ kind }) => kind === request.kind)
    .flatMap((list) =>
      namesIn(list, index, request).flatMap((name) => decideName(name, { list, index, request, facts })),
    );
}

interface Named {
  readonly name: string;
  /** The object itself, if the request names one. */
  readonly meant: Observed | null;
  readonly objects: readonly Observed[];
}

function namesIn(list: List, index: Index, { what }: ByHandRequest): readonly Named[] {
  const nameOf = (object: Observed) => {
    const row = index.rowOf(object);
    return row === null || row.name === '' ? (object.live.name ?? '') : row.name;
  };
  const byName = groupBy(list.live, nameOf);
  if ('liveId' in what) {
    if (what.account !== list.account.alias && what.account !== list.account.accountId) return [];
    const meant = list.live.find(({ live }) => live.id === what.liveId);
    return meant === undefined
      ? []
      : [{ name: nameOf(meant), meant, objects: byName.get(nameOf(meant)) ?? [] }];
  }
  if (what.account !== undefined && what.account !== list.account.alias) return [];
  const place = { account: list.account.alias, kind: list.kind };
  const isMeant = (name: string) =>
    what.patterns.some((text) =>
      /^[^/]+\/(?:campaign|broadcast|\*)\//.test(text)
        ? fits(patternOf(text), { ...place, name })
        : globOf(text)(name),
    );
  return [...byName]
    .filter(([name]) => name !== '' && isMeant(name))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, objects]) => ({ name, meant: null, objects }));
}

function decideName(
  { name, meant, objects }: Named,
  { list, index, request, facts }: Pick<Case, 'list' | 'index' | 'request' | 'facts'>,
): readonly ByHandDecision[] {
  const inFiles = list.declared.find((one) =>
    list.groupOf(one).versions.some(({ observed }) => objects.includes(observed)),
  );
  const declared = inFiles ?? notInFiles(list, name, objects);
  const versions = objects.map((object) => index.versionOf(declared, object));
  const decide = (version: Version) => {
    const others = versions.filter((one) => one !== version);
    const state =
      version.known?.recalled === 1 && version.observed.kind === 'broadcast' && !runs(version)
        ? 'recalled'
        : stateOf(version.observed);
    return answer({ request, version, state, others, list, declared, index, facts });
  };
  if (meant !== null) return versions.filter(({ observed }) => observed === meant).map(decide);
  if (isStart(request)) return startOfName(versions, inFiles, decide, request);
  const decisions = versions.map(decide);
  const go = decisions.filter((one) => one.answer === 'go' && !isHarmless(one, versions));
  return go.length > 0 ? go : decisions.slice(-1);
}

/** A name means what runs or waits: not a pause of what is archived, and no second recall. */
function isHarmless(
  { change: { live_id: id, action } }: ByHandDecision,
  versions: readonly Version[],
): boolean {
  const version = versions.find((one) => one.id === id);
  if (version === undefined || action === 'recall') return false;
  return ['archived', 'unnamed'].includes(stateOf(version.observed));
}

/** The version that equals the file. */
function startOfName(
  versions: readonly Version[],
  declared: Declared | undefined,
  decide: (version: Version) => ByHandDecision,
  request: ByHandRequest,
): readonly ByHandDecision[] {
  const equal =
    declared === undefined ? [] : versions.filter(({ comparison }) => comparison.verdict === 'equal');
  const current =
    equal.find(runs) ?? equal.find(({ observed }) => isPaused(observed.live)) ?? equal[0] ?? null;
  if (current !== null) return [decide(current)];
  const [only, ...more] = versions;
  if (only !== undefined && more.length === 0) return [decide(only)];
  const shown = versions.map((version) => versionWords(version, equal)).join(', ');
  const last = versions.at(-1);
  if (last === undefined) return [];
  const id = formatCommand(
    KIND_ROWS[request.kind].plural,
    request.action,
    last.id,
    '--account',
    last.observed.account,
  );
  const why = declared === undefined ? 'No file declares it.' : 'No version equals its file.';
  return [
    {
      ...decide(last),
      ...refusal(
        'held',
        `${why} Versions of this name: ${shown}.`,
        `Name one by its id: ${id}`,
        decide(last).change,
      ),
    },
  ];
}

function refusal(
  kind: 'cannot' | 'held',
  reason: string,
  hint: string,
  base: Change,
): Pick<ByHandDecision, 'answer' | 'change' | 'hint'> {
  return {
    answer: kind,
    hint,
    change: { ...base, action: 'blocked', reasons: [reason], steps: [], reversible: true, undo: '' },
  };
}

/** A row and a column of the table, and what holds back a start. */
function answer(the: Case): ByHandDecision {
  const { request, state, version, declared } = the;
  const none = { hint: '', mind: '', atOnce: false, recorded: null };
  const base = change(declared, request.action, { version });
  const wanted = kindAnswer(the, ANSWERS[request.action][state]);
  if (wanted === 'cannot') return { ...none, ...refusal('cannot', cannotReason(the), cannotHint(the), base) };
  const isRepeated = request.again || (!isStart(request) && isStoppedByHerald(version, the.index.facts));
  if (wanted === 'so' && !isRepeated) {
    const reasons = [`It is ${version.observed.live.status ?? 'recalled'} already.`];
    return {
      ...none,
      answer: 'so',
      change: { ...base, action: 'keep', reasons, reversible: true, undo: '' },
    };
  }
  const held = isStart(request) ? heldBack(the) : null;
  if (held !== null) return { ...none, ...refusal('held', held.reason, held.hint, base) };
  const reasons = [...goReasons(the), ...strangerWords(the)];
  const kinds: readonly Extract<StepKind, ByHandRequest['action'] | 'read_back'>[] =
    request.action === 'recall' && request.kind === 'broadcast' ? ['recall'] : [request.action, 'read_back'];
  const steps = kinds.map((kind) => ({ kind, live_id: version.id }));
  const recorded =
    wanted === 'so' && !request.again
      ? `It was ${version.observed.live.status ?? ''} already. Herald recorded that you stopped it: an apply starts it again only with --allow resume.`
      : null;
  const mind = mindOf(the);
  const isIrreversible = request.action === 'recall' || request.action === 'archive';
  return {
    ...none,
    answer: 'go',
    change: { ...base, reasons, steps, reversible: !isIrreversible, undo: undoWords(the) },
    mind,
    atOnce: isAtOnce(the),
    recorded,
  };
}

/** Where the kinds differ. */
function kindAnswer(
  { request: { kind, action }, state }: Case,
  found: ByHandDecision['answer'],
): ByHandDecision['answer'] {
  if (kind === 'broadcast') return state === 'archived' && action === 'pause' ? 'cannot' : found;
  return state === 'unnamed' || (state === 'archived' && action === 'recall') ? 'cannot' : found;
}

/** Why a start waits for a person. */
function heldBack(the: Case): { readonly reason: string; readonly hint: string } | null {
  const { version, others, list, declared, index, facts, request } = the;
  const { live, kind } = version.observed;
  const running = others.find((one) =>
    kind === 'campaign' ? runs(one) : ['waits', 'left', 'halted'].includes(broadcastOf(one)),
  );
  if (running !== undefined)
    return {
      reason: `${running.id} with the same name (${running.observed.live.status ?? 'finished or unnamed'}) runs, or was sent: fans would get both messages.`,
      hint: runs(running)
        ? `Pause it first: ${commandFor(the, 'pause', running.id)}`
        : `Check ${running.id} first. If it is another message, start this one on the service.`,
    };
  const ids = new Set([version, ...others].map(({ id }) => id));
  const open = list.open.find((one) => one.name === declared.address.name || ids.has(one.live_id ?? ''));
  if (open !== undefined) {
    const group = { declared, versions: [version, ...others], rows: [], open: [open] };
    return { reason: openReason(open, group, facts), hint: 'Wait two minutes, and run the command again.' };
  }
  const same =
    facts.declared === null
      ? null
      : findSameIn(list, index)({ ...declared, ignore: [] }, [version, ...others]);
  const reason =
    same === null ? null : sameContentReason(startChange(the), declared, [version, ...others], same);
  if (reason !== null && version.comparison.verdict === 'equal')
    return { reason, hint: 'Stop that one first.' };
  if (version.known?.recalled === 1)
    return {
      reason: 'Herald has recalled it, because a person asked for that.',
      hint: 'To send it again, give it a new name.',
    };
  if (kind === 'broadcast' && !request.force) {
    const force = `${commandFor(the, 'resume')} --force`;
    if (live.pause_reason === 'send_errors')
      return {
        reason: 'The service paused it after too many send errors.',
        hint: `Find out why first. Then: ${force}`,
      };
    const hourMs = Date.parse(live.scheduled_at ?? '');
    if (hourMs <= facts.time.latestMs && hourMs > facts.time.earliestMs)
      return {
        reason: `Its time ${live.scheduled_at ?? ''} may have passed: this machine's clock and the service's do not agree. If it has, the broadcast goes out immediately.`,
        hint: `Check this machine's clock, then run the command again. To resume it in any case: ${force}`,
      };
  }
  return null;
}

function startChange({ version, declared, request }: Case): Change {
  const kind = request.action === 'resume' ? 'resume' : 'activate';
  return change(declared, kind, { version, steps: [{ kind, live_id: version.id }] });
}

/** Of an object that no file declares: there is nothing to compare it with. */
function notInFiles({ account, kind }: List, name: string, objects: readonly Observed[]): Declared {
  const shared = {
    address: { account: account.alias, kind, name },
    source: { file: '', line: 0, column: 0 },
    timezone: null,
    renamedFrom: null,
    protect: false,
    ignore: [],
  };
  const content = { audience_filters: [], messages: [] };
  const first = objects[0]?.live;
  return kind === 'campaign'
    ? {
        ...shared,
        kind,
        target: 'active',
        replace: 'pause_first',
        oldQueue: 'keep',
        content: { ...content, trigger: '', action: 'send_message' },
      }
    : { ...shared, kind, target: 'scheduled', scheduledAtUtc: String(first?.created_at ?? ''), content };
}
