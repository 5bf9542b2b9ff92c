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

/** A shorter text would be found by chance in words that are not secret. */
const SECRET_LENGTH_MIN = 8;

/** Replaces secrets by `***` in whatever leaves the process. */
export class SecretMask {
  readonly #secrets = new Set<string>();
  #forms: RegExp | null = null;

  add(secret: string): void {
    const text = secret.trim();
    for (const part of [text, ...passwordsIn(text)])
      if (part.length >= SECRET_LENGTH_MIN) this.#secrets.add(part);
    // The longest first, so that an address is found before the password in it.
    const forms = [...this.#secrets]
      .flatMap((one) => [one, ...inBase64(one)])
      .map((one) => Array.from(one, listForms).join(''));
    const longestFirst = forms.toSorted((left, right) => right.length - left.length);
    this.#forms = forms.length === 0 ? null : new RegExp(longestFirst.join('|'), 'gi');
  }

  hideIn(text: string): string {
    return this.#forms === null ? text : text.replace(this.#forms, '***');
  }
}

/** The password of an address as it is written and as it is meant. An address that is not valid may have one, too. */
function passwordsIn(text: string): readonly string[] {
  const written = [
    URL.canParse(text) ? new URL(text).password : '',
    /^[a-z][a-z+.-]*:\/\/[^:/@]*:(.+)@/is.exec(text)?.[1] ?? '',
    /[?&]password=([^&#]+)/i.exec(text)?.[1] ?? '',
  ];
  return written.flatMap((password) => [password, decoded(password)]);
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** What a base64 text has of the secret, wherever the secret begins in it: the characters that no neighbour changes. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), whole);
  });
}

const NAMED: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};
/** The letters of base64url for those of base64. */
const OTHERS: Readonly<Record<string, string>> = { '+': '-', '/': '_', ' ': String.raw`\+` };

/**
 * One character as it is, in an address, in JSON, in HTML and in Markdown, also written twice over. Letters and digits are
 * the same in all of them. Every form has a limited length, so a text is searched in linear time.
 */
function listForms(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25)?${hex(byte, 2)}`);
  const units = character.split('').map((unit) => String.raw`\u${hex(unit.charCodeAt(0), 4)}`);
  const escaped = units.map((unit) => String.raw`\\{1,3}${unit.slice(1)}`);
  const name = NAMED[character];
  const entities = [`#0{0,4}${code}`, `#x0{0,4}${hex(code)}`, ...(name === undefined ? [] : [name])];
  const other = OTHERS[character];
  return `(?:${[
    String.raw`\\{0,3}${units.join('')}`,
    bytes.join(''),
    escaped.join(''),
    `&(?:amp;)?(?:${entities.join('|')});`,
    ...(other === undefined ? [] : [other]),
  ].join('|')})`;
}

function hex(code: number, digits = 1): string {
  return code.toString(16).padStart(digits, '0');
}
