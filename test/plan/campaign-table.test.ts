import { describe, expect, it } from 'vitest';
import type { ObservedCampaign } from '../../src/domain/resource.ts';
import type { CampaignTarget } from '../../src/domain/status.ts';
import { CAMPAIGN_TABLE } from '../../src/plan/decide/campaign.ts';
import type { ObjectRow, OpenRequest } from '../../src/state/shapes.ts';
import { aCampaign, aLiveCampaign } from '../helpers/resource-builders.ts';
import {
  anOpenRequest,
  aRow,
  createdFrom,
  documentedRows,
  groupOf,
  linesOf,
  reasonsOf,
  stoppedRow,
} from './facts-of.ts';

interface Scene {
  readonly live: readonly ObservedCampaign[];
  readonly rows: readonly ObjectRow[];
  readonly open?: readonly OpenRequest[];
}

/** The first row of the table that fits, by its words, and what is decided in each column. */
interface Expectation extends Scene {
  readonly row: string;
  readonly cells: Readonly<Record<CampaignTarget, readonly string[]>>;
}

const other = (id: string, status: string) =>
  aLiveCampaign({ id, status, messages: [{ step: 0, text: 'Another text', price_gross: 0 }] });
const same = (id: string, status: string) => aLiveCampaign({ id, status });
const unreadable = (id: string, status: string) => aLiveCampaign({ id, status, messages: [] });

const ours = (live: readonly ObservedCampaign[]) => live.map((one) => aRow(one));
const byHerald = (...live: readonly ObservedCampaign[]): Scene => ({
  live,
  rows: live.map((one) => stoppedRow(one)),
});
const byPerson = (...live: readonly ObservedCampaign[]): Scene => ({ live, rows: ours(live) });
const running = (...live: readonly ObservedCampaign[]): Scene => ({ live, rows: ours(live) });
const mixed = (...scenes: readonly Scene[]): Scene => ({
  live: scenes.flatMap(({ live }) => live),
  rows: scenes.flatMap(({ rows }) => rows),
});

/** Recalls need an allowance: without it they are blocked. */
const recallBlocked = (...ids: readonly string[]) => ids.map((id) => `blocked ${id} needs recall`);

