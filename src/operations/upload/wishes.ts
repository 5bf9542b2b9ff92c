import * as z from 'zod';
import type { FanId } from '../../domain/ids.ts';

/** The data about the media for the vault, besides its bytes. */
export interface ExportWishes {
  readonly type: 'post' | 'message';
  /** As the verify call named it. */
  readonly fanId: FanId | null;
  readonly guests: readonly string[];
  readonly partners: readonly string[];
  readonly tags: readonly string[];
  /** In seconds. */
  readonly duration: number | undefined;
  /** Digest of what a file of the workspace wishes; undefined without wishes, and for uploads by hand. */
  readonly declared?: string | undefined;
}

/** What an export was for, as the ledger keeps it: the same bytes for another purpose are another export. */
export const purposeShape = z.object({
  type: z.string(),
  fan_id: z.string().nullable(),
  guests: z.array(z.string()),
  partners: z.array(z.string()),
  tags: z.array(z.string()),
});
export type Purpose = z.output<typeof purposeShape>;

export function purposeOf({ type, fanId, guests, partners, tags }: ExportWishes): Purpose {
  return {
    type,
    fan_id: fanId,
    guests: guests.toSorted(),
    partners: partners.toSorted(),
    tags: tags.toSorted(),
  };
}

/** What is different, in words; null where both are for the same. */
export function differenceOf(then: Purpose, now: Purpose): string | null {
  const differences = [
    ...(then.type === now.type ? [] : [`it was exported for ${then.type}`]),
    ...(then.fan_id === now.fan_id
      ? []
      : [then.fan_id === null ? 'it was not for a single fan' : `it was for fan ${then.fan_id}`]),
    ...(['guests', 'partners', 'tags'] as const)
      .filter((list) => then[list].join() !== now[list].join())
      .map((list) => `its ${list} were ${then[list].join(', ') || 'none'}`),
  ];
  return differences.length === 0 ? null : differences.join(', and ');
}
