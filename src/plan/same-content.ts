import type { Change } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
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
  /** The owner's file declares what runs under the name of the start, so that each of them waits for the other one. */
  readonly isExchange: boolean;
}

/** Finds what runs under another name with the same content. `started` are the own versions that the start sends as they are. */
export type FindSame = (
  declared: Declared,
  own: readonly Version[],
  started: readonly Version[],
) => SameContent | null;

/** What the digest of a create does not tell apart: of the audience it has the kinds, of media their number. */
const NOT_IN_DIGEST = /^audience_filters|\.attachments$/;

/**
 * | the running object of another name                        | counts |
 * |-----------------------------------------------------------|--------|
 * | shows the content, or was created from it                  | yes    |
 * | the same, and its own file declares what it shows, to send | no     |
 *
 * The hour does not matter: a rename that also moves the hour is still a second send. A version with a text that its file
 * ignores sends that text, which no file declares. The list is indexed at the first start, and once, so that many starts take
 * linear time.
 */
export function findSameIn(list: List, index: Index): FindSame {
  let running: ReturnType<typeof indexRunning> | null = null;
  return (declared, own, started) => {
    running ??= indexRunning(list, index);
    const { byTexts, byCreate, owners } = running;
    const mine = new Set(own.map(({ observed }) => observed));
    const texts = [declared.content, ...started.map(({ observed }) => observed.live)].map(digestTexts);
    const alike = [...new Set(texts)].flatMap((digest) => byTexts.get(digest) ?? []);
    const shown = alike.filter((object) => isSame(index.versionOf(declared, object)));
    const made = (byCreate.get(digestDeclared(declared)) ?? []).filter(
      (object) => !showsAnother(index.versionOf(declared, object)),
    );
    const sendsFile = started.every(({ comparison }) => !ignoresMessages(comparison));
    for (const object of [...shown, ...made]) {
      const owner = owners.get(object);
      const isWanted =
        sendsFile &&
        owner !== undefined &&
        isDeclaredToSend(owner.declared) &&
        owner.version.comparison.verdict === 'equal';
      if (mine.has(object) || isWanted) continue;
      const theirs = owner?.declared ?? null;
      const isExchange = own.some(
        ({ observed }) =>
          theirs !== null &&
          STATUS_TRAITS[statusOf(observed.live)].runs &&
          isSame(index.versionOf(theirs, observed)),
      );
      return { object, owner: theirs, isExchange };
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

/** It was created from other media or for another audience than the digest of its create tells. */
function showsAnother({ comparison }: Version): boolean {
  return comparison.verdict === 'different' && comparison.fields.some(({ path }) => NOT_IN_DIGEST.test(path));
}

function ignoresMessages(comparison: Version['comparison']): boolean {
  return (
    comparison.verdict !== 'unknowable' && comparison.ignored.some(({ path }) => path.startsWith('messages'))
  );
}

/** Why nothing starts next to it, and what to do. */
export function explainSame(
  { action }: Pick<Change, 'action'>,
  declared: Declared,
  { object: { kind, account, live }, owner, isExchange }: SameContent,
): string {
  const stop = pauseCommand(kind, live.id, account);
  const name = canonical(owner?.address.name ?? live.name ?? '(no name)');
  const twice = `The same content runs as ${name} (${live.id}), or it was created from it, so fans would get it twice.`;
  if (declared.kind === 'broadcast' && declared.atOnce === true)
    return `${twice} Stop that one first: ${stop}. Or change the words of this one.`;
  if (owner === null) {
    const otherwise = action === 'create' ? '' : ` If not, stop it: ${stop}`;
    return `${twice} If you renamed it, add renamed_from: ${name}.${otherwise}`;
  }
  if (isExchange)
    return `${twice} Each of the two would have to stop before the other one starts. Pause it first: ${stop}. Then: ${formatCommand('apply', '--allow', 'resume')}`;
  return `${twice} Its file declares something else. Apply that first (${formatAddress(owner.address)}), then run ${formatCommand('apply')} again. To stop it at once: ${stop}`;
}