const CELLS: readonly Expectation[] = [
  {
    row: 'a request about it is unconfirmed',
    ...running(same('1', 'active'), other('2', 'active')),
    open: [anOpenRequest(aCampaign(), { live_id: '2', target: 'paused' })],
    cells: {
      active: ['blocked 2'],
      paused: ['pause 1: pause 1', 'blocked 2'],
      archived: ['archive 1: archive 1', 'blocked 2'],
      recalled: ['blocked 1 needs recall', 'blocked 2'],
    },
  },
  {
    row: 'its status has no name here',
    ...running(same('1', 'active'), same('2', 'melting')),
    cells: {
      active: ['blocked 2'],
      paused: ['pause 1: pause 1', 'blocked 2'],
      archived: ['archive 1: archive 1', 'blocked 2'],
      recalled: ['blocked 1 needs recall', 'blocked 2'],
    },
  },
  {
    row: 'runs, unreadable',
    ...running(unreadable('1', 'active'), same('2', 'active')),
    cells: {
      active: ['blocked 1'],
      paused: ['pause 1: pause 1', 'pause 2: pause 2'],
      archived: ['archive 1: archive 1', 'archive 2: archive 2'],
      recalled: recallBlocked('1', '2'),
    },
  },
  {
    row: 'runs, same',
    ...running(same('1', 'active'), same('2', 'active'), other('3', 'active')),
    cells: {
      active: ['keep 1', 'retire 2: archive 2', 'pause 3: pause 3'],
      paused: ['pause 1: pause 1', 'pause 2: pause 2', 'pause 3: pause 3'],
      archived: ['archive 1: archive 1', 'archive 2: archive 2', 'archive 3: archive 3'],
      recalled: recallBlocked('1', '2', '3'),
    },
  },
  {
    row: 'the declared text was recalled',
    ...running(same('1', 'recalled'), other('2', 'active')),
    cells: {
      active: ['blocked 1'],
      paused: ['pause 2: pause 2'],
      archived: ['archive 2: archive 2'],
      recalled: recallBlocked('2'),
    },
  },
  {
    row: 'a person stopped the newest version with the declared text',
    ...mixed(byPerson(same('1', 'paused')), running(other('2', 'active'))),
    cells: {
      active: ['blocked 1 needs resume'],
      paused: ['pause 2: pause 2'],
      archived: ['archive 1: archive 1', 'archive 2: archive 2'],
      recalled: recallBlocked('1', '2'),
    },
  },
  {
    row: 'runs, other',
    ...running(other('1', 'active'), other('2', 'active')),
    cells: {
      active: ['replace 2: pause 1, pause 2, create, read_back'],
      paused: ['pause 1: pause 1', 'pause 2: pause 2'],
      archived: ['archive 1: archive 1', 'archive 2: archive 2'],
      recalled: recallBlocked('1', '2'),
    },
  },
  {
    row: 'the newest was recalled',
    ...mixed(byHerald(other('1', 'paused')), running(other('2', 'unsending'))),
    cells: {
      active: ['blocked 2'],
      paused: ['keep 2'],
      archived: ['archive 1: archive 1'],
      recalled: recallBlocked('1'),
    },
  },
  {
    row: 'paused, unreadable',
    ...byHerald(unreadable('1', 'paused')),
    cells: {
      active: ['blocked 1'],
      paused: ['keep 1'],
      archived: ['archive 1: archive 1'],
      recalled: recallBlocked('1'),
    },
  },
  {
    row: 'a person stopped the newest',
    ...mixed(byHerald(other('1', 'paused')), byPerson(other('2', 'archived'))),
    cells: {
      active: ['blocked 2 needs resume'],
      paused: ['keep 2'],
      archived: ['archive 1: archive 1'],
      recalled: recallBlocked('1'),
    },
  },
  {
    row: 'a person stopped the newest',
    ...byPerson(other('1', 'archived')),
    cells: {
      active: ['blocked 1 needs resume'],
      paused: ['keep 1'],
      archived: ['keep 1'],
      recalled: ['blocked 1'],
    },
  },
  {
    row: 'paused by Herald, same',
    ...byHerald(same('1', 'paused'), same('2', 'paused')),
    cells: {
      active: ['activate 1: activate 1, read_back 1'],
      paused: ['keep 2'],
      archived: ['archive 1: archive 1', 'archive 2: archive 2'],
      recalled: recallBlocked('1', '2'),
    },
  },
  {
    row: 'paused by Herald, other',
    ...byHerald(other('1', 'paused')),
    cells: {
      active: ['create 1: create, read_back'],
      paused: ['keep 1'],
      archived: ['archive 1: archive 1'],
      recalled: recallBlocked('1'),
    },
  },
  {
    row: 'archived by Herald, or nothing',
    ...byHerald(same('1', 'archived')),
    cells: {
      active: ['create: create, read_back'],
      paused: ['keep 1'],
      archived: ['keep 1'],
      recalled: ['blocked 1'],
    },
  },
  {
    row: 'archived by Herald, or nothing',
    live: [],
    rows: [],
    cells: {
      active: ['create: create, read_back'],
      paused: ['keep'],
      archived: ['keep'],
      recalled: ['keep'],
    },
  },
  {
    row: 'anything else',
    ...mixed(byPerson(other('1', 'paused')), byHerald(other('2', 'archived'))),
    cells: {
      active: ['blocked 2'],
      paused: ['keep 2'],
      archived: ['archive 1: archive 1'],
      recalled: recallBlocked('1'),
    },
  },
];

const COLUMNS = ['active', 'paused', 'archived', 'recalled'] as const;

/** The first row that fits. */
function rowFor({ live, rows, open = [] }: Scene): string | undefined {
  const the = groupOf([aCampaign({ target: 'active' })], live, { known: { objects: rows }, open });
  return CAMPAIGN_TABLE.find(({ decide }) => decide(the as Parameters<typeof decide>[0], 'active') !== null)
    ?.live;
}

