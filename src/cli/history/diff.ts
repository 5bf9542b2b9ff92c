import type { Context } from '../context.ts';
import { readWholeRecord } from '../../ledger/whole-record.ts';
import { historyOf, versionOf } from '../../ledger/history.ts';
import { differencesBetween, findVersions, versionsOf, type Version } from '../../ledger/history-versions.ts';
import { renderHistoryDiff } from '../../render/history-diff.ts';
import { renderJson } from '../../render/json.ts';
import { quoted, visible } from '../../domain/visible.ts';
import type { HistoryDiff } from '../../domain/reports.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { itemsAt } from './address.ts';
import { sayWhatIsMissing } from './missing.ts';

/** `herald history diff ADDRESS [FROM] [TO]`: what changed between two declared versions of one resource. */
export async function historyDiffCommand(
  context: Context,
  address: string,
  from: string | undefined,
  to: string | undefined,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const isAsked = itemsAt(address);
  const record = await readWholeRecord(context.state.ledger, ({ account, kind, name }) =>
    isAsked({ address: `${account}/${kind}/${name}`, account, kind, name }),
  );
  const { lines } = record;
  // Said first: what is missing may be the very version that is looked for.
  const complete = sayWhatIsMissing(context, record, null);
  const items = historyOf(lines, isAsked);
  const addresses = [...new Set(items.map((item) => item.address))].toSorted();
  const [only, ...others] = addresses;
  if (only === undefined)
    throw new CommandError(
      'no-history',
      `Nothing is on record of ${quoted(address)}.`,
      'See herald history for the addresses.',
    );
  if (others.length > 0)
    throw new CommandError(
      'several-addresses',
      `${quoted(address)} fits ${addresses.length} addresses; versions are compared of one.`,
      `Name one of: ${addresses.slice(0, 5).map(visible).join(', ')}.`,
      EXIT.failed,
      { addresses },
    );
  const [older, newer] = chooseVersions(only, versionsOf(items, lines), from, to);
  const fields = differencesBetween(contentOf(only, older), contentOf(only, newer));
  const diff: HistoryDiff = {
    schema: 'herald/history-diff/1',
    address: only,
    from: versionItem(older),
    to: versionItem(newer),
    fields: [...fields],
  };
  context.output.result(format === 'json' ? renderJson(diff) : renderHistoryDiff(diff, context.output));
  return complete ? EXIT.done : EXIT.failed;
}

/** The last two, unless words say which; one word alone is compared with the last. */
function chooseVersions(
  address: string,
  versions: readonly Version[],
  from: string | undefined,
  to: string | undefined,
): readonly [Version, Version] {
  const newer = to === undefined ? versions.at(-1) : find(address, versions, to);
  const older = from === undefined ? versions.at(-2) : find(address, versions, from);
  if (newer !== undefined && older !== undefined) return [older, newer];
  const number = versions.length === 0 ? 'no version' : 'one version only';
  throw new CommandError(
    'no-two-versions',
    `The ledger knows ${number} of ${quoted(address)}: there is nothing to compare.`,
    'A version is what a create of Herald asked for; what somebody made by hand is in none.',
  );
}

function find(address: string, versions: readonly Version[], word: string): Version {
  const found = findVersions(versions, word);
  const last = found.at(-1);
  const known = [...new Set(versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`)))].join(
    ', ',
  );
  if (last === undefined)
    throw new CommandError(
      'no-such-version',
      `${quoted(address)} has no version ${quoted(word)}.`,
      `Name an entry, a live id, or the beginning of a digest. There are: ${known || 'none'}.`,
    );
  // Several creates of the same content are one version to people.
  if (new Set(found.map(({ item }) => item.content_digest)).size === 1) return last;
  throw new CommandError(
    'ambiguous-version',
    `${quoted(word)} begins the digests of several versions of ${quoted(address)}.`,
    `There are: ${known}.`,
  );
}

function contentOf(address: string, { item, wanted }: Version): NonNullable<Version['wanted']> {
  if (wanted !== null) return wanted;
  throw new CommandError(
    'no-content',
    `The content of version ${visible(versionOf(item.content_digest) ?? '-')} of ${quoted(address)} (${visible(item.at)}) is not on record.`,
    'A compaction put it away, or an early version of Herald wrote it. Bring its archive back to .herald/, or look at the history of the files in git.',
  );
}

function versionItem({ item }: Version): HistoryDiff['from'] {
  const { entry, at, run, who, outcome, live_id, content_digest } = item;
  return { entry, at, run, who, outcome, live_id, content_digest };
}
