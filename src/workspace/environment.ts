import type { DiagnosticCode } from '../domain/codes.ts';
import { error, type Finding, type Path } from './findings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Prefix of the variables that files may read. Others may edit the files, so they must not read the whole
 * environment.
 */
const OWN_PREFIX = 'HERALD_';
/** Secrets that no file may use, even if HERALD_ALLOWED_ENV lists them. */
const SECRET: ReadonlySet<string> = new Set(['HERALD_API_KEY', 'HERALD_PLAN_KEY', 'HERALD_STATE_URL']);
const VARIABLE = /\$\{([^}]*)\}?/g;

/** True if the text has a `${…}`. */
export function namesVariable(text: string): boolean {
  return text.includes('${');
}

/** Replaces each `${NAME}`. A variable that is unset, empty or not allowed is a finding. */
export function fillVariables(text: string, path: Path, env: Environment, findings: Finding[]): string {
  return text.replace(VARIABLE, (whole, name: string) => {
    const refuse = (code: DiagnosticCode, message: string): string => {
      findings.push(error(code, path, message));
      return whole;
    };
    if (!/^[A-Za-z_]\w*$/.test(name) || !whole.endsWith('}'))
      return refuse('environment-syntax', `"${whole}" is not a variable. Write \${NAME}.`);
    if (SECRET.has(name))
      return refuse(
        'environment-forbidden',
        `${name} is a secret, and no file may use it. Remove \${${name}}.`,
      );
    if (!name.startsWith(OWN_PREFIX) && !wordsOf(env['HERALD_ALLOWED_ENV']).includes(name))
      return refuse(
        'environment-forbidden',
        `Files may only use variables that begin with ${OWN_PREFIX}. Rename ${name}, or set HERALD_ALLOWED_ENV=${name} where Herald runs.`,
      );
    const value = env[name] ?? '';
    if (value === '')
      return refuse('unset-environment', `${name} is not set in the environment, or is empty. Set it.`);
    return value;
  });
}

/** Returns the text unchanged. A `${…}` in it is a finding, because only `base_url` may have one. */
export function withoutVariables(text: string, path: Path, findings: Finding[]): string {
  if (namesVariable(text))
    findings.push(
      error('environment-forbidden', path, 'Only service.base_url may use ${NAME}. Write the value itself.'),
    );
  return text;
}

/** Splits the list in a variable at spaces and commas. */
export function wordsOf(list: string | undefined): readonly string[] {
  return (list ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
