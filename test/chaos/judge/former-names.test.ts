import { expect, it } from 'vitest';
import { liveOf } from '../live.ts';
import type { Declared } from '../declare.ts';
import { apply, aSlot } from '../draw/parts.ts';
import { aboutToSend, aChaos, aProcess } from './a-chaos.ts';
import { isRenamedFrom } from './carried-out-rename.ts';
import { factsAt } from './facts.ts';
import { forbidden } from './forbidden.ts';

const declared = (name: string, formerNames: readonly string[], rename: 'no' | 'said'): Declared => ({
  alias: 'alice',
  accountId: '101',
  kind: 'campaign',
  name,
  target: 'active',
  content: { text: 'Welcome says 2', sha256: null },
  protect: false,
  hourMs: null,
  slot: aSlot('Welcome', { rename }),
  formerNames,
  textBegins: null,
});

it('a name of which no run has carried the rename out is that of something else', () => {
  const chaos = aChaos();
  const second = declared('Welcome 2', ['Welcome'], 'no');
  const third = declared('Welcome 3', ['Welcome', 'Welcome 2'], 'said');
  aProcess(chaos, apply(), { declared: [second] });
  const live = liveOf(chaos.simulator);
  const isOf = (name: string) => isRenamedFrom(chaos, chaos.actor, third, name, live);
  expect([isOf('Welcome 2'), isOf('Welcome')]).toEqual([true, false]);
});

it.each([
  ['Welcome 2', []],
  ['Other', [expect.stringContaining('it is as declared, and the only one')]],
])('a late copy under a former name may be stopped next to a copy of %s', (name, found) => {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const messages = [{ text: 'Welcome says 2' }];
  control.seedCampaign('101', { name, messages });
  const { id } = control.seedCampaign('101', { name: 'Welcome', messages });
  chaos.clock.move(60_000);
  const run = aProcess(chaos, apply(), {
    declared: [declared('Welcome 2', ['Welcome'], 'said')],
    allow: ['adopt'],
  });
  const write = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'archived' } as const;
  const sent = aboutToSend(chaos.simulator, run, write);
  expect(forbidden(factsAt(chaos, sent, liveOf(chaos.simulator)))).toEqual(found);
});
