import type { Change } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { isSentAtOnce } from '../domain/creating-command.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { isDeclaredToSend, statusOf, STATUS_TRAITS } from '../domain/status.ts';
import { digestDeclared, digestTexts } from './compare/content.ts';
import type { Index, List, Version } from './decide/group.ts';
import { pauseCommand } from './decide/open.ts';

/** A running object of another name with the content of a start. */
export interface SameContent {
  readonly object: Observed;
  /** The resource that has the object; null if no file declares it. */
  readonly owner: Declared | null;
}

/** Finds what runs under another name with the same content. */
export type FindSame = (declared: Declared, own: readonly Version[]) => SameContent | null;

/**
 * | the running object of another name                        | counts |
 * |-----------------------------------------------------------|--------|
 * | shows the content, or was created from it                  | yes    |
 * | the same, and its own file declares what it shows, to send | no     |
 *
 * The hour does not matter: a rename that also moves the hour is still a second send. The list is indexed at the first
 * start, and once, so that many starts take linear time.
 */
export function findSameIn(list: List, index: Index): FindSame {
  let made: ReturnType<typeof indexRunning> | null = null;
  return (declared, own) => {
    made ??= indexRunning(list, index);
    const { byTexts, byCreate, owners } = made;
    const mine = new Set(own.map(({ observed }) => observed));
    const alike = byTexts.get(digestTexts(declared.content)) ?? [];
    const shown = alike.filter((object) => isSame(index.versionOf(declared, object)));
    for (const object of [...shown, ...(byCreate.get(digestDeclared(declared)) ?? [])]) {
      const owner = owners.get(object);
      const isWanted =
        owner !== undefined &&
        isDeclaredToSend(owner.declared) &&
        owner.version.comparison.verdict === 'equal';
      if (!mine.has(object) && !isWanted) return { object, owner: owner?.declared ?? null };
    }
    return null;
  };
}

function indexRunning(list: List, index: Index) {
  const running = list.live.filter(({ live }) => STATUS_TRAITS[statusOf(live)].runs);
  const owned = list.declared.flatMap((declared) =>
    list.groupOf(declared).versions.map((version) => [version.observed, { declared, version }] as const),
  );
  return {
    byTexts: groupBy(running, ({ live }) => digestTexts(live)),
    byCreate: groupBy(running, (object) => index.rowOf(object)?.declared_digest ?? ''),
    owners: new Map(owned),
  };
}

function isSame({ comparison }: Version): boolean {
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

/** Why nothing starts next to it, and what to do. */
export function explainSame(
  { action }: Pick<Change, 'action'>,
  declared: Declared,
  own: readonly Version[],
  { object: { kind, account, live }, owner }: SameContent,
): string {
  const stop = pauseCommand(kind, live.id, account);
  const name = canonical(owner?.address.name ?? live.name ?? '(no name)');
  const twice = `The same content runs as ${name} (${live.id}), or it was created from it, so fans would get it twice.`;
  if (isSentAtOnce(declared))
    return `${twice} Stop that one first: ${stop}. Or change the words of this one.`;
  if (owner === null) {
    const otherwise = action === 'create' ? '' : ` If not, stop it: ${stop}`;
    return `${twice} If you renamed it, add renamed_from: ${name}.${otherwise}`;
  }
  const theirs = digestTexts(owner.content);
  const isExchange = own.some(
    ({ observed }) => STATUS_TRAITS[statusOf(observed.live)].runs && digestTexts(observed.live) === theirs,
  );
  if (isExchange)
    return `${twice} Each of the two would have to stop before the other one starts. Pause it first: ${stop}. Then: ${formatCommand('apply', '--allow', 'resume')}`;
  return `${twice} Its file declares something else. Apply that first (${formatAddress(owner.address)}), then run ${formatCommand('apply')} again. To stop it at once: ${stop}`;
}
