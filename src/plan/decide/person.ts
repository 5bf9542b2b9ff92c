import type { FieldDifference, Change } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import { isStopped } from '../../domain/status.ts';
import {
  change,
  digestDifference,
  needAllowances,
  only,
  starts,
  unlessBlocked,
  type Decision,
} from './decision.ts';
import { explainStop, isStoppedByHerald, type Group, type GroupFacts, type Version } from './group.ts';

/** Stops of people that `--allow resume` undoes here, in words; `otherwise` if there are none. */
export function explainResumed(
  versions: readonly (Version | null)[],
  facts: GroupFacts,
  ...otherwise: readonly string[]
): readonly string[] {
  const undone = [...new Set(versions)].flatMap((version) =>
    version !== null && isStopped(version.observed.live) && !isStoppedByHerald(version, facts)
      ? [explainStop(version, facts)]
      : [],
  );
  return facts.allow.has('resume') && undone.length > 0
    ? [...undone, 'Allowed by --allow resume.']
    : otherwise;
}

/** A start that a person's stop holds back: what would be done with `--allow resume`, blocked. */
export function needResume(
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
  const reasons = [...(stopped === null ? [] : [explainStop(stopped, facts)]), ...ways];
  const needs = [...new Set([...start.needs, 'resume' as const])].toSorted();
  return only({ ...needAllowances(start, needs, reasons), live_id: start.live_id ?? stopped?.id ?? null });
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
  if (last === undefined || last.replaced_for !== digestDifference(fields)) return null;
  if (facts.allow.has('replace')) return null;
  const shown = fields.map(({ path, old }) => `${path} ${canonical(old ?? null)}`).join(', ');
  const paths = fields.map(({ path }) => path).join(', ');
  const reason = `${version.id} has ${shown}, which differs from the file. Herald replaced ${last.live_id} for this, and it differs again: the service rewrites it, or a person edits it. To accept it: ${formatCommand('import', '--update')}, or add ${paths} to \`ignore\`.`;
  const wanted = change(declared, 'replace', { version, reasons: [reason], fields });
  return unlessBlocked(facts, wanted, ['replace']);
}
