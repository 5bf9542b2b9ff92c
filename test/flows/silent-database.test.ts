import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { listening } from '../process/proxies.ts';

it.each(['answers nothing', 'answers no query'])(
  'a stop leaves after five seconds although the database %s',
  async (how) => {
    const server = createServer((socket) => {
      // AuthenticationOk and ReadyForQuery, and then silence.
      if (how === 'answers no query')
        socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')));
    });
    const { port, close } = await listening(server);
    const world = createWorld({});
    createSimulator(world, { clock: systemClock }).control.seedCampaign('101', { id: '77', name: 'Welcome' });
    const folder = temporaryFolder({
      '.herald/world.json': serializeWorld(world),
      'herald.yaml':
        'version: 1\nservice: { simulator: .herald/world.json, settle_sec: 1 }\naccounts: { alice: { id: "101" } }\nstate: { postgres: "${HERALD_STATE_URL}", workspace: eu }\n',
    });
    const began = Date.now();
    const ran = await heraldHere(folder, {
      args: ['campaigns', 'pause', '77', '--account', 'alice', '--yes'],
      env: { HERALD_STATE_URL: `postgres://u:p@127.0.0.1:${port}/d` },
    });
    const tookMs = Date.now() - began;
    await close();
    expect([ran.code, tookMs < 9_000]).toEqual([4, true]);
    expect(ran.stdout).toContain('the state does not answer');
  },
  30_000,
);
