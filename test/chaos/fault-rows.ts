import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { REWORDED } from './declare.ts';
import type { Dice } from './dice.ts';
import {
  connection,
  failsForGood,
  isCarriedOut,
  late,
  lost,
  plain,
  row,
  wrongDate,
  type DrawnFault,
  type Row,
} from './fault-kinds.ts';

const CREATES: readonly Operation[] = ['campaigns.create', 'broadcasts.create'];
const STATUSES: readonly Operation[] = ['campaigns.set-status', 'broadcasts.set-status'];
const UNSENDS: readonly Operation[] = ['campaigns.unsend', 'broadcasts.unsend'];
const LISTS: readonly Operation[] = ['campaigns.list', 'broadcasts.list'];
const READS: readonly Operation[] = ['campaigns.get', 'broadcasts.get'];
const UPLOADS: readonly Operation[] = ['vault.upload-start', 'vault.upload-finish', 'vault.upload-export'];
const MONEY: readonly Operation[] = ['payouts.request'];
const MONEY_READS: readonly Operation[] = ['payouts.list', 'payouts.balances'];
const CHATS: readonly Operation[] = ['chat.send', 'fans.follow'];
const CHAT_READS: readonly Operation[] = ['chat.messages'];
const ACCOUNTS_READS: readonly Operation[] = ['accounts.list'];
const WRITES = [...CREATES, ...STATUSES, ...UNSENDS, ...UPLOADS];

const STORAGE = [
  'reset',
  'stall',
  'lost_answer',
  'unavailable',
  'refused',
  'missing_etag',
  'expired',
  'redirect',
] as const;

