import { ALLOWANCE_NAMES, type Allowance } from '../../domain/allowance.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The allowances of this run: those of `--allow` and those in `herald.yaml`. */
export function allowancesOf(
  flags: readonly string[],
  standing: readonly Allowance[],
): ReadonlySet<Allowance> {
  const given = flags.map((flag) => {
    const known = ALLOWANCE_NAMES.find((name) => name === flag);
    if (known === undefined)
      throw new HeraldError(
        'bad-flag',
        `--allow ${flag} is unknown. Use one of: ${ALLOWANCE_NAMES.join(', ')}.`,
      );
    return known;
  });
  return new Set([...given, ...standing]);
}
