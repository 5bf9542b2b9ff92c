import { expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  campaigns,
  engineScene,
  interruptedWhileItWaits,
  startLive,
  summariseResults,
} from './engine-scene.ts';

const OTHER_WORDS = { messages: [{ text: 'Other words' }] };
const LEAVES = { status: 'sending', scheduled_at: null };
const LEFT = { scheduled_at: null };
const MOVED = { scheduled_at: '2026-06-01T20:00:00Z' };
const WAITS = { status: 'scheduled' };

it('counts what has ended while another account takes longer, and names what is under way', async () => {
  const scene = engineScene(declaring({ campaigns: [campaign()] }, ['alice', 'bob']));
  scene.control.addFault({
    kind: 'slow',
    operation: 'campaigns.create',
    account_id: '101',
    delay_ms: 40_000,
  });
  const lines: string[] = [];
  await scene.apply({
    onEvent: (event) => {
      if (event.kind === 'applying')
        lines.push(`${event.done}/${event.total} ${event.change.address.account}`);
    },
  });
  expect(lines.at(-1)).toBe('1/2 alice');
});

it('begins nothing more once the service refuses the key for the list of a create', async () => {
  const names = ['One', 'Three', 'Two'];
  const campaigns = names.map((name) => campaign({ name, messages: [{ text: name }] }));
  const scene = engineScene(declaring({ campaigns }));
  scene.control.addFault({ kind: 'slow', operation: 'campaigns.create', delay_ms: 40_000, nth: 1 });
  const ended = await scene.apply({
    onEvent: (event) => {
      if (event.kind === 'applying' && event.change.address.name === 'Three')
        scene.control.addFault({ kind: 'refusal', operation: 'campaigns.list', status: 401 });
    },
  });
  expect(ended.map(({ outcome }) => outcome)).toEqual(['applied', 'failed', 'not_attempted']);
});

it.each([
  ['is not resumed at an hour that was moved', 'paused', {}, 1, MOVED, 'resume failed differs'],
  ['is not paused once it goes out', 'scheduled', { status: 'paused' }, 1, LEAVES, 'pause failed left'],
  ['is not replaced once it goes out', 'scheduled', OTHER_WORDS, 1, LEAVES, 'replace failed left'],
  ['is not replaced while it runs again', 'scheduled', OTHER_WORDS, 2, WAITS, 'replace failed not-shown'],
  ['is not replaced if it has left and is paused', 'scheduled', OTHER_WORDS, 2, LEFT, 'replace failed left'],
] as const)('a broadcast %s', async (_, status, wanted, nth, set, expected) => {
  const scene = engineScene(declaring({ broadcasts: [broadcast()] }));
  await scene.apply();
  Object.assign(scene.files, declaring({ broadcasts: [broadcast({ status })] }));
  await scene.apply();
  Object.assign(scene.files, declaring({ broadcasts: [broadcast(wanted)] }));
  const edit = { kind: 'broadcast', account_id: '101', name: 'Teaser', set } as const;
  scene.control.addFault({ kind: 'change_before', operation: 'broadcasts.get', nth, edit });
  expect(summariseResults(await scene.apply())).toEqual([expect.stringContaining(expected)]);
});

// CAMPAIGN-9
it('a replace that was cut is finished, and the queue of the old version is cleared once the new one runs', async () => {
  const { scene } = await startLive();
  Object.assign(scene.files, declaring({ campaigns: [campaign({ ...OTHER_WORDS, old_queue: 'clear' })] }));
  const operation = 'campaigns.create';
  scene.control.addFault({ kind: 'broken_answer', operation, when: 'before_commit', how: '502' });
  await scene.apply(interruptedWhileItWaits());
  scene.control.clearFaults();
  expect(summariseResults(await scene.apply())).toEqual(['create applied needs-again']);
  expect(summariseResults(await scene.apply())).toEqual(['archive applied']);
  expect(campaigns(scene)).toEqual({ active: 1, archived: 1 });
});
