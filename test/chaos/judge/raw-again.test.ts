import { expect, it } from 'vitest';
import { LEDGER_FILE } from '../../helpers/scene.ts';
import { liveOf } from '../live.ts';
import type { Chaos, Process } from '../state.ts';
import type { Write } from '../writes.ts';
import { aboutToSend, aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { repeats } from './again.ts';
import { factsAt } from './facts.ts';

const NAME = 'Teaser';
const WRITE: Write = {
  kind: 'create',
  accountId: '101',
  of: 'broadcast',
  name: NAME,
  content: { text: 'Now', sha256: null },
};

/** A raw create that the service carries out, and that gets no answer. */
async function lostCreate(): Promise<Chaos> {
  const chaos = aChaos();
  const process = raw(chaos, 'raw1');
  const body = { name: NAME, audience_filters: [], messages: [{ text: 'Now' }] };
  const number = await request(chaos, process, 'POST', 'priority-mass-message-campaigns', body);
  noteWrite(chaos, process, WRITE, number, 'unconfirmed');
  chaos.clock.move(120_000);
  return chaos;
}

function raw(chaos: Chaos, ledgerRun: string): Process {
  const wish = { kind: 'create', accountId: '101', of: 'broadcast', name: NAME } as const;
  const process = aProcess(chaos, { kind: 'api create', slot: 'Teaser' }, { wish });
  return Object.assign(process, { ledgerRun });
}

/** An apply that closes its entry like this. */
function applied(chaos: Chaos, outcome: string): void {
  const { ledgerRun } = Object.assign(aProcess(chaos), { ledgerRun: 'apply1' });
  const entry = { entry: 'raw1-1', type: 'intent', run: 'raw1', call: 'create', name: NAME };
  const lines = [entry, { entry: 'raw1-1', type: 'outcome', run: ledgerRun, outcome }];
  const [actor] = chaos.actors;
  if (actor === undefined) throw new Error('no actor');
  actor.scene.files.tree[LEDGER_FILE] = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  chaos.clock.move(1_000);
}

function again(chaos: Chaos): readonly string[] {
  const next = aboutToSend(chaos.simulator, raw(chaos, 'raw2'), WRITE);
  return repeats(factsAt(chaos, next, liveOf(chaos.simulator)));
}

it('a raw create of a name is a duplicate after one that got no answer and has made the same', async () => {
  expect(again(await lostCreate())).toEqual([expect.stringContaining('which has made the same')]);
});

it('it may follow an apply that has found what the first one made', async () => {
  const chaos = await lostCreate();
  applied(chaos, 'adopted');
  expect(again(chaos)).toEqual([]);
});

it('it is a duplicate after an apply that has recorded that the first one made nothing', async () => {
  const chaos = await lostCreate();
  applied(chaos, 'absent');
  expect(again(chaos)).toEqual([expect.stringContaining('which has made the same')]);
});

it('it may follow such an apply if someone has changed what the first one made', async () => {
  const chaos = await lostCreate();
  const [made] = liveOf(chaos.simulator);
  chaos.simulator.control.editBroadcast('101', made?.id ?? '', { messages: [{ text: 'Other words' }] });
  applied(chaos, 'absent');
  expect(again(chaos)).toEqual([]);
});
