import type { Diagnostic } from '../domain/diagnostic.ts';
import { CALL_WORDS, type Knowledge } from '../domain/knowledge.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { warning } from './decision.ts';
import { groupBy } from '../domain/group-by.ts';
import { isNamedByItsText, knownOf } from './match.ts';

interface NotesInput {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
}

/** Names that differ only in case or space from a declared one: maybe the same, never adopted. */
export function nearMatches(input: NotesInput): readonly Diagnostic[] {
  const byFolded = groupBy(
    input.observed.filter(({ live }) => live.name !== null && live.name !== undefined),
    ({ account, kind, live }) => `${account}/${kind}/${folded(live.name ?? '')}`,
  );
  return input.declared.flatMap((declared) => {
    const { account, kind, name } = declared.address;
    return (byFolded.get(`${account}/${kind}/${folded(name)}`) ?? [])
      .filter(({ live }) => live.name !== name && live.name !== declared.renamedFrom)
      .filter((object) => knownOf(object, input.knowledge) === null)
      .map(({ live }) =>
        warning(
          declared,
          'near-match',
          `A live ${kind} has almost the same name: ${JSON.stringify(live.name)} (${live.id}). Herald treats it as a different one.`,
        ),
      );
  });
}

/** A nameless broadcast reads with its text as its name; one that reads like a declared name is a stranger. */
export function textNames(
  declared: readonly Declared[],
  unclaimed: readonly Observed[],
): readonly Diagnostic[] {
  const byName = groupBy(unclaimed.filter(isNamedByItsText), ({ live }) => live.name ?? '');
  return declared.flatMap((resource) =>
    (byName.get(resource.address.name) ?? []).map(({ live }) =>
      warning(
        resource,
        'text-as-name',
        `${live.id} has no name, so the service shows its text as the name, which equals this one. Herald treats it as a different one and does not change it.`,
      ),
    ),
  );
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}

/** Objects that can never be matched, because neither their name nor their content can be read. */
export function unnamedNotes(observed: readonly Observed[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const object of observed) {
    const unreadable = object.kind === 'broadcast' && (object.live.messages ?? []).length === 0;
    const nameless = object.live.name === null || object.live.name === undefined;
    if (unreadable && nameless) counts.set(object.account, (counts.get(object.account) ?? 0) + 1);
  }
  return [...counts].map(([account, count]): Diagnostic => ({
    severity: 'info',
    code: 'unreadable-unnamed',
    message: `${count} unreadable unnamed broadcast${count === 1 ? '' : 's'} on account ${account}. Herald does not compare or change them.`,
  }));
}

/** Unconfirmed requests, in every plan. */
export function openEntryNotes(knowledge: Knowledge): readonly Diagnostic[] {
  return knowledge.open.map((entry): Diagnostic => {
    const sent = new Date(entry.notedAtMs).toISOString();
    const about = entry.liveId === null ? '' : ` of ${entry.liveId}`;
    return {
      severity: 'warning',
      code: 'open-entry',
      message: `Unconfirmed: a ${CALL_WORDS[entry.call]}${about}, sent at ${sent}, got no answer and may have succeeded.`,
      address: formatAddress(entry.address),
    };
  });
}
