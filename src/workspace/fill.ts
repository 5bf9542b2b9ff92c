import { idShape } from '../domain/ids.ts';
import { Findings, type Path, type Report } from './findings.ts';
import type { TextFile } from './outside.ts';
import { hasPlaceholder, TEXT_LENGTH_MAX, TextPlaces, tidyText } from './text.ts';

/** What a value with variables must be once they are filled in. */
interface Part {
  readonly isRight?: (filled: string) => boolean;
  readonly what?: string;
  /** Belongs to one account (CONTENT-14). Files are uploaded to each account. */
  readonly shared?: 'shared-attachment' | 'shared-list';
}

const TEXT: Part = {};
const ID: Part = { what: 'an id', isRight: (filled) => idShape.safeParse(filled).success };

/** The values that may have variables, by their last two keys. */
const PARTS: Readonly<Record<string, Part>> = {
  'messages.text': TEXT,
  'messages.tagged_platform_account_ids': ID,
  // It may be any text without spaces (CONTENT-8).
  'attachments.id': {
    what: 'an id',
    isRight: (filled) => /^\S+$/.test(filled),
    shared: 'shared-attachment',
  },
  'attachments.type': TEXT,
  // Only the service knows the host of the platform, and takes 2048 characters (VAULT-16).
  'attachments.fan': {
    what: 'a link such as https://HOST/NAME',
    isRight: (filled) => /^https?:\/\/\S{1,2040}$/.test(filled),
  },
  'attachments.export_fan_id': ID,
  'attachments.rf_guest': ID,
  'attachments.rf_partner': ID,
  'attachments.rf_tag': ID,
  'lists.name': TEXT,
  'lists.id': { ...ID, shared: 'shared-list' },
};

const SHARED_ID =
  'This id belongs to one account, but the resource has several. Set a variable for each account, and write "{{variable}}".';

/** Fills one account's variables into one resource, and collects the problems. */
export class Filler {
  readonly #alias: string;
  /** Null leaves them as they are written. */
  readonly #vars: ReadonlyMap<string, string> | null;
  readonly #isShared: boolean;
  readonly #report: Report;
  readonly found = new Findings();
  /** True after a value depended on the account. */
  used = false;

  constructor(alias: string, vars: ReadonlyMap<string, string> | null, isShared: boolean, report: Report) {
    this.#alias = alias;
    this.#vars = vars;
    this.#isShared = isShared;
    this.#report = report;
  }

  /** A copy of the value at `path`, with the variables of all its parts filled in. */
  fill<Value>(value: Value, path: Path): Value;
  fill(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return this.#fillPart(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.fill<unknown>(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const filled: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) filled[key] = this.fill(member, [...path, key]);
    return filled;
  }

  /** A text file has places of its own. */
  fillTextFile({ file, text }: TextFile): string {
    const placeOf = ({ offset }: FillProblem) => new TextPlaces(file, text).at(offset);
    const near = this.#findNear(text);
    if (near !== null) this.#report.warning(near.code, this.#explain(near), placeOf(near));
    const filled = this.#fillText(text, (problem) =>
      this.#report.error(problem.code, this.#explain(problem), placeOf(problem)),
    );
    return tidyText(filled);
  }

  #fillPart(text: string, path: Path): string {
    const name = path
      .filter((step) => typeof step === 'string')
      .slice(-2)
      .join('.');
    const part = PARTS[name];
    if (part === undefined) return text;
    const { isRight, what, shared } = part;
    if (this.#isShared && shared !== undefined && !hasPlaceholder(text))
      this.found.error(shared, path, SHARED_ID);
    const isMessage = name === 'messages.text';
    const near = isMessage ? this.#findNear(text) : null;
    if (near !== null) this.found.warning(near.code, path, this.#explain(near));
    const before = this.found.list.length;
    const filled = this.#fillText(text, (problem) =>
      this.found.error(problem.code, path, this.#explain(problem)),
    );
    const isFilled = this.#vars !== null && this.found.list.length === before;
    // The shape has seen only the variable.
    if (isFilled && isRight !== undefined && !isRight(filled)) {
      const message = `For account "${this.#alias}" this is "${filled}", which is not ${what}. Correct it, or its variable.`;
      this.found.error('invalid-id', path, message);
    }
    return isMessage ? tidyText(filled) : filled;
  }

  /** Braces or brackets around one word may be meant as a variable. */
  #findNear(text: string): FillProblem | null {
    return this.#vars === null ? null : findNearPlaceholder(text, this.#vars);
  }

  #fillText(text: string, tell: (problem: FillProblem) => void): string {
    if (this.#vars === null || !hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    filled.problems.forEach(tell);
    return filled.text;
  }

  #explain({ code, variable }: FillProblem): string {
    const place = `accounts.${this.#alias}.vars.${variable}`;
    if (code === 'looks-like-variable')
      return `"${variable}" in single braces or brackets is sent as it is written. If you mean a variable, write {{${variable}}}.`;
    if (code === 'variable-syntax')
      return 'Incomplete placeholder. Write {{name}}, or \\{{ for a literal "{{".';
    if (code === 'too-long')
      return `With the variables of account "${this.#alias}" this is longer than ${TEXT_LENGTH_MAX} characters. Shorten it, or ${place}.`;
    return `Account "${this.#alias}" does not have the variable "${variable}". Set ${place}, or correct the name.`;
  }
}

/** `{{name}}`, the escape `\{{`, or a `{{` that is neither. */
const PLACEHOLDER = /(\\)?\{\{(?:\s*([A-Za-z_]\w*)\s*\}\})?/g;

/** Something wrong or odd in a text with variables, at an offset. */
interface FillProblem {
  readonly code: 'unset-variable' | 'variable-syntax' | 'too-long' | 'looks-like-variable';
  /** The variable. Empty if the braces name none. */
  readonly variable: string;
  readonly offset: number;
}

/** Fills an account's variables into a text. `\{{` becomes a literal `{{`. */
export function fillVariables(
  text: string,
  vars: ReadonlyMap<string, string>,
): { readonly text: string; readonly problems: readonly FillProblem[] } {
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
function findNearPlaceholder(text: string, vars: ReadonlyMap<string, string>): FillProblem | null {
  if (!/[{[]/.test(text)) return null;
  for (const { 1: braced, 2: bracketed = '', index: offset } of text.matchAll(NEAR))
    if (braced !== undefined || vars.has(bracketed))
      return { code: 'looks-like-variable', variable: braced ?? bracketed, offset };
  return null;
}
