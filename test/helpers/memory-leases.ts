import { LockHeldError, type Leases } from '../../src/domain/lease.ts';

const HOLDER = 'process 4711 on this-machine';

export interface MemoryLeases extends Leases {
  /** Another run takes the lease from anyone who has it. */
  steal(): void;
  /** The holder dies, and the next run takes the lease over. */
  drop(): void;
}

/** A lease in memory. */
export function memoryLeases(): MemoryLeases {
  let current: object | null = null;
  let taken = 0;
  return {
    take: async () => {
      if (current !== null) throw new LockHeldError('.herald/apply', HOLDER);
      const own = {};
      current = own;
      taken += 1;
      return {
        lost: async () => (current === own ? null : `it was taken over by ${HOLDER}`),
        release: async () => {
          if (current === own) current = null;
        },
      };
    },
    holder: async () => (current === null ? null : { words: HOLDER, life: 'alive' }),
    record: async () =>
      current === null ? null : { words: HOLDER, life: 'alive', id: String(taken), since: null, until: null },
    end: async ({ id }) => {
      if (current === null || id !== String(taken)) return false;
      current = null;
      return true;
    },
    steal: () => {
      taken += 1;
      current = {};
    },
    drop: () => {
      current = null;
    },
  };
}
