import type { Allowance } from '../domain/allowance.ts';
import type { Change, ChangeKind, FieldDifference } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { contentDigest } from '../domain/media.ts';
import type { Declared } from '../domain/resource.ts';
import { statusOf, STATUS_TRAITS } from '../domain/status.ts';
import { warning, type Decision } from './decision.ts';
import type { Member } from './member.ts';

/**
 * Never replaces twice in succession for the same field (CONTENT-23). If Herald created a live object from the file's
 * present content and it differs, the service or a person changed it; no field tells which.
 *
 * | the version that it replaced               | the object          |
 * |--------------------------------------------|---------------------|
 * | was made from the same content, and        | counts as equal, and |
 * | differs in every one of these fields       | a warning names them |
 * | anything else                              | is replaced          |
 *
 * If another running one is equal, it stays another version.
 */
export function leaveWhatDiffersAgain(
  declared: Declared,
  group: readonly Member[],
  allow: ReadonlySet<Allowance>,
): readonly Member[] {
  if (allow.has('replace') || !group.some(mayBeLeft)) return group;
  if (group.some((member) => runs(member) && member.comparison.verdict === 'equal')) return group;
  const content = contentDigest(declared.content);
  const made = group.filter(({ known }) => known?.contentDigest === content);
  return group.map((member) => {
    const { comparison } = member;
    if (comparison.verdict !== 'different' || !made.includes(member) || !mayBeLeft(member)) return member;
    const before = made.filter(({ known }) => known?.supersededBy === member.id);
    if (!comparison.fields.every((field) => before.some((old) => differedIn(field, old)))) return member;
    const { unverifiable, ignored, fields } = comparison;
    return { ...member, comparison: { verdict: 'equal', unverifiable, ignored }, again: fields };
  });
}

/** The latest version, as far as the ledger knows: a person may have gone back to an older one. */
function mayBeLeft({ comparison, known }: Member): boolean {
  return comparison.verdict === 'different' && known !== null && known.supersededBy === null;
}

function runs({ observed: { live } }: Member): boolean {
  const { runs: isRunning, goingOut } = STATUS_TRAITS[statusOf(live)];
  return isRunning && !goingOut;
}

function differedIn({ path, old }: FieldDifference, { comparison }: Member): boolean {
  if (comparison.verdict !== 'different') return false;
  return comparison.fields.some(
    (field) =>
      // The time is not part of the content, so the file may have changed it. Only the same time shows that it returned.
      field.path === path && (path !== 'scheduled_at' || canonical(field.old) === canonical(old)),
  );
}

/**
 * What a person has to know if an object differs although its file is as it was when Herald created the object.
 *
 * | change                       | said                                             |
 * |------------------------------|--------------------------------------------------|
 * | keep, done, activate, resume | a warning: it is left as it is, and both ways on |
 * | replace                      | who may have changed it                          |
 * | anything else                | nothing: it does not matter                      |
 */
export function warnOfLiveEdit(
  { changes, diagnostics }: Decision,
  declared: Declared,
  group: readonly Member[],
): Decision {
  const concerned = new Map(group.filter(isConcerned).map((member) => [member.id, member]));
  if (concerned.size === 0) return { changes, diagnostics };
  const warnings: Diagnostic[] = [];
  const told = changes.map((change): Change => {
    const member = concerned.get(change.live_id ?? '');
    if (member === undefined) return change;
    if (member.again.length > 0 && LEFT.includes(change.action)) {
      warnings.push(warning(declared, DIFFERS_AGAIN, leftWords(member)));
      return { ...change, fields: [...change.fields, ...member.again] };
    }
    if (change.action !== 'replace' || member.known?.contentDigest !== contentDigest(declared.content))
      return change;
    return { ...change, reasons: [...change.reasons, changedWords(member)] };
  });
  return { changes: told, diagnostics: [...diagnostics, ...warnings] };
}

/** The finding about what is left as it is. */
export const DIFFERS_AGAIN = 'differs-again';

const LEFT: readonly ChangeKind[] = ['keep', 'done', 'activate', 'resume'];

function isConcerned({ comparison, known, again }: Member): boolean {
  return again.length > 0 || (comparison.verdict === 'different' && known?.contentDigest != null);
}

function leftWords({ id, again }: Member): string {
  const shown = again.map(({ path, old }) => `${path} ${canonical(old ?? null)}`).join(', ');
  return `${id} has ${shown}, which differs from the file. Herald replaced it once for this, and it differs again: the service rewrites it, or a person edits it. Herald does not replace it a second time. To accept it: ${formatCommand('import', '--update')}. To replace it again: ${formatCommand('apply', '--allow', 'replace')}.`;
}

function changedWords({ id }: Member): string {
  return `The file is the same as when Herald created ${id}, so the service or a person has changed it since. If the new version differs again, Herald does not replace it again.`;
}
