import { TEXT_LENGTH_MAX } from './text.ts';

/** `{{name}}`, the escape `\{{`, or a `{{` that is neither. */
const PLACEHOLDER = /(\\)?\{\{(?:\s*([A-Za-z_]\w*)\s*\}\})?/g;

export interface FillProblem {
  readonly code: 'unset-variable' | 'variable-syntax' | 'too-long';
  /** The variable. Empty if the braces name none. */
  readonly variable: string;
  /** Its offset in the text. */
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
  let isTooLong = false;
  const filled = text.replace(
    PLACEHOLDER,
    (whole: string, escape: string | undefined, variable: string | undefined, offset: number) => {
      if (escape !== undefined) return whole.slice(1);
      const value = variable === undefined ? undefined : vars.get(variable);
      length += value?.length ?? 0;
      if (value !== undefined && length <= TEXT_LENGTH_MAX) return value;
      if (value !== undefined) {
        // Reported once, because all later variables are too long as well.
        if (!isTooLong) problems.push({ code: 'too-long', variable: variable ?? '', offset });
        isTooLong = true;
        return whole;
      }
      const code = variable === undefined ? 'variable-syntax' : 'unset-variable';
      problems.push({ code, variable: variable ?? '', offset });
      return whole;
    },
  );
  return { text: filled, problems };
}

/** Something that is sent as it is written, and looks like a variable. */
export interface NearPlaceholder {
  readonly written: string;
  readonly variable: string;
  readonly offset: number;
}

/** `{name}` and `${name}`, or `[name]`. */
const NEAR = /(?<!\{)\$?\{([A-Za-z_]\w*)\}(?!\})|\[([A-Za-z_]\w*)\]/g;

/** A text with many of them is not a mistake in each. The first of each form is enough. */
const NEAR_MAX = 20;

/**
 * Words in single braces, which no text needs, and words in brackets that are variables of the account: the forms of
 * variables in other programs.
 */
export function nearPlaceholders(
  text: string,
  vars: ReadonlyMap<string, string>,
): readonly NearPlaceholder[] {
  if (!/[{[]/.test(text)) return [];
  const found = new Map<string, NearPlaceholder>();
  for (const { 0: written, 1: braced, 2: bracketed = '', index: offset } of text.matchAll(NEAR)) {
    if (braced === undefined && !vars.has(bracketed)) continue;
    if (!found.has(written)) found.set(written, { written, variable: braced ?? bracketed, offset });
    if (found.size === NEAR_MAX) break;
  }
  return [...found.values()];
}
