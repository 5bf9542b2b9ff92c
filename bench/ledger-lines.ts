import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of these kinds of history a ledger is made. */
export type History = 'agency' | 'one campaign';

/** Names that an agency's accounts share. */
const NAMES = 3_999;
/** Changes and messages of one run. */
const PER_RUN = 40;
const BEGIN_MS = Date.UTC(2022, 0, 1);
/** Between two entries. */
const BETWEEN_MS = 20_000;
/** Written at once. */
const BLOCK_LINES = 2_000;

/**
 * Writes a ledger of so many lines as Herald writes them. `agency`: campaigns on 40 accounts that are replaced and
 * paused, and chat messages. `one campaign`: the same campaign, paused and switched on again and again.
 */
export function writeLedger(path: string, lines: number, history: History): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  const draw = history === 'agency' ? agencyEntry : switchedEntry;
  let block: string[] = [];
  let written = 0;
  for (let number = 0; written < lines; number += 1) {
    const entry = draw(number).map((line) => `${JSON.stringify(line)}\n`);
    const fitting = entry.slice(0, lines - written);
    written += fitting.length;
    block.push(...fitting);
    if (block.length < BLOCK_LINES && written < lines) continue;
    writeSync(file, block.join(''));
    block = [];
  }
  closeSync(file);
}

type Line = Readonly<Record<string, unknown>>;

function agencyEntry(number: number): readonly Line[] {
  if (number % 3 === 2) return chatMessage(number);
  return number % 3 === 0 ? replacement(number) : pauseOfOld(number);
}

/** The replaced one is that of the entry before. */
function replacement(number: number): readonly Line[] {
  const name = number % NAMES;
  const text = `Hey {first_name}, look at what I made for you today, and only for you: number ${number}. There is more where that came from, just ask me`;
  const content = {
    kind: 'welcome',
    rules: { delay_sec: 60 },
    audience_filters: [],
    messages: [{ text, price_usd: 9.99, attachments: [] }],
  };
  const about = { ...accountOf(name), kind: 'campaign', name: `Campaign ${name}` };
  return recorded(number, 'intent', {
    ...about,
    call: 'create',
    live_id: null,
    target: null,
    purpose: null,
    content: digestOf(number),
    hidden: digestOf(name % 7),
    wanted: { content, scheduled_at: null },
    supersedes: number < NAMES ? [] : [String(500_000 + number - NAMES)],
    baseline: [String(500_000 + number - 1)],
    live: { live_id: String(500_000 + number), created_by: 'api_token:1', list_ids: [] },
  });
}

function pauseOfOld(number: number): readonly Line[] {
  return statusOf(number, (number - 1) % NAMES, 500_000 + number - 1, 'paused', 'replace');
}

function statusOf(
  number: number,
  name: number,
  liveId: number,
  target: string,
  purpose: string,
): readonly Line[] {
  return recorded(number, 'intent', {
    ...accountOf(name),
    kind: 'campaign',
    name: `Campaign ${name}`,
    call: 'status',
    live_id: String(liveId),
    target,
    purpose,
    content: null,
    hidden: null,
    wanted: null,
    supersedes: [],
    baseline: [],
    live: { live_id: String(liveId), created_by: null, list_ids: null },
  });
}

function switchedEntry(number: number): readonly Line[] {
  return statusOf(number, 0, 7, number % 2 === 0 ? 'paused' : 'active', 'declared');
}

function chatMessage(number: number): readonly Line[] {
  const chat = String(101_000 + (number % 977));
  return recorded(number, 'act', {
    operation: 'chat.send',
    ...accountOf(number),
    subject: `chat ${chat}`,
    details: { chat_id: chat, digest: digestOf(number), baseline: [String(9_000_000 + number)] },
    live: { live_id: String(9_000_000 + number), created_by: null, list_ids: null },
  });
}

function recorded(
  number: number,
  type: 'intent' | 'act',
  { live, ...parts }: Line & { readonly live: Line },
): readonly Line[] {
  const sentMs = BEGIN_MS + number * BETWEEN_MS;
  const run = runOf(Math.floor(number / PER_RUN));
  const entry = `${run}-${(number % PER_RUN) + 1}`;
  const base = (ms: number, skew: Line) => ({ v: 1, at: new Date(ms).toISOString(), ...skew, run });
  return [
    {
      ...base(sentMs, {}),
      type,
      ...parts,
      entry,
      sent_at_ms: sentMs,
      skew_ms: 120,
      who: 'deploy (job 4711)',
    },
    {
      ...base(sentMs + 400, { at_skew_ms: 120 }),
      type: 'outcome',
      entry,
      outcome: 'done',
      ...live,
      message: 'done',
      sent_at_ms: null,
      unheard_ms: null,
    },
  ];
}

/** As runs are called: sortable by time. */
function runOf(number: number): string {
  const at = new Date(BEGIN_MS + number * PER_RUN * BETWEEN_MS).toISOString();
  return `${at.replaceAll(/[-:.]/g, '')}-${number.toString(16).padStart(8, '0')}`;
}

function accountOf(number: number): Line {
  const id = String(1000 + (number % 40));
  return { account: `a${id}`, account_id: id };
}

/** Looks like a digest, and costs no more than it must. */
function digestOf(number: number): string {
  const part = (factor: number) => (Math.imul(number + 1, factor) >>> 0).toString(16).padStart(8, '0');
  return part(2_654_435_761) + part(2_246_822_519) + part(3_266_489_917) + part(668_265_263);
}
