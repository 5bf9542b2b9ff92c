import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import type { Annotation } from '../domain/ports.ts';

/** GitHub shows this many of each level for a step. */
const EACH_LEVEL_MAX = 10;

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<
  PrintedDiagnostic['severity'],
  Annotation['level']
>;

/** Findings on their lines, the worst first. */
export function findingAnnotations(diagnostics: readonly PrintedDiagnostic[]): readonly Annotation[] {
  const found = new Map<string, Annotation>();
  for (const { severity, code, message, address, file, line, column = 1 } of diagnostics) {
    const about = address === undefined || file !== undefined ? '' : `${address}: `;
    const place = file === undefined || line === undefined ? null : { file, line, column };
    const annotation = { level: LEVELS[severity], title: code, message: about + message, place };
    found.set(JSON.stringify(annotation), annotation);
  }
  return Object.values(LEVELS).flatMap((level) =>
    [...found.values()].filter((one) => one.level === level).slice(0, EACH_LEVEL_MAX),
  );
}
