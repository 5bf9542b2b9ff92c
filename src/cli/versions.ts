import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { quoted, visible } from '../domain/visible.ts';
import { findVersions, matchAddress, readHistory, shortenDigest, type Version } from '../library/history.ts';
import { parseAsked } from '../plan/compare/asked.ts';
import type { State } from '../state/state.ts';

/** The declared contents of one resource that are on record, oldest first. */
export interface Versions {
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
      'no-history',
      `Nothing recorded for ${quoted(written)}.`,
      `To see the addresses: ${formatCommand('history')}`,
    );
  if (others.length > 0)
    throw new HeraldError(
      'several-addresses',
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
  const found = findVersions(versions, word);
  const last = found.at(-1);
  if (last === undefined)
    throw new HeraldError(
      'no-such-version',
      `${quoted(address)} has no version ${quoted(word)}.`,
      `Use an entry, a live id, or the beginning of a digest. Recorded: ${listKnown(versions)}.`,
    );
  // Several creates of the same content count as one version.
  if (new Set(found.map(({ item }) => item.content_digest)).size === 1) return last;
  throw new HeraldError(
    'ambiguous-version',
    `${quoted(word)} matches several versions of ${quoted(address)}.`,
    `Recorded: ${listKnown(versions)}.`,
  );
}

function listKnown(versions: readonly Version[]): string {
  const known = versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`));
  return [...new Set(known)].join(', ') || 'none';
}

/** The content of a version. Throws if this version of Herald cannot read it. */
export function requireContent(address: string, { item, asked }: Version): NonNullable<Version['asked']> {
  if (asked !== null) return asked;
  throw new HeraldError(
    'no-content',
    `The content of version ${visible(shortenDigest(item.content_digest) ?? '-')} of ${quoted(address)} (${visible(item.at)}) cannot be read.`,
    'Another version of Herald recorded it. Look at the files in git.',
  );
}
