import { defineCommand } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import type { HistoryDiff } from '../../cli/schemas.ts';
import { readVersions, type Version } from '../../cli/versions.ts';
import type { FieldDifference } from '../../domain/change.ts';
import { canonical } from '../../domain/digest.ts';
import { isMembers } from '../../domain/field-path.ts';
import { isTextDigest } from '../../domain/text.ts';
import { page, shown, type Visible, visible } from '../../domain/visible.ts';
import { viewFields, drawField } from '../../render/difference.ts';
import { drawLine, span, type TextStyle } from '../../render/spans.ts';
import { formatTime } from '../../render/values.ts';
import { count } from '../../render/wording.ts';
import type { Asked } from '../../plan/compare/content.ts';

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
  const [old, current] = [readFields(from), readFields(to)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((path) => ({ path, old: old.get(path) ?? null, new: current.get(path) ?? null }))
    .filter((field) => canonical(field.old) !== canonical(field.new));
}

function readFields({ wanted, hour }: Asked): ReadonlyMap<string, unknown> {
  return new Map(flatten({ ...(hour === null ? {} : { scheduled_at: hour }), ...wanted }));
}

/** Each value with its path. A list of plain values is one value. */
function flatten(value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (Array.isArray(value) && value.some((entry) => typeof entry === 'object'))
    return value.flatMap((entry, index) => flatten(entry, `${path}[${index}]`));
  if (isMembers(value))
    return Object.entries(value).flatMap(([key, member]) =>
      flatten(member, path === '' ? key : `${path}.${key}`),
    );
  return value === undefined ? [] : [[path, value]];
}

/** Two versions of one resource and their differences, word by word. Ends with a line break. */
function renderHistoryDiff(
  { address, from, to, fields: found }: Pick<HistoryDiff, 'address' | 'from' | 'to' | 'fields'>,
  style: TextStyle,
): Visible {
  const views = viewFields(
    { fields: found.map(withoutDigests), dropped: [] },
    { declaredOnly: false, zone: null },
  );
  const hasDigests = found.some(({ old, new: current }) => isTextDigest(old) || isTextDigest(current));
  return page([
    ...drawLine([span(visible(address), 'strong')], style),
    ...drawVersion('from', from, style),
    ...drawVersion('to', to, style),
    ...views.flatMap((view) => drawField(view, style, { indent: 4 })),
    found.length === 0
      ? shown`Both have the same content.`
      : shown`${count(found.length, 'field differs', 'fields differ')}.`,
    ...(hasDigests
      ? [shown`Texts of messages are not stored, only their digests. Look at the files in git.`]
      : []),
  ]);
}

const VERSION_LENGTH = 8;

function withoutDigests({ path, old, new: current }: FieldDifference): FieldDifference {
  const words = (value: unknown) =>
    isTextDigest(value)
      ? `(not stored, digest ${value.slice(value.indexOf(':') + 1).slice(0, VERSION_LENGTH)})`
      : value;
  return { path, old: words(old), new: words(current) };
}

/** `from 1a2b3c4d, Mon 1 Jun 2026 12:00 UTC by mia: done, 77` */
function drawVersion(
  word: string,
  { at, who, outcome, live_id, content_digest }: HistoryDiff['from'],
  style: TextStyle,
): readonly Visible[] {
  const digest = content_digest?.slice(0, VERSION_LENGTH) ?? '-';
  const by = who === null ? '' : ` by ${who}`;
  const id = live_id === null ? '' : `, ${live_id}`;
  const version = shown`${digest}, ${formatTime(at, null) ?? at}${by}: ${outcome}${id}`;
  return drawLine([span(shown`${word.padEnd(5)}`, 'dim'), span(version)], style, 2);
}
