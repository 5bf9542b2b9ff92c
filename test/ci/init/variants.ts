import type { CiSettings } from '../../../src/ci/init/init.ts';

/** What a workspace has that CI depends on, one difference each. */
export const VARIANTS: readonly (readonly [title: string, settings: CiSettings])[] = [
  ['a state on a branch', aCi()],
  ['a database', aCi({ database: 'HERALD_STATE_URL' })],
  ['media in Git LFS', aCi({ hasLfs: true })],
  ['a folder below the root', aCi({ folder: 'ads/eu' })],
  ['an address from a variable', aCi({ origin: null, branch: 'release/next' })],
];

export function aCi(given: Partial<CiSettings> = {}): CiSettings {
  return {
    folder: '',
    branch: 'main',
    origin: 'https://api.service.example',
    database: null,
    hasLfs: false,
    ...given,
  };
}
