import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { quoted, visible } from '../domain/visible.ts';
import { readHistory } from '../library/history.ts';
import type { State } from '../state/state.ts';
import { type Asked, parseAsked } from '../plan/compare/content.ts';

/** One declared content of a resource, as a create of it asked for it. */
export interface Version {
  readonly item: HistoryItem;
  readonly asked: Asked;
}

/** A rename alone sends nothing, so what was created before it keeps its address. */
const SEE_ADDRESSES = `A version from before a rename is under the old name. To see the addresses:`;

/**
 * The declared contents of one resource that are on record, and which of them a word means: an entry, a live id, or the beginning of
 * a digest. Without a word it is the last one, or the one before. Throws if `written` or the word is not exactly one.
 */
export async function readVersions(state: State, written: string, command: string) {
  const notFound = (what: string, why = '') =>
    new HeraldError('not-found', what, `${why}${SEE_ADDRESSES} ${formatCommand('history')}`);
  const found = await readHistory(state, { address: written });
  const addresses = [...new Set(found.map(({ item }) => item.address))].toSorted();
  const [address, ...others] = addresses;
  if (address === undefined) throw notFound(`Nothing recorded for ${quoted(written)}.`);
  if (others.length > 0)
    throw new HeraldError(
      'ambiguous-name',
      `${quoted(written)} matches ${addresses.length} addresses, and ${command} takes one.`,
      `Use one of: ${addresses.slice(0, 5).map(visible).join(', ')}.`,
      { details: { addresses } },
    );
  // Another version of Herald may have recorded one that this one cannot read.
  const versions = found
    .flatMap(({ item, row }): Version[] => {
      const asked = item.action === 'create' ? parseAsked(row.asked) : null;
      return asked === null ? [] : [{ item, asked }];
    })
    .toReversed();
  const choose = (word: string | undefined, otherwise: -1 | -2): Version => {
    const chosen = word === undefined ? versions.at(otherwise) : findVersion(address, versions, word);
    if (chosen !== undefined) return chosen;
    const number = versions.length === 0 ? 'no version' : 'only one version';
    throw notFound(
      `The state has ${number} of ${quoted(address)}.`,
      'Only versions that Herald created are recorded. ',
    );
  };
  return { address, choose };
}

function findVersion(address: string, versions: readonly Version[], word: string): Version {
  const found = versions.filter(
    ({ item }) => [item.entry, item.live_id].includes(word) || item.content_digest?.startsWith(word) === true,
  );
  const last = found.at(-1);
  // Several creates of the same content count as one version.
  if (last !== undefined && new Set(found.map(({ item }) => item.content_digest)).size === 1) return last;
  const all = versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`));
  const known = [...new Set(all)].join(', ') || 'none';
  const [code, what] =
    last === undefined
      ? (['not-found', `${quoted(address)} has no version ${quoted(word)}.`] as const)
      : (['ambiguous-name', `${quoted(word)} matches several versions of ${quoted(address)}.`] as const);
  const hint = `Use an entry, a live id, or the beginning of a digest. Recorded: ${known}.`;
  throw new HeraldError(code, what, hint);
}
