import * as z from 'zod/mini';
import type { Dropped, FieldDifference } from '../../domain/change.ts';
import {
  ATTACHMENT_KEYS,
  isEmpty,
  isMembers,
  isSetRule,
  MESSAGE_KEYS,
  READ_ONLY_RULES,
} from '../live-defaults.ts';
import { canonical } from '../../domain/digest.ts';
import { digestText, isStoredAs } from '../../domain/text.ts';
import { compareText } from '../../domain/diagnostic.ts';
import type { ObservedMessage } from '../../domain/replies.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { inOrder } from './messages.ts';
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

/** The service answered another value than the one sent, and both are unchanged since: no drift (CONTENT-23). */
export function isRewrite({ path, old, new: wanted }: FieldDifference, { fields }: Shown): boolean {
  return fields.some(
    (field) =>
      field.path === path &&
      field.sent !== null &&
      isStoredAs(field.sent, canonical(wanted ?? null)) &&
      isStoredAs(field.got, canonical(old ?? null)),
  );
}

/** The service filled in a value that no file states when Herald created the object. */
function isFilledIn(path: string, live: unknown, { fields }: Shown): boolean {
  return fields.some(
    (field) => field.path === path && field.sent === null && isStoredAs(field.got, canonical(live ?? null)),
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

/**
 * Live values that are not in the file: a replace creates the new version without them. Fields that are always compared
 * (text, price, attachments, audience) are differences and not in this list. Defaults of the service are not a loss.
 */
function findDropped(declared: Declared, { live }: Observed, shown: Shown): readonly Dropped[] {
  const { rules, messages } = declared.content;
  const found = droppedRules(live.rules ?? {}, rules ?? {}, 'rules');
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  const told = inOrder(live.messages ?? []).flatMap((message, index) => {
    const wanted = messages[index];
    // A message that only one side has is a difference as a whole.
    return wanted === undefined ? [] : droppedFromMessage(message, { ...wanted }, `messages[${index}]`);
  });
  return [...found, ...(isMimic ? [] : told)]
    .filter((one) => !isFilledIn(one.path, one.live, shown))
    .toSorted((left, right) => compareText(left.path, right.path));
}

function droppedRules(live: Members, declared: Members, prefix: string): readonly Dropped[] {
  return Object.entries(live).flatMap(([key, value]): readonly Dropped[] => {
    const [path, wanted] = [`${prefix}.${key}`, declared[key]];
    if (READ_ONLY_RULES.includes(key) || !isSetRule(value)) return [];
    if (isMembers(value) && (wanted === undefined || isMembers(wanted)))
      return droppedRules(value, wanted ?? {}, path);
    return wanted === undefined ? [{ path, live: value }] : [];
  });
}

/** Compared only where the file says them. */
const ONLY_WHERE_DECLARED: readonly string[] = ['delay_sec', 'text_is_paid', 'tagged_platform_account_ids'];

/** Also what this version of Herald does not know, and no create sends. */
function droppedFromMessage(live: ObservedMessage, declared: Members, path: string): readonly Dropped[] {
  const own = Object.entries(live).filter(([key]) =>
    ONLY_WHERE_DECLARED.includes(key) ? declared[key] === undefined : !MESSAGE_KEYS.includes(key),
  );
  const attached = (live.attachments ?? []).flatMap((attachment, index) =>
    Object.entries(attachment)
      .filter(([key]) => !ATTACHMENT_KEYS.includes(key))
      .map(([key, value]) => [`attachments[${index}].${key}`, value] as const),
  );
  return [...own, ...attached].flatMap(([key, value]) =>
    isEmpty(value) ? [] : [{ path: `${path}.${key}`, live: value }],
  );
}
