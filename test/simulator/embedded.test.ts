import { describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/simulator/embedded.ts';
import { createWorld, parseWorld, serializeWorld } from '../../src/simulator/world.ts';
import { aCampaignBody, CAMPAIGNS, requestOf } from './visit.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { memoryWorkspace } from '../workspace/memory-files.ts';

const FILE = '.herald/world.json';

const create = () => requestOf(`http://simulator.invalid${CAMPAIGNS}`, 'POST', aCampaignBody());

/** Two processes on one world. One of them has its lock at a time. */
async function twoProcesses() {
  let isLocked = false;
  const tryLock = async () => {
    if (isLocked) return null;
    isLocked = true;
    return { release: () => (isLocked = false) };
  };
  const files = Object.assign(memoryWorkspace({ [FILE]: serializeWorld(createWorld()) }), { tryLock });
  const options = { clock: flowClock(), random: () => 0 };
  return {
    files,
    both: [await openEmbedded(files, FILE, options), await openEmbedded(files, FILE, options)],
  };
}

describe('the embedded simulator', () => {
  it('keeps what several processes change at the same time, and reads what another one has changed', async () => {
    const { files, both } = await twoProcesses();
    const answers = await Promise.all([...both, ...both].map(({ fetch }) => fetch(create())));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(parseWorld(files.tree[FILE] ?? '').commits).toHaveLength(4);
    for (const { fetch } of both) {
      const list = await fetch(requestOf(`http://simulator.invalid${CAMPAIGNS}`, 'GET', undefined));
      expect(await list.json()).toMatchObject({ items: [{}, {}, {}, {}] });
    }
  });

  it('sends nothing to a world with another id', async () => {
    const { files, both } = await twoProcesses();
    await files.writeAtomically(FILE, serializeWorld(createWorld({ id: 'another' })));
    await expect(both[0]?.fetch(create())).rejects.toMatchObject({
      code: 'HERALD_NEVER_SENT',
      cause: { code: 'bad-world' },
    });
  });

  it('fails when the world cannot be kept, and tries again with the next request', async () => {
    const files = memoryWorkspace({});
    files.onWrite = () => {
      throw new Error('disk full');
    };
    const { fetch } = await openEmbedded(files, FILE, { clock: flowClock(), random: () => 0 });
    await expect(fetch(create())).rejects.toThrow('disk full');
    files.onWrite = () => undefined;
    expect((await fetch(create())).status).toBe(201);
    expect(parseWorld(files.tree[FILE] ?? '').commits).toHaveLength(2);
  });

  it('refuses a world without a valid key', async () => {
    const keyless = memoryWorkspace({ [FILE]: serializeWorld(createWorld({ keys: [] })) });
    const opening = openEmbedded(keyless, FILE, { clock: flowClock(), random: () => 0 });
    await expect(opening).rejects.toThrow('no valid key');
  });
});
