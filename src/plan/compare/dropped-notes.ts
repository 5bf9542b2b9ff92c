import type { DiagnosticCode } from '../../domain/codes.ts';
import type { Dropped } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { isCreatable } from '../../domain/live-defaults.ts';
import type { Declared } from '../../domain/resource.ts';
import { warning, type Decision } from '../decision.ts';

/**
 * Warns of what is set on the service and in no file. Only what a file says is compared, so nothing is done for it; but
 * a replace makes the new version from the file alone.
 */
export function sayDropped({ changes, diagnostics }: Decision, declared: Declared): Decision {
  const warnings = changes.flatMap(({ action, dropped }) => {
    if (dropped.length === 0) return [];
    return action === 'keep'
      ? warningsOf(declared, dropped, 'not-in-file', 'A replace would drop it.')
      : warningsOf(declared, dropped, 'dropped', 'The new version is created without it.');
  });
  return { changes, diagnostics: [...diagnostics, ...warnings] };
}

function warningsOf(
  declared: Declared,
  dropped: readonly Dropped[],
  code: DiagnosticCode,
  effect: string,
): readonly Diagnostic[] {
  const say = (some: readonly Dropped[], next: string) => {
    if (some.length === 0) return [];
    const values = some.map(({ path, live }) => `${path} ${canonical(live)}`).join(', ');
    return [warning(declared, code, `${values}: set on the service and not in the file. ${effect} ${next}`)];
  };
  const writable = dropped.filter(({ path }) => isCreatable(declared.kind, path));
  const others = dropped.filter((one) => !writable.includes(one));
  return [
    ...say(writable, `To keep it, add it to the file, or run: ${formatCommand('import', '--update')}.`),
    ...say(others, 'A file cannot have it. After a replace, set it again on the service.'),
  ];
}
