import { PAUSE_PURPOSES } from '../domain/knowledge.ts';
import { KINDS } from '../domain/resource.ts';
import { createdWith } from './effects.ts';
import { anyObjectEnd, listEnd, objectEnd, ODD, plainTextEnd, textEnd, valueEnd } from './json-ends.ts';
import {
  INTEGER,
  INTEGER_OR_NULL,
  matchAt,
  numberOrNull,
  oneOf,
  PLAIN,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  textsIn,
} from './line-grammar.ts';
import { LEDGER_OUTCOMES, type ActLine, type IntentLine, type OutcomeLine } from './lines.ts';
import { isUploadIntoVault } from './media-on-record.ts';
import { NOTHING_SHOWN } from './nothing-shown.ts';
import { ownText } from './own-text.ts';

/** A request and its end. */
export interface QuickPair {
  /**
   * Without what no one needs once it has ended: who sent it, its baseline, its subject and its details. Of the content
   * of a create it has only what is known of the object.
   */
  readonly begin: IntentLine | ActLine;
  /** Without its message. */
  readonly end: OutcomeLine;
}

/**
 * Two lines that follow each other, where the second one is the end of what the first one begins; null for all others.
 * Almost all lines of a long ledger are such pairs. As `quickLine` does, it accepts only what is spelled as Herald spells
 * it, and there it comes to what `parseLine` comes to. It is faster, because no value is made of a content or of details.
 * A pair of which more is needed once it has ended is left to `parseLine`, too:
 *
 * | what is left to `parseLine`                     | because                                      |
 * |-------------------------------------------------|----------------------------------------------|
 * | a line that names a simulator                   | it does not count for every reader           |
 * | an unknown outcome                              | its entry has not ended                      |
 * | an end with a copy of which nothing was heard   | the copy may still land: the entry is kept   |
 * | a stop by hand                                  | its first line is kept                       |
 * | a create with attachments                       | its files are known of the object            |
 * | an upload into the vault                        | its details say what was uploaded            |
 */
export function quickPair(first: string, second: string): QuickPair | null {
  const begin = intentIn(first) ?? actIn(first);
  const end = begin === null ? null : endIn(second, begin.entry);
  return begin === null || end === null ? null : { begin, end };
}

const START = String.raw`\{"v":1,"at":${TEXT}(?:,"at_skew_ms":${INTEGER_OR_NULL})?,"run":${TEXT},"type":`;
const END = String.raw`,"entry":${TEXT},"sent_at_ms":(${INTEGER})(?:,"skew_ms":${INTEGER_OR_NULL})?,"who":"${PLAIN}*"\}$`;

const PURPOSES = oneOf(PAUSE_PURPOSES.filter((purpose) => purpose !== 'by_hand'));

const INTENT = new RegExp(
  String.raw`${START}"intent","account":${TEXT},"account_id":${TEXT},"kind":${oneOf(KINDS)},"name":${TEXT},"call":"(create|status|unsend)","live_id":${TEXT_OR_NULL},"target":${TEXT_OR_NULL},"purpose":(?:null|${PURPOSES}),(?:"content":null,"hidden":null,"wanted":null|"content":${TEXT_OR_NULL},"hidden":${TEXT_OR_NULL}(?:,"protect":(true|false))?,"wanted":(\{"content":))`,
  'y',
);
const INTENT_END = new RegExp(
  String.raw`,"supersedes":${TEXTS},"baseline":\[(?:"${PLAIN}*"(?:,"${PLAIN}*")*)?\]${END}`,
  'y',
);

function intentIn(text: string): IntentLine | null {
  const found = matchAt(INTENT, text, 0);
  if (found === null) return null;
  const [name = '', liveId, content] = [found[7], found[9], found[12]];
  const shown = found[15] === undefined ? NOTHING_ASKED : shownIn(text, INTENT.lastIndex);
  const ended = matchAt(INTENT_END, text, shown === NOTHING_ASKED ? INTENT.lastIndex : shown.end);
  if (ended === null) return null;
  const line: IntentLine = {
    v: 1,
    at: found[1] ?? '',
    run: found[3] ?? '',
    type: 'intent',
    account: found[4] ?? '',
    account_id: found[5] ?? '',
    kind: found[6] as IntentLine['kind'],
    name,
    entry: ended[2] ?? '',
    who: '',
    call: found[8] as IntentLine['call'],
    live_id: liveId === undefined ? null : ownText(liveId),
    target: found[10] ?? null,
    purpose: (found[11] ?? null) as IntentLine['purpose'],
    content: content === undefined ? null : ownText(content),
    hidden: found[13] ?? null,
    protect: found[14] === 'true',
    wanted: null,
    supersedes: textsIn(ended[1] ?? '').map(ownText),
    baseline: NO_IDS,
    sent_at_ms: Number(ended[3]),
  };
  if (shown !== NOTHING_ASKED) {
    line.wanted = NOTHING_SHOWN;
    line.created_as = createdWith(name, shown.text);
  }
  return withSkews(line, found[2], ended[4]);
}

/** What a create shows. */
interface Shown {
  /** Of its first message. */
  text: string | null;
  /** The place after it; `ODD` where it is left to `parseLine`. */
  end: number;
}

const NOTHING_ASKED: Shown = { text: null, end: ODD };
const SCHEDULED_AT = ',"scheduled_at":';

