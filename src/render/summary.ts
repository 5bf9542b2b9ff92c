import { type Change, type ChangeKind, isPlanRefused, type Plan, writes } from '../domain/change.ts';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { visibleProse } from '../domain/visible.ts';
import { shortenMiddle } from './shorten.ts';
import { count, findWord, GOES_LIVE, type PlanTitle } from './wording.ts';

/** Kinds that need no action, counted separately. */
const WITHOUT_CHANGE: readonly ChangeKind[] = ['keep', 'done', 'unmanaged'];

/** True if the change is shown with reasons and fields. */
export function isListed(change: Change): boolean {
  return !WITHOUT_CHANGE.includes(change.action);
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

/** True if nothing is to be sent, and nothing needs a person. */
export function isQuiet({ changes }: Pick<Plan, 'changes'>): boolean {
  return !changes.some((change) => writes(change) || change.action === 'blocked');
}

/** Longer reasons are cut. The findings have them in full. */
const REASON_COLUMNS_MAX = 300;

/** `Refused: 180 changes, more than … Nothing will be changed.` Empty if nothing is refused. */
export function describeRefusal(plan: Plan): string {
  if (!isPlanRefused(plan)) return '';
  const errors = plan.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ address, message }) => (address === undefined ? '' : `${address}: `) + message);
  const [reason = '', ...more] = new Set(errors);
  const why =
    more.length === 0
      ? shortenMiddle(visibleProse(reason), REASON_COLUMNS_MAX)
      : `${more.length + 1} errors.`;
  return `Refused: ${why}${/[.?!]$/.test(why) ? '' : '.'} Nothing will be changed.`;
}

/** `3 to create, 1 blocked`, `refused`, `no changes`; for a drift `1 stopped on the service`, or `none`. */
export function headline(plan: Plan, title: PlanTitle): string {
  if (title === 'plan' && isPlanRefused(plan)) return 'refused, nothing will be changed';
  const messages = title === 'drift' ? blockedMessages(plan) : 0;
  const found = [
    ...describeCounts(plan, title, true),
    ...(messages === 0 ? [] : [describeBlockedMessages(messages)]),
  ];
  return found.join(', ') || (title === 'plan' ? 'no changes' : 'none');
}

/** The last line of a plan: `3 to create; 12 unchanged. Takes at least 4 s (rate limits).` */
export function countAll(plan: Plan, title: PlanTitle): string {
  const missed = plan.changes.filter(({ action }) => action === 'missed').length;
  const counts = [describeCounts(plan, title, true).join(', '), countRest(plan, title)].filter(Boolean);
  const words = counts.length === 0 ? 'nothing is declared' : counts.join('; ');
  if (title === 'drift') {
    if (!isQuiet(plan)) return `Drift: ${words}.`;
    // What an unconfirmed request did may not show yet. What Herald can no longer fix still counts as drift.
    const open = blockedMessages(plan) + unconfirmedRequests(plan) + leftRunning(plan);
    const isInSync = open + missed + findLeftAlone(plan).size === 0;
    return `${isInSync ? 'No drift' : 'No other drift'}: ${words}.`;
  }
  if (isPlanRefused(plan)) return `Not applied: ${words}.`;
  // What was missed is not sent, so nothing says that all is well.
  return isQuiet(plan) && missed === 0 ? `No changes: ${words}.` : `${words}. ${describeEta(plan)}`.trimEnd();
}

/** What of a plan is in no heading: `12 unchanged. Takes at least 4 s (rate limits).` */
export function describeRest(plan: Plan): string {
  const rest = countRest(plan, 'plan');
  return `${rest === '' ? '' : `${rest}. `}${describeEta(plan)}`.trimEnd();
}

function countRest(plan: Plan, title: PlanTitle): string {
  const [messages, requests] = [blockedMessages(plan), unconfirmedRequests(plan)];
  const rest = [
    ...describeCounts(plan, title, false),
    ...(messages === 0 ? [] : [describeBlockedMessages(messages)]),
    ...(requests === 0 ? [] : [`${count(requests, 'request')} still unconfirmed`]),
  ];
  return rest.join(', ');
}

/** How many objects still run on accounts that the workspace does not name any more. */
export function leftRunning({ diagnostics }: Pick<Plan, 'diagnostics'>): number {
  return diagnostics.filter(({ code }) => code === 'account-left').length;
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

/** What an apply or a person has to do, or the rest. Changes with the same word ("not applied yet") are added up. */
function describeCounts(plan: Plan, title: PlanTitle, isDue: boolean): readonly string[] {
  const leftAlone = findLeftAlone(plan);
  const words = CHANGE_KINDS.flatMap((kind) => plan.changes.filter(({ action }) => action === kind))
    .filter((change) => isListed(change) === isDue)
    .map((change) =>
      leftAlone.has(change) ? 'different and left as it is' : findWord(title, change).counted,
    );
  return [...groupBy(words, (word) => word)].map(([word, same]) => `${same.length} ${word}`);
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

/** Resources that differ from the files without a planned change. */
function findLeftAlone({ changes, diagnostics }: Plan): ReadonlySet<Change> {
  const told = new Set(diagnostics.filter(({ code }) => DIFFERS.has(code)).map((one) => one.address));
  const still = changes.filter(({ action }) => action === 'keep' || action === 'done');
  return new Set(
    still.filter((change) => {
      const differs = change.action === 'keep' && change.fields.length > 0;
      return differs || told.has(formatAddress(change.address));
    }),
  );
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

/** Requests that may still be carried out, or that only a person can resolve. Live state may not show their end yet. */
function unconfirmedRequests({ diagnostics }: Pick<Plan, 'diagnostics'>): number {
  return diagnostics.filter(({ code, severity }) => code === 'open-entry' && severity === 'warning').length;
}
