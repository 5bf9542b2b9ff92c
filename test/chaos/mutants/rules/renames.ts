import type { Mutant } from '../mutant.ts';

/** Names and texts that move from one resource to another. */
export const RENAMES: readonly Mutant[] = [
  {
    name: 'a replaced version starts next to what replaced it',
    protects: 'Nothing starts while the unmanaged version that replaced it still runs.',
    file: 'src/plan/guards/successors.ts',
    find: 'if (!starts(wanted)',
    replace: 'if (starts(wanted)',
  },
  {
    name: 'a removed block is taken for another one',
    protects: 'The object of a renamed and removed block is not stopped for a new block with its old name.',
    file: 'src/plan/match.ts',
    find: "const isAnothers = known.ours && taken.has(object.live.name ?? '');",
    replace: "const isAnothers = known.ours && taken.has('');",
  },
  {
    name: 'a replace sends what is live elsewhere',
    protects: 'Nothing starts next to the same content that runs under a name that no file has.',
    file: 'src/plan/twin-next-to.ts',
    find: 'if (!changes.some(starts)) return null;',
    replace: 'if (changes.length > 0) return null;',
  },
];
