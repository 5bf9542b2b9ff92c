import { describe, expect, it } from 'vitest';
import { ALLOWANCE_NAMES } from '../../src/domain/allowance.ts';
import { BROADCAST_COLUMNS, type BroadcastColumn } from '../../src/plan/broadcast/column.ts';
import { SCHEDULE_LEAD_MS } from '../../src/domain/broadcast.ts';
import { aBroadcast, aLiveBroadcast, knowing } from '../helpers/resource-builders.ts';
import { codesOf, lineOf, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];

/** One live object per column of the table. */
const LIVE: Record<BroadcastColumn, Parameters<typeof aLiveBroadcast>[0] | null> = {
  none: null,
  scheduled_equal: { status: 'scheduled' },
  scheduled_different: { status: 'scheduled', messages: OTHER },
  scheduled_unknowable: { status: 'scheduled', messages: [] },
  paused_pending: { status: 'paused' },
  paused_left: { status: 'paused', scheduled_at: null },
  left: { status: 'sending', scheduled_at: null },
};

const DECLARED = {
  future: {},
  past: { scheduledAtUtc: '2026-06-01T11:00:00Z' },
  paused: { target: 'paused' },
  recalled: { target: 'recalled' },
} as const satisfies Record<string, Parameters<typeof aBroadcast>[0]>;
type Row = keyof typeof DECLARED;

const CELLS = `
declared | live                 | ours                                                     | not ours
future   | none                 | create: create                                           | create: create
future   | scheduled_equal      | keep 1                                                   | keep 1
future   | scheduled_different  | replace 1: pause 1, check_not_left 1, create, read_back  | blocked 1 needs adopt
future   | scheduled_unknowable | keep 1                                                   | keep 1
future   | paused_pending       | resume 1: resume 1, read_back 1                          | blocked 1 needs adopt resume
future   | paused_left          | blocked 1                                                | blocked 1
future   | left                 | blocked 1                                                | blocked 1
past     | none                 | missed                                                   | missed
past     | scheduled_equal      | done 1                                                   | done 1
past     | scheduled_different  | done 1                                                   | done 1
past     | scheduled_unknowable | done 1                                                   | done 1
past     | paused_pending       | done 1                                                   | done 1
past     | paused_left          | done 1                                                   | done 1
past     | left                 | done 1                                                   | done 1
paused   | none                 | keep                                                     | keep
paused   | scheduled_equal      | pause 1: pause 1, read_back 1                                         | blocked 1 needs adopt
paused   | scheduled_different  | pause 1: pause 1, read_back 1                                         | blocked 1 needs adopt
paused   | scheduled_unknowable | pause 1: pause 1, read_back 1                                         | blocked 1 needs adopt
paused   | paused_pending       | keep 1                                                   | keep 1
paused   | paused_left          | keep 1                                                   | keep 1
paused   | left                 | done 1                                                   | done 1
recalled | none                 | keep                                                     | keep
recalled | scheduled_equal      | blocked 1 needs recall                                   | blocked 1 needs adopt recall
recalled | scheduled_different  | blocked 1 needs recall                                   | blocked 1 needs adopt recall
recalled | scheduled_unknowable | blocked 1 needs recall                                   | blocked 1 needs adopt recall
recalled | paused_pending       | blocked 1 needs recall                                   | blocked 1 needs adopt recall
recalled | paused_left          | blocked 1 needs recall                                   | blocked 1 needs adopt recall
recalled | left                 | blocked 1 needs recall                                   | blocked 1 needs adopt recall
`;

interface Cell {
  readonly row: Row;
  readonly column: BroadcastColumn;
  readonly ours: string;
  readonly strange: string;
}

const ROWS = CELLS.trim()
  .split('\n')
  .slice(1)
  .map((line): Cell => {
    const [row = '', column = '', ours = '', strange = ''] = line.split('|').map((word) => word.trim());
    return { row: row as Row, column: column as BroadcastColumn, ours, strange };
  });

const OURS = knowing({ broadcasts: [{ id: '1', pausedFor: 'replace' }] });

