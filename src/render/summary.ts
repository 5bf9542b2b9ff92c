import { type Change, isPlanRefused, type Outcome, type Plan, writes } from '../domain/change.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { formatCommand, inShell } from '../domain/command-line.ts';
import { escapeGlob } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { shown, type Visible, visible } from '../domain/visible.ts';
import { drawLine, span, type TextStyle } from './spans.ts';
import { count, findWord, type PlanTitle, WITHOUT_CHANGE } from './wording.ts';

/** What a plan or a drift comes to, in sentences. Text, Markdown and page say the same. */
export interface Summary {
  /** `Refused: 2 errors. Nothing will be changed.` Empty if nothing is refused, and for a drift. */
  readonly refusal: string;
  /** `3 to create, 1 blocked`, `refused`, `no changes`; for a drift `1 stopped on the service`, or `none`. */
  readonly headline: string;
  /** The last line: `3 to create; 12 unchanged. Takes at least 4 s (rate limits).` */
  readonly total: string;
  /** What of it is in no heading: `12 unchanged. Takes at least 4 s (rate limits).` */
  readonly rest: string;
  /** `Takes at least 4 s (rate limits).` Empty if nothing is written. */
  readonly eta: string;
  /** `2 messages stopped by the guard`. Empty without any. */
  readonly blockedMessages: string;
  /** Nothing is to be sent, and nothing needs a person. */
  readonly isQuiet: boolean;
  /** Drift without a change: blocked messages, and what runs on accounts that the workspace does not name any more. */
  readonly noted: number;
  /** What to do about a drift. Empty for a plan, and if there is none. */
  readonly steps: readonly NextStep[];
}

/** `limits`: the flags that limit the run, such as `--target`, for its next commands. */
export function summarisePlan(plan: Plan, title: PlanTitle, limits: readonly string[] = []): Summary {
  const refusal = title === 'plan' ? describeRefusal(plan) : '';
  const [eta, isQuiet] = [describeEta(plan), isPlanQuiet(plan)];
  const due = describeCounts(plan, title, true);
  const [blocked, requests] = [countWarnings(plan, BLOCKED_MESSAGE), countWarnings(plan, UNCONFIRMED)];
  const messages = blocked === 0 ? '' : `${count(blocked, 'message')} stopped by the guard`;
  // What needs no action of an apply or a person.
  const others = [
    ...describeCounts(plan, title, false),
    ...(messages === '' ? [] : [messages]),
    ...(requests === 0 ? [] : [`${count(requests, 'request')} still unconfirmed`]),
  ].join(', ');
  const named = [...due, ...(title === 'drift' && messages !== '' ? [messages] : [])].join(', ');
  return {
    refusal,
    headline:
      refusal === ''
        ? named || (title === 'plan' ? 'no changes' : 'none')
        : 'refused, nothing will be changed',
    total: describeTotal(plan, title, [due.join(', '), others].filter(Boolean).join('; ')),
    rest: `${others === '' ? '' : `${others}. `}${eta}`.trimEnd(),
    eta,
    blockedMessages: messages,
    isQuiet,
    noted: countNoted(plan),
    steps: title === 'plan' ? [] : driftSteps(plan, limits),
  };
}

/** How many errors there are. The findings say what they are. */
function describeRefusal(plan: Plan): string {
  if (!isPlanRefused(plan)) return '';
  const errors = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const distinct = new Set(errors.map(({ address, message }) => `${address ?? ''} ${message}`));
  return `Refused: ${count(distinct.size, 'error')}. Nothing will be changed.`;
}

function describeTotal(plan: Plan, title: PlanTitle, counts: string): string {
  const missed = plan.changes.filter(({ action }) => action === 'missed').length;
  const isPart = plan.diagnostics.some(({ code }) => code === 'left-out');
  const words = counts === '' ? `nothing is declared${isPart ? ' differently' : ''}` : counts;
  if (title === 'drift') {
    if (!isPlanQuiet(plan)) return `Drift: ${words}.`;
    // What an unconfirmed request did may not show yet. What Herald can no longer fix still counts as drift.
    const open = countNoted(plan) + countWarnings(plan, UNCONFIRMED);
    const isInSync = open + missed + findLeftAlone(plan).size === 0;
    return `${isInSync ? 'No drift' : 'No other drift'}: ${words}.`;
  }
  if (isPlanRefused(plan)) return `Not applied: ${words}.`;
  // What was missed is not sent, so nothing says that all is well.
  return isPlanQuiet(plan) && missed === 0
    ? `No changes: ${words}.`
    : `${words}. ${describeEta(plan)}`.trimEnd();
}

