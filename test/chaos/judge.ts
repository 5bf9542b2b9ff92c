import type { ApplyReport, Outcome } from '../../src/domain/change.ts';
import type { Kind } from '../../src/domain/resource.ts';
import type { Oracle } from '../../src/simulator/oracle.ts';

/** One declared resource in the version that the files hold now. */
export interface Declared {
  readonly alias: string;
  readonly accountId: string;
  readonly kind: Kind;
  readonly target: string;
  readonly text: string;
}

export interface Live {
  readonly accountId: string;
  readonly kind: Kind;
  readonly id: string;
  readonly status: string | null;
  readonly text: string | null;
}

/** A commit later than this after its request was sent may come after a second create: the document allows no better. */
const WINDOW_MS = 75_000;
/** Reads of a list may lag behind by as much as the scenarios draw. */
const LAG_MS = 4_000;
const RUNNING = ['active', 'scheduled'];

/** More than one object for one version that the document does not excuse, and words that a fan got twice. */
export function duplicates(oracle: Oracle, live: readonly Live[]): string[] {
  const textOf = new Map(live.map(({ kind, id, text }) => [`${kind}:${id}`, text]));
  const sentAt = new Map(oracle.requests.map(({ request, at }) => [request, Date.parse(at)]));
  const made = new Map<string, number>();
  for (const { change, kind, id, account_id: accountId, at, cause } of oracle.commits) {
    const text = textOf.get(`${kind}:${id}`);
    if (change !== 'create' || cause.by !== 'api' || text === undefined) continue;
    const delayMs = Date.parse(at) - (sentAt.get(cause.request ?? -1) ?? 0);
    if (delayMs > WINDOW_MS - LAG_MS) continue;
    const key = `${accountId} ${kind} ${text ?? ''}`;
    made.set(key, (made.get(key) ?? 0) + 1);
  }
  const twice = [...made].filter(([, times]) => times > 1).map(([key]) => `created twice: ${key}`);
  const got = new Map<string, number>();
  for (const { account_id: accountId, fan_id: fan, kind, id } of oracle.dispatches) {
    if (!textOf.has(`${kind}:${id}`)) continue;
    const key = `${accountId} ${kind} fan ${fan}`;
    got.set(key, (got.get(key) ?? 0) + 1);
  }
  const doubled = [...got].filter(([, times]) => times > 1).map(([key]) => `sent twice: ${key}`);
  return [...twice, ...doubled];
}

/** What is declared and does not stand exactly once, and who got nothing although it stood. */
export function losses(oracle: Oracle, live: readonly Live[], declared: readonly Declared[]): string[] {
  return declared.flatMap((wanted) => {
    const group = live.filter(
      ({ accountId, kind }) => accountId === wanted.accountId && kind === wanted.kind,
    );
    const words = `${wanted.alias}/${wanted.kind}`;
    const sent = oracle.dispatches.filter(({ id, kind }) =>
      group.some((object) => object.kind === kind && object.id === id),
    );
    if (!RUNNING.includes(wanted.target)) {
      const running = group.filter(({ status }) => RUNNING.includes(status ?? ''));
      const still = running.length > 0 || sent.length > 0;
      return still ? [`${words} is ${wanted.target} and still runs`] : [];
    }
    if (sent.length === 0) return [`${words} reached nobody`];
    const wrong = sent.filter(({ text }) => text !== wanted.text);
    if (wrong.length > 0) return [`${words} went out with the words of an older version`];
    const active = group.filter(({ status }) => status === 'active').length;
    return wanted.kind === 'campaign' && active !== 1 ? [`${words} is live ${active} times`] : [];
  });
}

/** What a report says and the oracle does not. */
export function falseReports(
  report: ApplyReport,
  code: number,
  oracle: Oracle,
  live: readonly Live[],
  declared: readonly Declared[],
  asked: ReadonlySet<number>,
): string[] {
  const wrong = report.outcomes.flatMap((outcome) => {
    const { account, kind } = outcome.address;
    const wanted = declared.find((resource) => resource.alias === account && resource.kind === kind);
    if (wanted === undefined) return ['an outcome for what is not declared'];
    const problem = problemOf(outcome, wanted, oracle, live, asked);
    return problem === null
      ? []
      : [`"${outcome.action} ${outcome.outcome}" of ${account}/${kind} ${outcome.live_id ?? ''}: ${problem}`];
  });
  const unknown = report.summary.unknown > 0;
  return unknown === (code === 3) ? wrong : [...wrong, `exit ${code} with ${report.summary.unknown} unknown`];
}

const STATUS_OF: Readonly<Record<string, readonly (string | null)[]>> = {
  create: RUNNING,
  replace: RUNNING,
  activate: RUNNING,
  resume: RUNNING,
  pause: ['paused'],
  archive: ['archived'],
  retire: ['paused', 'archived'],
};

function problemOf(
  { action, outcome, live_id: id, message }: Outcome,
  wanted: Declared,
  oracle: Oracle,
  live: readonly Live[],
  asked: ReadonlySet<number>,
): string | null {
  const object = live.find((each) => each.id === id && each.kind === wanted.kind);
  const made = oracle.commits.filter(
    ({ change, cause, account_id: accountId, kind }) =>
      change === 'create' &&
      accountId === wanted.accountId &&
      kind === wanted.kind &&
      cause.request !== null &&
      asked.has(cause.request),
  );
  if (outcome === 'applied' || (outcome === 'adopted' && action in STATUS_OF)) {
    if (object === undefined) return 'there is no such object';
    if (!(STATUS_OF[action] ?? []).includes(object.status)) return `it is ${object.status ?? 'null'}`;
    const starts = RUNNING.includes(STATUS_OF[action]?.[0] ?? '');
    return starts && object.text !== wanted.text ? `it says ${object.text ?? ''}` : null;
  }
  if (outcome === 'adopted') return object === undefined ? 'there is no such object' : null;
  if (outcome === 'failed' || outcome === 'not_attempted')
    return made.length > 0 && !message.includes('live beside') && !/reads as/.test(message)
      ? `something was created: ${message}`
      : null;
  return null;
}
