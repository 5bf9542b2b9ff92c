import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { HELLO, sha256 } from '../helpers/uploads.ts';

const attachments = [{ file: 'hello.jpg', is_paid: true }];
const FILES = {
  'herald.yaml': WORKSPACE.replace('world.json }', 'world.json, settle_sec: 2 }'),
  ...declaring({ campaigns: [campaign({ messages: [{ text: 'Look', price_gross: 5, attachments }] })] }),
};

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

const slow = (operation: FaultInput['operation']): FaultInput => ({
  kind: 'slow',
  operation,
  delay_ms: 20_000,
  nth: 1,
});

type Phase = readonly [title: string, fault: FaultInput, arrives: (served: Served) => Promise<void>];

const PHASES: readonly Phase[] = [
  ['the start', slow('vault.upload-start'), ({ arrival }) => arrival('vault.upload-start')],
  ['the bytes', { kind: 'storage', how: 'stall', nth: 1 }, ({ putArrival }) => putArrival()],
  ['the export', slow('vault.upload-export'), ({ arrival }) => arrival('vault.upload-export')],
  ['the wait for the media', slow('vault.uploads'), ({ arrival }) => arrival('vault.uploads')],
  ['the create', slow('campaigns.create'), ({ arrival }) => arrival('campaigns.create')],
];

describe('an apply with a file, killed with SIGKILL in the middle of', () => {
  it.concurrent.each(PHASES)(
    '%s: another apply leaves exactly one media and one campaign that shows it',
    async (_title, fault, arrives) => {
      const served = await serveWorld({ modes: { uploadStepSec: 0 } });
      const directory = herald.workspace(FILES);
      mkdirSync(join(directory, 'live'), { recursive: true });
      writeFileSync(join(directory, 'live/hello.jpg'), HELLO);
      const args = ['apply', '--yes'];
      try {
        served.simulator.control.addFault(fault);
        const first = herald.start(directory, args, served.env);
        await arrives(served);
        first.kill('SIGKILL');
        expect((await first.ran).signal).toBe('SIGKILL');
        for (let run = 0; run < 2; run += 1) {
          const next = await heraldHere(directory, { args, env: served.env });
          expect(next.code, next.stdout + next.stderr).toBe(0);
          const { vaults, storage } = served.simulator.control.oracle();
          expect(vaults['101']?.exported.map((media) => media.sha256)).toEqual([sha256(HELLO)]);
          expect(storage.auth_headers_seen).toBe(0);
          const campaigns = Object.values(served.simulator.world.accounts['101']?.campaigns ?? {});
          expect(campaigns.map(({ live }) => [live.status, live.messages[0]?.attachments[0]?.id])).toEqual([
            ['active', vaults['101']?.exported[0]?.media_id],
          ]);
        }
      } finally {
        await served.close();
      }
    },
    60_000,
  );
});