function decided({ row, column }: Cell, parts: Parameters<typeof planOf>[2]): string {
  const live = LIVE[column];
  const observed = live === null ? [] : [{ scheduled_at: declaredAt(row), ...live }];
  return planOf([aBroadcast(DECLARED[row])], observed.map(aLiveBroadcast), parts)
    .changes.map(lineOf)
    .join('; ');
}

/** Live at the declared hour, so that only the column differs. */
function declaredAt(row: Row): string {
  return aBroadcast(DECLARED[row]).scheduledAtUtc;
}

describe('a broadcast declared', () => {
  it.each(ROWS)('$row, live $column and ours: $ours', (cell) => {
    expect(decided(cell, { knowledge: LIVE[cell.column] === null ? knowing() : OURS })).toBe(cell.ours);
  });

  it.each(ROWS)('$row, live $column and not ours: $strange', (cell) => {
    expect(decided(cell, {})).toBe(cell.strange);
  });

  it.each(ROWS.filter(({ strange }) => strange.includes('needs')))(
    '$row, live $column is carried out when all it needs is allowed',
    (cell) => {
      const allowed = decided(cell, { allow: new Set(ALLOWANCE_NAMES) });
      const first = cell.column.startsWith('scheduled') ? 'pause 1, ' : '';
      expect(allowed).toBe(cell.row === 'recalled' ? `recall 1: ${first}recall 1` : cell.ours);
    },
  );

  it('is decided for every row and column', () => {
    const drawn = ROWS.map(({ row, column }) => `${row} × ${column}`).toSorted();
    const all = Object.keys(DECLARED).flatMap((row) =>
      BROADCAST_COLUMNS.map((column) => `${row} × ${column}`),
    );
    expect(drawn).toEqual(all.toSorted());
  });
});

// BROADCAST-12
describe('what counts as having left', () => {
  it.each([
    ['queued', null],
    ['sending', null],
    ['scheduled', null],
    ['sent', '2026-06-01T18:00:00Z'],
    ['a status of tomorrow', '2026-06-01T18:00:00Z'],
    [null, '2026-06-01T18:00:00Z'],
    ['archived', null],
    ['archived', '2026-06-01T18:00:00Z'],
  ])('status %s with schedule %s is never sent again', (status, scheduled_at) => {
    expect(linesOf([aBroadcast()], [aLiveBroadcast({ status, scheduled_at })])).toEqual(['blocked 1']);
    const past = aBroadcast({ scheduledAtUtc: '2026-05-01T18:00:00Z' });
    expect(linesOf([past], [aLiveBroadcast({ status, scheduled_at })])).toEqual(['done 1']);
  });
});

// BROADCAST-6
describe('the lead of a schedule', () => {
  const at = (leadMs: number) => aBroadcast({ scheduledAtUtc: new Date(NOON + leadMs).toISOString() });

  // LIMIT-7
  it('of exactly five minutes is enough', () => {
    const nowMs = NOON - SCHEDULE_LEAD_MS;
    expect(linesOf([at(0)], [], { nowMs })).toEqual(['create: create']);
  });

  it('of a millisecond less is missed, with a warning', () => {
    const plan = planOf([at(SCHEDULE_LEAD_MS - 1)], []);
    expect(plan.changes.map(lineOf)).toEqual(['missed']);
    expect(plan.changes[0]?.reasons).toEqual([expect.stringContaining('less than 5 minutes away')]);
    expect(codesOf(plan)).toEqual(['missed']);
  });

  it('too short to replace leaves the old version going out, and says so', () => {
    const live = aLiveBroadcast({ scheduled_at: '2026-06-01T12:04:00Z', messages: OTHER });
    const plan = planOf([at(4 * 60_000)], [live]);
    expect(plan.changes.map(lineOf)).toEqual(['done 1']);
    expect(plan.changes[0]?.fields.map(({ path }) => path)).toEqual(['messages[0].text']);
    expect(codesOf(plan)).toEqual(['too-late']);
  });
});
