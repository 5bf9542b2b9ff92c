import { formatCommand } from '../../domain/command-line.ts';
import { isSentAtOnce } from '../../domain/creating-command.ts';
import { canonical } from '../../domain/digest.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Change } from '../../domain/change.ts';
import { formatAddress, type Declared, type Observed } from '../../domain/resource.ts';
import { isDeclaredToSend, statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import { digestDeclared, digestTexts } from './compare/content.ts';
import { starts } from './decide/decision.ts';
import type { Index, List, Version } from './decide/group.ts';
import { pauseCommand } from './decide/open.ts';

/** A running object of another name with the content of a start. */
export interface SameContent {
  readonly object: Observed;
  /** The resource that has the object; null if no file declares it. */
  readonly owner: Declared | null;
  /** Whether the object shows the content. If not, Herald created it from this content, and someone changed it. */
  readonly isShown: boolean;
}

/** Finds what runs under another name with the same content. Made once for a list, so that many starts take linear time. */
export type FindSame = (declared: Declared, own: readonly Version[]) => SameContent | null;

/**
 * | the running object of another name                        | counts |
 * |-----------------------------------------------------------|--------|
 * | shows the content, or was created from it                  | yes    |
 * | the same, and its own file declares what it shows, to send | no     |
 *
 * The hour does not matter: a rename that also moves the hour is still a second send.
 */
export function findSameIn(list: List, index: Index): FindSame {
  const find = once(() => {
    const running = list.live.filter(({ live }) => STATUS_TRAITS[statusOf(live)].runs);
    return {
      byTexts: groupBy(running, ({ live }) => digestTexts(live)),
      byCreate: groupBy(running, (object) => index.rowOf(object)?.declared_digest ?? ''),
      owners: new Map(
        list.declared.flatMap((declared) =>
          list
            .groupOf(declared)
            .versions.map((version) => [version.observed, { declared, version }] as const),
        ),
      ),
    };
  });
  return (declared, own) => {
    const { byTexts, byCreate, owners } = find();
    const mine = new Set(own.map(({ observed }) => observed));
    const alike = byTexts.get(digestTexts(declared.content)) ?? [];
    const shown = alike.filter((object) => isSame(index.versionOf(declared, object)));
    const made = byCreate.get(digestDeclared(declared)) ?? [];
    for (const object of new Set([...shown, ...made])) {
      if (mine.has(object)) continue;
      const owner = owners.get(object);
      const isWanted =
        owner !== undefined &&
        isDeclaredToSend(owner.declared) &&
        owner.version.comparison.verdict === 'equal';
      if (!isWanted) return { object, owner: owner?.declared ?? null, isShown: shown.includes(object) };
    }
    return null;
  };
}

/** Asked for only if something starts, and then once. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

function isSame({ comparison }: Version): boolean {
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

/** Why nothing starts next to it, and what to do. */
export function sameContentReason(
  wanted: Change,
  declared: Declared,
  own: readonly Version[],
  { object, owner, isShown }: SameContent,
): string | null {
  if (!starts(wanted)) return null;
  const { kind, account, live } = object;
  const stop = pauseCommand(kind, live.id, account);
  const name = canonical(owner?.address.name ?? live.name ?? '(no name)');
  const what = isShown
    ? `The same content is live as ${name} (${live.id})`
    : `Herald created ${owner === null ? 'the unmanaged ' : ''}${name} (${live.id}) from the same content, and someone changed it since`;
  const twice = `${what}, so fans would get it twice.`;
  if (isSentAtOnce(declared))
    return `${twice} Stop that one first: ${stop}. Or change the words of this one.`;
  if (owner === null) {
    const otherwise = wanted.action === 'create' ? '' : ` If not, stop it: ${stop}`;
    return `${twice} If you renamed it, add renamed_from: ${name}.${otherwise}`;
  }
  const theirs = digestTexts(owner.content);
  const isExchange = own.some(
    ({ observed }) => STATUS_TRAITS[statusOf(observed.live)].runs && digestTexts(observed.live) === theirs,
  );
  if (isExchange)
    return `${what}, and each of the two would have to stop before the other one starts, so fans could get it twice. Pause it first: ${stop}. Then: ${formatCommand('apply', '--allow', 'resume')}`;
  return `${twice} Its file declares something else. Apply that first (${formatAddress(owner.address)}), then run ${formatCommand('apply')} again. To stop it at once: ${stop}`;
}
