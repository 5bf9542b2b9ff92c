import { inspect } from 'node:util';
import { HeraldError } from './herald-error.ts';
import type { Env } from './ports.ts';

/** A secret has no string form, so that no log, error or JSON shows it by accident. */
export abstract class Secret {
  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

const HIDDEN = '***';

/** The secret in a variable. Null if the variable is not set. Throws if it is set but empty. */
export function readSecret(env: Env, variable: string): string | null {
  const value = env[variable];
  return value === undefined ? null : requireSecret(value, `The variable ${variable}`);
}

/** A secret that was read from a place. Throws if it is empty. */
export function requireSecret(text: string, place: string): string {
  if (text.trim() !== '') return text;
  const hint = 'Put the secret there, or do not name it.';
  throw new HeraldError('empty-secret', `${place} should hold a secret, but it is empty.`, hint);
}

/** What the name of such a variable contains, in any program. */
const SECRET_NAME =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|JWT|STATE_URL|KEY(?:_|$)|(?:^|_)(?:PAT|PASS|PWD|AUTH|DSN)(?:_|$)/i;
/** An address with a user or a password, or of a database. */
const SECRET_ADDRESS = /^(?:postgres(?:ql)?:|[a-z][a-z+.-]*:\/\/[^/?#]*@)/i;

/** True if the variable holds a key, a token, a password, or the address of a state. */
export function holdsSecret(variable: string, value: string): boolean {
  return SECRET_NAME.test(variable) || SECRET_ADDRESS.test(value.trim());
}
