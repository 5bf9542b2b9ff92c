import type { DiagnosticCode, WarningCode } from '../domain/codes.ts';
import { joined, shown, type Visible } from '../domain/visible.ts';

/** `warning: code: message`, for a warning that is printed at once and has no place in a file. */
export function warningLine(code: WarningCode | DiagnosticCode, message: Visible): Visible {
  return joined([shown`warning: ${code}: `, message], '');
}
