import type { DiagnosticCode } from '../domain/codes.ts';
import { holdsSecret } from '../domain/secret.ts';
import type { Findings, Path } from './findings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that files may always read. Others may edit the files, so they must not read the whole environment. */
const ALWAYS_ALLOWED: readonly string[] = ['HERALD_URL', 'HERALD_BASE_URL'];
const VARIABLE = /\$\{([^}]*)\}?/g;

/** Replaces each `${NAME}`. Null after a variable that is unset, empty or not allowed, which is reported. */
export function fillEnvironment(text: string, path: Path, env: Environment, found: Findings): string | null {
  let isComplete = true;
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    const problem = explainVariable(whole, name, env);
    if (problem === null) return env[name] ?? '';
    isComplete = false;
    found.error(problem.code, path, problem.message);
    return whole;
  });
  return isComplete ? filled : null;
}

function explainVariable(
  whole: string,
  name: string,
  env: Environment,
): { readonly code: DiagnosticCode; readonly message: string } | null {
  if (!/^[A-Za-z_]\w*$/.test(name) || !whole.endsWith('}'))
    return { code: 'environment-syntax', message: `"${whole}" is not a variable. Write \${NAME}.` };
  const value = env[name] ?? '';
  if (holdsSecret(name, value))
    return {
      code: 'environment-forbidden',
      message: `${name} holds a secret, and no file may use it. Write the address of the service itself, or set HERALD_URL to it and write \${HERALD_URL}.`,
    };
  const listed = splitWords(env['HERALD_ALLOWED_ENV']);
  if (![...ALWAYS_ALLOWED, ...listed].includes(name))
    return {
      code: 'environment-forbidden',
      message: `Files may not use ${name}. Set HERALD_ALLOWED_ENV=${[...listed, name].join(',')} where Herald runs, or set HERALD_URL and write \${HERALD_URL}.`,
    };
  if (value !== '') return null;
  return {
    code: 'unset-environment',
    message: `${name} is not set in the environment, or is empty. Set it.`,
  };
}

/** Splits the list in a variable at spaces and commas. */
export function splitWords(list: string | undefined): readonly string[] {
  return (list ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
