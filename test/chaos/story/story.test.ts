import { expect, it } from 'vitest';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { createWorld } from '../../../src/simulator/world.ts';
import { flowClock } from '../../helpers/flow-clock.ts';
import { Story } from './story.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const KEY = { 'x-svc-auth-token': 'sim-key' };
const CAMPAIGNS = 'http://localhost/api/v0/accounts/101/auto-message-campaigns';

function aStory() {
  const world = createWorld({ seed: 1 });
  const clock = flowClock(NOON);
  const simulator = createSimulator(world, { clock });
  const lines: string[] = [];
  const story = new Story(
    world,
    () => clock.now(),
    (line) => lines.push(line),
  );
  story.meet('sim-key', 'Ana');
  return { story, lines, clock, ...simulator };
}

function creating(): Request {
  const body = {
    trigger: 'welcome_message',
    action: 'send_message',
    name: 'Hi',
    messages: [{ text: 'Hello' }],
  };
  return new Request(CAMPAIGNS, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

it('shows a request, what the service made of it, and the answer', async () => {
  const { story, lines, fetch } = aStory();
  await story.exchange(creating(), fetch);
  expect(lines.map((line) => line.replace(/\d{5,}/, 'ID'))).toEqual([
    '06-01 12:00:00      request 1, Ana: create campaign "Hi" of alice that says "Hello"',
    '06-01 12:00:00      service: campaign ID "Hi" of alice is made, active',
    '06-01 12:00:00      request 1: answered 201',
  ]);
});

it('shows what happens after a lost answer at its own time', async () => {
  const { story, lines, fetch, control, clock } = aStory();
  control.addFault({ kind: 'late_commit', how: 'reset', after_sec: 20, operation: 'campaigns.create' });
  await story.exchange(creating(), fetch).catch(() => undefined);
  clock.move(60_000);
  control.now();
  story.say('Ana looks again');
  expect(lines.slice(1).map((line) => line.replace(/\d{5,}/, 'ID'))).toEqual([
    '06-01 12:00:00      request 1: no answer (read ECONNRESET)',
    '06-01 12:00:20      service: campaign ID "Hi" of alice is made, active',
    '06-01 12:01:00  Ana looks again',
  ]);
});

it('leaves out reads that succeed, and shows those that fail', async () => {
  const { story, lines, fetch, control } = aStory();
  const read = () => story.exchange(new Request(CAMPAIGNS, { headers: KEY }), fetch);
  await read();
  control.addFault({ kind: 'throttle', operation: 'campaigns.list' });
  await read();
  expect(lines).toEqual(['06-01 12:00:00      Ana reads auto-message-campaigns of alice: answered 429']);
});

it('shows a command that had nothing to do in one line', () => {
  const { story, lines } = aStory();
  story.begins('Ana runs: herald apply');
  story.ends('exit 0', []);
  story.begins('Ana runs: herald apply');
  story.ends('exit 5', ['create of alice/campaign/Hi: not_attempted.']);
  expect(lines).toEqual([
    '06-01 12:00:00  Ana runs: herald apply: nothing to do, exit 0',
    '06-01 12:00:00  Ana runs: herald apply',
    '06-01 12:00:00      exit 5',
    '06-01 12:00:00          create of alice/campaign/Hi: not_attempted.',
  ]);
});
