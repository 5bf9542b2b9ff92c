import { idShape } from '../domain/ids.ts';
import { Findings, type Path, type Report } from './findings.ts';
import type { TextFile } from './outside.ts';
import { TEXT_LENGTH_MAX, TextPlaces, tidyText } from './text.ts';
import { fillVariables, findNearPlaceholder, hasPlaceholder, type FillProblem } from './variables.ts';

/** Fills one account's variables into one resource, and collects the problems. */
export class Filler {
  readonly #alias: string;
  /** Null leaves them as they are written. */
  readonly #vars: ReadonlyMap<string, string> | null;
  readonly #report: Report;
  readonly found = new Findings();
  /** True after a value depended on the account. */
  used = false;

  constructor(alias: string, vars: ReadonlyMap<string, string> | null, report: Report) {
    this.#alias = alias;
    this.#vars = vars;
    this.#report = report;
  }

  /** `text` is the value at `path`. */
  fill(text: string, path: Path): string {
    return this.#fill(text, (problem) => this.found.error(problem.code, path, this.#explain(problem)));
  }

  /** The text of a message. Braces or brackets around one word may be meant as a variable. */
  fillMessage(text: string, path: Path): string {
    const near = this.#vars === null ? null : findNearPlaceholder(text, this.#vars);
    if (near !== null) this.found.warning(near.code, path, this.#explain(near));
    return tidyText(this.fill(text, path));
  }

  /** A text file has places of its own. */
  fillTextFile({ file, text }: TextFile): string {
    const placeOf = ({ offset }: FillProblem) => new TextPlaces(file, text).at(offset);
    const near = this.#vars === null ? null : findNearPlaceholder(text, this.#vars);
    if (near !== null) this.#report.warning(near.code, this.#explain(near), placeOf(near));
    const filled = this.#fill(text, (problem) =>
      this.#report.error(problem.code, this.#explain(problem), placeOf(problem)),
    );
    return tidyText(filled);
  }

  #fill(text: string, tell: (problem: FillProblem) => void): string {
    if (this.#vars === null || !hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    filled.problems.forEach(tell);
    return filled.text;
  }

  /** Fills an id. The result is checked here, because the shape has seen only the variable. */
  fillId(text: string, path: Path): string {
    return this.#fillAs('an id', text, path, (filled) => idShape.safeParse(filled).success);
  }

  /** Fills the id of media, which may be any text without spaces (CONTENT-8). */
  fillMediaId(text: string, path: Path): string {
    return this.#fillAs('an id', text, path, (filled) => /^\S+$/.test(filled));
  }

  /** Fills a link, and checks its form. Only the service knows the host of the platform, and takes 2048 characters (VAULT-16). */
  fillLink(text: string, path: Path): string {
    return this.#fillAs('a link such as https://HOST/NAME', text, path, (filled) =>
      /^https?:\/\/\S{1,2040}$/.test(filled),
    );
  }

  #fillAs(what: string, text: string, path: Path, isRight: (filled: string) => boolean): string {
    const before = this.found.list.length;
    const filled = this.fill(text, path);
    if (this.#vars === null || this.found.list.length > before || isRight(filled)) return filled;
    const message = `For account "${this.#alias}" this is "${filled}", which is not ${what}. Correct it, or its variable.`;
    this.found.error('invalid-id', path, message);
    return filled;
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
