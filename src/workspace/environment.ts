import type { DiagnosticCode } from '../domain/codes.ts';
import { holdsSecret } from '../domain/secret.ts';
import { error, type Finding, type Path } from './findings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that files may always read. Others may edit the files, so they must not read the whole environment. */
const ALWAYS_ALLOWED: readonly string[] = ['HERALD_URL', 'HERALD_BASE_URL'];
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
    const value = env[name] ?? '';
    if (holdsSecret(name, value))
      return refuse(
        'environment-forbidden',
        `${name} holds a secret, and no file may use it. Write the address of the service itself, or set HERALD_URL to it and write \${HERALD_URL}.`,
      );
    const listed = wordsOf(env['HERALD_ALLOWED_ENV']);
    if (![...ALWAYS_ALLOWED, ...listed].includes(name))
      return refuse(
        'environment-forbidden',
        `Files may not use ${name}. Set HERALD_ALLOWED_ENV=${[...listed, name].join(',')} where Herald runs, or set HERALD_URL and write \${HERALD_URL}.`,
      );
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