function isPlanQuiet({ changes }: Plan): boolean {
  return !changes.some((change) => writes(change) || change.action === 'blocked');
}

function describeEta(plan: Plan): string {
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
    .filter(({ action }) => !WITHOUT_CHANGE.includes(action) === isDue)
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

/** A message of Herald that the guard blocked after the service had accepted it, or may have blocked. */
const BLOCKED_MESSAGE = 'message-blocked';
/** A request that may still be carried out, or that only a person can resolve. Live state may not show its end yet. */
const UNCONFIRMED = 'open-entry';

function countNoted(plan: Plan): number {
  return countWarnings(plan, BLOCKED_MESSAGE) + countWarnings(plan, 'account-left');
}

function countWarnings({ diagnostics }: Pick<Plan, 'diagnostics'>, code: DiagnosticCode): number {
  return diagnostics.filter((one) => one.code === code && one.severity === 'warning').length;
}

/** What to do next. */
export class NextStep {
  readonly words: string;
  readonly command: string;

  constructor(words: string, command: string) {
    this.words = words;
    this.command = command;
  }

  /** The sentence, and its command on a line of its own, which is never wrapped. */
  draw(style: TextStyle): readonly Visible[] {
    const command = span(shown`  ${visible(this.command)}`, 'strong');
    return [
      ...drawLine([span(visible(this.words))], style, 0, 0),
      ...drawLine([command], { ...style, width: Infinity }),
    ];
  }
}

/** More addresses make no command that anybody reads. */
const TARGETS_MAX = 10;

type Blocked = Pick<Outcome, 'action' | 'address' | 'needs'>;

function canBeAllowed({ action, needs = [] }: Blocked): boolean {
  return action === 'blocked' && needs.length > 0;
}

/** One command for each set of allowances that blocked changes need. */
export function allowSteps(all: readonly Blocked[], command: string): readonly NextStep[] {
  const sets = groupBy(all.filter(canBeAllowed), ({ needs = [] }) => needs.join(' '));
  return [...sets.values()].map((members) => {
    const blocked = members.length === 1 ? 'the blocked change' : `${members.length} blocked changes`;
    return new NextStep(`To allow ${blocked}:`, formatAllow(members, command));
  });
}

/**
 * The command that allows these changes, which need the same, and no others. For many of them, a person has to choose. `command`
 * is the one that plans or applies.
 */
export function formatAllow(
  changes: readonly Pick<Outcome, 'address' | 'needs'>[],
  command = formatCommand('apply'),
): string {
  const addresses = [...new Set(changes.map(({ address }) => escapeGlob(formatAddress(address))))];
  const targets = addresses.length > TARGETS_MAX ? ['PATTERN'] : addresses;
  const flags = [
    ...(changes[0]?.needs ?? []).flatMap((need) => ['--allow', need]),
    ...targets.flatMap((target) => ['--target', target]),
  ];
  return [command, ...flags.map(inShell)].join(' ');
}

/** What to do about a drift. Empty if there is none. An import takes no targets, so a drift of a few resources does not name it. */
function driftSteps({ changes }: Plan, limits: readonly string[]): readonly NextStep[] {
  const differing = changes.filter(writes);
  const isOnService = ({ cause, action }: Change) => cause !== 'files' && action !== 'create';
  const blocked = changes.filter(({ action }) => action === 'blocked');
  const stopped = blocked.filter(({ needs }) => needs.length === 1 && needs[0] === 'resume');
  const kept = differing.some(isOnService);
  // An import keeps what the files changed.
  const isTaken = differing.some((change) => isOnService(change) && change.cause !== 'both');
  const step = (words: string, ...command: readonly string[]) => [
    new NextStep(words, formatCommand(...command)),
  ];
  const importing = (words: string) => (limits.length > 0 ? [] : step(words, 'import', '--update'));
  const toApply = kept ? "To put the files' version on the service:" : 'To apply the files:';
  const toKeep =
    'To keep it stopped: declare it, for instance with `status: paused`. For what is paused, this does it:';
  return [
    ...(differing.length > 0 ? step(toApply, 'apply', ...limits) : []),
    ...(isTaken ? importing('To keep what is live, in the files:') : []),
    // An import writes the status of what is paused, and of nothing else.
    ...(stopped.length > 0
      ? [...importing(toKeep), new NextStep('To start it again:', formatAllow(stopped))]
      : []),
    ...(blocked.length > stopped.length ? step('To see what the blocked ones need:', 'plan', ...limits) : []),
  ];
}
