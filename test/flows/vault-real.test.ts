import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { HELLO, sha256, UPLOAD, uploadsIn } from '../helpers/uploads.ts';

/** Longer than the second after which a late commit comes. */
const SETTLE_SEC = 2;
/** States follow one another at once, so that real time is spent only where it is the point. */
const QUICK = { unfinishedStatus: 'null', uploadStepSec: 0 } as const;
const IN_PARTS = { ...QUICK, uploadShape: 'multipart', uploadPartBytes: 4000 } as const;

const herald = builtHerald();

const settlingIn = (sec: number) => ({
  'herald.yaml': WORKSPACE.replace('world.json }', `world.json, settle_sec: ${sec} }`),
});

async function withService(
  modes: WorldOptions['modes'],
  act: (served: Served, directory: string) => Promise<void>,
  settleSec = SETTLE_SEC,
): Promise<void> {
  const served = await serveWorld({ modes: { ...QUICK, ...modes } });
  const directory = herald.workspace(settlingIn(settleSec));
  writeFileSync(join(directory, 'hello.jpg'), HELLO);
  try {
    await act(served, directory);
  } finally {
    await served.close();
  }
}

const upload = (directory: string, { env }: Served) => heraldHere(directory, { args: UPLOAD, env });

async function expectOneMedia({ simulator }: Served): Promise<void> {
  const { vaults, storage } = simulator.control.oracle();
  expect(vaults['101']?.exported.map(({ sha256: digest }) => digest)).toEqual([sha256(HELLO)]);
  expect(storage.puts.filter((put) => put.auth_header_seen)).toEqual([]);
}

type Phase = readonly [
  title: string,
  modes: WorldOptions['modes'],
  fault: FaultInput,
  arrives: (served: Served) => Promise<void>,
];
const slow = (operation: FaultInput['operation']): FaultInput => ({
  kind: 'slow',
  operation,
  delay_ms: 20_000,
  nth: 1,
});

const PHASES: readonly Phase[] = [
  ['the start', QUICK, slow('vault.upload-start'), ({ arrival }) => arrival('vault.upload-start')],
  [
    'one of its parts',
    IN_PARTS,
    { kind: 'storage', how: 'stall', nth: 2 },
    ({ putArrival }) => putArrival(2),
  ],
  [
    'the export, carried out a second after its end',
    QUICK,
    { kind: 'late_commit', operation: 'vault.upload-export', after_sec: 1, nth: 1 },
    ({ arrival }) => arrival('vault.upload-export'),
  ],
];

it.concurrent.each(PHASES)(
  'an upload killed with SIGKILL in the middle of %s: the same command again leaves exactly one media',
  (_title, modes, fault, arrives) =>
    withService(modes, async (served, directory) => {
      served.simulator.control.addFault(fault);
      const first = herald.start(directory, UPLOAD, served.env);
      await arrives(served);
      first.kill('SIGKILL');
      expect((await first.ran).signal).toBe('SIGKILL');
      const second = await upload(directory, served);
      expect(second.code, second.stderr).toBe(0);
      expect(['exported', 'already']).toContain(uploadsIn(second)[0]?.outcome);
      await expectOneMedia(served);
      const third = await upload(directory, served);
      expect(uploadsIn(third)[0]?.outcome).toBe('already');
      await expectOneMedia(served);
    }),
  60_000,
);

it('64 MiB in parts arrive byte for byte, although the first parts are acknowledged last', async () => {
  const content = mediaOf(JPEG, 64 * 2 ** 20, 7);
  const world = { modes: { ...QUICK, uploadShape: 'multipart', uploadPartBytes: 10 * 2 ** 20 } } as const;
  const served = await serveWorld(world);
  try {
    for (const part of [1, 3, 5])
      served.simulator.control.addFault({ kind: 'storage', how: 'slow', part, delay_ms: 600, nth: 1 });
    const directory = herald.workspace(settlingIn(SETTLE_SEC));
    writeFileSync(join(directory, 'hello.jpg'), content);
    const ran = await upload(directory, served);
    expect(ran.code, ran.stderr).toBe(0);
    const [media] = served.simulator.control.oracle().vaults['101']?.exported ?? [];
    expect(media).toMatchObject({ size: content.byteLength, name: 'hello.jpg' });
    let from = 0;
    for (const { stored } of media?.parts ?? []) {
      const to = from + (stored?.size ?? 0);
      expect(stored?.sha256).toBe(sha256(content.subarray(from, to)));
      from = to;
    }
    expect([media?.parts.length, from]).toEqual([7, content.byteLength]);
  } finally {
    await served.close();
  }
}, 60_000);
