import type { DiagnosticCode } from '../domain/codes.ts';
import { idShape } from '../domain/ids.ts';
import type { SourcePlace } from '../domain/resource.ts';
import { Findings, type Path, type Report } from './findings.ts';
import type { TextFile } from './outside.ts';
import type { Suggestions } from './suggest.ts';
import { TEXT_LENGTH_MAX, TextPlaces, tidyText } from './text.ts';
import {
  fillVariables,
  hasPlaceholder,
  nearPlaceholders,
  type FillProblem,
  type NearPlaceholder,
} from './variables.ts';

/** Fills one account's variables into one resource, and collects the problems. */
export class Filler {
  readonly #alias: string;
  /** Null leaves them as they are written. */
  readonly #vars: ReadonlyMap<string, string> | null;
  readonly #suggestions: Suggestions;
  readonly #report: Report;
  readonly found = new Findings();
  /** True after a value depended on the account. */
  used = false;

  constructor(
    alias: string,
    vars: ReadonlyMap<string, string> | null,
    suggestions: Suggestions,
    report: Report,
  ) {
    this.#alias = alias;
    this.#vars = vars;
    this.#suggestions = suggestions;
    this.#report = report;
  }

  /** `text` is the value of `key` at `path`. */
  fill(text: string, path: Path, key: string | number): string {
    if (this.#vars === null || !hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    for (const problem of filled.problems)
      this.found.error(problem.code, [...path, key], this.#explain(problem, this.#vars));
    return filled.text;
  }

  /** The text of a message. Braces or brackets around one word may be meant as a variable. */
  fillMessage(text: string, path: Path): string {
    for (const near of this.#vars === null ? [] : nearPlaceholders(text, this.#vars))
      this.found.warning('looks-like-variable', [...path, 'text'], explainNear(near));
    return tidyText(this.fill(text, path, 'text'));
  }

  /** A text file has places of its own. */
  fillTextFile({ file, text }: TextFile): string {
    const vars = this.#vars;
    if (vars === null) return text;
    const near = nearPlaceholders(text, vars);
    const filled = fillVariables(text, vars);
    if (hasPlaceholder(text)) this.used = true;
    if (near.length + filled.problems.length === 0) return tidyText(filled.text);
    const places = new TextPlaces(file, text);
    for (const one of near)
      this.#tell('warning', 'looks-like-variable', explainNear(one), places.at(one.offset));
    for (const problem of filled.problems)
      this.#tell('error', problem.code, this.#explain(problem, vars), places.at(problem.offset));
    return tidyText(filled.text);
  }

  #tell(severity: 'error' | 'warning', code: DiagnosticCode, message: string, place: SourcePlace): void {
    this.#report.add({ severity, code, message, ...place });
  }

  /** Fills an id. The result is checked here, because the shape has seen only the variable. */
  fillId(text: string, path: Path, key: string | number): string {
    return this.#fillAsId(text, path, key, (filled) => idShape.safeParse(filled).success);
  }

  /** Fills the id of media, which may be any text without spaces (CONTENT-8). */
  fillMediaId(text: string, path: Path, key: string | number): string {
    return this.#fillAsId(text, path, key, (filled) => /^\S+$/.test(filled));
  }

  #fillAsId(text: string, path: Path, key: string | number, isId: (filled: string) => boolean): string {
    const before = this.found.list.length;
    const filled = this.fill(text, path, key);
    if (filled === text || this.found.list.length > before || isId(filled)) return filled;
    const message = `For account "${this.#alias}" this becomes "${filled}", which is not an id. Correct the variable.`;
    this.found.error('invalid-id', [...path, key], message);
    return filled;
  }

  #explain({ code, variable }: FillProblem, vars: ReadonlyMap<string, string>): string {
    if (code === 'variable-syntax')
      return 'Incomplete placeholder. Write {{name}}, or \\{{ for a literal "{{".';
    if (code === 'too-long')
      return `With the variables of account "${this.#alias}" this is longer than ${TEXT_LENGTH_MAX} characters. Shorten it, or accounts.${this.#alias}.vars.${variable}.`;
    const hint = this.#suggestions.didYouMean(variable, [...vars.keys()]);
    return `Account "${this.#alias}" does not have the variable "${variable}". Set accounts.${this.#alias}.vars.${variable}.${hint}`;
  }
}

function explainNear({ written, variable }: NearPlaceholder): string {
  return `${written} is sent as it is written. If you mean a variable, write {{${variable}}}.`;
}
