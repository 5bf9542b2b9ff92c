import { Document, isScalar } from 'yaml';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { optionalWord, parseWholeNumber, parsedFlag, textFlag, word } from '../cli/flags.ts';
import { LIST_FORMATS } from '../cli/formats.ts';
import { readPast } from '../cli/instant-range.ts';
import { warningLine } from '../cli/notice.ts';
import { type ColumnSet, chooseColumns, printRows } from '../cli/print-rows.ts';
import type { HistoryDiff } from '../cli/schemas.ts';
import type { FieldDifference } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { isTextDigest } from '../domain/text.ts';
import { harmless, quoted, shown, visible, visibleProse } from '../domain/visible.ts';
import { PRINTED } from '../import/resource-file.ts';
import { listHistory, matchAddress, readHistory } from '../library/history.ts';
import { type Asked, parseAsked } from '../plan/compare/asked.ts';
import { renderHistoryDiff } from '../render/versions-text.ts';
import type { State } from '../state/state.ts';

const COLUMNS: ColumnSet = {
  // The address has the account.
  who: 'organisation',
  columns: [
    { path: 'at', as: 'instant' },
    { path: 'who', none: '-' },
    { path: 'address' },
    { path: 'action' },
    { path: 'outcome' },
    { path: 'live_id', as: 'whole', none: '-' },
    { path: 'version', none: '-' },
    { path: 'message', none: '' },
  ],
  more: [
    { path: 'ended_at', as: 'instant', none: '-' },
    { path: 'run' },
    { path: 'entry' },
    { path: 'account' },
    { path: 'account_id' },
    { path: 'kind' },
    { path: 'name' },
    { path: 'purpose', none: '-' },
    { path: 'content_digest', none: '-' },
    { path: 'supersedes' },
  ],
};

/** Lists what Herald did, newest first. Reads only the state and the stored events. */
export const history = defineCommand({
  path: 'history',
  about: 'show what Herald did in this workspace, newest first',
  examples: [
    'herald history --since 30d',
    "herald history 'alice/campaign/Welcome*' --limit 10",
    "herald history '*/payouts/*' --format csv",
    'herald history diff alice/campaign/Welcome',
  ],
  more: 'ADDRESS is account/kind/name; * matches any characters.',
  formats: LIST_FORMATS,
  words: { address: optionalWord('ADDRESS') },
  flags: {
    since: textFlag('--since <time>', 'a date, a time, or an age such as 30d'),
    limit: parsedFlag('--limit <number>', 'stop after this many rows', parseWholeNumber(1, 1_000_000_000)),
    columns: textFlag('--columns <names>', 'columns to show (table and csv)'),
  },
  needs: 'state',
  run: async (context, { address, since, limit, columns: asked, format }, state) => {
    const chosen = chooseColumns(COLUMNS, asked, format);
    // A table of one address has it in the command.
    const hidesAddress =
      format === 'table' && asked === undefined && address !== undefined && !address.includes('*');
    const columns = hidesAddress ? chosen.filter(({ path }) => path !== 'address') : chosen;
    const from = since === undefined ? undefined : readPast('--since', since, context.clock.now());
    const query = { address, since: from, limit };
    const { items, problem, recorded } = await listHistory(state, context.events, query);
    if (problem !== null) context.output.fail(warningLine(problem.code, visibleProse(problem.message)));
    const rows = items.map((item) => ({ ...item }));
    await printRows(format, { output: context.output, definition: COLUMNS, columns }, rows);
    if (items.length === 0) explainNothing(context, recorded, address);
    return EXIT.done;
  },
});

const NEAR_MAX = 5;

