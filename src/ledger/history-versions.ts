import type { FieldDifference } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import type { HistoryItem } from './history.ts';
import type { IntentLine, LedgerLine } from './lines.ts';

/** One declared content of a resource, as a create of it asked for it. */
export interface Version {
  readonly item: HistoryItem;
  /** Null where the ledger does not hold it: a compaction put it away, or an early version wrote the line. */
  readonly wanted: IntentLine['wanted'];
}

/** The versions among the items, which stay in their order; each create is one. */
export function versionsOf(items: readonly HistoryItem[], lines: readonly LedgerLine[]): readonly Version[] {
  const wanted = new Map(
    lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line.wanted] as const] : [])),
  );
  return items.flatMap((item) =>
    item.action === 'create' ? [{ item, wanted: wanted.get(item.entry ?? '') ?? null }] : [],
  );
}

/** The versions that a word of a command line means: an entry, a live id, or the beginning of a digest. */
export function findVersions(versions: readonly Version[], word: string): readonly Version[] {
  const exact = versions.filter(({ item }) => item.entry === word || item.live_id === word);
  if (exact.length > 0) return exact;
  return versions.filter(({ item }) => item.content_digest?.startsWith(word) === true);
}

/** Field by field, what stands in one content and not in the other; null stands for absent. */
export function differencesBetween(
  from: NonNullable<Version['wanted']>,
  to: NonNullable<Version['wanted']>,
): readonly FieldDifference[] {
  const [old, current] = [fieldsOf(from), fieldsOf(to)];
  const paths = [...new Set([...old.keys(), ...current.keys()])];
  return paths
    .map((path) => ({ path, old: old.get(path) ?? null, new: current.get(path) ?? null }))
    .filter((field) => canonical(field.old) !== canonical(field.new));
}

function fieldsOf({ content, scheduled_at }: NonNullable<Version['wanted']>): ReadonlyMap<string, unknown> {
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
  walk('', { ...(scheduled_at === null ? {} : { scheduled_at }), ...content });
  return fields;
}
