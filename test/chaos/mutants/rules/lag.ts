import type { Mutant } from '../mutant.ts';

/** Rules about reads that lag behind a status. */
export const LAG: readonly Mutant[] = [
  {
    name: 'a list that lags behind an answered status is believed',
    protects:
      'A list is read again while it shows a status from before an answered change of the last seconds.',
    file: 'src/reconcile/lagging-lists.ts',
    find: 'if (keys.size === 0 || interrupted.aborted) return observed;',
    replace: 'if (keys.size >= 0 || interrupted.aborted) return observed;',
  },
  {
    name: 'a read back is believed after two seconds',
    protects: 'A change counts as undone only if it still reads so five seconds after its answer.',
    file: 'src/apply/until-shown.ts',
    find: 'begunMs - sinceMs >= STATUS_MAY_LAG_MS',
    replace: 'begunMs - sinceMs >= 2_000',
  },
];