/** From the content on that begins at that place. */
function shownIn(text: string, place: number): Shown {
  const shown: Shown = { text: null, end: ODD };
  let [hasMessages, hasFilters] = [false, false];
  const end = objectEnd(text, place, (name, at) => {
    if (name === 'messages') {
      // Of two members of one name, the later one holds.
      if (hasMessages) return ODD;
      hasMessages = true;
      return messagesEnd(text, at, shown);
    }
    if (name !== 'audience_filters') return name === 'rules' ? anyObjectEnd(text, at) : valueEnd(text, at);
    hasFilters = true;
    return listEnd(text, at, (from) => anyObjectEnd(text, from));
  });
  if (end === ODD || !hasMessages || !hasFilters || !text.startsWith(SCHEDULED_AT, end)) return shown;
  const after = textOrNullEnd(text, end + SCHEDULED_AT.length);
  shown.end = after !== ODD && text[after] === '}' ? after + 1 : ODD;
  return shown;
}

function messagesEnd(text: string, place: number, shown: Shown): number {
  let isFirst = true;
  return listEnd(text, place, (at) => {
    const end = messageEnd(text, at, isFirst ? shown : null);
    isFirst = false;
    return end;
  });
}

/** `shown` gets its text. */
function messageEnd(text: string, place: number, shown: Shown | null): number {
  let hasText = false;
  return objectEnd(text, place, (name, at) => {
    if (name === 'attachments') return text.startsWith('[]', at) ? at + 2 : ODD;
    if (name !== 'text') return valueEnd(text, at);
    const end = textOrNullEnd(text, at);
    if (end === ODD || hasText) return ODD;
    hasText = true;
    if (shown !== null) shown.text = textIn(text, at, end);
    return end;
  });
}

function textOrNullEnd(text: string, place: number): number {
  return text.startsWith('null', place) ? place + 4 : textEnd(text, place);
}

/** What is spelled with escapes is rare. */
function textIn(text: string, from: number, end: number): string | null {
  const plain = plainTextEnd(text, from) === end ? text.slice(from + 1, end - 1) : null;
  return plain ?? (JSON.parse(text.slice(from, end)) as string | null);
}

/** Says who else an account is; or is a name that `ledgerLineShape` does not take for one. */
const TELLING_DETAILS: readonly string[] = ['platform_account_id', '__proto__', 'constructor'];

const ACT = new RegExp(
  String.raw`${START}"act","operation":${TEXT},"account":${TEXT},"account_id":${TEXT},"subject":"${PLAIN}*","details":`,
  'y',
);
const ACT_END = new RegExp(END, 'y');

function actIn(text: string): ActLine | null {
  const found = matchAt(ACT, text, 0);
  if (found === null) return null;
  const [, at = '', atSkew, run = '', operation = '', account = '', accountId = ''] = found;
  const detailsEnd = objectEnd(text, ACT.lastIndex, (name, from) =>
    TELLING_DETAILS.includes(name) ? ODD : valueEnd(text, from),
  );
  const ended = matchAt(ACT_END, text, detailsEnd);
  if (ended === null || isUploadIntoVault(operation)) return null;
  const line: ActLine = {
    v: 1,
    at,
    run,
    type: 'act',
    entry: ended[1] ?? '',
    who: '',
    operation,
    account,
    account_id: accountId,
    subject: '',
    details: NO_DETAILS,
    sent_at_ms: Number(ended[2]),
  };
  return withSkews(line, atSkew, ended[3]);
}

const OUTCOME = new RegExp(
  String.raw`${START}"outcome","entry":${TEXT},"outcome":${oneOf(LEDGER_OUTCOMES.filter((outcome) => outcome !== 'unknown'))},"live_id":${TEXT_OR_NULL},"created_by":${TEXT_OR_NULL},"list_ids":(?:null|${TEXTS}),"message":"${PLAIN}*","sent_at_ms":${INTEGER_OR_NULL}(?:,"unheard_ms":null)?(?:,"skew_ms":${INTEGER_OR_NULL})?\}$`,
  'y',
);

function endIn(text: string, entry: string): OutcomeLine | null {
  const found = matchAt(OUTCOME, text, 0);
  if (found === null || found[4] !== entry) return null;
  const [, at = '', atSkew, run = ''] = found;
  const [outcome, liveId, createdBy, lists] = [found[5], found[6], found[7], found[8]];
  const line: OutcomeLine = {
    v: 1,
    at,
    run,
    type: 'outcome',
    entry,
    outcome: outcome as OutcomeLine['outcome'],
    live_id: liveId === undefined ? null : ownText(liveId),
    created_by: createdBy ?? null,
    list_ids: lists === undefined ? null : textsIn(lists).map(ownText),
    message: '',
    sent_at_ms: numberOrNull(found[9]),
    unheard_ms: null,
  };
  return withSkews(line, atSkew, found[10]);
}

const NO_IDS: string[] = [];
const NO_DETAILS: ActLine['details'] = {};

/** With the members that not every line has. */
function withSkews<Line extends IntentLine | ActLine | OutcomeLine>(
  line: Line,
  atSkew: string | undefined,
  skew: string | undefined,
): Line {
  if (atSkew !== undefined) line.at_skew_ms = numberOrNull(atSkew);
  if (skew !== undefined) line.skew_ms = numberOrNull(skew);
  return line;
}