describe('the table of campaigns', () => {
  // CAMPAIGN-4, CAMPAIGN-9, CAMPAIGN-14
  it.each(CELLS)('$row is the first row that fits', (cell) => {
    expect(rowFor(cell)).toBe(cell.row);
  });

  it('has the rows that the reference draws', () => {
    expect(CAMPAIGN_TABLE.map(({ live }) => live)).toEqual(documentedRows('Campaigns'));
  });

  it('has a test for every row', () => {
    expect([...new Set(CELLS.map(({ row }) => row))]).toEqual(CAMPAIGN_TABLE.map(({ live }) => live));
  });

  it.each(
    CELLS.flatMap((cell) => COLUMNS.map((column) => ({ ...cell, column, expected: cell.cells[column] }))),
  )('$row, declared $column: $expected', ({ live, rows, open = [], column, expected }) => {
    const parts = { known: { objects: rows }, open };
    expect(linesOf([aCampaign({ target: column })], live, parts)).toEqual(expected);
  });

  it.each(CELLS)('with --allow recall, $row is recalled', ({ live, rows, open = [], cells }) => {
    const wanted = cells.recalled.map((line) =>
      line.replace(/^blocked (\d+) needs recall$/, 'recall $1: recall $1'),
    );
    const parts = { known: { objects: rows }, open, allow: new Set(['recall' as const]) };
    expect(linesOf([aCampaign({ target: 'recalled' })], live, parts)).toEqual(wanted);
  });
});

it.each([
  ['pause_first', 'keep', 'pause 1, create, read_back'],
  ['pause_first', 'clear', 'pause 1, create, read_back, archive 1'],
  ['create_first', 'keep', 'create, read_back, pause 1'],
  ['create_first', 'clear', 'create, read_back, archive 1'],
] as const)('replaces with %s and old_queue: %s by the steps %s', (replace, oldQueue, steps) => {
  const { live, rows } = running(other('1', 'active'));
  expect(linesOf([aCampaign({ replace, oldQueue })], live, { known: { objects: rows } })).toEqual([
    `replace 1: ${steps}`,
  ]);
});

it('does not replace another version with a text that a person has stopped, also where that cannot be read', () => {
  const [stopped, runs] = [unreadable('1', 'paused'), other('2', 'active')];
  const rows = [aRow(stopped, createdFrom(aCampaign())), aRow(runs)];
  expect(linesOf([aCampaign()], [stopped, runs], { known: { objects: rows } })).toEqual([
    'blocked 1 needs resume',
  ]);
});

it('does not archive a copy that differs in what the file ignores: its queue may have other fans', () => {
  const priced = aLiveCampaign({ id: '2', messages: [{ step: 0, text: 'Hey', price_gross: 5 }] });
  const { live, rows } = running(same('1', 'active'), priced);
  const declared = aCampaign({ ignore: ['messages[0].price_gross'] });
  expect(linesOf([declared], live, { known: { objects: rows } })).toEqual(['keep 1', 'pause 2: pause 2']);
});

it('archives what it replaced under old_queue: clear, next to the one that is kept', () => {
  const [kept, old] = [same('2', 'active'), other('1', 'paused')];
  const rows = [aRow(kept), stoppedRow(old, { replaced_by: '2' })];
  expect(linesOf([aCampaign({ oldQueue: 'clear' })], [kept, old], { known: { objects: rows } })).toEqual([
    'archive 1: archive 1',
    'keep 2',
  ]);
});

it('does not replace one that runs with an end that has passed, and says that it goes on', () => {
  const ended = aCampaign({ rules: { end_at: '2026-06-01T11:00:00Z' } });
  const running = other('1', 'active');
  const parts = { known: { objects: [aRow(running)] } };
  expect(linesOf([ended], [running], parts)).toEqual(['blocked 1']);
  expect(reasonsOf([ended], [running], parts)).toContain('has passed, but 1 is live with other content');
});
