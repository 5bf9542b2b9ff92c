import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, itemOf } from '../helpers/chats.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';

const SEND = ['chat', 'send', '101001', '--account', 'alice', '--text', 'A word', '--yes'];

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

async function withService(act: (served: Served, directory: string) => Promise<void>): Promise<void> {
  const served = await serveWorld();
  try {
    await act(served, herald.workspace({ 'herald.yaml': WORKSPACE, 'offer.md': 'From a file\n' }));
  } finally {
    await served.close();
  }
}

const queued = ({ simulator }: Served) =>
  (simulator.control.oracle().chats['101']?.sends['101001'] ?? []).map(({ text }) => text);

describe('chat and fans over a socket', () => {
  it('killed after the request left and run again: one message, and the second run shows the open entry', () =>
    withService(async (served, directory) => {
      const { control } = served.simulator;
      control.addFault({ kind: 'slow', operation: 'chat.send', delay_ms: 20_000 });
      const run = herald.start(directory, SEND, served.env);
      await served.arrival('chat.send');
      run.kill('SIGKILL');
      expect((await run.ran).signal).toBe('SIGKILL');
      control.clearFaults();
      const again = await heraldHere(directory, { args: [...SEND, '--format', 'json'], env: served.env });
      expect(again.code, again.stderr).toBe(3);
      expect(errorOf(again)).toMatchObject({
        code: 'open-send',
        hint: expect.stringContaining('--acknowledge'),
      });
      expect(errorOf(again).message).toMatch(/Sent at \S+ by .*: "A word" \(entry .*\)\.$/);
      expect(queued(served)).toEqual(['A word']);
      const other = [
        'chat',
        'send',
        '101001',
        '--account',
        'alice',
        '--text-file',
        'offer.md',
        '--yes',
        '--acknowledge',
      ];
      const third = await heraldHere(directory, { args: other, env: served.env });
      expect(third.code, third.stderr).toBe(0);
      expect(queued(served)).toEqual(['A word', 'From a file']);
    }));

  it('every command of them works, each within one request a second', () =>
    withService(async (served, directory) => {
      const run = async (...args: string[]) => {
        const ran = await heraldHere(directory, {
          args: [...args, '--account', 'alice', '--yes', '--format', 'json'],
          env: served.env,
        });
        expect(ran.code, ran.stderr).toBe(0);
        return itemOf(ran);
      };
      expect(await run('chat', 'send', '101002', '--text', 'Hi')).toMatchObject({ outcome: 'queued' });
      expect(await run('fans', 'label', '101001', '--name', 'Tom')).toMatchObject({ custom_name: 'Tom' });
      expect(await run('fans', 'follow', '101001')).toMatchObject({ subscribed: true, price_gross: 4.99 });
      const oracle = served.simulator.control.oracle();
      expect(oracle.throttled).toBe(0);
      expect(oracle.chats['101']).toMatchObject({
        labels: { '101001': { custom_name: 'Tom', note: '' } },
        follows: [{ fan_id: '101001', price: 4.99 }],
      });
    }));

  it('without a terminal and without --yes nothing is sent', () =>
    withService(async (served, directory) => {
      const send = ['chat', 'send', '101001', '--account', 'alice'];
      const none = await heraldHere(directory, {
        args: [...send, '--text', 'x', '--format', 'json'],
        env: served.env,
      });
      expect(none.code).toBe(1);
      expect(errorOf(none).code).toBe('needs-yes');
      expect(queued(served)).toEqual([]);
    }));
});
