import type { ApplyReport, Outcome } from '../../src/domain/change.ts';
import type { Oracle } from '../../src/simulator/oracle.ts';
import { isRunning, sameContent, wordsOf, type Declared } from './declare.ts';
import type { Terms } from './judge-sent.ts';
import type { Live } from './live.ts';

/** What a run said, and what was so when it had ended. */
export interface Said {
  readonly report: ApplyReport;
  readonly code: number;
  readonly interrupted: boolean;
  readonly terms: Terms;
  readonly oracle: Oracle;
  readonly live: readonly Live[];
  readonly nowMs: number;
  /** The requests of this run, by their numbers. */
  readonly asked: ReadonlySet<number>;
  readonly mediaIsUntold: boolean;
  /** Nobody else works on the accounts. */
  readonly isAlone: boolean;
  /** Resources that a person changed while the run was under way. */
  readonly meddled: ReadonlySet<string>;
}

/** What a report says and the oracle does not. */
export function falseReports(said: Said): string[] {
  const wrong = said.report.outcomes.flatMap((outcome) => {
    const problem = problemOf(outcome, said);
    const { account, kind, name } = outcome.address;
    if (said.meddled.has(`${account}/${kind}/${name}`)) return [];
    const words = `"${outcome.action} ${outcome.outcome}" of ${account}/${kind}/${name} ${outcome.live_id ?? ''}`;
    return problem === null ? [] : [`${words}: ${problem}`];
  });
  const { report, code } = said;
  const right = exitsOf(said);
  if (right.includes(code)) return wrong;
  return [...wrong, `exit ${code} where ${right.join(' or ')} is true: ${JSON.stringify(report.summary)}`];
}

/** As the table of exit codes has it, from what the report counts. */
function exitsOf({ report, interrupted }: Said): readonly number[] {
  const { unknown, failed, not_attempted: left } = report.summary;
  const blocked = report.outcomes.filter(
    ({ action, outcome }) => action === 'blocked' && outcome === 'not_attempted',
  );
  if (unknown > 0) return [3];
  if (interrupted && left > blocked.length) return [130];
  if (failed > 0) return [1, 4];
  return blocked.length > 0 ? [5] : [0];
}

const STATUS_OF: Readonly<Record<string, readonly (string | null)[]>> = {
  create: ['active', 'scheduled'],
  replace: ['active', 'scheduled'],
  activate: ['active'],
  resume: ['scheduled'],
  pause: ['paused'],
  archive: ['archived'],
  retire: ['paused', 'archived'],
  recall: ['recalling', 'recalled'],
};

/** Of two that were made at the same moment the other operator has stopped one, or is about to. */
function isAnothers({ accountId, kind, name, id, content }: Live, { live, isAlone }: Said): boolean {
  return (
    !isAlone &&
    live.some(
      (one) =>
        one.accountId === accountId &&
        one.kind === kind &&
        one.name === name &&
        one.id !== id &&
        sameContent(one.content, content),
    )
  );
}

/** Once its hour has come, what was to go out at it does. */
function whenGone(wanted: Declared | undefined, { nowMs }: Said): readonly (string | null)[] {
  const { hourMs = null, target = 'paused' } = wanted ?? {};
  return hourMs !== null && hourMs <= nowMs && isRunning(target) ? ['queued', 'sending', 'sent'] : [];
}

/** What is done to the same object afterwards is an outcome of its own: a copy is retired, a paused one archived. */
function statusesAfter(
  { action, live_id: id }: Outcome,
  { outcomes }: ApplyReport,
): readonly (string | null)[] {
  const later = outcomes.filter((other) => other.live_id === id && FOLLOWS[action]?.includes(other.action));
  return [action, ...later.map((other) => other.action)].flatMap((one) => STATUS_OF[one] ?? []);
}

const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  pause: ['archive'],
  create: ['retire'],
  replace: ['retire'],
};

function problemOf(outcome: Outcome, said: Said): string | null {
  const { address, action, live_id: id, message } = outcome;
  const { terms, live } = said;
  if (!terms.covers(address.account, address.kind, address.name)) return 'it is not part of the run';
  const wanted = terms.declared.find(
    ({ alias, kind, name }) => alias === address.account && kind === address.kind && name === address.name,
  );
  const object = live.find((each) => each.id === id && each.kind === address.kind);
  if (outcome.outcome === 'applied' || (outcome.outcome === 'adopted' && action in STATUS_OF)) {
    if (object === undefined) return 'there is no such object';
    const shows = [...statusesAfter(outcome, said.report), ...whenGone(wanted, said)];
    if (!shows.includes(object.status) && !isAnothers(object, said))
      return `it is ${object.status ?? 'null'}`;
    return terms.wish === null && isRunning(STATUS_OF[action]?.[0] ?? '')
      ? problemOfWords(object, wanted, said)
      : null;
  }
  if (outcome.outcome === 'adopted') return object === undefined ? 'there is no such object' : null;
  if (outcome.outcome === 'failed' || outcome.outcome === 'not_attempted')
    return MAKING.includes(action) &&
      madeBy(said, outcome) &&
      !message.includes('live beside') &&
      !/reads as/.test(message)
      ? `something was created: ${message}`
      : null;
  // What was kept a moment ago may be replaced by another operator by now.
  const isKept = outcome.outcome === 'unchanged' && action === 'keep' && terms.wish === null && said.isAlone;
  if (!isKept || wanted === undefined || !isRunning(wanted.target)) return null;
  if (object === undefined) return 'it is not there';
  const hasGone = whenGone(wanted, said).includes(object.status);
  if (!isRunning(object.status) && !hasGone) return `it is ${object.status ?? 'null'}`;
  return problemOfWords(object, wanted, said);
}

function problemOfWords(object: Live, wanted: Declared | undefined, { mediaIsUntold }: Said): string | null {
  if (wanted === undefined) return 'it is not declared';
  const { content } = object;
  const isSame =
    sameContent(content, wanted.content) || (mediaIsUntold && content.text === wanted.content.text);
  return isSame ? null : `it says ${wordsOf(content)}`;
}

const MAKING: readonly string[] = ['create', 'replace', 'blocked'];

/** Whether a create of this very run came to be. */
function madeBy({ oracle, asked, terms }: Said, { address }: Outcome): boolean {
  const accountId = terms.declared.find(({ alias }) => alias === address.account)?.accountId;
  return oracle.commits.some(
    ({ change, cause, account_id, kind, name }) =>
      change === 'create' &&
      account_id === accountId &&
      kind === address.kind &&
      name === address.name &&
      cause.request !== null &&
      asked.has(cause.request),
  );
}
