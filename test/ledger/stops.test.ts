import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { handStopsIn, NewStops, type PlannedWrite } from '../../src/ledger/stops.ts';

/** A pause of campaign 77 "Welcome" by hand, unless told otherwise. */
function aLine(more: object = {}): LedgerLine {
  const line = {
    v: 1,
    at: '2026-06-01T12:00:00.000Z',
    run: 'stop',
    type: 'intent',
    account: 'alice',
    account_id: '101',
    kind: 'campaign',
    name: 'Welcome',
    entry: 'stop-1',
    who: 'ana',
    call: 'status',
    live_id: '77',
    target: 'paused',
    purpose: 'by_hand',
    content: null,
    hidden: null,
    supersedes: [],
    baseline: [],
    sent_at_ms: 1,
    ...more,
  };
  const [parsed] = parseLedger(JSON.stringify(line)).lines;
  if (parsed === undefined) throw new Error('not a line of the ledger');
  return parsed;
}

const write = (more: Partial<PlannedWrite> = {}): PlannedWrite => ({
  accountId: '101',
  kind: 'campaign',
  liveId: '77',
  starts: false,
  name: 'Welcome',
  group: ['77'],
  ...more,
});

function against(line: LedgerLine, planned: PlannedWrite, known: readonly string[] = []): string | null {
  const stops = new NewStops(new Set(known), 'apply');
  stops.add([line]);
  return stops.against(planned);
}

describe('a stop by hand that a run hears of', () => {
  it.each<[string, Partial<PlannedWrite>, boolean]>([
    ['a start of the object', { starts: true }, true],
    ['a stop of the object', {}, true],
    ['a create under its name', { liveId: null, starts: true, group: [] }, true],
    ['a start of another one of its name', { liveId: '78', starts: true, group: ['78'] }, true],
    [
      'a start in a change that is about it, under a new name',
      { liveId: '78', starts: true, name: 'New' },
      true,
    ],
    ['a stop of another one of its name', { liveId: '78', group: ['78'] }, false],
    ['a start of another name', { liveId: '78', starts: true, name: 'Other', group: ['78'] }, false],
    ['the same id on another account', { accountId: '102', starts: true }, false],
    ['the same id of the other kind', { kind: 'broadcast', starts: true }, false],
  ])('is against %s: %s', (_title, planned, isAgainst) => {
    expect(against(aLine(), write(planned)) !== null).toBe(isAgainst);
  });

  it('says who stopped what and when, and what to do next', () => {
    expect(against(aLine({ target: 'archived' }), write())).toBe(
      'Not sent: ana stopped campaign 77 by hand (archived, 2026-06-01T12:00:00.000Z) during this run. To see what is left: herald plan. To start it again: herald apply --allow resume',
    );
  });

  it.each<[string, object]>([
    ['that the plan was made with', { entry: 'known' }],
    ['of the run itself', { run: 'apply' }],
    ['that starts something', { target: 'active' }],
    ['of another run that declares it', { purpose: 'declared' }],
    ['that is a recall', { call: 'unsend', target: null }],
  ])('counts for nothing where it is one %s', (_title, more) => {
    expect(against(aLine(more), write({ starts: true }), ['known'])).toBeNull();
  });

  it('is known by its entry', () => {
    expect(handStopsIn([aLine(), aLine({ entry: 'x', purpose: null })])).toEqual(new Set(['stop-1']));
  });
});
