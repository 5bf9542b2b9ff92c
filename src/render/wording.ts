import type { Change, ChangeKind, DriftCause, Outcome, OutcomeKind } from '../domain/change.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { type ServiceIdentity, servicePlace, findWorldFile } from '../domain/service-identity.ts';
import type { Tone } from './spans.ts';

/** `plan` shows what will be done, `drift` shows what differs. */
export type PlanTitle = 'plan' | 'drift';

/** Words for a change kind. The mark is readable without colour; `counted` follows a number. */
export interface Word {
  readonly mark: string;
  readonly label: string;
  readonly counted: string;
  readonly tone: Tone;
}

export const CHANGE_WORDS = {
  create: { mark: '+', label: 'create', counted: 'to create', tone: 'good' },
  replace: { mark: '±', label: 'replace', counted: 'to replace', tone: 'warn' },
  activate: { mark: '~', label: 'activate', counted: 'to activate', tone: 'warn' },
  resume: { mark: '~', label: 'resume', counted: 'to resume', tone: 'warn' },
  pause: { mark: '~', label: 'pause', counted: 'to pause', tone: 'warn' },
  archive: { mark: '~', label: 'archive', counted: 'to archive', tone: 'warn' },
  recall: { mark: '−', label: 'recall', counted: 'to recall', tone: 'bad' },
  retire: { mark: '−', label: 'stop duplicate', counted: 'to stop', tone: 'bad' },
  keep: { mark: '=', label: 'unchanged', counted: 'unchanged', tone: 'dim' },
  done: { mark: '=', label: 'done', counted: 'done', tone: 'dim' },
  missed: { mark: '?', label: 'missed', counted: 'missed', tone: 'warn' },
  blocked: { mark: '!', label: 'blocked', counted: 'blocked', tone: 'loud' },
  unmanaged: { mark: '·', label: 'unmanaged', counted: 'unmanaged', tone: 'dim' },
} as const satisfies Record<ChangeKind, Word>;

const DRIFT_WORDS = {
  ...CHANGE_WORDS,
  create: { mark: '+', label: 'missing', counted: 'missing live', tone: 'bad' },
  replace: { mark: '±', label: 'differs', counted: 'different', tone: 'warn' },
  activate: { mark: '~', label: 'stopped', counted: 'stopped', tone: 'warn' },
  resume: { mark: '~', label: 'stopped', counted: 'stopped', tone: 'warn' },
  pause: { mark: '~', label: 'not paused', counted: 'not paused', tone: 'warn' },
  archive: { mark: '~', label: 'not archived', counted: 'not archived', tone: 'warn' },
  recall: { mark: '−', label: 'not recalled', counted: 'not recalled', tone: 'bad' },
  retire: { mark: '−', label: 'surplus', counted: 'surplus live', tone: 'bad' },
} as const satisfies Record<ChangeKind, Word>;

const NOT_APPLIED = { label: 'not applied yet', counted: 'not applied yet' };
const STOPPED = { label: 'stopped on the service', counted: 'stopped on the service' };
const STARTED = { label: 'started on the service', counted: 'started on the service' };

const CAUSE_WORDS: Readonly<
  Partial<Record<ChangeKind, Partial<Record<DriftCause, Pick<Word, 'label' | 'counted'>>>>>
> = {
  create: { files: NOT_APPLIED },
  replace: {
    service: { label: 'changed on the service', counted: 'changed on the service' },
    files: NOT_APPLIED,
    both: { label: 'changed in both', counted: 'changed in the files and on the service' },
  },
  activate: { service: STOPPED, files: NOT_APPLIED },
  resume: { service: STOPPED, files: NOT_APPLIED },
  pause: { service: STARTED, files: NOT_APPLIED },
  archive: { service: STARTED, files: NOT_APPLIED },
  recall: { files: NOT_APPLIED },
};

/** Kinds that need no action. They are counted separately, and not shown with reasons and fields. */
export const WITHOUT_CHANGE: readonly ChangeKind[] = ['keep', 'done', 'unmanaged'];

/** The words for a change. A drift says what it comes from, if that is known. A duplicate is archived or paused, by its kind. */
export function findWord(title: PlanTitle, change: Pick<Change, 'action' | 'cause' | 'address'>): Word {
  const { action, cause = 'unknown', address } = change;
  const inPlan = action === 'retire' ? { label: `${KIND_ROWS[address.kind].retire} duplicate` } : {};
  return { ...WORDS[title][action], ...(title === 'plan' ? inPlan : CAUSE_WORDS[action]?.[cause]) };
}

export const WORDS: Readonly<Record<PlanTitle, Readonly<Record<ChangeKind, Word>>>> = {
  plan: CHANGE_WORDS,
  drift: DRIFT_WORDS,
};

/** In the order of a report, the `loud` ones last. A blocked change was not attempted, and needs a person. */
export const OUTCOME_WORDS = {
  applied: { mark: '✓', label: 'applied', counted: 'applied', tone: 'good', loud: false },
  adopted: { mark: '=', label: 'adopted', counted: 'adopted', tone: 'good', loud: false },
  missed: { mark: '!', label: 'missed', counted: 'missed', tone: 'warn', loud: false },
  not_attempted: { mark: '-', label: 'not sent', counted: 'not attempted', tone: 'warn', loud: false },
  blocked: { mark: '!', label: 'blocked', counted: 'blocked', tone: 'warn', loud: false },
  failed: { mark: '✗', label: 'FAILED', counted: 'failed', tone: 'loud', loud: true },
  unknown: { mark: '?', label: 'UNKNOWN', counted: 'unknown', tone: 'loud', loud: true },
  unchanged: { mark: '·', label: 'unchanged', counted: 'unchanged', tone: 'dim', loud: false },
  unmanaged: { mark: '·', label: 'unmanaged', counted: 'unmanaged', tone: 'dim', loud: false },
} as const satisfies Record<OutcomeKind | 'blocked' | 'unmanaged', Word & { readonly loud: boolean }>;

export function nameOutcome({ outcome, action }: Outcome): keyof typeof OUTCOME_WORDS {
  if (outcome === 'not_attempted' && action === 'blocked') return 'blocked';
  return outcome === 'unchanged' && action === 'unmanaged' ? 'unmanaged' : outcome;
}

/** `1 field`, `2 fields`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** `https://api.example (HERALD_BASE_URL overrides herald.yaml)`. */
export function describeService(identity: ServiceIdentity): string {
  if (findWorldFile(identity.origin) !== null) return servicePlace(identity);
  const source =
    identity.source === 'herald.yaml' ? 'from herald.yaml' : `${identity.source} overrides herald.yaml`;
  return `${identity.origin} (${source}${identity.simulator ? '; a simulator' : ''})`;
}
