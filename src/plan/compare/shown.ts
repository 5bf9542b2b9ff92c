import * as z from 'zod/mini';
import type { FieldDifference } from '../../domain/change.ts';
import { digestInPlaceOf, isStoredAs } from '../../domain/stored-text.ts';
import { shown } from './normalise.ts';

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
  const text = shown(value);
  return path.endsWith('.text') ? digestInPlaceOf(text) : text;
}

/** The service answered another value than the one sent, and both are unchanged since: no drift (CONTENT-23). */
export function isRewrite({ path, old, new: wanted }: FieldDifference, { fields }: Shown): boolean {
  return fields.some(
    (field) =>
      field.path === path &&
      field.sent !== null &&
      isStoredAs(field.sent, shown(wanted)) &&
      isStoredAs(field.got, shown(old)),
  );
}

/** The service filled in a value that no file states when Herald created the object. */
export function isFilledIn(path: string, live: unknown, { fields }: Shown): boolean {
  return fields.some(
    (field) => field.path === path && field.sent === null && isStoredAs(field.got, shown(live)),
  );
}
