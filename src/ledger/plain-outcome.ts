import { LEDGER_OUTCOMES, type OutcomeLine } from './lines.ts';

/**
 * The value, where it is an end of a request as Herald writes almost all of them; null for everything else, which
 * `ledgerLineShape` judges. Half of a ledger are such lines, and this costs a tenth of what the shape does.
 */
export function plainOutcome(value: unknown): OutcomeLine | null {
  if (typeof value !== 'object' || value === null) return null;
  const line: Partial<Record<string, unknown>> = value;
  const isPlain =
    line['type'] === 'outcome' &&
    line['v'] === 1 &&
    OUTCOMES.has(line['outcome']) &&
    isText(line['at']) &&
    isText(line['run']) &&
    isText(line['entry']) &&
    isText(line['message']) &&
    isTextOrNull(line['live_id']) &&
    isTextOrNull(line['created_by']) &&
    (line['list_ids'] === null || isTexts(line['list_ids'])) &&
    isNumberOrNull(line['sent_at_ms']) &&
    isNumberOrNull(line['unheard_ms']) &&
    (line['skew_ms'] === undefined || isNumberOrNull(line['skew_ms'])) &&
    (line['at_skew_ms'] === undefined || isNumberOrNull(line['at_skew_ms'])) &&
    hasOnlyMembers(line);
  return isPlain ? (value as OutcomeLine) : null;
}

/** What few ends have, and what a later version adds, is left to the shape. */
function hasOnlyMembers(line: object): boolean {
  for (const member in line) if (!MEMBERS.has(member)) return false;
  return true;
}

const MEMBERS: ReadonlySet<string> = new Set([
  'v',
  'at',
  'at_skew_ms',
  'run',
  'type',
  'entry',
  'outcome',
  'live_id',
  'created_by',
  'list_ids',
  'message',
  'sent_at_ms',
  'unheard_ms',
  'skew_ms',
]);

const OUTCOMES: ReadonlySet<unknown> = new Set(LEDGER_OUTCOMES);

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}
