import { expect, it } from 'vitest';
import { liveOf } from '../live.ts';
import type { Chaos, Process } from '../state.ts';
import { aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { factsAt } from './facts.ts';
import { atOnceTwice, saidOfSendAtOnce, sentAtOnceAgain } from './sent-at-once.ts';

const SEND = { kind: 'send at once', words: 1 } as const;
const NAME = 'Flash 1';

function aSend(chaos: Chaos): Process {
  return aProcess(chaos, SEND, { wish: { kind: 'create', accountId: '101', of: 'broadcast', name: NAME } });
}

async function sends(chaos: Chaos, process: Process, answer: 'done' | 'unconfirmed' = 'done') {
  const body = { name: NAME, audience_filters: [], messages: [{ text: 'Now 1' }] };
  const number = await request(chaos, process, 'POST', 'priority-mass-message-campaigns', body);
  const content = { text: 'Now 1', sha256: null };
  const write = { kind: 'create', accountId: '101', of: 'broadcast', name: NAME, content } as const;
  return noteWrite(chaos, process, write, number, answer);
}

it('a second broadcast of the name is a duplicate', async () => {
  const chaos = aChaos();
  await sends(chaos, aSend(chaos));
  chaos.clock.move(1_000);
  const sent = await sends(chaos, aSend(chaos));
  const [words] = sentAtOnceAgain(factsAt(chaos, sent, liveOf(chaos.simulator)));
  expect(words).toMatch(/^"Flash 1" was sent at once next to \d+, which has its name$/);
  expect(atOnceTwice(chaos)).toMatchObject([expect.stringContaining('"Flash 1" was sent 2 times')]);
});

it.each([
  [0, false, 'nothing was sent'],
  [5, true, 'its request 1 has sent'],
  [1, true, 'its request 1 has sent'],
  [3, true, 'each of its requests was answered'],
])(
  'exit %i is a false report of a command of which it is %s that it has sent something',
  async (code, isSent, words) => {
    const chaos = aChaos();
    const process = aSend(chaos);
    if (isSent) await sends(chaos, process);
    const ran = { code, stdout: '', stderr: '' };
    const found = saidOfSendAtOnce(chaos, { process, ran, report: null, interrupted: false });
    expect(found).toMatchObject([expect.stringContaining(words)]);
  },
);

it.each([
  [0, true],
  [5, false],
])('exit %i is true of a command of which it is %s that it has sent something', async (code, isSent) => {
  const chaos = aChaos();
  const process = aSend(chaos);
  if (isSent) await sends(chaos, process);
  const ran = { code, stdout: '', stderr: '' };
  expect(saidOfSendAtOnce(chaos, { process, ran, report: null, interrupted: false })).toEqual([]);
});

it('exit 3 is true while a request has no answer, and exit 1 is not', async () => {
  const chaos = aChaos();
  chaos.simulator.control.addFault({
    kind: 'late_commit',
    how: 'reset',
    after_sec: 30,
    operation: 'broadcasts.create',
  });
  const process = aSend(chaos);
  await sends(chaos, process, 'unconfirmed');
  const said = (code: number) =>
    saidOfSendAtOnce(chaos, {
      process,
      ran: { code, stdout: '', stderr: '' },
      report: null,
      interrupted: false,
    });
  expect(said(3)).toEqual([]);
  expect(said(1)).toMatchObject([expect.stringContaining('may still send it')]);
});
