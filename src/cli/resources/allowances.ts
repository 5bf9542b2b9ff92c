import { ALLOWANCE_NAMES, type Allowance } from '../../domain/allowance.ts';
import { CommandError } from '../failure.ts';

/** The allowances of this run: those of `--allow` and those in `herald.yaml`. */
export function allowancesOf(
  flags: readonly string[],
  standing: readonly Allowance[],
): ReadonlySet<Allowance> {
  const given = flags.map((flag) => {
    const known = ALLOWANCE_NAMES.find((name) => name === flag);
    if (known === undefined)
      throw new CommandError(
        'bad-flag',
        `--allow ${flag} is unknown. Use one of: ${ALLOWANCE_NAMES.join(', ')}.`,
      );
    return known;
  });
  return new Set([...given, ...standing]);
}
