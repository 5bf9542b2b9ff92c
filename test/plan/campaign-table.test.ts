import { describe, expect, it } from 'vitest';
import { ALLOWANCE_NAMES } from '../../src/domain/allowance.ts';
import { CAMPAIGN_TARGETS } from '../../src/domain/status.ts';
import { CAMPAIGN_COLUMNS, type CampaignColumn } from '../../src/plan/campaign/column.ts';
import { aCampaign, aLiveCampaign, knowing } from '../helpers/resource-builders.ts';
import { lineOf, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];

/** One live object per column of the table. */
const LIVE: Record<CampaignColumn, Parameters<typeof aLiveCampaign>[0] | null> = {
  none: null,
  active_equal: { status: 'active' },
  active_different: { status: 'active', messages: OTHER },
  active_unknowable: { status: 'active', action: null, messages: [] },
  paused_equal: { status: 'paused' },
  paused_different: { status: 'paused', messages: OTHER },
  paused_unknowable: { status: 'paused', action: null, messages: [] },
  archived_equal: { status: 'archived' },
  recalled: { status: 'recalled' },
  foreign: { status: 'hibernating' },
};

/** The cells where the pause was our own, where everything is ours, and where nothing is known but all is allowed. */
const CELLS = `
declared | live              | ours                                         | not ours
active   | none              | create: create                               | create: create
active   | active_equal      | keep 1                                       | keep 1
active   | active_different  | replace 1: pause 1, create, read_back        | blocked 1 needs adopt
active   | active_unknowable | blocked 1                                    | blocked 1
active   | paused_equal      | activate 1: activate 1, read_back 1          | blocked 1 needs adopt resume
active   | paused_different  | replace 1: create, read_back                 | blocked 1 needs resume
active   | paused_unknowable | blocked 1                                    | blocked 1
active   | archived_equal    | activate 1: reactivate 1, read_back 1        | blocked 1 needs adopt resume
active   | recalled          | blocked 1                                    | blocked 1
active   | foreign           | blocked 1                                    | blocked 1
paused   | none              | keep                                         | keep
paused   | active_equal      | pause 1: pause 1                             | blocked 1 needs adopt
paused   | active_different  | pause 1: pause 1                             | blocked 1 needs adopt
paused   | active_unknowable | pause 1: pause 1                             | blocked 1 needs adopt
paused   | paused_equal      | keep 1                                       | keep 1
paused   | paused_different  | keep 1                                       | keep 1
paused   | paused_unknowable | keep 1                                       | keep 1
paused   | archived_equal    | keep 1                                       | keep 1
paused   | recalled          | keep 1                                       | keep 1
paused   | foreign           | blocked 1                                    | blocked 1
archived | none              | keep                                         | keep
archived | active_equal      | archive 1: archive 1                         | blocked 1 needs adopt
archived | active_different  | archive 1: archive 1                         | blocked 1 needs adopt
archived | active_unknowable | archive 1: archive 1                         | blocked 1 needs adopt
archived | paused_equal      | archive 1: archive 1                         | blocked 1 needs adopt
archived | paused_different  | archive 1: archive 1                         | blocked 1 needs adopt
archived | paused_unknowable | archive 1: archive 1                         | blocked 1 needs adopt
archived | archived_equal    | keep 1                                       | keep 1
archived | recalled          | keep 1                                       | keep 1
archived | foreign           | blocked 1                                    | blocked 1
recalled | none              | keep                                         | keep
recalled | active_equal      | blocked 1 needs recall                       | blocked 1 needs adopt recall
recalled | active_different  | blocked 1 needs recall                       | blocked 1 needs adopt recall
recalled | active_unknowable | blocked 1 needs recall                       | blocked 1 needs adopt recall
recalled | paused_equal      | blocked 1 needs recall                       | blocked 1 needs adopt recall
recalled | paused_different  | blocked 1 needs recall                       | blocked 1 needs adopt recall
recalled | paused_unknowable | blocked 1 needs recall                       | blocked 1 needs adopt recall
recalled | archived_equal    | blocked 1                                    | blocked 1
recalled | recalled          | keep 1                                       | keep 1
recalled | foreign           | blocked 1                                    | blocked 1
`;

interface Row {
  readonly target: (typeof CAMPAIGN_TARGETS)[number];
  readonly column: CampaignColumn;
  readonly ours: string;
  readonly strange: string;
}

const ROWS = CELLS.trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [target = '', column = '', ours = '', strange = ''] = line.split('|').map((word) => word.trim());
    return { target: target as Row['target'], column: column as CampaignColumn, ours, strange };
  });

const OURS = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }] });

function decided({ target, column }: Row, parts: Parameters<typeof planOf>[2]): string {
  const live = LIVE[column];
  const plan = planOf([aCampaign({ target })], live === null ? [] : [aLiveCampaign(live)], parts);
  return plan.changes.map(lineOf).join('; ');
}

// CAMPAIGN-11
describe('a campaign declared', () => {
  it.each(ROWS)('$target, live $column and ours: $ours', (row) => {
    expect(decided(row, { knowledge: LIVE[row.column] === null ? knowing() : OURS })).toBe(row.ours);
  });

  it.each(ROWS)('$target, live $column and not ours: $strange', (row) => {
    expect(decided(row, {})).toBe(row.strange);
  });

  it.each(ROWS.filter(({ strange }) => strange.includes('needs')))(
    '$target, live $column is carried out when all it needs is allowed',
    (row) => {
      const allowed = decided(row, { allow: new Set(ALLOWANCE_NAMES) });
      const doing = row.target === 'recalled' ? 'recall 1: recall 1' : row.ours;
      expect(allowed).toBe(doing);
    },
  );

  it('is decided for every row and column', () => {
    const drawn = ROWS.map(({ target, column }) => `${target} × ${column}`).toSorted();
    const all = CAMPAIGN_TARGETS.flatMap((target) =>
      CAMPAIGN_COLUMNS.map((column) => `${target} × ${column}`),
    );
    expect(drawn).toEqual(all.toSorted());
  });

  it.each(ROWS)('$target, live $column says why, unless nothing is to be done', (row) => {
    const live = LIVE[row.column];
    const plan = planOf([aCampaign({ target: row.target })], live === null ? [] : [aLiveCampaign(live)]);
    for (const { action, reasons } of plan.changes) {
      if (action !== 'keep') expect(reasons.join(' ')).toMatch(/^[A-Z].*\.$/);
    }
  });
});
