import { Document, isScalar } from 'yaml';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { warningLine } from '../cli/findings.ts';
import { limitFlag, optionalWord, textFlag, word } from '../cli/flags.ts';
import { LIST_FORMATS } from '../cli/formats.ts';
import { readPast } from '../cli/instant-range.ts';
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
import { harmless, page, quoted, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { PRINTED } from '../import/resource-file.ts';
import { listHistory, matchAddress, readHistory } from '../library/history.ts';
import { type Asked, parseAsked } from '../plan/compare/asked.ts';
import { drawDifferences } from '../render/difference.ts';
import { drawLine, span, type Span, type TextStyle } from '../render/spans.ts';
import { formatTime } from '../render/values.ts';
import { count } from '../render/wording.ts';
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
    limit: limitFlag('stop after this many rows'),
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

/** One declared content of a resource, as a create of it asked for it. */
interface Version {
  readonly item: HistoryItem;
  readonly asked: Asked;
}

/** The declared contents of one resource that are on record, oldest first, without those that another version of Herald wrote. */
interface Versions {
  readonly address: string;
  readonly versions: readonly Version[];
}

/** Throws if `written` is not exactly one address. */
async function readVersions(state: State, written: string): Promise<Versions> {
  const found = await readHistory(state, matchAddress(written));
  const [address, ...others] = new Set(found.map(({ item }) => item.address));
  if (address === undefined) {
    const hint = `To see the addresses: ${formatCommand('history')}`;
    throw new HeraldError('not-found', `Nothing recorded for ${quoted(written)}.`, hint);
  }
  if (others.length > 0) {
    const near = [address, ...others].slice(0, NEAR_MAX).map(visible).join(', ');
    const problem = `${quoted(written)} matches ${others.length + 1} addresses, and this command takes one.`;
    throw new HeraldError('ambiguous-name', problem, `Use one of: ${near}.`);
  }
  const versions = found.flatMap(({ row, item }) => {
    const asked = item.action === 'create' ? parseAsked(row.asked) : null;
    return asked === null ? [] : [{ item, asked }];
  });
  return { address, versions: versions.toReversed() };
}

/**
 * The version that a word means: an entry, a live id, or the beginning of a digest. Without a word, the one at that place from the
 * end. Throws if it is not exactly one; several creates of one content are one version.
 */
function chooseVersion({ address, versions }: Versions, word: string | undefined, place: number): Version {
  const isMeant = ({ item: { entry, live_id, content_digest } }: Version) =>
    word === undefined || entry === word || live_id === word || content_digest?.startsWith(word) === true;
  const meant = versions.filter(isMeant);
  const found = meant.at(word === undefined ? place : -1);
  const contents = new Set(meant.map(({ item }) => item.content_digest));
  if (found !== undefined && (word === undefined || contents.size === 1)) return found;
  const known = versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`));
  const hint = `Use an entry, a live id, or the beginning of a digest. Recorded, by creates of Herald: ${[...new Set(known)].join(', ') || 'none'}.`;
  if (found !== undefined)
    throw new HeraldError('ambiguous-name', `${quoted(word ?? '')} matches several versions.`, hint);
  const which = word === undefined ? `version ${-place} from the end` : `version ${quoted(word)}`;
  throw new HeraldError('not-found', `The state has no ${which} of ${quoted(address)}.`, hint);
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
  run: async ({ output }, { address, from, to }, state) => {
    const found = await readVersions(state, address);
    // One given version is compared with the last.
    const [older, newer] = [chooseVersion(found, from, -2), chooseVersion(found, to, -1)];
    const report: HistoryDiff = {
      schema: 'herald/history-diff/1',
      address: found.address,
      from: describeVersion(older),
      to: describeVersion(newer),
      fields: compareContents(older.asked, newer.asked),
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

/** Two versions of one resource and their differences, word by word. Ends with a line break. */
export function renderHistoryDiff({ address, from, to, fields }: HistoryDiff, style: TextStyle): Visible {
  const shownFields = fields.map(({ path, old, new: current }) => ({
    path,
    old: nameDigest(old),
    new: nameDigest(current),
  }));
  const hasDigests = fields.some(({ old, new: current }) => isTextDigest(old) || isTextDigest(current));
  return page([
    ...drawLine([span(visible(address), 'strong')], style),
    ...drawLine([span(shown`from `, 'dim'), nameVersion(from)], style, 2),
    ...drawLine([span(shown`to   `, 'dim'), nameVersion(to)], style, 2),
    ...drawDifferences(shownFields, style),
    fields.length === 0
      ? shown`Both have the same content.`
      : shown`${count(fields.length, 'field differs', 'fields differ')}.`,
    ...(hasDigests
      ? [shown`Texts of messages are not stored, only their digests. Look at the files in git.`]
      : []),
  ]);
}

const VERSION_LENGTH = 8;

function nameDigest(value: unknown): unknown {
  if (!isTextDigest(value)) return value;
  const [, digest = ''] = value.split(':');
  return `(not stored, digest ${digest.slice(0, VERSION_LENGTH)})`;
}

/** `1a2b3c4d, Mon 1 Jun 2026 12:00 UTC by mia: done, 77` */
function nameVersion({ at, who, outcome, live_id, content_digest }: HistoryDiff['from']): Span {
  const digest = content_digest?.slice(0, VERSION_LENGTH) ?? '-';
  const by = who === null ? '' : ` by ${who}`;
  const id = live_id === null ? '' : `, ${live_id}`;
  return span(shown`${digest}, ${formatTime(at, null) ?? at}${by}: ${outcome}${id}`);
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
  run: async (_context, { address: written, version: word }, state) => {
    const found = await readVersions(state, written);
    const { address } = found;
    const chosen = chooseVersion(found, word, -1);
    const { run: _run, ...version } = describeVersion(chosen);
    const { hour: scheduled_at, wanted: content } = chosen.asked;
    return itemResult({ address, ...version, scheduled_at, content }, harmless(drawYaml(address, chosen)));
  },
});

/** A file that does not exist: with an empty text, a message with media would be valid, and lose its words. */
const MISSING_TEXT = 'text-from-git.md';

/** A resource file with this content. It is not valid before a person has filled in the texts, which the state does not have. */
function drawYaml(address: string, { item, asked }: Version): string {
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
  const { plural } = KIND_ROWS[asked.kind];
  const document = new Document({ accounts: [item.account], [plural]: [resource] });
  document.commentBefore = ` Version ${item.version ?? '-'} of ${address}, ${item.at} by ${item.who ?? 'an unknown person'}: ${item.outcome}`;
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