/** Names recorded addresses with the same name, or the first ones. */
function explainNothing({ output }: Context, recorded: readonly string[], address: string | undefined): void {
  if (recorded.length === 0) return output.say(shown`Nothing recorded yet: the state is missing or empty.`);
  if (address === undefined) return;
  const name = address.replaceAll('*', '').toLowerCase().split('/').at(-1) ?? '';
  const all = recorded.toSorted();
  const alike = all.filter((one) => name !== '' && one.toLowerCase().includes(name));
  const near = (alike.length > 0 ? alike : all).slice(0, NEAR_MAX).map(visible).join(', ');
  output.say(shown`Nothing recorded for ${address}. Recorded: ${near}. * matches any characters.`);
}

/** Prints one declared version of a resource as YAML, to compare it with a file or to go back to it. */
export const show = defineCommand({
  path: 'history show',
  about: 'print a declared version of a resource as YAML (default: the last one)',
  examples: [
    'herald history show alice/campaign/Welcome',
    'herald history show alice/campaign/Welcome 1a2b3c4d',
  ],
  more: 'VERSION is the beginning of a digest (column version), a live id, or an entry. Texts of messages are in git, not in the state.',
  words: { address: word('ADDRESS'), version: optionalWord('VERSION') },
  needs: 'state',
  run: async (_context, { address: written, version }, state) => {
    const found = await readVersions(state, written, 'show');
    const { address, versions } = found;
    const chosen = version === undefined ? versions.at(-1) : chooseVersion(found, version);
    if (chosen === undefined)
      throw new HeraldError(
        'no-such-version',
        `The state has no version of ${quoted(address)}.`,
        'Only versions that Herald created are recorded.',
      );
    const asked = requireContent(address, chosen);
    const { entry, at, who, outcome, live_id, content_digest, account, kind, version: digest } = chosen.item;
    const about = `Version ${digest ?? '-'} of ${address}, ${at} by ${who ?? 'an unknown person'}: ${outcome}`;
    return itemResult(
      {
        address,
        entry,
        at,
        who,
        outcome,
        live_id,
        content_digest,
        scheduled_at: asked.hour,
        content: asked.wanted,
      },
      harmless(drawYaml({ account, kind: kind as Asked['kind'], asked, about })),
    );
  },
});

interface Drawn {
  readonly account: string;
  readonly kind: Asked['kind'];
  readonly asked: Asked;
  readonly about: string;
}

/** A file that does not exist: with an empty text, a message with media would be valid, and lose its words. */
const MISSING_TEXT = 'text-from-git.md';

/** A resource file with this content. It is not valid before a person has filled in the texts, which the state does not have. */
function drawYaml({ account, kind, asked, about }: Drawn): string {
  const { audience_filters: filters, messages, ...others } = asked.wanted;
  const resource = {
    name: asked.name,
    ...(asked.protect === true ? { protect: true } : {}),
    ...(asked.hour === null ? {} : { scheduled_at: asked.hour }),
    ...others,
    ...(filters.length === 0 ? { audience: 'everyone' } : { audience_filters: filters }),
    messages: messages.map(({ attachments, text, ...message }) => ({
      ...(isTextDigest(text) ? { text_file: MISSING_TEXT } : { text }),
      ...message,
      ...(attachments === undefined ? {} : { attachments: attachments.map(writeAttachment) }),
    })),
  };
  const { plural } = KIND_ROWS[kind];
  const document = new Document({ accounts: [account], [plural]: [resource] });
  document.commentBefore = ` ${about}`;
  messages.forEach((_message, index) => {
    const file = document.getIn([plural, 0, 'messages', index, 'text_file'], true);
    if (isScalar(file)) file.comment = ' TODO: take the text from git';
  });
  return document.toString(PRINTED);
}

/** In a file, a local file is its path. */
function writeAttachment({ file, type, ...media }: Readonly<Record<string, unknown>>): object {
  if (typeof file !== 'object' || file === null || !('path' in file)) return { ...media, type };
  return { file: file.path, ...media };
}

