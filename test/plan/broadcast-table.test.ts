import { describe, expect, it } from 'vitest';
import type { DeclaredBroadcast, ObservedBroadcast } from '../../src/domain/resource.ts';
import { BROADCAST_TABLE, decideBroadcast } from '../../src/plan/decide/broadcast.ts';
import type { ObjectRow, OpenRequest } from '../../src/state/shapes.ts';
import { aBroadcast, aLiveBroadcast } from '../helpers/resource-builders.ts';
import {
  anOpenRequest,
  aRow,
  groupOf,
  createdFrom,
  documentedRows,
  HOUR,
  lineOf,
  linesOf,
  MINUTE,
  reasonsOf,
  stoppedRow,
} from './facts-of.ts';
import { NOON } from '../helpers/flow-clock.ts';

type Column = 'future' | 'near' | 'paused' | 'recalled';

interface Scene {
  readonly live: readonly ObservedBroadcast[];
  readonly rows: readonly ObjectRow[];
  readonly open?: readonly OpenRequest[];
}

interface Expectation extends Scene {
  readonly row: string;
  readonly cells: Readonly<Record<Column, readonly string[]>>;
}

const other = (id: string, status: string) =>
  aLiveBroadcast({ id, status, messages: [{ step: 0, text: 'Another text', price_gross: 0 }] });
const same = (id: string, status: string) => aLiveBroadcast({ id, status });
const unreadable = (id: string, status: string) => aLiveBroadcast({ id, status, messages: [] });
const without = (id: string, status: string | null) => aLiveBroadcast({ id, status, scheduled_at: null });

const ours = (...live: readonly ObservedBroadcast[]): Scene => ({ live, rows: live.map((one) => aRow(one)) });
const byHerald = (...live: readonly ObservedBroadcast[]): Scene => ({
  live,
  rows: live.map((one) => stoppedRow(one)),
});

const pause = (id: string) => `pause ${id}: pause ${id}, read_back ${id}`;
const retire = (id: string) => `retire ${id}: pause ${id}, read_back ${id}`;
const recall = (id: string) => `blocked ${id} needs recall`;

const CELLS: readonly Expectation[] = [
  {
    row: 'Herald recalled one',
    live: [same('1', 'paused'), same('2', 'scheduled')],
    rows: [stoppedRow(same('1', 'paused'), { recalled: 1 }), aRow(same('2', 'scheduled'))],
    cells: {
      future: ['blocked 1', retire('2')],
      near: ['done 1', retire('2')],
      paused: ['done 1', retire('2')],
      recalled: ['done 1', retire('2')],
    },
  },
  {
    row: 'a request about it is unconfirmed',
    ...ours(same('1', 'scheduled'), other('2', 'scheduled')),
    open: [anOpenRequest(aBroadcast(), { live_id: '2', target: 'paused' })],
    cells: {
      future: ['blocked 2'],
      near: ['blocked 2'],
      paused: [pause('1'), 'blocked 2'],
      recalled: [pause('1'), 'blocked 2'],
    },
  },
  {
    row: 'it has left',
    ...ours(without('1', null), same('2', 'scheduled')),
    open: [anOpenRequest(aBroadcast(), { live_id: '1', target: 'queued', outcome: 'done' })],
    cells: {
      future: ['blocked 1', retire('2')],
      near: ['done 1', retire('2')],
      paused: ['done 1', retire('2')],
      recalled: [recall('1'), recall('2'), pause('2')],
    },
  },
  {
    row: 'paused after it began to leave',
    ...byHerald(without('1', 'paused')),
    cells: {
      future: ['blocked 1'],
      near: ['done 1'],
      paused: ['keep 1'],
      recalled: [recall('1')],
    },
  },
  {
    row: 'waits, same',
    ...ours(same('1', 'scheduled'), same('2', 'scheduled'), other('3', 'scheduled')),
    cells: {
      future: ['keep 1', retire('2'), retire('3')],
      near: ['done 1', retire('2'), retire('3')],
      paused: [pause('1'), pause('2'), pause('3')],
      recalled: [recall('1'), pause('1'), recall('2'), pause('2'), recall('3'), pause('3')],
    },
  },
  {
    row: 'waits, unreadable',
    ...ours(unreadable('1', 'scheduled'), other('2', 'scheduled')),
    cells: {
      future: ['blocked 1'],
      near: ['done 1'],
      paused: [pause('1'), pause('2')],
      recalled: [recall('1'), pause('1'), recall('2'), pause('2')],
    },
  },
  {
    row: 'waits, other',
    ...ours(other('1', 'scheduled'), other('2', 'scheduled'), other('3', 'paused')),
    cells: {
      future: [
        'replace 1: pause 1, check_not_left 1, pause 2, check_not_left 2, check_not_left 3, create, read_back',
      ],
      near: ['done 1'],
      paused: [pause('1'), pause('2')],
      recalled: [recall('1'), pause('1'), recall('2'), pause('2'), recall('3')],
    },
  },
  {
    row: 'paused, unreadable',
    ...byHerald(unreadable('1', 'paused')),
    cells: {
      future: ['blocked 1'],
      near: ['missed 1'],
      paused: ['keep 1'],
      recalled: [recall('1')],
    },
  },
  {
    row: 'paused by a person',
    ...ours(same('1', 'paused')),
    cells: {
      future: ['blocked 1 needs resume'],
      near: ['missed 1'],
      paused: ['keep 1'],
      recalled: [recall('1')],
    },
  },
  {
    row: 'paused by Herald, same',
    ...byHerald(same('1', 'paused'), same('2', 'paused')),
    cells: {
      future: ['resume 1: resume 1, read_back 1'],
      near: ['missed 2'],
      paused: ['keep 2'],
      recalled: [recall('1'), recall('2')],
    },
  },
  {
    row: 'paused by Herald, other',
    ...byHerald(other('1', 'paused')),
    cells: {
      future: ['create 1: check_not_left 1, create, read_back'],
      near: ['missed 1'],
      paused: ['keep 1'],
      recalled: [recall('1')],
    },
  },
  {
    row: 'nothing',
    live: [],
    rows: [],
    cells: {
      future: ['create: create, read_back'],
      near: ['missed'],
      paused: ['keep'],
      recalled: ['keep'],
    },
  },
];

