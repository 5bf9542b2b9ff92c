import { Document, isScalar } from 'yaml';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import type { HistoryDiff } from '../../cli/schemas.ts';
import type { FieldDifference } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { HistoryItem } from '../../domain/history-item.ts';
import { type Kind, KIND_ROWS } from '../../domain/resource.ts';
import { isTextDigest } from '../../domain/text.ts';
import { harmless, page, quoted, shown, type Visible, visible } from '../../domain/visible.ts';
import { PRINTED } from '../../import/resource-file.ts';
import { matchAddress, readHistory } from '../../library/history.ts';
import { type Asked, parseAsked } from '../../plan/compare/asked.ts';
import { viewFields, drawField } from '../../render/difference.ts';
import { drawLine, span, type Span, type TextStyle } from '../../render/spans.ts';
import { formatTime } from '../../render/values.ts';
import { count } from '../../render/wording.ts';
import type { State } from '../../state/state.ts';

/** Prints one declared version of a resource as YAML, to compare it with a file or to go back to it. */
export const show = defineCommand({
  path: 'history show',
  about: 'print a declared version of a resource as YAML (default: the last one)',
  examples: [
    'herald history show alice/campaign/Welcome',
    'herald history show alice/campaign/Welcome 1a2b3c4d',
  ],
  more: 'VERSION is the beginning of a digest (column version), a live id, or an entry. Texts of messages are in git, not in the state.',
  words: { address: word('ADDRESS'), version: word('[VERSION]') },
  needs: 'state',
  run: async (_context, { address: written, version }, state) => {
    const { address, choose } = await readVersions(state, written, 'show');
    const chosen = choose(version, -1);
    const { item, asked } = chosen;
    const { entry, at, who, outcome, live_id, content_digest } = item;
    const facts = { address, entry, at, who, outcome, live_id, content_digest };
    return itemResult(
      { ...facts, scheduled_at: asked.hour, content: asked.wanted },
      harmless(drawYaml(chosen)),
    );
  },
});

/** A file that does not exist: with an empty text, a message with media would be valid, and lose its words. */
const MISSING_TEXT = 'text-from-git.md';

/** A resource file with this content. It is not valid before a person has filled in the texts, which the state does not have. */
function drawYaml({ item, asked }: Version): string {
  const { audience_filters: filters, messages, ...others } = asked.wanted;
  const resource = {
    name: asked.name,
    ...(asked.protect === true ? { protect: true } : {}),
    ...(asked.hour === null ? {} : { scheduled_at: asked.hour }),
    ...others,
    ...(filters.length === 0 ? { audience: 'everyone' } : { audience_filters: filters }),
    messages: messages.map(({ text, ...message }) => ({
      ...(isTextDigest(text) ? { text_file: MISSING_TEXT } : { text }),
      ...message,
    })),
  };
  const { account, address, at, who, outcome, version } = item;
  const { plural } = KIND_ROWS[item.kind as Kind];
  const document = new Document({ accounts: [account], [plural]: [resource] });
  document.commentBefore = ` Version ${version ?? '-'} of ${address}, ${at} by ${who ?? 'an unknown person'}: ${outcome}`;
  messages.forEach((_message, index) => {
    const file = document.getIn([plural, 0, 'messages', index, 'text_file'], true);
    if (isScalar(file)) file.comment = ' TODO: take the text from git';
  });
  return document.toString(PRINTED);
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
  words: { address: word('ADDRESS'), from: word('[FROM]'), to: word('[TO]') },
  needs: 'state',
  run: async ({ output }, { address: written, from, to }, state) => {
    const { address, choose } = await readVersions(state, written, 'diff');
    // One given version is compared with the last.
    const [older, newer] = [choose(from, -2), choose(to, -1)];
    const report: HistoryDiff = {
      schema: 'herald/history-diff/1',
      address,
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
export function renderHistoryDiff(
  { address, from, to, fields: found }: Pick<HistoryDiff, 'address' | 'from' | 'to' | 'fields'>,
  style: TextStyle,
): Visible {
  const fields = found.map(withoutDigests);
  const hasDigests = found.some(({ old, new: current }) => isTextDigest(old) || isTextDigest(current));
  const lines = [
    ...drawLine([span(visible(address), 'strong')], style),
    ...drawLine([span(shown`from `, 'dim'), ...versionSpans(from)], style, 2),
    ...drawLine([span(shown`to   `, 'dim'), ...versionSpans(to)], style, 2),
    ...drawDifferences(fields, style),
    fields.length === 0
      ? shown`Both have the same content.`
      : shown`${count(fields.length, 'field differs', 'fields differ')}.`,
    ...(hasDigests
      ? [shown`Texts of messages are not stored, only their digests. Look at the files in git.`]
      : []),
  ];
  return page(lines);
}

/** Each field that differs, word by word. */
function drawDifferences(fields: readonly FieldDifference[], style: TextStyle): readonly Visible[] {
  return viewFields({ fields, dropped: [] }, { declaredOnly: false, zone: null }).flatMap((view) =>
    drawField(view, style, { indent: 4 }),
  );
}

const VERSION_LENGTH = 8;

function withoutDigests({ path, old, new: current }: FieldDifference): FieldDifference {
  const words = (value: unknown) =>
    isTextDigest(value)
      ? `(not stored, digest ${value.slice(value.indexOf(':') + 1).slice(0, VERSION_LENGTH)})`
      : value;
  return { path, old: words(old), new: words(current) };
}

/** `1a2b3c4d, Mon 1 Jun 2026 12:00 UTC by mia: done, 77` */
function versionSpans({ at, who, outcome, live_id, content_digest }: HistoryDiff['from']): readonly Span[] {
  const digest = content_digest === null ? '-' : content_digest.slice(0, VERSION_LENGTH);
  const by = who === null ? '' : ` by ${who}`;
  const id = live_id === null ? '' : `, ${live_id}`;
  return [span(shown`${digest}, ${formatTime(at, null) ?? at}${by}: ${outcome}${id}`)];
}

/** One declared content of a resource, as a create of it asked for it. */
interface Version {
  readonly item: HistoryItem;
  readonly asked: Asked;
}

/**
 * The declared contents of one resource that are on record, and which of them a word means: an entry, a live id, or the beginning of
 * a digest. Without a word it is the last one, or the one before. Throws if `written` or the word is not exactly one.
 */
async function readVersions(state: State, written: string, command: string) {
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
  // Another version of Herald may have recorded one that this one cannot read.
  const versions = found
    .flatMap(({ item, row }): Version[] => {
      const asked = item.action === 'create' ? parseAsked(row.asked) : null;
      return asked === null ? [] : [{ item, asked }];
    })
    .toReversed();
  const choose = (given: string | undefined, otherwise: -1 | -2): Version => {
    const chosen = given === undefined ? versions.at(otherwise) : findVersion(address, versions, given);
    if (chosen !== undefined) return chosen;
    const number = versions.length === 0 ? 'no version' : 'only one version';
    throw new HeraldError(
      'not-found',
      `The state has ${number} of ${quoted(address)}.`,
      'Only versions that Herald created are recorded.',
    );
  };
  return { address, choose };
}

function findVersion(address: string, versions: readonly Version[], word: string): Version {
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
