import { readSecret } from '../../domain/secret.ts';
import { PlanKey } from '../../plan/plan-key.ts';
import type { Context } from '../context.ts';
import { HeraldError } from '../../domain/herald-error.ts';

const VARIABLE = 'HERALD_PLAN_KEY';
const MAKE_ONE = `To make one: openssl rand -hex 32. Then put it into ${VARIABLE}, for plan and for apply.`;

/** The key that signs and checks saved plans. Null if the variable is not set. Throws if it is empty or too short. */
export function planKeyOf({ env }: Pick<Context, 'env'>): PlanKey | null {
  const value = readSecret(env, VARIABLE);
  if (value === null) return null;
  try {
    return new PlanKey(value);
  } catch (error) {
    throw new HeraldError(
      'plan-key',
      `${VARIABLE} ${(error as Error).message}. Nothing was changed.`,
      MAKE_ONE,
    );
  }
}

/** The key for `plan --sign`. Throws if there is none. */
export function signingKeyOf(context: Pick<Context, 'env'>): PlanKey {
  const key = planKeyOf(context);
  if (key === null) throw new HeraldError('plan-key', `--sign needs a key in ${VARIABLE}.`, MAKE_ONE);
  return key;
}
