import type { Change, FieldDifference } from '../../../domain/change.ts';
import { formatCommand } from '../../../domain/command-line.ts';
import { canonical } from '../../../domain/digest.ts';
import { isStopped } from '../../../domain/status.ts';
import { change, digestDifference, starts, unlessBlocked, type Decision } from './decision.ts';
import { isStoppedByHerald, stopWords, type Group, type GroupFacts, type Version } from './group.ts';

/** Stops of people that `--allow resume` undoes here, in words. Empty without it. */
export function resumedWords(versions: readonly (Version | null)[], facts: GroupFacts): readonly string[] {
  if (!facts.allow.has('resume')) return [];
  const undone = [...new Set(versions)].filter(
    (version) => version !== null && isStopped(version.observed.live) && !isStoppedByHerald(version, facts),
  );
  if (undone.length === 0) return [];
  return [
    ...undone.flatMap((version) => (version === null ? [] : [stopWords(version, facts)])),
    'Allowed by --allow resume.',
  ];
}

/** A start that a person's stop holds back: what would be done with `--allow resume`, blocked. */
export function needingResume(
  stopped: Version | null,
  ways: readonly string[],
  facts: GroupFacts,
  decide: (facts: GroupFacts) => Decision,
): Decision {
  const wished = decide({ ...facts, allow: new Set([...facts.allow, 'resume' as const]) });
  const start = wished.changes.find(
    (one) => starts(one) || (one.action === 'blocked' && one.needs.length > 0),
  );
  // It is blocked, missed or done for another reason.
  if (start === undefined) return wished;
  const words = stopped === null ? [] : [stopWords(stopped, facts)];
  const needs = [...new Set([...start.needs, 'resume' as const])].toSorted();
  const would = start.action === 'blocked' ? 'start' : start.action;
  const wanted: Change = {
    ...start,
    action: 'blocked',
    live_id: start.live_id ?? stopped?.id ?? null,
    reasons: [
      ...start.reasons.filter(
        (reason) => !words.includes(reason) && !/^(?:Allowed by|With) --allow/.test(reason),
      ),
      ...words,
      ...ways,
      `With ${needs.map((need) => `--allow ${need}`).join(' and ')}, Herald would ${would} it.`,
    ],
    steps: [],
    needs,
    reversible: true,
    undo: '',
  };
  return { changes: [wanted], diagnostics: wished.diagnostics.filter(({ severity }) => severity !== 'info') };
}

/** A replace for the difference that the last version of the name was replaced for; null if it is another one. */
export function differsAgain(
  { declared, rows }: Group,
  version: Version,
  fields: readonly FieldDifference[],
  facts: GroupFacts,
): Change | null {
  const replaced = rows.filter(({ replaced_for: why }) => why !== null);
  const last = replaced.toSorted((left, right) => left.first_seq - right.first_seq).at(-1);
  if (last === undefined || last.replaced_for !== digestDifference(fields) || facts.allow.has('replace'))
    return null;
  const shown = fields.map(({ path, old }) => `${path} ${canonical(old ?? null)}`).join(', ');
  const paths = fields.map(({ path }) => path).join(', ');
  const reason = `${version.id} has ${shown}, which differs from the file. Herald replaced ${last.live_id} for this, and it differs again: the service rewrites it, or a person edits it. Herald does not replace it a second time. To accept it: ${formatCommand('import', '--update')}, or add ${paths} to \`ignore\`.`;
  const wanted = change(declared, 'replace', { version, reasons: [reason], fields });
  return unlessBlocked(facts, wanted, ['replace']);
}
