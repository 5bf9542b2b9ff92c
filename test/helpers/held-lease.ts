import type { Scene } from './scene.ts';

/** A lease that nothing refers to is given back when memory is collected. */
const held = new Set<{ close(): Promise<void> }>();

/** Another process takes the lease of the workspace. Returns what gives it back. */
export async function holdLease({ state, clock, files }: Scene): Promise<() => Promise<void>> {
  const { access } = state.access({
    clock,
    files,
    env: {},
    identity: { run: 'other', who: 'other' },
    process: 'process 4711 on this-machine',
  });
  const lease = await access.take(() => 'live', { waitMs: 0 });
  held.add(lease);
  return () => {
    held.delete(lease);
    return lease.close();
  };
}
