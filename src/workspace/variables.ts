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
