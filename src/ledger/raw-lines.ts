import { eachLine } from './byte-lines.ts';
import type { ActLine, IntentLine, LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';
import { createdAs } from './effects.ts';
import { ownText } from './own-text.ts';
import { parseLine } from './parse.ts';
import { textKey } from './text-key.ts';

/**
 * One line of a ledger's file, with what it is to this version. Its text is not held: where it is needed again, the file
 * is read once more. A line break of Windows is none of its text: git may give one branch such breaks and not the
 * other, and both say the same.
 */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  /** Lines of one key have the same text. */
  readonly key: string;
  /** Null where it cannot be read; without the parts that nobody needs who goes through all lines. */
  readonly line: LedgerLine | null;
  /** Whole, and of a kind that a later version writes: not to be touched. */
  readonly isLater: boolean;
  /** At the very end of the file, without a line break, and no whole object: cut short by a crash. */
  readonly isTorn: boolean;
  /** A mark that git leaves where it cannot merge. */
  readonly isMergeMark: boolean;
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

/** Collects every line of a file but the empty ones. */
export class RawLines {
  readonly #all: RawLine[] = [];
  readonly #keepsContent: KeepsContent;
  readonly #texts = new Map<string, string>();
  /** That of the last line that has one: an end mostly follows its begin. */
  #entry = '';
  #lines = 0;
  #bytes = 0;

  constructor(keepsContent: KeepsContent = () => false) {
    this.#keepsContent = keepsContent;
  }

  take(written: string, bytes: number): void {
    this.#add(written, bytes, false);
  }

  /** What follows the last line break. */
  end(rest: string): void {
    if (rest !== '') this.#add(rest, Buffer.byteLength(rest), true);
  }

  /** Of all that was taken. */
  get bytes(): number {
    return this.#bytes;
  }

  all(): readonly RawLine[] {
    const lines = readableLines(this.#all);
    const allNamed = withOrigins(lines);
    if (allNamed === lines) return this.#all;
    const named = allNamed.values();
    return this.#all.map((raw) =>
      raw.line === null ? raw : { ...raw, line: named.next().value ?? raw.line },
    );
  }

  #add(written: string, bytes: number, isLast: boolean): void {
    this.#lines += 1;
    this.#bytes += bytes;
    const text = withoutReturn(written);
    if (text.trim() === '') return;
    const line = parseLine(text);
    this.#all.push({
      number: this.#lines,
      key: textKey(text),
      line: line === null ? null : this.#slim(line),
      isLater: line === null && isOfLaterVersion(text),
      isTorn: line === null && isLast && !isWhole(text),
      isMergeMark: line === null && /^(<{7}|={7}|>{7}|\|{7})/.test(text),
    });
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

const NOTHING_SHOWN: NonNullable<IntentLine['wanted']> = {
  content: { kind: 'welcome', rules: {}, audience_filters: [], messages: [] } as never,
  scheduled_at: null,
};

/** Every line of those bytes. */
export async function rawLinesOf(
  pieces: AsyncIterable<Uint8Array>,
  keepsContent?: KeepsContent,
): Promise<RawLines> {
  const lines = new RawLines(keepsContent);
  lines.end(await eachLine(pieces, (text, bytes) => lines.take(text, bytes)));
  return lines;
}

/** The text of a line without the first half of a line break of Windows. */
export function withoutReturn(written: string): string {
  return written.endsWith('\r') ? written.slice(0, -1) : written;
}

/** The lines that this version reads. */
export function readableLines(lines: readonly RawLine[]): readonly LedgerLine[] {
  return lines.flatMap(({ line }) => (line === null ? [] : [line]));
}

/** Whether the text is a whole object, whatever it says: a crash has not cut it short. */
export function isWhole(text: string): boolean {
  return parsedObject(text) !== null;
}

function isOfLaterVersion(raw: string): boolean {
  const value = parsedObject(raw);
  if (value === null || !('v' in value) || !('type' in value)) return false;
  if (typeof value.v !== 'number' || typeof value.type !== 'string') return false;
  return value.v > 1 || (value.v === 1 && !Object.hasOwn(TYPES, value.type));
}

function parsedObject(raw: string): object | null {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
