import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { heraldHere } from '../helpers/herald-here.ts';
import { serveWorld } from '../helpers/served.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { listening } from '../process/proxies.ts';

it.each(['answers nothing', 'answers no query'])(
  'a stop leaves while it still waits for a database that %s',
  async (how) => {
    const order: string[] = [];
    const server = createServer((socket) => {
      // AuthenticationOk and ReadyForQuery, and then silence.
      if (how === 'answers no query')
        socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')));
      socket.on('close', () => order.push('gave the database up'));
    });
    const { port, close } = await listening(server);
    const served = await serveWorld();
    served.simulator.control.seedCampaign('101', { id: '77', name: 'Welcome' });
    void served.arrival('campaigns.set-status').then(() => order.push('stopped'));
    const folder = temporaryFolder({
      'herald.yaml':
        'version: 1\naccounts: { alice: { id: "101" } }\nstate: { postgres: "${HERALD_STATE_URL}", workspace: eu }\n',
    });
    const ran = await heraldHere(folder, {
      args: ['campaigns', 'pause', '77', '--account', 'alice', '--yes'],
      env: { ...served.env, HERALD_STATE_URL: `postgres://u:p@127.0.0.1:${port}/d` },
    });
    await Promise.all([close(), served.close()]);
    expect([ran.code, order[0]]).toEqual([4, 'stopped']);
    expect(ran.stdout).toContain('the state does not answer');
  },
);
