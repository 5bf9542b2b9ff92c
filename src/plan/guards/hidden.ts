import type { Change } from '../../domain/change.ts';
import { isSentAtOnce } from '../../domain/creating-command.ts';
import { canonical } from '../../domain/digest.ts';
import type { Knowledge, KnownObject } from '../../domain/knowledge.ts';
import { contentDigest } from '../../domain/media.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { isDeclaredToSend } from '../../domain/status.ts';
import { bothDeclare } from '../both-declare.ts';
import type { JustNow } from '../just-now.ts';
import { knownOf } from '../match.ts';
import { blockChange, starts } from './guards.ts';

/** An object of another name that the ledger knows and the list does not show. */
export interface HiddenTwin {
  readonly known: KnownObject;
  /** The resource of that name; null if no file has it. */
  readonly owner: Declared | null;
}

/** The same content may already run where the list does not show it yet: fans would get it twice. */
export function guardHidden(wanted: Change, declared: Declared, twinOf: () => HiddenTwin | null): Change {
  const twin = starts(wanted) ? twinOf() : null;
  if (twin === null) return wanted;
  const { known, owner } = twin;
  const name = canonical(known.name);
  const mayBeRenamed = owner === null && !isSentAtOnce(declared);
  const renamed = mayBeRenamed ? ` If you renamed it, add renamed_from: ${name}.` : '';
  return blockChange(
    wanted,
    `Herald created ${known.id} (${name}) with the same content a short time ago, and the service does not list it yet, so fans could get it twice. Run the command again in a minute.${renamed}`,
  );
}

interface HiddenInput {
  readonly live: readonly Observed[];
  readonly declared: readonly Declared[];
  readonly knowledge: Knowledge;
  readonly known: { readonly size: number; madeFrom(content: string): readonly KnownObject[] };
  readonly now: Pick<JustNow, 'created'>;
}

/** Without an object that the list does not show, nothing is looked up. */
export function hiddenTwinsIn({
  live,
  declared,
  knowledge,
  known,
  now,
}: HiddenInput): (starting: Declared) => HiddenTwin | null {
  let isAllShown: boolean | null = null;
  let shown: ReadonlySet<string> | null = null;
  return (starting) => {
    isAllShown ??= live.filter((object) => knownOf(object, knowledge) !== null).length >= known.size;
    if (isAllShown) return null;
    shown ??= new Set(live.map((object) => object.live.id));
    const { name } = starting.address;
    for (const one of known.madeFrom(contentDigest(starting.content))) {
      if (shown.has(one.id) || one.name === name || !now.created(one)) continue;
      const owner = declared.find(({ address }) => address.name === one.name) ?? null;
      if (owner === null || !isDeclaredToSend(owner) || !bothDeclare(starting, owner))
        return { known: one, owner };
    }
    return null;
  };
}
