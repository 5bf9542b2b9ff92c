import { idShape } from '../domain/ids.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { SourcePlace } from '../domain/resource.ts';
import { error, warning, type Finding, type Path } from './findings.ts';
import type { Suggestions } from './suggest.ts';
import { TEXT_LENGTH_MAX, tidyText } from './text.ts';
import { TextPlaces } from './text-places.ts';
import type { TextFile } from './text-files.ts';
import {
  fillVariables,
  hasPlaceholder,
  nearPlaceholders,
  type FillProblem,
  type NearPlaceholder,
} from './variables.ts';

/** What becomes of the texts of one resource. */
export interface Fills {
  readonly findings: Finding[];
  fill(text: string, path: Path, key: string | number): string;
  fillMessage(text: string, path: Path): string;
  fillTextFile(file: TextFile): string;
  fillId(text: string, path: Path, key: string | number): string;
  fillMediaId(text: string, path: Path, key: string | number): string;
}

/** Leaves the variables as they are written. */
export class AsWritten implements Fills {
  readonly findings: Finding[] = [];
  readonly fill = (text: string): string => text;
  readonly fillId = (text: string): string => text;
  readonly fillMediaId = (text: string): string => text;
  readonly fillMessage = (text: string): string => tidyText(text);
  readonly fillTextFile = ({ text }: TextFile): string => tidyText(text);
}

/** Fills one account's variables into one resource, and collects the problems. */
export class Filler implements Fills {
  readonly #alias: string;
  readonly #vars: ReadonlyMap<string, string>;
  readonly #suggestions: Suggestions;
  readonly findings: Finding[] = [];
  /** Findings in text files, which have their own places. */
  readonly diagnostics: Diagnostic[] = [];
  /** True after a value depended on the account. */
  used = false;

  constructor(alias: string, vars: ReadonlyMap<string, string>, suggestions: Suggestions) {
    this.#alias = alias;
    this.#vars = vars;
    this.#suggestions = suggestions;
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

  /** The text of a message. Braces or brackets around one word may be meant as a variable. */
  fillMessage(text: string, path: Path): string {
    for (const near of nearPlaceholders(text, this.#vars))
      this.findings.push(warning('looks-like-variable', [...path, 'text'], explainNear(near)));
    return tidyText(this.fill(text, path, 'text'));
  }

  fillTextFile({ file, text }: TextFile): string {
    const near = nearPlaceholders(text, this.#vars);
    if (near.length > 0) {
      const places = new TextPlaces(file, text);
      for (const one of near)
        this.#tell('warning', 'looks-like-variable', explainNear(one), places.at(one.offset));
    }
    if (!hasPlaceholder(text)) return text;
    this.used = true;
    const filled = fillVariables(text, this.#vars);
    if (filled.problems.length > 0) {
      const places = new TextPlaces(file, text);
      for (const trouble of filled.problems)
        this.#tell('error', trouble.code, this.#explain(trouble), places.at(trouble.offset));
    }
    return tidyText(filled.text);
  }

  #tell(severity: Diagnostic['severity'], code: DiagnosticCode, message: string, place: SourcePlace): void {
    this.diagnostics.push({ severity, code, message, ...place });
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
    const before = this.findings.length;
    const filled = this.fill(text, path, key);
    if (filled === text || this.findings.length > before || isId(filled)) return filled;
    const message = `For account "${this.#alias}" this becomes "${filled}", which is not an id. Correct the variable.`;
    this.findings.push(error('invalid-id', [...path, key], message));
    return filled;
  }

  #explain({ code, variable }: FillProblem): string {
    if (code === 'variable-syntax')
      return 'Incomplete placeholder. Write {{name}}, or \\{{ for a literal "{{".';
    if (code === 'too-long')
      return `With the variables of account "${this.#alias}" this is longer than ${TEXT_LENGTH_MAX} characters. Shorten it, or accounts.${this.#alias}.vars.${variable}.`;
    const hint = this.#suggestions.didYouMean(variable, [...this.#vars.keys()]);
    return `Account "${this.#alias}" does not have the variable "${variable}". Set accounts.${this.#alias}.vars.${variable}.${hint}`;
  }
}

function explainNear({ written, variable }: NearPlaceholder): string {
  return `${written} is sent as it is written. If you mean a variable, write {{${variable}}}.`;
}
