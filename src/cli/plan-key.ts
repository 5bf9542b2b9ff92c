import { createHmac, timingSafeEqual } from 'node:crypto';
import { HeraldError } from '../domain/herald-error.ts';
import { readSecret, Secret } from '../domain/secret.ts';
import type { Context } from './context.ts';

export const PLAN_KEY_VARIABLE = 'HERALD_PLAN_KEY';
export const MAKE_KEY = `To make one: openssl rand -hex 32. Then put it into ${PLAN_KEY_VARIABLE}, for plan and for apply.`;

/** The key that signs and checks saved plans. Null if the variable is not set. Throws if it is empty or too short. */
export function readPlanKey({ env }: Pick<Context, 'env'>): PlanKey | null {
  const value = readSecret(env, PLAN_KEY_VARIABLE);
  if (value === null) return null;
  try {
    return new PlanKey(value);
  } catch (error) {
    const problem = `${PLAN_KEY_VARIABLE} ${(error as Error).message}. Nothing was changed.`;
    throw new HeraldError('plan-key', problem, MAKE_KEY);
  }
}

/** A shorter key can be guessed. */
const KEY_BYTES_MIN = 16;

/** The key that signs saved plans. */
export class PlanKey extends Secret {
  readonly #value: string;

  /** Throws if the key is too short. */
  constructor(value: string) {
    super();
    const bytes = Buffer.byteLength(value);
    if (bytes < KEY_BYTES_MIN)
      throw new Error(`has ${bytes} bytes, and a key needs at least ${KEY_BYTES_MIN}`);
    this.#value = value;
  }

  /** The signature of a saved plan, by its digest: `hmac-sha256:` and 64 hex characters. */
  sign(digest: string): string {
    // The purpose is signed with it, so that no signature of anything else by this key counts here.
    const mac = createHmac('sha256', this.#value).update(`herald/plan-signature/1\n${digest}`).digest('hex');
    return `hmac-sha256:${mac}`;
  }

  /** Whether this key made the signature. Takes as long for every signature. */
  hasSigned(digest: string, signature: string): boolean {
    const [wanted, given] = [Buffer.from(this.sign(digest)), Buffer.from(signature)];
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
}
