import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';

/** What becomes of a request of a process that is killed right after it left (FAULT-8). */
export function listDeaths(operation: Operation): readonly {
  readonly title: string;
  readonly faults: readonly FaultInput[];
  readonly times: number;
}[] {
  const first = { operation, how: 'reset', nth: 1 } as const;
  return [
    { title: 'carried out at once', faults: [], times: 1 },
    { title: 'carried out 40 s late', faults: [{ kind: 'late_commit', after_sec: 40, ...first }], times: 1 },
    {
      title: 'never carried out',
      faults: [{ kind: 'broken_answer', when: 'before_commit', ...first }],
      times: 0,
    },
  ];
}
