import { spawnSync } from 'node:child_process';
import { heraldScript } from './herald.ts';
import { comparePair, type Comparison } from './pairs.ts';

/** Each takes a tenth of a second at most. */
const RUNS = 21;

/** Cold starts of the built command line against a bare node. */
export async function benchStart(): Promise<readonly Comparison[]> {
  const herald = (...args: readonly string[]) => run(heraldScript(), ...args);
  const against = { reference: 'node -e 0', theirs: () => run('-e', '0'), runs: RUNS };
  return [
    await comparePair({ ...against, name: 'herald --version', budget: 1.6, ours: () => herald('--version') }),
    await comparePair({
      ...against,
      name: 'herald validate (examples/agency)',
      budget: 6,
      ours: () => herald('-C', 'examples/agency', 'validate'),
    }),
    await comparePair({ ...against, name: 'herald help', budget: null, ours: () => herald('help') }),
  ];
}

/** NODE_EXTRA_CA_CERTS alone costs 40 ms of every start, so it is left out of both sides. */
function run(...args: readonly string[]): void {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  const result = spawnSync(process.execPath, args, { env, stdio: 'ignore' });
  if (result.status !== 0)
    throw new Error(`node ${args.join(' ')} ended with ${result.status ?? 'a signal'}`);
}
