import { expect, it } from 'vitest';
import { aChaos, aProcess, request } from './a-chaos.ts';
import { bothGoOutUntold } from './both-at-once.ts';

const NAME = 'Flash 1';
const LIST = 'priority-mass-message-campaigns?limit=20';

interface Next {
  readonly to?: object;
  /** The list is read before it is sent. */
  readonly listFirst?: boolean;
  readonly says?: (ids: readonly string[]) => string;
  readonly code?: number;
}

/** A command sends a broadcast next to another one of the name, and reads the list. */
async function sentNextTo({ to = {}, listFirst = false, says = () => '', code = 0 }: Next) {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const other = { name: NAME, status: 'sending', scheduled_at: null, ...to };
  const { id } = control.seedBroadcast('101', other);
  const process = aProcess(
    chaos,
    { kind: 'send at once', words: 1 },
    { wish: { kind: 'create', accountId: '101', of: 'broadcast', name: NAME } },
  );
  const body = { name: NAME, audience_filters: [], messages: [{ text: 'Now 1' }] };
  if (listFirst) await request(chaos, process, 'GET', LIST);
  await request(chaos, process, 'POST', 'priority-mass-message-campaigns', body);
  if (!listFirst) await request(chaos, process, 'GET', LIST);
  const ids = Object.keys(chaos.simulator.world.accounts['101']?.broadcasts ?? {});
  expect(ids).toContain(id);
  const ran = { code, stdout: says(ids), stderr: '' };
  return bothGoOutUntold(chaos, { process, ran, report: null, interrupted: false });
}

it('two that both go out must be named', async () => {
  expect(await sentNextTo({})).toMatchObject([expect.stringMatching(/^"Flash 1" goes out twice/)]);
  expect(await sentNextTo({ says: ([first]) => first ?? '' })).toHaveLength(1);
  expect(await sentNextTo({ says: (ids) => ids.join(' and ') })).toEqual([]);
});

it.each([
  ['the other one is stopped', { to: { status: 'paused' } }],
  ['the other one was sent', { to: { status: null } }],
  ['it has another name', { to: { name: 'Flash 2' } }],
  ['no list could show them in time', { listFirst: true }],
  ['the command did not send it', { code: 5 }],
])('nothing is to be named if %s', async (_, next) => {
  expect(await sentNextTo(next)).toEqual([]);
});