const COLUMNS: readonly Column[] = ['future', 'near', 'paused', 'recalled'];

function declaredIn(column: Column): DeclaredBroadcast {
  return aBroadcast({ target: column === 'paused' || column === 'recalled' ? column : 'scheduled' });
}

/** The hour of the broadcast is six hours after noon, or four minutes away. */
const timeIn = (column: Column) => {
  const nowMs = column === 'near' ? NOON + 6 * HOUR - 4 * MINUTE : NOON;
  return { earliestMs: nowMs, latestMs: nowMs };
};

/** The first row that fits. */
function rowFor({ live, rows, open = [] }: Scene): string | undefined {
  const the = groupOf([aBroadcast()], live, { known: { objects: rows }, open });
  return BROADCAST_TABLE.find(({ decide }) => decide(the as Parameters<typeof decide>[0], 'future') !== null)
    ?.live;
}

describe('the table of broadcasts', () => {
  // BROADCAST-1, BROADCAST-14, BROADCAST-15, BROADCAST-16, BROADCAST-19, BROADCAST-22
  it.each(CELLS)('$row is the first row that fits', (cell) => {
    expect(rowFor(cell)).toBe(cell.row);
  });

  it('has the rows that the reference draws', () => {
    expect(BROADCAST_TABLE.map(({ live }) => live)).toEqual(documentedRows('Broadcasts'));
  });

  it('has a test for every row', () => {
    const rows = [...CELLS.map(({ row }) => row), 'anything else'];
    expect([...new Set(rows)]).toEqual(BROADCAST_TABLE.map(({ live }) => live));
  });

  // No status of today gets there: a state that is added later does.
  it.each([
    ['future', 'blocked 1'],
    ['near', 'blocked 1'],
    ['paused', 'keep 1'],
    ['recalled', 'done 1'],
  ] as const)('anything else, column %s: %s', (column, expected) => {
    const group = groupOf([declaredIn(column)], [same('1', 'archived')], { time: timeIn(column) });
    const versions = group.versions.map((one) => ({ ...one, state: 'unnamed' as const }));
    const decision = decideBroadcast({ ...group, declared: declaredIn(column), versions });
    expect(decision.map((one) => ('action' in one ? lineOf(one) : one.code))).toEqual([expected]);
  });

  it.each(
    CELLS.flatMap((cell) => COLUMNS.map((column) => ({ ...cell, column, expected: cell.cells[column] }))),
  )('$row, column $column: $expected', ({ live, rows, open = [], column, expected }) => {
    const parts = { known: { objects: rows }, open, time: timeIn(column) };
    expect(linesOf([declaredIn(column)], live, parts)).toEqual(expected);
  });

  // BROADCAST-20
  it('with --allow recall, what waits is paused and recalled in one change, and what has left is recalled', () => {
    const { live, rows } = ours(without('1', null), same('2', 'scheduled'));
    const parts = { known: { objects: rows }, allow: new Set(['recall' as const]) };
    const lines = ['recall 1: recall 1', 'recall 2: pause 2, recall 2'];
    expect(linesOf([aBroadcast({ target: 'recalled' })], live, parts)).toEqual(lines);
  });

  it('is done if it has left at the hour of the file, and blocked for another hour', () => {
    const sending = aLiveBroadcast({ id: '1', status: 'queued' });
    expect(linesOf([aBroadcast()], [sending], { known: { objects: [aRow(sending)] } })).toEqual(['done 1']);
    const own = { objects: [aRow(without('1', 'sending'), createdFrom(aBroadcast()))] };
    expect(linesOf([aBroadcast()], [without('1', 'sending')], { known: own })).toEqual(['done 1']);
    const later = aBroadcast({ scheduledAtUtc: '2026-06-02T18:00:00Z' });
    expect(linesOf([later], [sending], { known: { objects: [aRow(sending)] } })).toEqual(['blocked 1']);
  });

  // LIMIT-7
  it('replaces nothing within ten minutes, and starts nothing that one clock has near', () => {
    const waits = other('1', 'scheduled');
    const known = { objects: [aRow(waits)] };
    const at = (beforeMs: number, apartMs = 0) => {
      const latestMs = NOON + 6 * HOUR - beforeMs;
      return { known, time: { earliestMs: latestMs - apartMs, latestMs } };
    };
    expect(linesOf([aBroadcast()], [waits], at(9 * MINUTE))).toEqual(['blocked 1']);
    expect(linesOf([aBroadcast()], [waits], at(10 * MINUTE))[0]).toMatch(/^replace 1/);
    expect(linesOf([aBroadcast()], [], { time: at(4 * MINUTE, HOUR).time })).toEqual(['missed']);
    expect(linesOf([aBroadcast()], [], { time: at(5 * MINUTE).time })).toEqual(['create: create, read_back']);
    expect(linesOf([aBroadcast()], [], { time: at(5 * MINUTE - 1).time })).toEqual(['missed']);
  });

  // BROADCAST-8
  it('counts an archived one with its hour as paused, other: it never left', () => {
    const archived = aLiveBroadcast({ id: '1', status: 'archived' });
    const create = ['create 1: create, read_back'];
    const byApply = { known: { objects: [stoppedRow(archived, { status_set: 'paused' })] } };
    expect(linesOf([aBroadcast()], [archived], byApply)).toEqual(create);
    expect(linesOf([aBroadcast()], [archived])).toEqual(['blocked 1 needs resume']);
    expect(linesOf([aBroadcast()], [archived], { allow: new Set(['resume'] as const) })).toEqual(create);
    const ended = aLiveBroadcast({ status: null, rules: { end_at: '2026-06-01T11:00:00Z' } });
    expect(linesOf([aBroadcast()], [ended], byApply)).toEqual(create);
    const declared = aBroadcast({ target: 'recalled' });
    for (const live of [archived, without('1', 'archived')])
      expect(linesOf([declared], [live], { ...byApply, allow: new Set(['recall'] as const) })).toEqual([
        'done 1',
      ]);
  });

  // BROADCAST-24
  it('takes one that reads with its text as its name for a stranger, unless it or its text is ours', () => {
    const named = (text: string) => [aLiveBroadcast({ messages: [{ step: 0, text }] })];
    const teaser = named('Teaser');
    const create = 'create: create, read_back';
    expect(linesOf([aBroadcast()], teaser)).toContain(create);
    const known = { objects: teaser.map((live) => aRow(live)) };
    expect(linesOf([aBroadcast()], teaser, { known })[0]).toMatch(/^replace 1/);
    const declared = aBroadcast({ messages: [{ text: 'Teaser' }] });
    expect(linesOf([declared], teaser)).toEqual(['keep 1']);
  });
});

