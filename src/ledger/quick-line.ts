import { PAUSE_PURPOSES } from '../domain/knowledge.ts';
import { KINDS } from '../domain/resource.ts';
import {
  BEGIN,
  END,
  INTEGER_OR_NULL,
  matchAt,
  numberOrNull,
  oneOf,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  textsIn,
} from './line-grammar.ts';
import {
  LEDGER_OUTCOMES,
  type ActLine,
  type IntentLine,
  type LedgerLine,
  type OutcomeLine,
} from './lines.ts';
import { ownText } from './own-text.ts';

/**
 * The line, where it is spelled as Herald spells almost all of them; null for everything else, which `JSON.parse` and
 * `ledgerLineShape` judge. It costs a quarter of what they do, and gives the same: each expression below accepts only
 * one spelling of a line, with every member once and in its place. A content and the details of an act may hold
 * anything, so those are still given to `JSON.parse`.
 *
 * A text of the line shares the memory of all of it. Those that are kept of each object have their own.
 */
export function quickLine(text: string): LedgerLine | null {
  const type = text.charAt(text.indexOf(TYPE) + TYPE.length);
  if (type === 'o') return outcomeIn(text);
  if (type === 'i') return intentIn(text);
  return type === 'a' ? actIn(text) : null;
}

const TYPE = '"type":"';

const OUTCOME = new RegExp(
  String.raw`${BEGIN}"outcome","entry":${TEXT},"outcome":${oneOf(LEDGER_OUTCOMES)},"live_id":${TEXT_OR_NULL},"created_by":${TEXT_OR_NULL},"list_ids":(?:null|${TEXTS}),"message":${TEXT},"sent_at_ms":${INTEGER_OR_NULL}(?:,"unheard_ms":${INTEGER_OR_NULL})?(?:,"skew_ms":${INTEGER_OR_NULL})?\}$`,
  'y',
);

function outcomeIn(text: string): OutcomeLine | null {
  const found = matchAt(OUTCOME, text, 0);
  if (found === null) return null;
  const [, at = '', atSkew, run = '', origin, entry = '', outcome, liveId, madeBy, lists, message = ''] =
    found;
  const [sentAt, unconfirmed, skew] = [found[11], found[12], found[13]];
  const line: OutcomeLine = {
    v: 1,
    at,
    run,
    type: 'outcome',
    entry,
    outcome: outcome as OutcomeLine['outcome'],
    live_id: liveId === undefined ? null : ownText(liveId),
    created_by: madeBy ?? null,
    list_ids: lists === undefined ? null : textsIn(lists).map(ownText),
    message,
    sent_at_ms: numberOrNull(sentAt),
    unheard_ms: numberOrNull(unconfirmed),
  };
  return withClocks(line, origin, atSkew, skew);
}

const INTENT = new RegExp(
  String.raw`${BEGIN}"intent","account":${TEXT},"account_id":${TEXT},"kind":${oneOf(KINDS)},"name":${TEXT},"call":"(create|status|unsend)","live_id":${TEXT_OR_NULL},"target":${TEXT_OR_NULL},"purpose":(?:null|${oneOf(PAUSE_PURPOSES)}),`,
  'y',
);
const INTENT_REST = ',"supersedes":[';
const INTENT_END = new RegExp(String.raw`,"supersedes":${TEXTS},"baseline":${TEXTS}${END}`, 'y');
const NOTHING_ASKED = '"content":null,"hidden":null,"wanted":null';

function intentIn(text: string): IntentLine | null {
  const found = matchAt(INTENT, text, 0);
  if (found === null) return null;
  const rest = text.lastIndexOf(INTENT_REST);
  const ended = matchAt(INTENT_END, text, rest);
  const asked = ended === null ? null : askedIn(text.slice(found[0].length, rest));
  if (ended === null || asked === null) return null;
  const [, at = '', atSkew, run = '', origin, account = '', accountId = '', kind, name = ''] = found;
  const [call, liveId, target, purpose] = [found[9], found[10], found[11], found[12]];
  const [, supersedes = '', baseline = '', entry = '', sentAt, skew, who = ''] = ended;
  const line: IntentLine = {
    v: 1,
    at,
    run,
    type: 'intent',
    account,
    account_id: accountId,
    kind: kind as IntentLine['kind'],
    name,
    entry,
    who,
    call: call as IntentLine['call'],
    live_id: liveId === undefined ? null : ownText(liveId),
    target: target ?? null,
    purpose: (purpose ?? null) as IntentLine['purpose'],
    content: asked.content,
    hidden: asked.hidden,
    protect: asked.protect,
    wanted: asked.wanted,
    supersedes: textsIn(supersedes).map(ownText),
    baseline: textsIn(baseline),
    sent_at_ms: Number(sentAt),
  };
  return withClocks(line, origin, atSkew, skew);
}

