import { CHANGE_KINDS, WRITING_KINDS } from '../domain/change-kinds.ts';
import { type Change, type ChangeKind, halfDoneChanges, type Plan } from '../domain/change.ts';
import { compareAddresses } from '../domain/resource.ts';
import { visibleProse } from '../domain/visible.ts';
import { withoutChange } from './without-change.ts';
import { shortenMiddle } from './shorten.ts';
import { count, GOES_LIVE, WORDS, wordOf, type PlanTitle } from './wording.ts';

/** Kinds that need no action, counted separately. */
const WITHOUT_CHANGE: readonly ChangeKind[] = ['keep', 'done', 'unmanaged'];

/** Kinds with one entry per change. */
const LISTED: readonly ChangeKind[] = CHANGE_KINDS.filter((kind) => !WITHOUT_CHANGE.includes(kind));

const WRITING: readonly ChangeKind[] = WRITING_KINDS;

/** Sorts changes by account, kind and name. Changes of one address keep the plan's order. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((left, right) => compareAddresses(left.address, right.address));
}

/** True if the change sends something that changes live state. */
export function isWriting(change: Change): boolean {
  return WRITING.includes(change.action);
}

/** True if the change is shown with reasons and fields. */
export function isListed(change: Change): boolean {
  return LISTED.includes(change.action);
}

/** True if the change cannot be undone. */
export function isIrreversible(change: Change): boolean {
  return isWriting(change) && !change.reversible;
}

/** True for an owned, unmanaged object that `--allow prune` would stop. */
export function isPrunable(change: Change): boolean {
  return change.action === 'unmanaged' && change.needs.includes('prune');
}

/** The words for what reaches fans immediately by this change, or null. */
export function goesLive(change: Change): string | null {
  return GOES_LIVE[change.address.kind][change.action] ?? null;
}

/** `2 live at once, 1 may go out at once`, or empty. */
export function countLive(changes: readonly Change[]): string {
  const reaches = changes.map(goesLive).filter((reach) => reach !== null);
  return [...new Set(reaches)]
    .toSorted()
    .map((reach) => `${reaches.filter((one) => one === reach).length} ${reach}`)
    .join(', ');
}

/** `3 to create, 1 to replace, 1 blocked`, or empty. */
export function countListed(changes: readonly Change[], title: PlanTitle): string {
  return countKinds(changes, LISTED, title);
}

/** `12 unchanged, 2 done, 1 unmanaged`, or empty. */
export function countWithoutChange(changes: readonly Change[], title: PlanTitle): string {
  return countKinds(changes, WITHOUT_CHANGE, title);
}

/** `3 to create, 1 blocked, 1 change may be half done`: everything that an apply or a person has to do, or empty. */
export function countDue(plan: Findings, title: PlanTitle): string {
  const half = halfDoneChanges(plan);
  const counts = [countListed(plan.changes, title), half === 0 ? '' : halfDoneWords(half)];
  return counts.filter((part) => part !== '').join(', ');
}

/** `1 change may be half done` */
export function halfDoneWords(changes: number): string {
  return `${count(changes, 'change')} may be half done`;
}

type Findings = Pick<Plan, 'changes' | 'diagnostics'>;

/** True if nothing is to be sent, and nothing needs a person. */
export function isQuiet(plan: Findings): boolean {
  const isDue = (change: Change) => isWriting(change) || change.action === 'blocked';
  return !plan.changes.some(isDue) && halfDoneChanges(plan) === 0;
}

/** The distinct errors, such as a policy denial, that refuse a whole plan. */
function refusals({ diagnostics }: Plan): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return [
    ...new Set(errors.map(({ address, message }) => (address === undefined ? '' : `${address}: `) + message)),
  ];
}

/** Longer reasons are cut. The findings have them in full. */
const REASON_COLUMNS_MAX = 300;

