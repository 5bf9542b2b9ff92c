import { describe, expect, it } from 'vitest';
import type { LedgerLine, OutcomeLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { handStopsIn, NewStops, type PlannedWrite } from '../../src/ledger/stops.ts';
import { anOutcomeLine } from '../helpers/ledger-builders.ts';

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

function anEnd(outcome: OutcomeLine['outcome'], unheardMs: number | null = null): LedgerLine {
  return anOutcomeLine({ entry: 'stop-1', outcome, live_id: '77', unheard_ms: unheardMs });
}

function against(
  line: LedgerLine,
  planned: PlannedWrite,
  known: readonly string[] = [],
  ends: readonly LedgerLine[] = [],
): string | null {
  const stops = new NewStops(new Set(known), 'apply');
  stops.add([line]);
  stops.add(ends);
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

  it.each<[string, readonly OutcomeLine['outcome'][]]>([
    ['asked to stop', []],
    ['asked to stop', ['unknown']],
    ['stopped', ['done']],
  ])('says who %s what and when, and what to do next (%s)', (how, ends) => {
    expect(
      against(
        aLine({ target: 'archived' }),
        write(),
        [],
        ends.map((end) => anEnd(end)),
      ),
    ).toBe(
      `Not sent: ana ${how} campaign 77 by hand (archived, 2026-06-01T12:00:00.000Z) during this run. To see what is left: herald plan. To start it again: herald apply --allow resume`,
    );
  });

  it.each<[string, boolean, readonly LedgerLine[]]>([
    ['without an end', true, []],
    ['of which nothing was heard', true, [anEnd('unknown')]],
    ['that was refused', false, [anEnd('refused')]],
    ['that was not sent', false, [anEnd('not_sent')]],
    ['that was refused after a copy of which nothing was heard', true, [anEnd('refused', 5)]],
    ['that was refused, and was done all the same', true, [anEnd('refused'), anEnd('done')]],
    ['that was done, and refused in another copy', true, [anEnd('done'), anEnd('refused')]],
  ])('counts as long as it may have happened: %s', (_title, counts, ends) => {
    expect(against(aLine(), write(), [], ends) !== null).toBe(counts);
    expect(handStopsIn([aLine(), ...ends]).length).toBe(counts ? 1 : 0);
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
    expect(handStopsIn([aLine(), aLine({ entry: 'x', purpose: null })])).toEqual([aLine()]);
  });
});