/** Compares two declared versions of one resource. */
export const diff = defineCommand({
  path: 'history diff',
  about: 'compare two declared versions of a resource (default: the last two)',
  examples: [
    'herald history diff alice/campaign/Welcome',
    'herald history diff alice/campaign/Welcome 1a2b3c4d --format json',
  ],
  more: 'FROM and TO are the beginning of a digest (column version), a live id, or an entry.',
  words: { address: word('ADDRESS'), from: optionalWord('FROM'), to: optionalWord('TO') },
  needs: 'state',
  run: async ({ output }, { address: written, from, to }, state) => {
    const found = await readVersions(state, written, 'diff');
    const { address, versions } = found;
    // One given version is compared with the last.
    const newer = to === undefined ? versions.at(-1) : chooseVersion(found, to);
    const older = from === undefined ? versions.at(-2) : chooseVersion(found, from);
    if (newer === undefined || older === undefined) {
      const number = versions.length === 0 ? 'no version' : 'only one version';
      throw new HeraldError(
        'no-two-versions',
        `The state has ${number} of ${quoted(address)}, so there is nothing to compare.`,
        'Only versions that Herald created are recorded.',
      );
    }
    const report: HistoryDiff = {
      schema: 'herald/history-diff/1',
      address,
      from: describeVersion(older),
      to: describeVersion(newer),
      fields: compareContents(requireContent(address, older), requireContent(address, newer)),
    };
    return { json: () => report, text: () => renderHistoryDiff(report, output) };
  },
});

function describeVersion({ item }: Version): HistoryDiff['from'] {
  const { entry, at, run, who, outcome, live_id, content_digest } = item;
  return { entry, at, run, who, outcome, live_id, content_digest };
}

/** The fields that one content has and the other does not, or has otherwise; null stands for absent. */
function compareContents(from: Asked, to: Asked): FieldDifference[] {
  const [old, current] = [flatten(from), flatten(to)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((path) => ({ path, old: old.get(path) ?? null, new: current.get(path) ?? null }))
    .filter((field) => canonical(field.old) !== canonical(field.new));
}

function flatten({ wanted, hour }: Asked): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  const walk = (path: string, value: unknown): void => {
    if (Array.isArray(value) && value.some((entry) => typeof entry === 'object')) {
      for (const [index, entry] of value.entries()) walk(`${path}[${index}]`, entry);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, member] of Object.entries(value)) walk(path === '' ? key : `${path}.${key}`, member);
    } else if (value !== undefined) {
      fields.set(path, value);
    }
  };
  walk('', { ...(hour === null ? {} : { scheduled_at: hour }), ...wanted });
  return fields;
}

/** One declared content of a resource, as a create of it asked for it. */
interface Version {
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
async function readVersions(state: State, written: string, command: string): Promise<Versions> {
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
function chooseVersion({ address, versions }: Versions, word: string): Version {
  const exact = versions.filter(({ item }) => item.entry === word || item.live_id === word);
  const found =
    exact.length > 0 ? exact : versions.filter(({ item }) => item.content_digest?.startsWith(word) === true);
  const last = found.at(-1);
  const all = versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`));
  const known = [...new Set(all)].join(', ') || 'none';
  if (last === undefined)
    throw new HeraldError(
      'no-such-version',
      `${quoted(address)} has no version ${quoted(word)}.`,
      `Use an entry, a live id, or the beginning of a digest. Recorded: ${known}.`,
    );
  // Several creates of the same content count as one version.
  if (new Set(found.map(({ item }) => item.content_digest)).size === 1) return last;
  throw new HeraldError(
    'ambiguous-version',
    `${quoted(word)} matches several versions of ${quoted(address)}.`,
    `Recorded: ${known}.`,
  );
}

/** The content of a version. Throws if this version of Herald cannot read it. */
function requireContent(address: string, { item, asked }: Version): Asked {
  if (asked !== null) return asked;
  throw new HeraldError(
    'no-content',
    `The content of version ${visible(item.version ?? '-')} of ${quoted(address)} (${visible(item.at)}) cannot be read.`,
    'Another version of Herald recorded it. Look at the files in git.',
  );
}
