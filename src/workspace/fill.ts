import { idShape } from '../domain/ids.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { problem, type Finding, type Path } from './findings.ts';
import { didYouMean } from './suggest.ts';
import { placeInText, TEXT_LENGTH_MAX, tidyText } from './text.ts';
import type { TextFile } from './text-files.ts';
import { fillVariables, hasPlaceholder, type FillProblem } from './variables.ts';

/** Fills one account's variables into one resource, and remembers what could not be filled. */
export class Filler {
  readonly #alias: string;
  readonly #vars: ReadonlyMap<string, string>;
  readonly findings: Finding[] = [];
  /** Findings within text files, which have places of their own. */
  readonly diagnostics: Diagnostic[] = [];
  /** True once anything depended on the account. */
  used = false;

  constructor(alias: string, vars: ReadonlyMap<string, string>) {
    this.#alias = alias;
    this.#vars = vars;
  }

  /** `text` stands at `key` below `path`. */
  fill(text: string, path: Path, key: string | number): string {
    if (!hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    for (const trouble of filled.problems) {
      this.findings.push(problem(trouble.code, [...path, key], this.#explain(trouble)));
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

  /** An id that a variable stands for is looked at only now. */
  fillId(text: string, path: Path, key: string | number): string {
    const before = this.findings.length;
    const filled = this.fill(text, path, key);
    if (filled === text || this.findings.length > before || idShape.safeParse(filled).success) return filled;
    const message = `On account "${this.#alias}" this becomes "${filled}", which is no id: correct the variable.`;
    this.findings.push(problem('invalid-id', [...path, key], message));
    return filled;
  }

  #explain({ code, variable }: FillProblem): string {
    if (code === 'variable-syntax')
      return '"{{" names no variable here: write {{name}}, or \\{{ for a literal "{{".';
    if (code === 'too-long')
      return `With the variables of account "${this.#alias}" this is longer than ${TEXT_LENGTH_MAX} characters: shorten it, or accounts.${this.#alias}.vars.${variable}.`;
    const hint = didYouMean(variable, [...this.#vars.keys()]);
    return `Account "${this.#alias}" has no variable "${variable}": set accounts.${this.#alias}.vars.${variable}.${hint}`;
  }
}
