import * as z from 'zod/mini';
import type { Dropped } from '../../domain/change.ts';
import { ATTACHMENT_KEYS, isMembers, isSet, READ_ONLY_RULES } from '../live-defaults.ts';
import { canonical } from '../../domain/digest.ts';
import { digestText, isStoredAs } from '../../domain/text.ts';
import { compareText } from '../../domain/diagnostic.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { inOrder } from './fields.ts';
import { ignoring } from './normalise.ts';

const shownShape = z.object({
  version: z.literal(1),
  /** Where the service answered another value than the one sent. `sent` is null where no file stated a value. */
  fields: z.array(z.object({ path: z.string(), sent: z.nullable(z.string()), got: z.string() })),
  /** Ids of all fan lists, sorted. */
  lists: z.nullable(z.array(z.string())),
  /** Digests of the files, by the media id that was sent for them. */
  media: z.record(z.string(), z.string()),
});

/** The column `shown`: what was read back after a create. */
export type Shown = z.infer<typeof shownShape>;

export const NOTHING_SHOWN: Shown = { version: 1, fields: [], lists: null, media: {} };

/** Reads the column. What another version wrote counts as nothing. */
export function parseShown(text: string | null | undefined): Shown {
  if (text === null || text === undefined) return NOTHING_SHOWN;
  try {
    return shownShape.safeParse(JSON.parse(text)).data ?? NOTHING_SHOWN;
  } catch {
    return NOTHING_SHOWN;
  }
}

/** The fields that the service answered with another value than the one sent. */
export function listRewritten(text: string | null): readonly string[] {
  return parseShown(text)
    .fields.filter(({ sent }) => sent !== null)
    .map(({ path }) => path);
}

/** A value as it is recorded: a digest in place of a text of a message. */
export function recordedValue(path: string, value: unknown): string {
  const text = canonical(value ?? null);
  return path.endsWith('.text') ? digestText(text) : text;
}

/**
 * No drift: the service answered another value than the one sent, or filled in one that no file states (`wanted` is undefined
 * then), and both are unchanged since (CONTENT-23).
 */
export function isAsShown({ fields }: Shown, path: string, live: unknown, wanted?: unknown): boolean {
  const sent = wanted === undefined ? null : canonical(wanted);
  return fields.some(
    (field) =>
      field.path === path &&
      (field.sent === null || sent === null ? field.sent === sent : isStoredAs(field.sent, sent)) &&
      isStoredAs(field.got, canonical(live ?? null)),
  );
}

type Members = Readonly<Record<string, unknown>>;

/** A live object, and what was read back after its create. */
interface Looked {
  readonly observed: Observed;
  readonly shown: Shown;
}

/** What replacing these drops; of several versions, the first says each path. Their content must be readable. */
export function listDropped(
  declared: Declared,
  versions: readonly Looked[],
  ignore: readonly string[],
): readonly Dropped[] {
  const isIgnored = ignoring(ignore);
  const all = versions.flatMap(({ observed, shown }) => findDropped(declared, observed, shown));
  const first = new Map(all.toReversed().map((one) => [one.path, one]));
  return all.filter((one) => first.get(one.path) === one && !isIgnored(one.path));
}

const ALWAYS_COMPARED: readonly string[] = ['step', 'text', 'price_gross', 'attachments'];

/**
 * Live values that are not in the file: a replace creates the new version without them. Fields that are always compared
 * (text, price, attachments, audience) are differences and not in this list. Defaults of the service are not a loss.
 */
function findDropped(declared: Declared, { live }: Observed, shown: Shown): readonly Dropped[] {
  const { rules, messages } = declared.content;
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  const found = [...listUnstated(live.rules ?? {}, rules ?? {}, 'rules', READ_ONLY_RULES)];
  for (const [index, message] of (isMimic ? [] : inOrder(live.messages ?? [])).entries()) {
    const [path, wanted] = [`messages[${index}]`, messages[index]];
    // A message that only one side has is a difference as a whole.
    if (wanted === undefined) continue;
    found.push(...listUnstated(message, { ...wanted }, path, ALWAYS_COMPARED));
    for (const [place, one] of (message.attachments ?? []).entries())
      found.push(...listUnstated(one, {}, `${path}.attachments[${place}]`, ATTACHMENT_KEYS));
  }
  return found
    .filter((one) => !isAsShown(shown, one.path, one.live))
    .toSorted((left, right) => compareText(left.path, right.path));
}

/** Also what this version of Herald does not know, and no create sends. */
function listUnstated(
  live: Members,
  declared: Members,
  prefix: string,
  leftOut: readonly string[],
): readonly Dropped[] {
  return Object.entries(live).flatMap(([key, value]): readonly Dropped[] => {
    const [path, wanted] = [`${prefix}.${key}`, declared[key]];
    if (leftOut.includes(key) || !isSet(value)) return [];
    if (isMembers(value) && (wanted === undefined || isMembers(wanted)))
      return listUnstated(value, wanted ?? {}, path, []);
    return wanted === undefined ? [{ path, live: value }] : [];
  });
}
