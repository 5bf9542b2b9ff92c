import type { Context } from '../context.ts';
import {
  compareVersions,
  findVersions,
  readHistory,
  shortenDigest,
  type Version,
} from '../../library/history.ts';
import { parseAsked } from '../../plan/compare/asked.ts';
import { renderHistoryDiff } from '../../render/history-diff.ts';
import { renderJson } from '../../render/json.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { quoted, visible } from '../../domain/visible.ts';
import type { HistoryDiff } from '../schemas.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { readingState } from '../state/open.ts';
import { itemsAt } from './address.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** `herald history diff ADDRESS [FROM] [TO]`: compares two declared versions of one resource. */
export async function historyDiffCommand(
  context: Context,
  address: string,
  from: string | undefined,
  to: string | undefined,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const found = await readingState(context, (state) => readHistory(state, itemsAt(address)));
  const addresses = [...new Set(found.map(({ item }) => item.address))].toSorted();
  const [only, ...others] = addresses;
  if (only === undefined)
    throw new HeraldError(
      'no-history',
      `Nothing recorded for ${quoted(address)}.`,
      `To see the addresses: ${formatCommand('history')}`,
    );
  if (others.length > 0)
    throw new HeraldError(
      'several-addresses',
      `${quoted(address)} matches ${addresses.length} addresses, and diff takes one.`,
      `Use one of: ${addresses.slice(0, 5).map(visible).join(', ')}.`,
      { details: { addresses } },
    );
  const versions = found
    .filter(({ item }) => item.action === 'create')
    .map(({ row, item }) => ({ item, asked: parseAsked(row.asked) }))
    .toReversed();
  const [older, newer] = chooseVersions(only, versions, from, to);
  const fields = compareVersions(requireContent(only, older), requireContent(only, newer));
  const diff: HistoryDiff = {
    schema: 'herald/history-diff/1',
    address: only,
    from: versionItem(older),
    to: versionItem(newer),
    fields: [...fields],
  };
  context.output.result(format === 'json' ? renderJson(diff) : renderHistoryDiff(diff, context.output));
  return EXIT.done;
}

/** The versions to compare: the given ones, or the last two. One given version is compared with the last. */
function chooseVersions(
  address: string,
  versions: readonly Version[],
  from: string | undefined,
  to: string | undefined,
): readonly [Version, Version] {
  const newer = to === undefined ? versions.at(-1) : find(address, versions, to);
  const older = from === undefined ? versions.at(-2) : find(address, versions, from);
  if (newer !== undefined && older !== undefined) return [older, newer];
  const number = versions.length === 0 ? 'no version' : 'only one version';
  throw new HeraldError(
    'no-two-versions',
    `The state has ${number} of ${quoted(address)}, so there is nothing to compare.`,
    'Only versions that Herald created are recorded.',
  );
}

function find(address: string, versions: readonly Version[], word: string): Version {
  const found = findVersions(versions, word);
  const last = found.at(-1);
  const known = [...new Set(versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`)))].join(
    ', ',
  );
  if (last === undefined)
    throw new HeraldError(
      'no-such-version',
      `${quoted(address)} has no version ${quoted(word)}.`,
      `Use an entry, a live id, or the beginning of a digest. Recorded: ${known || 'none'}.`,
    );
  // Several creates of the same content count as one version.
  if (new Set(found.map(({ item }) => item.content_digest)).size === 1) return last;
  throw new HeraldError(
    'ambiguous-version',
    `${quoted(word)} matches several versions of ${quoted(address)}.`,
    `Recorded: ${known}.`,
  );
}

function requireContent(address: string, { item, asked }: Version): NonNullable<Version['asked']> {
  if (asked !== null) return asked;
  throw new HeraldError(
    'no-content',
    `The content of version ${visible(shortenDigest(item.content_digest) ?? '-')} of ${quoted(address)} (${visible(item.at)}) cannot be read.`,
    'Another version of Herald recorded it. Look at the files in git.',
  );
}

function versionItem({ item }: Version): HistoryDiff['from'] {
  const { entry, at, run, who, outcome, live_id, content_digest } = item;
  return { entry, at, run, who, outcome, live_id, content_digest };
}
