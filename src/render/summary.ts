import { CHANGE_KINDS, WRITING_KINDS, type Change, type ChangeKind, type Plan } from '../domain/change.ts';
import { compareAddresses } from '../domain/resource.ts';
import { visibleProse } from '../domain/visible.ts';
import { settledIn } from './settled.ts';
import { shortenMiddle } from './shorten.ts';
import { count, GOES_LIVE, WORDS, type PlanTitle } from './wording.ts';

/** Kinds that ask nothing of anybody; they are counted apart from the rest. */
const SETTLED: readonly ChangeKind[] = ['keep', 'done', 'unmanaged'];

/** Kinds that are listed one by one. */
const LISTED: readonly ChangeKind[] = CHANGE_KINDS.filter((kind) => !SETTLED.includes(kind));

const WRITING: readonly ChangeKind[] = WRITING_KINDS;

/** Changes by account, kind and name; those of one address keep the plan's order. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((left, right) => compareAddresses(left.address, right.address));
}

/** Whether a change sends something that changes live state. */
export function isWriting(change: Change): boolean {
  return WRITING.includes(change.action);
}

/** Whether a change is shown with its reasons and fields. */
export function isListed(change: Change): boolean {
  return LISTED.includes(change.action);
}

/** Whether a change writes something that nobody can take back. */
export function isIrreversible(change: Change): boolean {
  return isWriting(change) && !change.reversible;
}

/** Whether it is live, in no file any more and owned: only an allowance keeps it from being retired. */
export function isPrunable(change: Change): boolean {
  return change.action === 'unmanaged' && change.needs.includes('prune');
}

/** What reaches fans at once by this change, or null. */
export function goesLive(change: Change): string | null {
  return GOES_LIVE[change.address.kind][change.action] ?? null;
}

/** `2 live at once, 1 may go out at once`; empty when nothing reaches fans by itself. */
export function countLive(changes: readonly Change[]): string {
  const reaches = changes.map(goesLive).filter((reach) => reach !== null);
  return [...new Set(reaches)]
    .toSorted()
    .map((reach) => `${reaches.filter((one) => one === reach).length} ${reach}`)
    .join(', ');
}

/** `3 to create, 1 to replace, 1 blocked`; empty when there is nothing of the kind. */
export function countListed(changes: readonly Change[], title: PlanTitle): string {
  return countKinds(changes, LISTED, title);
}

/** `12 unchanged, 2 done, 1 unmanaged`; empty when there is nothing of the kind. */
export function countSettled(changes: readonly Change[], title: PlanTitle): string {
  return countKinds(changes, SETTLED, title);
}

/** Whether nothing is to be done: nothing to write and nothing that waits for a person. */
export function isQuiet(changes: readonly Change[]): boolean {
  return !changes.some((change) => isWriting(change) || change.action === 'blocked');
}

/** What refuses a whole plan: any error, such as a policy denial. Each once. */
function refusals({ diagnostics }: Plan): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return [
    ...new Set(errors.map(({ address, message }) => (address === undefined ? '' : `${address}: `) + message)),
  ];
}

/** Longer reasons are shortened: they are among the findings as well. */
const REASON_COLUMNS_MAX = 300;

/** `Refused: 180 changes, more than … Nothing will be changed.`; empty where nothing is refused. */
export function refusedLine(plan: Plan, end = 'Nothing will be changed.'): string {
  const [reason = '', ...more] = refusals(plan);
  if (reason === '') return '';
  const why =
    more.length === 0
      ? shortenMiddle(visibleProse(reason), REASON_COLUMNS_MAX)
      : `${more.length + 1} errors.`;
  return `Refused: ${why}${/[.?!]$/.test(why) ? '' : '.'} ${end}`;
}

/** What a refused plan would have been: `Not carried out: 180 to create; 2 unchanged.` */
export function notCarriedOut({ changes }: Plan): string {
  const counts = [countListed(changes, 'plan'), countSettled(changes, 'plan')].filter((part) => part !== '');
  return counts.length === 0 ? '' : `Not carried out: ${counts.join('; ')}.`;
}

/** The last word of a plan: `3 to create; 12 unchanged. At least 4 s at the published rates.` */
export function countLine(plan: Plan, title: PlanTitle): string {
  const { changes } = plan;
  if (isQuiet(changes)) return quietLine(plan, title);
  const settled = title === 'drift' ? countAsDeclared(plan) : countSettled(changes, title);
  const counts = [countListed(changes, title), settled].filter((part) => part !== '');
  if (title === 'drift') return `Drift: ${counts.join('; ')}.`;
  return [`${counts.join('; ')}.`, etaSentence(plan)].filter((part) => part !== '').join(' ');
}

/** `At least 4 s at the published rates.`; empty when nothing is written. */
export function etaSentence(plan: Plan): string {
  if (plan.eta_sec <= 0 || !plan.changes.some(isWriting)) return '';
  return `At least ${formatDuration(plan.eta_sec)} at the published rates.`;
}

/** `12 as declared, 1 done, 1 too late to replace, 1 unmanaged`; empty when there is nothing of the kind. */
function countAsDeclared(plan: Plan): string {
  const { matching, done, others } = settledIn(plan);
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

/** Nothing to do is not the same as no drift: what can no longer be mended is still not as declared. */
function quietLine(plan: Plan, title: PlanTitle): string {
  const { changes } = plan;
  const { matching, done, others, differs } = settledIn(plan);
  const rest = [
    ...(done === 0 ? [] : [`${done} ${WORDS[title].done.counted}`]),
    ...others,
    countKinds(changes, ['missed', 'unmanaged'], title),
  ].filter((part) => part !== '');
  const matches = `${count(matching, 'resource')} ${matching === 1 ? 'matches' : 'match'}`;
  const isMended = !differs && changes.every(({ action }) => action !== 'missed');
  const drift = isMended ? 'No drift' : 'Nothing that Herald can mend';
  const opening = title === 'drift' ? drift : 'Nothing to do';
  return `${opening}: ${matches}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}.`;
}

function countKinds(changes: readonly Change[], kinds: readonly ChangeKind[], title: PlanTitle): string {
  const parts = kinds.flatMap((kind) => {
    const number = changes.filter(({ action }) => action === kind).length;
    return number === 0 ? [] : [{ number, counted: WORDS[title][kind].counted }];
  });
  // Several kinds may share a word ("stopped outside"): they are one number.
  const words = [...new Set(parts.map(({ counted }) => counted))];
  return words
    .map((word) => {
      const number = parts.reduce((sum, part) => sum + (part.counted === word ? part.number : 0), 0);
      return `${number} ${word}`;
    })
    .join(', ');
}

/** Whole seconds up to two minutes, then minutes and hours; never less than the bound. */
function formatDuration(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
