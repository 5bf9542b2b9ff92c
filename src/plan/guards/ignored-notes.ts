import type { ChangeKind } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { LiveId } from '../../domain/ids.ts';
import type { Declared } from '../../domain/resource.ts';
import { warning, type Decision } from '../decision.ts';
import type { Member } from '../member.ts';

/**
 * What is to be known about ignored differences: a new version sends the file's values for them, too, and
 * what is switched on goes out with its own.
 *
 * | change            | said                                   |
 * |-------------------|----------------------------------------|
 * | replace           | the file's values take their place     |
 * | activate, resume  | it goes out as it is                   |
 * | keep, done        | a note                                 |
 * | anything else     | nothing: it does not matter            |
 */
export function sayIgnored(
  { changes, diagnostics }: Decision,
  declared: Declared,
  group: readonly Member[],
): Decision {
  if (declared.ignore.length === 0) return { changes, diagnostics };
  const ignoredOn = new Map(group.map(({ id, comparison }) => [id, ignoredIn(comparison)]));
  const notes: Diagnostic[] = [];
  const told = changes.map((change) => {
    const paths = (ignoredOn.get(change.live_id ?? '') ?? []).join(', ');
    const reason = paths === '' ? undefined : REASONS[change.action]?.(paths);
    if (paths !== '' && KEPT.includes(change.action)) notes.push(note(declared, change.live_id, paths));
    return reason === undefined ? change : { ...change, reasons: [...change.reasons, reason] };
  });
  return { changes: told, diagnostics: [...diagnostics, ...notes] };
}

const KEPT: readonly ChangeKind[] = ['keep', 'done'];

const REASONS: Partial<Record<ChangeKind, (paths: string) => string>> = {
  replace: (paths) => `The new version takes the file's value also where a difference is ignored: ${paths}.`,
  activate: (paths) => `It goes out as it is; ignored differences: ${paths}.`,
  resume: (paths) => `It goes out as it is; ignored differences: ${paths}.`,
};

function ignoredIn(comparison: Member['comparison']): readonly string[] {
  return comparison.verdict === 'unknowable' ? [] : comparison.ignored.map(({ path }) => path);
}

function note(declared: Declared, liveId: LiveId | null, paths: string): Diagnostic {
  const message = `${paths}: ${liveId ?? 'the live object'} differs from the file here, but \`ignore\` has this field, so Herald does not change it.`;
  return { ...warning(declared, 'ignored', message), severity: 'info' };
}
