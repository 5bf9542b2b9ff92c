import { afterEach, describe, expect, it, vi } from 'vitest';
import { broadcastsIn, draftOf, FLASH, sendFlash } from '../helpers/at-once.ts';
import { altered } from '../helpers/altered.ts';

afterEach(() => vi.unstubAllGlobals());

/** Someone without a common ledger makes the same at the moment at which it is sent. */
function together(other: object) {
  let isFirst = true;
  const made = altered(
    async (request, answer) => {
      if (request.method !== 'GET' && isFirst) {
        isFirst = false;
        const { name, messages } = FLASH;
        made.simulator.control.seedBroadcast('101', { name, messages, ...other });
      }
      return answer();
    },
    { files: draftOf() },
  );
  return made;
}

describe('two broadcasts of one name that are sent at once', () => {
  // BROADCAST-15
  it('are both named by the run that sent one of them, and by the next one', async () => {
    const { scene, world } = together({ status: 'sending', scheduled_at: null });
    const ran = await sendFlash(scene);
    const [other = '', own = ''] = broadcastsIn(world).map((one) => one.split(' ')[0] ?? '');
    expect(ran.code).toBe(0);
    for (const said of [ran.stdout, (await sendFlash(scene)).stderr])
      expect(said).toContain(
        `${other} and ${own} have the same name, and both go out now, so fans get both. Herald does not pause one half-way by itself. To stop ${own}: herald broadcasts pause ${own} --account alice`,
      );
  });

  it('are both named if the other one waits for its time', async () => {
    const { scene, world } = together({ status: 'scheduled', scheduled_at: '2026-06-01T18:00:00Z' });
    const ran = await sendFlash(scene);
    const [other = '', own = ''] = broadcastsIn(world).map((one) => one.split(' ')[0] ?? '');
    expect(ran.code).toBe(0);
    for (const said of [ran.stdout, (await sendFlash(scene)).stderr]) {
      expect(said).toContain(`${other} has the same name as ${own}, which was sent, and goes out at `);
      expect(said).toContain(`To stop it: herald broadcasts pause ${other} --account alice`);
    }
  });

  it('are not named if the other one is stopped or was sent long ago', async () => {
    for (const other of [
      { status: 'paused', scheduled_at: '2026-06-01T18:00:00Z' },
      { status: null, scheduled_at: null },
    ]) {
      const { scene } = together(other);
      expect((await sendFlash(scene)).stdout).not.toContain('same name');
    }
  });
});
