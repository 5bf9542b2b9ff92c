import { describe, expect, it } from 'vitest';
import { closeOpenEntries } from '../../src/apply/close-open.ts';
import { judgeOpen } from '../../src/apply/judge-open.ts';
import type { Observed } from '../../src/domain/resource.ts';
import type { IntentLine } from '../../src/ledger/lines.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { NewStops } from '../../src/ledger/stops.ts';
import { anIntent } from '../helpers/ledger-builders.ts';
import { NOON } from '../helpers/scene.ts';

const TEASER = { kind: 'broadcast', name: 'Teaser', call: 'status' } as const;

/** What is closed of a resume of 7 without an answer, which live shows, once a person has stopped this one by hand. */
async function closedAfterStopOf(liveId: string, name = 'Teaser'): Promise<string[]> {
  const resume = anIntent({ ...TEASER, live_id: '7', target: 'queued', entry: 'resume' });
  const stop: IntentLine = anIntent({
    ...TEASER,
    name,
    live_id: liveId,
    target: 'paused',
    purpose: 'by_hand',
    entry: 'stop',
  });
  const live = { id: '7', name: 'Teaser', status: 'scheduled' };
  const observed: Observed[] = [{ kind: 'broadcast', account: 'alice', accountId: '101', live }];
  const verdicts = judgeOpen({
    knowledge: reduceLedger([resume]),
    observed,
    readStartedMs: NOON + 75_000,
    settleMs: 75_000,
    contentMatch: () => null,
  });
  const stops = new NewStops(new Set(), 'this run');
  stops.add([{ ...stop, run: 'of a person' }]);
  const closed: string[] = [];
  const ledger = {
    stopAgainst: (write: Parameters<NewStops['against']>[0]) => Promise.resolve(stops.against(write)),
    conclude: async (entry: string) => void closed.push(entry),
  };
  await closeOpenEntries({ ledger } as never, verdicts);
  return closed;
}

describe('a resume without an answer, after a person stopped a broadcast by hand during the run,', () => {
  it('is left to the next run if it was this one, or another one of its name', async () => {
    expect(await closedAfterStopOf('7')).toEqual([]);
    expect(await closedAfterStopOf('8')).toEqual([]);
  });

  it('is closed if it was one of another name', async () => {
    expect(await closedAfterStopOf('8', 'Reminder')).toEqual(['resume']);
  });
});
