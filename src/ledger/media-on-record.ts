import * as z from 'zod';
import { isFileAttachment, mediaKey, NO_MEDIA, type MediaOnRecord } from '../domain/media.ts';
import { mediaPrint } from '../domain/media-wishes.ts';
import { actsOf, type Act } from './acts.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import { sentAtServiceMs } from './order.ts';
import type { Placed } from './placed.ts';

const EXPORT = 'vault.upload-export';

export function isUploadIntoVault(operation: string): boolean {
  return operation === EXPORT;
}

/** For no single fan, or older than the recording of purposes. */
const forAll = z.looseObject({ purpose: z.looseObject({ fan_id: z.null() }).optional() });

/** Uploaded for a file with wishes. They say which fan it is for, too. */
const declared = z.looseObject({ wishes: z.string() });

/**
 * What the uploads on record brought into the vaults: the bytes behind each media, with the wishes of its file. Media
 * that was uploaded by hand for a single fan is left out.
 */
export function mediaOnRecord(lines: readonly LedgerLine[]): MediaOnRecord {
  if (!lines.some((line) => line.type === 'act' && isUploadIntoVault(line.operation))) return NO_MEDIA;
  return new Map(
    actsOf(lines)
      .flatMap((act) => mediaOf(act) ?? [])
      .map(({ key, digest }) => [key, digest]),
  );
}

/** The same, learned upload by upload. */
export class MediaInVaults {
  readonly #byEntry: Map<string, PlacedMedia>;

  /** `kept`: what another one has learned. */
  constructor(kept: KeptMedia = []) {
    this.#byEntry = new Map(kept);
  }

  /** Takes in all lines of some entries, in whatever order. */
  note(lines: readonly Placed[]): void {
    const places = new Map<string, number>();
    for (const { line, place } of lines)
      if (line.type === 'act' && isUploadIntoVault(line.operation) && !places.has(line.entry))
        places.set(line.entry, place);
    if (places.size === 0) return;
    for (const act of actsOf(lines.map(({ line }) => line))) {
      const [media, place] = [mediaOf(act), places.get(act.entry)];
      if (media === null || place === undefined) this.#byEntry.delete(act.entry);
      else this.#byEntry.set(act.entry, { ...media, leftMs: sentAtServiceMs(act), place });
    }
  }

  /** Everything that was learned. */
  kept(): KeptMedia {
    return [...this.#byEntry];
  }

  /** The upload that left last tells. */
  all(): MediaOnRecord {
    if (this.#byEntry.size === 0) return NO_MEDIA;
    const inOrder = [...this.#byEntry.values()].toSorted(
      (left, right) => left.leftMs - right.leftMs || left.place - right.place,
    );
    return new Map(inOrder.map(({ key, digest }) => [key, digest]));
  }
}

/** The media that an upload brought into a vault, by `mediaKey`, with its print; null where it is none. */
function mediaOf({ operation, accountId, liveId, subject, details }: Act): Media | null {
  if (!isUploadIntoVault(operation) || liveId === null) return null;
  const { data } = declared.safeParse(details);
  if (data === undefined && !forAll.safeParse(details).success) return null;
  return { key: mediaKey(accountId, liveId), digest: mediaPrint(subject, data?.wishes) };
}

interface Media {
  readonly key: string;
  readonly digest: string;
}

interface PlacedMedia extends Media {
  readonly leftMs: number;
  readonly place: number;
}

export type KeptMedia = readonly (readonly [string, PlacedMedia])[];

/** The files that a create showed, by the ids that it sent for them; null where the ledger does not say. */
export function sentMedia({ wanted }: Pick<IntentLine, 'wanted'>): Readonly<Record<string, string>> | null {
  if (wanted === null) return null;
  let sent: Readonly<Record<string, string>> = NO_FILES;
  for (const { attachments } of wanted.content.messages)
    for (const attachment of attachments ?? [])
      if (!isFileAttachment(attachment) && typeof attachment.file?.digest === 'string')
        sent = { ...sent, [attachment.id]: attachment.file.digest };
  return sent;
}

const NO_FILES: Readonly<Record<string, string>> = {};