type Asked = Pick<IntentLine, 'content' | 'hidden' | 'protect' | 'wanted'>;

const NOTHING: Asked = { content: null, hidden: null, protect: false, wanted: null };

/** What a create asks for; null where it is not spelled as Herald spells it. */
function askedIn(members: string): Asked | null {
  if (members === NOTHING_ASKED) return NOTHING;
  const value = objectOf(`{${members}}`);
  if (value === null) return null;
  const { content, hidden, protect = false, wanted } = value;
  if (!isTextOrNull(content) || !isTextOrNull(hidden) || typeof protect !== 'boolean') return null;
  const hasMore = Object.keys(value).length > (value['protect'] === undefined ? 3 : 4);
  return isWanted(wanted) && !hasMore ? { content, hidden, protect, wanted } : null;
}

/** As `ledgerLineShape` wants it, without anything that it leaves out. */
function isWanted(value: unknown): value is IntentLine['wanted'] {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { content, scheduled_at: scheduledAt } = value;
  if (!isTextOrNull(scheduledAt) || Object.keys(value).length > 2 || !isObject(content)) return false;
  const { rules, audience_filters: filters, messages } = content;
  return (
    (rules === undefined || isObject(rules)) &&
    isObjects(filters) &&
    isObjects(messages) &&
    messages.every(isMessage)
  );
}

function isMessage({ text, attachments }: Members): boolean {
  return (text === undefined || isTextOrNull(text)) && (attachments === undefined || isObjects(attachments));
}

const ACT = new RegExp(
  String.raw`${BEGIN}"act","operation":${TEXT},"account":${TEXT},"account_id":${TEXT},"subject":${TEXT},"details":`,
  'y',
);
const ACT_REST = ',"entry":"';
const ACT_END = new RegExp(END, 'y');

function actIn(text: string): ActLine | null {
  const found = matchAt(ACT, text, 0);
  if (found === null) return null;
  const rest = text.lastIndexOf(ACT_REST);
  const ended = matchAt(ACT_END, text, rest);
  const details = ended === null ? null : objectOf(text.slice(found[0].length, rest));
  if (ended === null || details === null || ODD_MEMBERS.some((name) => Object.hasOwn(details, name)))
    return null;
  const [, at = '', atSkew, run = '', origin, operation = '', account = '', accountId = '', subject = ''] =
    found;
  const [, entry = '', sentAt, skew, who = ''] = ended;
  const line: ActLine = {
    v: 1,
    at,
    run,
    type: 'act',
    entry,
    who,
    operation,
    account,
    account_id: accountId,
    subject: ownText(subject),
    details,
    sent_at_ms: Number(sentAt),
  };
  return withClocks(line, origin, atSkew, skew);
}

/** Which the shape takes out, or does not take for a record's. */
const ODD_MEMBERS = ['__proto__', 'constructor'];

/** With the members that not every line has. */
function withClocks<Line extends OutcomeLine | IntentLine | ActLine>(
  line: Line,
  origin: string | undefined,
  atSkew: string | undefined,
  skew: string | undefined,
): Line {
  if (origin !== undefined) line.origin = origin;
  if (atSkew !== undefined) line.at_skew_ms = numberOrNull(atSkew);
  if (skew !== undefined) line.skew_ms = numberOrNull(skew);
  return line;
}

type Members = Readonly<Partial<Record<string, unknown>>>;

function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjects(value: unknown): value is readonly Members[] {
  return Array.isArray(value) && value.every(isObject);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