/** The rows of the table. One fault of each group is about as likely as one of another, whatever their sizes. */
const GROUPS = {
  create: [
    ...lost('create', CREATES),
    ...lost('create', CREATES),
    late('create, late inside the window', CREATES, 'reset', [1, 60]),
    late('create, late inside the window', CREATES, 'reset', [1, 60]),
    late('create, late beyond the window', CREATES, '502', [76, 120]),
  ],
  'create connection': connection('create', CREATES),
  'create late': [late('create, late inside the window', CREATES, 'reset', [1, 60])],
  status: [
    ...lost('status', STATUSES, isCarriedOut),
    ...lost('status', STATUSES, isCarriedOut),
    late('status, late inside the window', STATUSES, 'reset', [1, 60]),
    row('status, half done', ['campaigns.set-status'], plain('partial_commit')),
  ],
  'status connection': connection('status', STATUSES),
  way: [
    row('slow answer', WRITES, (operation, selected, dice) => ({
      kind: 'slow',
      delay_ms: dice.int(1, 60) * 1000,
      operation,
      ...selected,
    })),
    row('throttle', [...WRITES, ...LISTS], plain('throttle')),
    row('throttle with Retry-After', WRITES, (operation, selected, dice) => ({
      kind: 'throttle',
      retry_after_sec: dice.pick([1, 20, 200]),
      operation,
      ...selected,
    })),
    row('read back, 502', READS, (operation, selected) => ({
      kind: 'broken_answer',
      how: '502',
      when: 'after_commit',
      operation,
      ...selected,
    })),
    ...connection('read back', READS, ['before_request', 'answer_body']),
  ],
  'read back connection': connection('read back', READS),
  list: [
    row('list, 502', LISTS, (operation, selected) => ({
      kind: 'broken_answer',
      how: '502',
      when: 'after_commit',
      operation,
      ...selected,
    })),
    row('list, fails for good', LISTS, failsForGood),
    row('list, empty page', LISTS, plain('empty_page')),
    row('list, repeated page', LISTS, plain('repeated_page')),
    row('list, no has_more', LISTS, plain('missing_has_more')),
    row('list, odd has_more', LISTS, (operation, selected, dice) => ({
      kind: 'odd_has_more',
      value: dice.pick(['false', 'true', null, 0]),
      operation,
      ...selected,
    })),
    row('list, wrong has_more', LISTS, (operation, selected, dice) => ({
      kind: 'odd_has_more',
      value: dice.oneIn(2),
      operation,
      ...selected,
    })),
    ...connection('list', LISTS, ['connect', 'after_request', 'answer_body']),
    row('list, moves between pages', ['campaigns.list'], (operation, selected) => ({
      kind: 'change_before',
      operation,
      seed: { account_id: '101', kind: 'campaign', set: { name: 'Other', status: 'paused' } },
      ...selected,
    })),
  ],
  'list connection': connection('list', LISTS),
  accounts: [
    row('accounts list, 502', ACCOUNTS_READS, (operation, selected) => ({
      kind: 'broken_answer',
      how: '502',
      when: 'after_commit',
      operation,
      ...selected,
    })),
    row('accounts list, fails for good', ACCOUNTS_READS, failsForGood),
    row('accounts list, throttled', ACCOUNTS_READS, plain('throttle')),
    ...connection('accounts list', ACCOUNTS_READS),
    ...wrongDate(ACCOUNTS_READS, 1),
  ],
  lag: [
    row('list lags behind a create', CREATES, (operation, selected, dice) => ({
      kind: 'list_lag',
      lag_sec: dice.int(1, 4),
      operation,
      ...selected,
    })),
  ],
  'read lag': [
    row('single read lags behind a create', CREATES, (operation, selected, dice) => ({
      kind: 'list_lag',
      lag_sec: dice.int(1, 4),
      reads: true,
      operation,
      ...selected,
    })),
  ],
  'status lag': [
    row('list lags behind a status', STATUSES, (operation, selected, dice) => ({
      kind: 'status_lag',
      lag_sec: dice.int(1, 4),
      operation,
      ...selected,
    })),
    row('single read lags behind a status', STATUSES, (operation, selected, dice) => ({
      kind: 'status_lag',
      lag_sec: dice.int(1, 4),
      reads: true,
      operation,
      ...selected,
    })),
  ],
  date: wrongDate([...LISTS, ...CREATES], 6),
  'money date': wrongDate([...MONEY, ...MONEY_READS, ...ACCOUNTS_READS], 2),
  'chat date': wrongDate([...CHATS, ...CHAT_READS, ...ACCOUNTS_READS], 2),
  rewrite: [
    row('text is rewritten late', CREATES, (operation, _selected, dice) => ({
      kind: 'late_rewrite',
      after_sec: dice.int(2, 40),
      from: 'says',
      to: dice.pick(REWORDED),
      operation,
    })),
  ],
  upload: [
    ...lost('upload', UPLOADS),
    ...lost('upload', UPLOADS),
    ...lost('upload', UPLOADS),
    late('upload, late inside the window', UPLOADS, 'reset', [1, 60]),
    row('uploads list, fails for good', ['vault.uploads'], failsForGood),
    ...STORAGE.map((how) => ({
      name: `put, ${how}`,
      draw: (dice: Dice): FaultInput => ({ kind: 'storage', how, nth: dice.pick([1, 1, 2]), times: 1 }),
    })),
  ],
  recall: [
    ...lost('recall', UNSENDS, isCarriedOut),
    late('recall, late inside the window', UNSENDS, 'reset', [1, 60]),
    ...[false, true].map((reads) =>
      row(`${reads ? 'single read' : 'list'} lags behind a recall`, UNSENDS, (operation, selected, dice) => ({
        kind: 'status_lag',
        lag_sec: dice.int(1, 4),
        reads,
        operation,
        ...selected,
      })),
    ),
    ...connection('recall', UNSENDS, ['connect', 'after_request', 'answer_head']),
  ],
  'recall connection': connection('recall', UNSENDS),
  money: [
    ...lost('payout', MONEY),
    late('payout, late inside the window', MONEY, 'reset', [1, 60]),
    row('payout, throttled', [...MONEY, ...MONEY_READS], plain('throttle')),
    row('payout list, 502', MONEY_READS, (operation, selected) => ({
      kind: 'broken_answer',
      how: '502',
      when: 'after_commit',
      operation,
      ...selected,
    })),
  ],
  'money connection': connection('payout', MONEY),
  chat: [
    ...lost('chat', CHATS, isCarriedOut),
    late('chat, late inside the window', CHATS, 'reset', [1, 60]),
    row('chat, throttled', [...CHATS, ...CHAT_READS], plain('throttle')),
  ],
  'chat connection': connection('chat', CHATS),
} satisfies Record<string, readonly Row[]>;
export type FaultGroup = keyof typeof GROUPS;

/** Every row of the table, also those that no scenario has drawn so far. */
export const FAULT_NAMES = new Set(
  Object.values(GROUPS).flatMap((rows: readonly Row[]) => rows.map(({ name }) => name)),
);

/** A fault of one of the groups. */
export function aFaultOf(dice: Dice, groups: readonly FaultGroup[]): DrawnFault {
  const rows: readonly Row[] = GROUPS[dice.pick(groups)];
  const { name, draw } = dice.pick(rows);
  return { name, fault: draw(dice) };
}

/** A create waits for longer than what it goes by is good for. */
export function longWait(kind: 'campaign' | 'broadcast', sec = 20): DrawnFault {
  return throttled(`${kind}s.create`, sec);
}

/** The first request waits so long. */
export function throttled(operation: Operation, sec: number): DrawnFault {
  return {
    name: 'throttle with Retry-After',
    fault: { kind: 'throttle', retry_after_sec: sec, operation, nth: 1, times: 1 },
  };
}
