import { TEXT_LENGTH_MAX } from './text.ts';

/** `{{name}}`, the escape `\{{`, or a `{{` that is neither. */
const PLACEHOLDER = /(\\)?\{\{(?:\s*([A-Za-z_]\w*)\s*\}\})?/g;

/** Something wrong or odd in a text with variables, at an offset. */
export interface FillProblem {
  readonly code: 'unset-variable' | 'variable-syntax' | 'too-long' | 'looks-like-variable';
  /** The variable. Empty if the braces name none. */
  readonly variable: string;
  readonly offset: number;
}

export interface Filled {
  readonly text: string;
  readonly problems: readonly FillProblem[];
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}

/** Fills an account's variables into a text. `\{{` becomes a literal `{{`. */
export function fillVariables(text: string, vars: ReadonlyMap<string, string>): Filled {
  if (!hasPlaceholder(text)) return { text, problems: [] };
  const problems: FillProblem[] = [];
  let length = text.length;
  const filled = text.replace(
    PLACEHOLDER,
    (whole: string, escape: string | undefined, variable: string | undefined, offset: number) => {
      if (escape !== undefined) return whole.slice(1);
      const value = variable === undefined ? undefined : vars.get(variable);
      if (value === undefined) {
        const code = variable === undefined ? 'variable-syntax' : 'unset-variable';
        problems.push({ code, variable: variable ?? '', offset });
        return whole;
      }
      const wasTooLong = length > TEXT_LENGTH_MAX;
      length += value.length;
      if (length <= TEXT_LENGTH_MAX) return value;
      // Reported once, because all later variables are too long as well.
      if (!wasTooLong) problems.push({ code: 'too-long', variable: variable ?? '', offset });
      return whole;
    },
  );
  return { text: filled, problems };
}

/** `{name}` and `${name}`, or `[name]`. */
const NEAR = /(?<!\{)\$?\{([A-Za-z_]\w*)\}(?!\})|\[([A-Za-z_]\w*)\]/g;

/**
 * The first word in single braces, which no text needs, or in brackets that is a variable of the account: the forms of
 * variables in other programs.
 */
export function findNearPlaceholder(text: string, vars: ReadonlyMap<string, string>): FillProblem | null {
  if (!/[{[]/.test(text)) return null;
  for (const { 1: braced, 2: bracketed = '', index: offset } of text.matchAll(NEAR))
    if (braced !== undefined || vars.has(bracketed))
      return { code: 'looks-like-variable', variable: braced ?? bracketed, offset };
  return null;
}
