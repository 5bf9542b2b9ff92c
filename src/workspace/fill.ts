import { idShape } from '../domain/ids.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { error, type Finding, type Path } from './findings.ts';
import { didYouMean } from './suggest.ts';
import { placeInText, TEXT_LENGTH_MAX, tidyText } from './text.ts';
import type { TextFile } from './text-files.ts';
import { fillVariables, hasPlaceholder, type FillProblem } from './variables.ts';

/** Fills one account's variables into one resource, and collects the problems. */
export class Filler {
  readonly #alias: string;
  readonly #vars: ReadonlyMap<string, string>;
  readonly findings: Finding[] = [];
  /** Findings in text files, which have their own places. */
  readonly diagnostics: Diagnostic[] = [];
  /** True after a value depended on the account. */
  used = false;

  constructor(alias: string, vars: ReadonlyMap<string, string>) {
    this.#alias = alias;
    this.#vars = vars;
  }

  /** `text` is the value of `key` at `path`. */
  fill(text: string, path: Path, key: string | number): string {
    if (!hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    for (const trouble of filled.problems) {
      this.findings.push(error(trouble.code, [...path, key], this.#explain(trouble)));
    }
    return filled.text;
  }

  fillTextFile({ file, text }: TextFile): string {
    if (!hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    for (const trouble of filled.problems) {
      const place = placeInText(file, text, trouble.offset);
      this.diagnostics.push({
        severity: 'error',
        code: trouble.code,
        message: this.#explain(trouble),
        ...place,
      });
    }
    return tidyText(filled.text);
  }

  /** Fills an id. The result is checked here, because the shape has seen only the variable. */
  fillId(text: string, path: Path, key: string | number): string {
    const before = this.findings.length;
    const filled = this.fill(text, path, key);
    if (filled === text || this.findings.length > before || idShape.safeParse(filled).success) return filled;
    const message = `For account "${this.#alias}" this becomes "${filled}", which is not an id. Correct the variable.`;
    this.findings.push(error('invalid-id', [...path, key], message));
    return filled;
  }

  #explain({ code, variable }: FillProblem): string {
    if (code === 'variable-syntax')
      return 'Incomplete placeholder. Write {{name}}, or \\{{ for a literal "{{".';
    if (code === 'too-long')
      return `With the variables of account "${this.#alias}" this is longer than ${TEXT_LENGTH_MAX} characters. Shorten it, or accounts.${this.#alias}.vars.${variable}.`;
    const hint = didYouMean(variable, [...this.#vars.keys()]);
    return `Account "${this.#alias}" does not have the variable "${variable}". Set accounts.${this.#alias}.vars.${variable}.${hint}`;
  }
}
