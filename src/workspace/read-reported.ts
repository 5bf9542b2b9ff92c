import { hasCode } from '../domain/herald-error.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { type Files } from '../domain/ports.ts';
import type { Report } from './findings.ts';

/** The text of a file. Null if it cannot be read, which is reported. */
export async function readReported(
  files: Files,
  file: string,
  missingCode: DiagnosticCode,
  missingAdvice: string,
  report: Report,
): Promise<string | null> {
  try {
    return await files.readText(file);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const detail = cause instanceof Error ? cause.message : String(cause);
    const place = { file, line: 1, column: 1 };
    // A file that is missing has no lines.
    if (isMissing) report.add({ severity: 'error', code: missingCode, message: missingAdvice, file });
    else if (hasCode(cause, 'path-outside'))
      report.add({ severity: 'error', code: 'path-outside', message: detail, ...place });
    else {
      const message = `Cannot read this file: ${fileProblem(cause)}. Check it and its permissions.`;
      report.add({ severity: 'error', code: 'file-unreadable', message, ...place });
    }
    return null;
  }
}
