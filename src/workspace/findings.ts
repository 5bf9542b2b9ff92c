import type { DiagnosticCode } from '../domain/codes.ts';
import { compareDiagnostics, type Diagnostic } from '../domain/diagnostic.ts';
import type { SourcePlace } from '../domain/resource.ts';

export type Path = readonly (string | number)[];

export type Spot = 'key' | 'value';

/** A finding about a value, before its line and column are looked up. */
interface Finding extends Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  readonly path: Path;
  readonly at: Spot;
}

/** Takes what is wrong in one part of a file. Paths start at that part. */
export class Findings {
  readonly #take: (finding: Finding) => void;

  constructor(take: (finding: Finding) => void) {
    this.#take = take;
  }

  error(code: DiagnosticCode, path: Path, message: string, at: Spot = 'value'): void {
    this.#take({ severity: 'error', code, message, path, at });
  }

  warning(code: DiagnosticCode, path: Path, message: string, at: Spot = 'value'): void {
    this.#take({ severity: 'warning', code, message, path, at });
  }
}

/** Collects the problems of all files, so that they are reported together. */
export class Report {
  readonly #diagnostics: Diagnostic[] = [];

  /** A file that is missing has a place without lines. */
  error(code: DiagnosticCode, message: string, place: { readonly file: string }): void {
    this.#diagnostics.push({ severity: 'error', code, message, ...place });
  }

  warning(code: DiagnosticCode, message: string, place: { readonly file: string }): void {
    this.#diagnostics.push({ severity: 'warning', code, message, ...place });
  }

  /** Adds them one by one, because a call cannot take that many arguments. */
  addAll(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#diagnostics.push(diagnostic);
  }

  /** For the findings below one value of a file. */
  within(source: { placeOf(path: Path, at: Spot): SourcePlace }, base: Path): Findings {
    return new Findings(({ severity, code, message, path, at }) => {
      this.#diagnostics.push({ severity, code, message, ...source.placeOf([...base, ...path], at) });
    });
  }

  get hasErrors(): boolean {
    return this.#diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  }

  /** Sorted and distinct. Several accounts of one resource have the same findings. */
  sorted(): Diagnostic[] {
    const sorted = this.#diagnostics.toSorted(compareDiagnostics);
    return sorted.filter((diagnostic, index) => {
      const before = sorted[index - 1];
      return before === undefined || compareDiagnostics(before, diagnostic) !== 0;
    });
  }
}
