import { LEDGER_BEGIN, type LedgerLines } from '../domain/ledger-store.ts';
import { textKey } from '../domain/text-key.ts';
import { wholeObject } from '../domain/whole-object.ts';
import type { ActLine, IntentLine, LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';
import { NOTHING_SHOWN } from './nothing-shown.ts';
import { isCutShort } from './cut-short.ts';
import { createdAs } from './effects.ts';
import { ownText } from './own-text.ts';
import { parseLine } from './parse.ts';

/** One line of a ledger, with what it is to this version. Its text is not held: it is read again if it is needed. */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  /** Null if it cannot be read. Without the parts that no pass over all lines needs. */
  readonly line: LedgerLine | null;
  /** Whole, and of a kind that a later version writes: not to be touched. */
  readonly isLater: boolean;
  /** Cut short by a crash, so that it announced nothing. It is the last line, unless lines were joined or added after it. */
  readonly isTorn: boolean;
  /** A mark that git leaves where it cannot merge. */
  readonly isMergeMark: boolean;
}

/** A line as this version reads it; null for an empty one. */
export function rawLineOf(text: string, number: number): RawLine | null {
  if (text.trim() === '') return null;
  const line = parseLine(text);
  return {
    number,
    line,
    isLater: line === null && isOfLaterVersion(text),
    isTorn: line === null && isCutShort(text),
    isMergeMark: line === null && /^(<{7}|={7}|>{7}|\|{7})/.test(text),
  };
}

/** Every kind of line that this version reads. */
const TYPES = {
  intent: true,
  outcome: true,
  seen: true,
  protection: true,
  rewrite: true,
  act: true,
  acknowledged: true,
  known: true,
  compacted: true,
} as const satisfies Record<LedgerLine['type'], true>;

/** Which creates are needed with the whole content that they ask for. */
export type KeepsContent = (intent: IntentLine) => boolean;

/** One of all lines. */
export interface HeldLine extends RawLine {
  /** Lines of one key have the same text. */
  readonly key: string;
}

/** Collects every line of a file but the empty ones. */
export class RawLines {
  readonly #all: HeldLine[] = [];
  readonly #keepsContent: KeepsContent;
  readonly #texts = new Map<string, string>();
  /** That of the last line that has one: an end mostly follows its begin. */
  #entry = '';

  constructor(keepsContent: KeepsContent = () => false) {
    this.#keepsContent = keepsContent;
  }

  take(text: string, number: number): void {
    const raw = rawLineOf(text, number);
    if (raw === null) return;
    this.#all.push({
      ...raw,
      key: textKey(text),
      line: raw.line === null ? null : this.#slim(raw.line),
    });
  }

  all(): readonly HeldLine[] {
    const lines = readableLines(this.#all);
    const allNamed = withOrigins(lines);
    if (allNamed === lines) return this.#all;
    const named = allNamed.values();
    return this.#all.map((raw) =>
      raw.line === null ? raw : { ...raw, line: named.next().value ?? raw.line },
    );
  }

  /** Names that many lines share are kept once, and of a content only what tells its files. */
  #slim(line: LedgerLine): LedgerLine {
    const shared = line as Record<string, unknown>;
    for (const member of SHARED) {
      const text = shared[member];
      if (typeof text === 'string') shared[member] = this.#once(text);
    }
    line.at = ownText(line.at);
    if ('entry' in line)
      line.entry = this.#entry = this.#entry === line.entry ? this.#entry : ownText(line.entry);
    if (line.type === 'act') return { ...line, details: detailsThatTell(line.details) };
    if (line.type !== 'intent') return line;
    const wanted = this.#keepsContent(line) ? line.wanted : withFilesOnly(line.wanted);
    return { ...line, baseline: NO_IDS, created_as: createdAs(line), wanted };
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

const SHARED = [
  'run',
  'who',
  'type',
  'account',
  'account_id',
  'kind',
  'name',
  'call',
  'target',
  'purpose',
  'hidden',
  'outcome',
  'message',
  'created_by',
  'operation',
  'origin',
];
const NO_IDS: string[] = [];

/** Whether it is a raw call, and whom an upload was for. */
function detailsThatTell({ by, purpose }: ActLine['details']): ActLine['details'] {
  if (by === undefined && purpose === undefined) return NO_DETAILS;
  return { ...(by === undefined ? {} : { by }), ...(purpose === undefined ? {} : { purpose }) };
}

const NO_DETAILS: ActLine['details'] = {};

function withFilesOnly(wanted: IntentLine['wanted']): IntentLine['wanted'] {
  if (wanted === null) return null;
  const { messages } = wanted.content;
  if (messages.every(({ attachments = [] }) => attachments.length === 0)) return NOTHING_SHOWN;
  const few = messages.map(({ attachments }) => ({ text: '', ...(attachments && { attachments }) }));
  return { ...NOTHING_SHOWN, content: { ...NOTHING_SHOWN.content, messages: few } };
}

/** Every line of an open ledger. */
export async function rawLinesOf(ledger: LedgerLines, keepsContent?: KeepsContent): Promise<RawLines> {
  const lines = new RawLines(keepsContent);
  const { torn } = await ledger.read(LEDGER_BEGIN, (text, number) => lines.take(text, number));
  if (torn !== null) lines.take(torn.text, torn.number);
  return lines;
}

/** The lines that this version reads. */
export function readableLines(lines: readonly RawLine[]): readonly LedgerLine[] {
  return lines.flatMap(({ line }) => (line === null ? [] : [line]));
}

function isOfLaterVersion(raw: string): boolean {
  const value = wholeObject(raw);
  if (value === null || !('v' in value) || !('type' in value)) return false;
  if (typeof value.v !== 'number' || typeof value.type !== 'string') return false;
  return value.v > 1 || (value.v === 1 && !Object.hasOwn(TYPES, value.type));
}
