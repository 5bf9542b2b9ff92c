import {
  type Change,
  type ChangeKind,
  isPlanRefused,
  type Plan,
  unconfirmedRequests,
  writes,
} from '../domain/change.ts';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { visibleProse } from '../domain/visible.ts';
import { shortenMiddle } from './shorten.ts';
import { count, GOES_LIVE, WORDS, findWord, type PlanTitle } from './wording.ts';

/** Kinds that need no action, counted separately. */
const WITHOUT_CHANGE: readonly ChangeKind[] = ['keep', 'done', 'unmanaged'];

/** Kinds with one entry per change. */
const LISTED: readonly ChangeKind[] = CHANGE_KINDS.filter((kind) => !WITHOUT_CHANGE.includes(kind));

/** True if the change is shown with reasons and fields. */
export function isListed(change: Change): boolean {
  return LISTED.includes(change.action);
}

/** True if the change cannot be undone. */
export function isIrreversible(change: Change): boolean {
  return writes(change) && !change.reversible;
}

/** True for an owned, unmanaged object that `--allow prune` would stop. */
export function isPrunable(change: Change): boolean {
  return change.action === 'unmanaged' && change.needs.includes('prune');
}

/** The words for what reaches fans immediately by this change, or null. */
export function goesLive(change: Change): string | null {
  return GOES_LIVE[change.address.kind][change.action] ?? null;
}

/** `12 unchanged, 2 done, 1 unmanaged`, or empty. */
export function countWithoutChange(changes: readonly Change[]): string {
  return countKinds(changes, WITHOUT_CHANGE, 'plan');
}

/** `3 to create, 1 blocked`: everything that an apply or a person has to do, or empty. */
export function countDue({ changes }: Pick<Plan, 'changes'>, title: PlanTitle): string {
  return countKinds(changes, LISTED, title);
}

type Findings = Pick<Plan, 'changes' | 'diagnostics'>;

/** True if nothing is to be sent, and nothing needs a person. */
export function isQuiet(plan: Findings): boolean {
  const isDue = (change: Change) => writes(change) || change.action === 'blocked';
  return !plan.changes.some(isDue);
}

/** Longer reasons are cut. The findings have them in full. */
const REASON_COLUMNS_MAX = 300;

/** `Refused: 180 changes, more than … Nothing will be changed.` Empty if nothing is refused. */
export function describeRefusal(plan: Plan, end = 'Nothing will be changed.'): string {
  if (!isPlanRefused(plan)) return '';
  const errors = plan.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ address, message }) => (address === undefined ? '' : `${address}: `) + message);
  const [reason = '', ...more] = new Set(errors);
  const why =
    more.length === 0
      ? shortenMiddle(visibleProse(reason), REASON_COLUMNS_MAX)
      : `${more.length + 1} errors.`;
  return `Refused: ${why}${/[.?!]$/.test(why) ? '' : '.'} ${end}`;
}

/** The counts of a refused plan: `Not applied: 180 to create; 2 unchanged.` */
export function countNotApplied({ changes }: Plan): string {
  const counts = listParts([countKinds(changes, LISTED, 'plan'), countWithoutChange(changes)], '; ');
  return counts === '' ? '' : `Not applied: ${counts}.`;
}

/** The last line of a plan: `3 to create; 12 unchanged. Takes at least 4 s (rate limits).` */
export function countAll(plan: Plan, title: PlanTitle): string {
  const { matching, done, others, differs } = readUnchanged(plan);
  const finished = done === 0 ? '' : `${done} ${WORDS[title].done.counted}`;
  if (!isQuiet(plan)) {
    const due = countDue(plan, title);
    if (title === 'plan')
      return listParts(
        [`${listParts([due, countWithoutChange(plan.changes)], '; ')}.`, describeEta(plan)],
        ' ',
      );
    const same = matching === 0 ? '' : `${matching} ${WORDS.drift.keep.counted}`;
    const rest = listParts([same, finished, ...others, countKinds(plan.changes, ['unmanaged'], 'drift')]);
    return `Drift: ${listParts([due, rest], '; ')}.`;
  }
  const matches = `${count(matching, 'resource')} ${matching === 1 ? 'matches' : 'match'}`;
  // Differences that Herald can no longer fix still count as drift.
  const hasMissed = plan.changes.some(({ action }) => action === 'missed');
  const isInSync = !differs && !hasMissed && leftRunning(plan) === 0;
  const opening = title === 'plan' ? 'No changes' : isInSync ? 'No drift' : 'No other drift';
  const rest = listParts([finished, ...others, countKinds(plan.changes, ['missed', 'unmanaged'], title)]);
  // What was missed is not sent, so it goes first, and nothing says that all is well.
  if (title === 'plan' && hasMissed) return `${listParts([rest, matches], '; ')}.`;
  return `${opening}: ${listParts([matches, rest], '; ')}.`;
}