it('that the service paused after errors is not resumed, also if Herald had paused it before', () => {
  const { live, rows } = byHerald(aLiveBroadcast({ status: 'paused', pause_reason: 'send_errors' }));
  expect(linesOf([aBroadcast()], live, { known: { objects: rows } })).toEqual(['blocked 1 needs resume']);
});

it('is not resumed past its live hour if the file ignores the hour: it would go out at once', () => {
  const live = aLiveBroadcast({ id: '1', status: 'paused', scheduled_at: '2026-06-01T11:00:00Z' });
  const parts = { known: { objects: [stoppedRow(live)] } };
  const declared = aBroadcast({ ignore: ['scheduled_at'] });
  expect(linesOf([declared], [live], parts)).toEqual(['blocked 1']);
  expect(reasonsOf([declared], [live], parts)).toContain(
    'has passed or is too near, and the file ignores scheduled_at. If it is resumed, it may go out immediately.',
  );
});

describe('a broadcast that is sent at once', () => {
  const declared = { ...aBroadcast(), atOnce: true } as const;
  const made = createdFrom(declared);
  const left = without('1', 'sending');

  it.each<[string, Scene, string]>([
    ['is created if nothing has its name, and needs now', { live: [], rows: [] }, 'blocked needs now'],
    ['waits for an open request', { live: [], rows: [], open: [anOpenRequest(aBroadcast())] }, 'blocked'],
    ['is not created next to another one that waits', ours(same('1', 'scheduled')), 'blocked 1'],
    ['is not created next to another one that has left', ours(left), 'blocked 1'],
    ['is done if Herald has sent it', { live: [left], rows: [aRow(left, made)] }, 'done 1'],
  ])('%s', (_, { live, rows, open = [] }, expected) => {
    expect(linesOf([declared], live, { known: { objects: rows }, open })).toEqual([expected]);
  });

  it('and is paused is not sent again', () => {
    const live = without('1', 'paused');
    const parts = { known: { objects: [aRow(live, made)] }, allow: new Set(['now'] as const) };
    expect(linesOf([declared], [live], parts)).toEqual(['blocked 1']);
    expect(reasonsOf([declared], [live], parts)).toContain('Herald has sent it as 1, which is paused now.');
  });
});