/** `Refused: 180 changes, more than … Nothing will be changed.` Empty if nothing is refused. */
export function refusedLine(plan: Plan, end = 'Nothing will be changed.'): string {
  const [reason = '', ...more] = refusals(plan);
  if (reason === '') return '';
  const why =
    more.length === 0
      ? shortenMiddle(visibleProse(reason), REASON_COLUMNS_MAX)
      : `${more.length + 1} errors.`;
  return `Refused: ${why}${/[.?!]$/.test(why) ? '' : '.'} ${end}`;
}

/** The counts of a refused plan: `Not applied: 180 to create; 2 unchanged.` */
export function notCarriedOut({ changes }: Plan): string {
  const counts = [countListed(changes, 'plan'), countWithoutChange(changes, 'plan')].filter(
    (part) => part !== '',
  );
  return counts.length === 0 ? '' : `Not applied: ${counts.join('; ')}.`;
}

/** The last line of a plan: `3 to create; 12 unchanged. Takes at least 4 s (rate limits).` */
export function countLine(plan: Plan, title: PlanTitle): string {
  const { changes } = plan;
  if (isQuiet(plan)) return quietLine(plan, title);
  const unchanged = title === 'drift' ? countAsDeclared(plan) : countWithoutChange(changes, title);
  const counts = [countDue(plan, title), unchanged].filter((part) => part !== '');
  if (title === 'drift') return `Drift: ${counts.join('; ')}.`;
  return [`${counts.join('; ')}.`, etaSentence(plan)].filter((part) => part !== '').join(' ');
}

/** `Takes at least 4 s (rate limits).` Empty if nothing is written. */
export function etaSentence(plan: Plan): string {
  if (plan.eta_sec <= 0 || !plan.changes.some(isWriting)) return '';
  return `Takes at least ${formatDuration(plan.eta_sec)} (rate limits).`;
}

/** `12 unchanged, 1 done, 1 too late to replace, 1 unmanaged`, or empty. */
function countAsDeclared(plan: Plan): string {
  const { matching, done, others } = withoutChange(plan);
  const words = WORDS.drift;
  return [
    ...(matching === 0 ? [] : [`${matching} ${words.keep.counted}`]),
    ...(done === 0 ? [] : [`${done} ${words.done.counted}`]),
    ...others,
    countKinds(plan.changes, ['unmanaged'], 'drift'),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The last line without changes. Differences that Herald can no longer fix still count as drift. */
function quietLine(plan: Plan, title: PlanTitle): string {
  const { changes } = plan;
  const { matching, done, others, differs } = withoutChange(plan);
  const rest = [
    ...(done === 0 ? [] : [`${done} ${WORDS[title].done.counted}`]),
    ...others,
    countKinds(changes, ['missed', 'unmanaged'], title),
  ].filter((part) => part !== '');
  const matches = `${count(matching, 'resource')} ${matching === 1 ? 'matches' : 'match'}`;
  const isInSync = !differs && changes.every(({ action }) => action !== 'missed');
  const drift = isInSync ? 'No drift' : 'No other drift';
  const opening = title === 'drift' ? drift : 'No changes';
  return `${opening}: ${matches}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}.`;
}

function countKinds(changes: readonly Change[], kinds: readonly ChangeKind[], title: PlanTitle): string {
  const parts = kinds.flatMap((kind) => {
    const words = changes
      .filter(({ action }) => action === kind)
      .map((change) => wordOf(title, change).counted);
    return [...new Set(words)].map((counted) => ({
      number: words.filter((word) => word === counted).length,
      counted,
    }));
  });
  // Kinds with the same word ("not applied yet") are added up.
  const words = [...new Set(parts.map(({ counted }) => counted))];
  return words
    .map((word) => {
      const number = parts.reduce((sum, part) => sum + (part.counted === word ? part.number : 0), 0);
      return `${number} ${word}`;
    })
    .join(', ');
}

/** Whole seconds up to two minutes, then minutes and hours. Never less than the bound. */
function formatDuration(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