/** How many objects still run on accounts that the workspace does not name any more. */
export function leftRunning({ diagnostics }: Pick<Plan, 'diagnostics'>): number {
  return diagnostics.filter(({ code }) => code === 'account-left').length;
}

function listParts(parts: readonly string[], between = ', '): string {
  return parts.filter((part) => part !== '').join(between);
}

/** `Takes at least 4 s (rate limits).` Empty if nothing is written. */
export function describeEta(plan: Plan): string {
  if (plan.eta_sec <= 0 || !plan.changes.some(writes)) return '';
  return `Takes at least ${formatEta(plan.eta_sec)} (rate limits).`;
}

/** Whole seconds up to two minutes, then minutes and hours. Never less than the bound. */
function formatEta(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Kinds with the same word ("not applied yet") are added up. */
function countKinds(changes: readonly Change[], kinds: readonly ChangeKind[], title: PlanTitle): string {
  const words = kinds.flatMap((kind) =>
    changes.filter(({ action }) => action === kind).map((change) => findWord(title, change).counted),
  );
  return [...groupBy(words, (word) => word)].map(([word, same]) => `${same.length} ${word}`).join(', ');
}

/** Findings of a resource that differs from its file, and that no apply changes. The finding says more. */
const DIFFERS: ReadonlySet<string> = new Set([
  'too-late',
  'never-left',
  'going-out',
  'going-out-twice',
  'differs-again',
  'unreadable',
]);

/** Resources without a planned change: the number of unchanged ones, and words for the others. */
interface Unchanged {
  readonly matching: number;
  /** Their time is over, or too close. They are not compared. */
  readonly done: number;
  /** `1 different and left as it is`; empty when there are none. */
  readonly others: readonly string[];
  /** True if something differs from the files, or cannot be compared, without a planned change. */
  readonly differs: boolean;
}

function readUnchanged({ changes, diagnostics }: Findings): Unchanged {
  const findings = groupBy(diagnostics, ({ address = '' }) => address);
  const still = changes.filter(({ action }) => action === 'keep' || action === 'done');
  const found = groupBy(still, (change) => {
    const codes = (findings.get(formatAddress(change.address)) ?? []).map(({ code }) => code);
    if (codes.some((code) => DIFFERS.has(code))) return 'differs';
    if (codes.includes('unverifiable')) return 'partly';
    return change.action === 'keep' && change.fields.length > 0 ? 'differs' : change.action;
  });
  const number = (kind: 'keep' | 'done' | 'differs' | 'partly') => found.get(kind)?.length ?? 0;
  const messages = blockedMessages({ diagnostics });
  const requests = unconfirmedRequests({ diagnostics });
  return {
    matching: number('keep'),
    done: number('done'),
    others: [
      ...(number('differs') === 0 ? [] : [`${number('differs')} different and left as it is`]),
      ...(number('partly') === 0 ? [] : [`${number('partly')} only partly comparable`]),
      ...(messages === 0 ? [] : [describeBlockedMessages(messages)]),
      ...(requests === 0 ? [] : [`${count(requests, 'request')} still unconfirmed`]),
    ],
    // What an unconfirmed request did may not show yet.
    differs: messages + requests + number('differs') > 0,
  };
}

/** Messages of Herald that the guard blocked after the service had accepted them, or may have blocked. */
export function blockedMessages({ diagnostics }: Pick<Plan, 'diagnostics'>): number {
  return diagnostics.filter(({ code, severity }) => code === 'message-blocked' && severity === 'warning')
    .length;
}

/** `2 messages stopped by the guard` */
export function describeBlockedMessages(messages: number): string {
  return `${count(messages, 'message')} stopped by the guard`;
}
