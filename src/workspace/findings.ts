import type { DiagnosticCode } from '../domain/codes.ts';
import { compareDiagnostics, type Diagnostic } from '../domain/diagnostic.ts';
import type { SourcePlace } from '../domain/resource.ts';

/** Keys and indexes from a starting point down to one value. */
export type Path = readonly (string | number)[];

/** Whether the key itself is meant or what stands behind it. */
export type Spot = 'key' | 'value';

/** Something to say about a value, before its line and column are looked up. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly path: Path;
  readonly at: Spot;
}

export function problem(code: DiagnosticCode, path: Path, message: string, at: Spot = 'value'): Finding {
  return { severity: 'error', code, message, path, at };
}

export function caution(code: DiagnosticCode, path: Path, message: string, at: Spot = 'value'): Finding {
  return { severity: 'warning', code, message, path, at };
}

/** A file that knows where its values stand. */
export interface Placed {
  placeOf(path: Path, at?: Spot): SourcePlace;
}

/** Collects what is wrong in all files, so that everything is said at once. */
export class Report {
  readonly #diagnostics: Diagnostic[] = [];

  add(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic);
  }

  /** One by one: a file may have more of them than a call takes arguments. */
  addAll(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.add(diagnostic);
  }

  /** Looks up the places of findings whose paths start at `base`. */
  addFindings(source: Placed, base: Path, findings: readonly Finding[]): void {
    for (const { severity, code, message, path, at } of findings) {
      const place = source.placeOf([...base, ...path], at);
      this.#diagnostics.push({ severity, code, message, ...place });
    }
  }

  get hasErrors(): boolean {
    return this.#diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  }

  /** Sorted, each once: a value behind an alias is met as often as it is used. */
  sorted(): Diagnostic[] {
    const sorted = this.#diagnostics.toSorted(compareDiagnostics);
    return sorted.filter((diagnostic, index) => {
      const before = sorted[index - 1];
      return before === undefined || compareDiagnostics(before, diagnostic) !== 0;
    });
  }
}
