import type { ChangeKind, StepKind } from '../domain/change.ts';
import type { Kind } from '../domain/resource.ts';
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
  retire: { mark: '−', label: 'retire', counted: 'to retire', tone: 'bad' },
  keep: { mark: '=', label: 'keep', counted: 'unchanged', tone: 'dim' },
  done: { mark: '=', label: 'done', counted: 'done', tone: 'dim' },
  missed: { mark: '?', label: 'missed', counted: 'missed', tone: 'warn' },
  blocked: { mark: '!', label: 'blocked', counted: 'blocked', tone: 'loud' },
  unmanaged: { mark: '·', label: 'unmanaged', counted: 'unmanaged', tone: 'dim' },
} as const satisfies Record<ChangeKind, Word>;

/** Words for drift: the same changes as differences. */
const DRIFT_WORDS = {
  ...CHANGE_WORDS,
  create: { mark: '+', label: 'missing', counted: 'missing live', tone: 'bad' },
  replace: { mark: '±', label: 'changed outside', counted: 'changed outside', tone: 'warn' },
  activate: { mark: '~', label: 'stopped outside', counted: 'stopped outside', tone: 'warn' },
  resume: { mark: '~', label: 'stopped outside', counted: 'stopped outside', tone: 'warn' },
  pause: { mark: '~', label: 'not paused', counted: 'not paused', tone: 'warn' },
  archive: { mark: '~', label: 'not archived', counted: 'not archived', tone: 'warn' },
  recall: { mark: '−', label: 'not recalled', counted: 'not recalled', tone: 'bad' },
  retire: { mark: '−', label: 'surplus', counted: 'surplus live', tone: 'bad' },
  keep: { ...CHANGE_WORDS.keep, counted: 'unchanged' },
} as const satisfies Record<ChangeKind, Word>;

export const WORDS: Readonly<Record<PlanTitle, Readonly<Record<ChangeKind, Word>>>> = {
  plan: CHANGE_WORDS,
  drift: DRIFT_WORDS,
};

/** Words for steps. */
export const STEP_WORDS = {
  upload: 'upload',
  create: 'create',
  pause: 'pause',
  archive: 'archive',
  activate: 'activate',
  reactivate: 'reactivate',
  resume: 'resume',
  recall: 'recall',
  prove_dead: 'prove dead',
  check_not_left: 'check not left',
  read_back: 'read back',
} as const satisfies Record<StepKind, string>;

/**
 * Changes that reach fans immediately. A campaign is live when its create is answered (CAMPAIGN-1). A broadcast that
 * is resumed after its time is sent immediately.
 */
export const GOES_LIVE: Readonly<Record<Kind, Readonly<Partial<Record<ChangeKind, string>>>>> = {
  campaign: { create: 'live at once', replace: 'live at once', activate: 'live at once' },
  broadcast: { resume: 'may go out at once' },
};

/** `1 field`, `2 fields`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
