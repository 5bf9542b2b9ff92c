import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { quoted, visible } from '../domain/visible.ts';
import { matchAddress, readHistory } from '../library/history.ts';
import { type Asked, parseAsked } from '../plan/compare/asked.ts';
import type { State } from '../state/state.ts';

/** One declared content of a resource, as a create of it asked for it. */
export interface Version {
  readonly item: HistoryItem;
  /** Null if this version of Herald cannot read it. */
  readonly asked: Asked | null;
}

/** The declared contents of one resource that are on record, oldest first. */
interface Versions {
  readonly address: string;
  readonly versions: readonly Version[];
}

/** Throws if `written` is not exactly one address. `command` is the word of `herald history` that takes one. */
export async function readVersions(state: State, written: string, command: string): Promise<Versions> {
  const found = await readHistory(state, matchAddress(written));
  const addresses = [...new Set(found.map(({ item }) => item.address))].toSorted();
  const [address, ...others] = addresses;
  if (address === undefined)
    throw new HeraldError(
      'not-found',
      `Nothing recorded for ${quoted(written)}.`,
      `To see the addresses: ${formatCommand('history')}`,
    );
  if (others.length > 0)
    throw new HeraldError(
      'ambiguous-name',
      `${quoted(written)} matches ${addresses.length} addresses, and ${command} takes one.`,
      `Use one of: ${addresses.slice(0, 5).map(visible).join(', ')}.`,
      { details: { addresses } },
    );
  const versions = found
    .filter(({ item }) => item.action === 'create')
    .map(({ row, item }) => ({ item, asked: parseAsked(row.asked) }))
    .toReversed();
  return { address, versions };
}

/** The version that a word means: an entry, a live id, or the beginning of a digest. Throws if it is not exactly one. */
export function chooseVersion({ address, versions }: Versions, word: string): Version {
  const exact = versions.filter(({ item }) => item.entry === word || item.live_id === word);
  const found =
    exact.length > 0 ? exact : versions.filter(({ item }) => item.content_digest?.startsWith(word) === true);
  const last = found.at(-1);
  const all = versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`));
  const known = [...new Set(all)].join(', ') || 'none';
  if (last === undefined)
    throw new HeraldError(
      'not-found',
      `${quoted(address)} has no version ${quoted(word)}.`,
      `Use an entry, a live id, or the beginning of a digest. Recorded: ${known}.`,
    );
  // Several creates of the same content count as one version.
  if (new Set(found.map(({ item }) => item.content_digest)).size === 1) return last;
  throw new HeraldError(
    'ambiguous-name',
    `${quoted(word)} matches several versions of ${quoted(address)}.`,
    `Recorded: ${known}.`,
  );
}

/** The content of a version. Throws if this version of Herald cannot read it. */
export function requireContent(address: string, { item, asked }: Version): Asked {
  if (asked !== null) return asked;
  throw new HeraldError(
    'not-found',
    `The content of version ${visible(item.version ?? '-')} of ${quoted(address)} (${visible(item.at)}) cannot be read.`,
    'Another version of Herald recorded it. Look at the files in git.',
  );
}
